"""What root makes in somebody's vault is theirs: their own runs can read and write it."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.stage.kit import PLAN
from tests.support import Vault, child_environment, wrap
from wrapgen import regular_files
from wrapgen.hooks.once import is_news
from wrapgen.vault.disk import publish
from wrapgen.vault.rewrite import rewrite
from wrapgen.vault.state import add_record

pytestmark = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: -1)() != 0, reason="only root makes files in a vault of somebody else"
)
SOMEBODY, GROUP = 4321, 4322


@pytest.fixture
def theirs(vault):
    """A vault with notes, all of it somebody else's."""
    built = vault({"projects/web/todos.md": "## Next Session\n\n- [ ] Paint the fence\n"})
    for path in (built.root, *built.root.rglob("*")):
        os.chown(path, SOMEBODY, GROUP)
    return built


def others(vault):
    """What does not belong to whom the vault belongs."""
    return [
        path.relative_to(vault.root).as_posix()
        for path in vault.root.rglob("*")
        if (path.lstat().st_uid, path.lstat().st_gid) != (SOMEBODY, GROUP)
    ]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("add", "Water the plants"),
        ("add", "Water the plants", "-p", "web"),
        ("done", "1"),
        ("page",),
        ("agent", "record", "Use the queue", "--session", "s", "--kind", "decision"),
        ("stage", "write", *PLAN, "--body-file", "BODY"),
        ("sources", "add", "notes/*.md", "--as", "lists"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_every_folder_and_file(theirs, words, tmp_path):
    body = tmp_path / "body.md"
    body.write_text("The plan.\n")
    wrap("list", vault=theirs)  # numbers mean the list that was printed
    result = wrap(*(str(body) if word == "BODY" else word for word in words), vault=theirs)
    assert result.code == 0, result.err
    assert others(theirs) == []


def test_a_hook(theirs):
    event = '{"hook_event_name": "SessionStart", "source": "startup", "session_id": "s"}'
    wrap("trust", vault=theirs)
    done = subprocess.run(
        [sys.executable, "-m", "wrapgen", "hook", "SessionStart"],
        input=event.encode(), env=child_environment() | {"WRAPGEN_VAULT": str(theirs.root)}, cwd=theirs.root,
        check=True, timeout=60, capture_output=True,
    )  # fmt: skip
    assert done.stderr == b""
    assert theirs.path(".wrapgen/state/hooks").is_dir()
    until = time.monotonic() + 30
    while others(theirs) and time.monotonic() < until:  # the background run may be about to give a file away
        time.sleep(0.05)
    assert others(theirs) == []


@pytest.fixture
def reachable():
    """A vault in a folder that every user can reach, unlike those of the tests; two of them, one to warm up with."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        built = [Vault(Path(folder) / name) for name in ("warm", "vault")]
        for one in built:
            one.write("projects/web/todos.md", "## Next Session\n\n- [ ] Paint the fence\n")
            for path in (one.root, *one.root.rglob("*")):
                os.chown(path, SOMEBODY, GROUP)
        yield built


@pytest.mark.slow
def test_then_the_owner_goes_on(reachable, tmp_path):
    """The whole way: one run as root, and the next ones as the vault's owner."""
    verbs = (("add", "Sweep the yard"), ("undo",), ("list",), ("regen",))
    for vault in reachable:
        assert wrap("add", "Water the plants", vault=vault).code == 0
    for words in verbs:  # so that all is imported: the owner may not be allowed to read this Python
        assert wrap(*words, vault=reachable[0]).code == 0
    told = tmp_path / "told"
    with told.open("w") as file:
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setgid(GROUP)
            os.setuid(SOMEBODY)
            for words in verbs:
                result = wrap(*words, vault=reachable[1])
                file.write(f"{result.code} {result.err}\n")
            file.flush()
            os._exit(0)
    os.waitpid(child, 0)
    assert told.read_text() == "0 \n" * len(verbs)


@pytest.mark.parametrize("words", [("notes/of/mine",), ("notes/of/mine", "--demo"), (".",)])
def test_a_new_vault_in_their_folder(tmp_path, monkeypatch, words):
    home = Vault(tmp_path / "home")
    home.path("wrapgen.toml").unlink()
    os.chown(home.root, SOMEBODY, GROUP)
    monkeypatch.chdir(home.root)
    assert wrap("init", *words).code == 0
    assert len(list(home.root.rglob("*"))) > 2
    assert others(home) == []


def test_what_a_session_was_told(theirs):
    wrap("list", vault=theirs)
    assert is_news(str(theirs.root), "s", "words")
    assert others(theirs) == []


class TestOne:
    def test_the_folder_says_whose_it_is(self, theirs):
        folder = theirs.path("projects/infra")
        folder.mkdir()
        os.chown(folder, SOMEBODY + 1, GROUP)
        rewrite(folder / "new/todos.md", lambda _: b"- x\n", root=theirs.root)
        assert {path.stat().st_uid for path in folder.rglob("*")} == {SOMEBODY + 1}

    def test_what_is_there_keeps_its_owner(self, theirs):
        """Root may keep a file of its own in it, and a link there must not give another away."""
        add_record(theirs.root, "receipts.jsonl", {"id": 1})
        file = theirs.path(".wrapgen/state/receipts.jsonl")
        os.chown(file, 0, 0)
        add_record(theirs.root, "receipts.jsonl", {"id": 2})
        assert file.stat().st_uid == 0

    def test_a_link_is_not_given_away(self, theirs, tmp_path):
        (tmp_path / "secret").write_text("root's")
        link = theirs.path("link")
        link.symlink_to(tmp_path / "secret")
        with pytest.raises(OSError):  # noqa: PT011 - ELOOP here, others elsewhere
            os.close(regular_files.make(str(link), os.O_RDWR | os.O_CREAT | regular_files.NO_LINKS))
        os.close(regular_files.make(str(link), os.O_RDWR | os.O_CREAT))
        assert (tmp_path / "secret").stat().st_uid == 0

    def test_a_vault_of_root_stays_so(self, vault):
        built = vault()
        add_record(built.root, "receipts.jsonl", {"id": 1})
        publish(built.dashboard, b"x", root=built.root)
        assert {path.stat().st_uid for path in built.root.rglob("*")} == {0}
