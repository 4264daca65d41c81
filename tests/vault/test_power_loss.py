"""Strictly by POSIX a new name is on the disk when its folder was synced after it came; nothing else holds it.

What a run did is written down call by call, and played back as a disk that loses every name that no sync confirmed.
"""

import os
from pathlib import Path

import pytest

from tests.stage.kit import PLAN, TASK
from tests.support import wrap
from wrapgen.vault import writers
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.rewrite import rewrite
from wrapgen.vault.state import add_record

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="asks Linux for the path of a descriptor")


class Disk:
    """Which names came and went since a folder was last synced.

    Attributes:
        at_risk: what a power cut would take now: paths that came.
        lost: files that a power cut at some moment would have left without any name on the disk.
    """

    def __init__(self, root, monkeypatch):
        self._root = os.path.realpath(root)
        self.at_risk = set()
        self.lost = []
        self._came = {}
        for name in ("mkdir", "open", "link", "rename", "replace", "unlink", "fsync"):
            monkeypatch.setattr(os, name, self._noted(getattr(os, name), getattr(self, f"_{name}")))
        monkeypatch.setattr(writers, "exchange", lambda *_: False)

    def _noted(self, real, note):
        def called(*args, **named):
            before = note(*args, **named)
            done = real(*args, **named)
            if before is not None:
                before()
            return done

        return called

    def _path(self, name, folder=None):
        if isinstance(name, int):
            return str(Path(f"/proc/self/fd/{name}").readlink())
        return str(Path("" if folder is None else self._path(folder)).absolute() / name)

    def _is_ours(self, path):
        return path.startswith(self._root) and not path.endswith((".lock", ".holder", ".wrapgen-tmp"))

    def _come(self, path):
        return lambda: self._is_ours(path) and self.at_risk.add(path)

    def _mkdir(self, path, *_, dir_fd=None, **__):
        return self._come(self._path(path, dir_fd))

    def _open(self, path, flags, *_, dir_fd=None, **__):
        where = self._path(path, dir_fd)
        return self._come(where) if flags & os.O_CREAT and not os.path.lexists(where) else None

    def _link(self, _, new, dst_dir_fd=None, **__):
        return self._come(self._path(new, dst_dir_fd))

    def _rename(self, old, new, src_dir_fd=None, dst_dir_fd=None):
        old, new = self._path(old, src_dir_fd), self._path(new, dst_dir_fd)
        if self._is_ours(old) and Path(old).parent != Path(new).parent:
            self.lost.append(old)  # the one folder may reach the disk without the other
        self.at_risk.discard(old)
        return self._come(new)

    _replace = _rename

    def _unlink(self, path, dir_fd=None):
        where = self._path(path, dir_fd)
        self.at_risk.discard(where)
        if self._is_ours(where) and Path(where).exists():
            # Its other name is not on the disk yet.
            self.lost += [one for one in self.at_risk if Path(one).exists() and Path(one).samefile(where)]

    def _fsync(self, descriptor):
        folder = self._path(descriptor)
        return lambda: self.at_risk.difference_update([one for one in self.at_risk if str(Path(one).parent) == folder])


@pytest.fixture
def disk(tmp_path, monkeypatch):
    root = tmp_path / "vault"
    root.mkdir()
    return Disk(root, monkeypatch), root


def below(disk, root):
    return sorted(os.path.relpath(path, root) for path in disk.at_risk)


def test_a_first_record_has_its_name_and_those_of_its_folders_on_the_disk(disk):
    disk, root = disk
    add_record(root, "receipts.jsonl", {"id": 1})
    assert (root / ".wrapgen/state/receipts.jsonl").read_bytes() == b'{"id":1}\n'
    assert below(disk, root) == [".wrapgen/.gitignore"], "which the next run makes again"


def test_folders_of_a_new_note(disk):
    disk, root = disk
    rewrite(root / "journals/2026/d.md", lambda _: b"# d\n", root=root)
    assert below(disk, root) == []


def test_a_private_folder(disk):
    disk, root = disk
    make_private_folder(root / "a/b", root)
    assert below(disk, root) == ["a/.gitignore"]


@pytest.mark.parametrize("words", [("add", "Water the plants"), ("regen",)], ids=" ".join)
def test_a_first_run(vault, monkeypatch, words):
    built = vault({"projects/web/todos.md": "## Next Session\n\n- [ ] Paint the fence\n"})
    disk = Disk(built.root, monkeypatch)
    assert wrap(*words, vault=built).code == 0
    assert disk.lost == []
    disposable = (".wrapgen/cache", ".gitignore", ".wrapgen/history.jsonl")
    assert [
        path
        for path in below(disk, built.root)
        if not path.startswith(disposable[0]) and not path.endswith(disposable[1:])
    ] == []


def test_an_archived_snapshot_is_at_each_moment_in_one_of_the_folders(vault, monkeypatch, tmp_path):
    built = vault()
    body = tmp_path / "body.md"
    for text in ("one\n", "two\n"):
        body.write_text(text)
        assert wrap("stage", "write", *PLAN, "--body-file", body, vault=built).code == 0
    disk = Disk(built.root, monkeypatch)
    assert wrap("stage", "archive", TASK, vault=built).code == 0
    assert disk.lost == []
    assert [path for path in below(disk, built.root) if path.endswith(".md")] == []
    assert len(list(built.path("archive/general/snapshots").glob("*.md"))) == 2
