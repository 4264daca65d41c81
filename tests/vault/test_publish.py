"""What `wrapgen.vault.disk` promises to its callers, file by file; `test_files.py` asks the program."""

import errno
import os
import stat

import pytest

from wrapgen.errors import PublishError
from wrapgen.regular_files import ENDING
from wrapgen.vault import disk

posix = pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX")


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def mask():
    former = os.umask(0o022)
    yield
    os.umask(former)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def ignores(root):
    """Which folders tell git to leave all out."""
    found = [path.parent.relative_to(root).as_posix() for path in root.rglob(".gitignore") if "*" in path.read_text()]
    return sorted(found)


class TestRead:
    def test_up_to_so_many_bytes(self, tmp_path):
        file = tmp_path / "a.md"
        file.write_bytes(b"12345")
        assert disk.read(file, 5) == disk.Text("12345")
        with pytest.raises(OSError, match="is larger than 4 bytes") as caught:
            disk.read(file, 4)
        assert caught.value.errno == errno.EFBIG

    def test_what_is_no_text_is_read_as_far_as_it_is_and_told(self, tmp_path):
        file = tmp_path / "a.md"
        file.write_bytes(b"\xef\xbb\xbfCaf\xe9 \xed\x95\x9c")
        assert disk.read(file, 100) == disk.Text("Caf\ufffd 한", "decoded with errors")


class TestPublish:
    def test_it_says_whether_it_wrote(self, root):
        file = root / "page.md"
        assert disk.publish(file, b"one", root=root)
        number = file.stat().st_ino
        assert not disk.publish(file, b"one", root=root)
        assert file.stat().st_ino == number, "an equal page is not even touched"
        assert disk.publish(file, b"two", root=root)
        assert file.read_bytes() == b"two"

    @pytest.mark.slow
    @posix
    def test_a_new_file_is_private_only_if_asked_for(self, root):
        disk.publish(root / "page.md", b"one", root=root)
        disk.publish(root / "state.jsonl", b"one", root=root, private=True)
        assert (mode(root / "page.md"), mode(root / "state.jsonl")) == (0o644, 0o600)

    @posix
    def test_an_old_file_keeps_its_mode(self, root):
        (root / "page.md").write_bytes(b"old")
        (root / "page.md").chmod(0o664)
        assert disk.publish(root / "page.md", b"one", root=root, private=True)
        assert mode(root / "page.md") == 0o664

    def test_over_a_folder(self, root):
        (root / "page.md").mkdir()
        with pytest.raises(PublishError) as caught:
            disk.publish(root / "page.md", b"one", root=root)
        assert str(caught.value).startswith(f"{root / 'page.md'}: is a folder, so nothing can be written there.")

    @posix
    def test_through_a_link_out_of_the_vault(self, root, tmp_path):
        (root / "page.md").symlink_to(tmp_path / "outside.md")
        with pytest.raises(PublishError, match="leads outside the vault"):
            disk.publish(root / "page.md", b"one", root=root)
        assert not (tmp_path / "outside.md").exists()

    def test_what_killed_runs_left_beside_it_goes_even_if_the_page_stays(self, root):
        disk.publish(root / "page.md", b"one", root=root)
        left = root / f".page.md.1.ab{ENDING}"
        other = root / f".other.md.1.ab{ENDING}"
        for file in (left, other):
            file.write_bytes(b"half")
        assert not disk.publish(root / "page.md", b"one", root=root)
        assert (left.exists(), other.exists()) == (False, True)

    @pytest.mark.slow
    def test_a_refusal_leaves_the_former_file_and_nothing_else(self, root, monkeypatch):
        (root / "page.md").write_bytes(b"old")

        def refuse(*_, **__):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        monkeypatch.setattr(os, "replace", refuse)
        with pytest.raises(PublishError) as caught:
            disk.publish(root / "page.md", b"one", root=root)
        told = (
            f"{root / 'page.md'}: cannot be written; the existing file is unchanged ({os.strerror(errno.EIO)}). Check"
        )
        assert str(caught.value).startswith(told)
        assert isinstance(caught.value.__cause__, OSError)
        assert [path.name for path in root.iterdir()] == ["page.md"]
        assert (root / "page.md").read_bytes() == b"old"


class TestMakeNew:
    def test_it_says_what_it_wrote(self, root):
        (root / "a.md").write_text("mine")
        found = disk.make_new(root, {"a.md": "theirs", "b/c/d.md": "둘", "e.md": "three"})
        assert found == ["b/c/d.md", "e.md"]
        assert [(root / name).read_bytes().decode() for name in ("a.md", *found)] == ["mine", "둘", "three"]

    @pytest.mark.slow
    def test_folders_that_stand_are_no_obstacle(self, root):
        (root / "b").mkdir()
        assert disk.make_new(root, {"b/c.md": "x", "b/d.md": "y"}) == ["b/c.md", "b/d.md"]

    @posix
    def test_a_link_stays_be_it_to_nowhere(self, root):
        (root / "a.md").symlink_to("nowhere.md")
        assert disk.make_new(root, {"a.md": "x"}) == []
        assert [path.name for path in root.iterdir()] == ["a.md"]

    @posix
    def test_nothing_is_made_outside(self, root, tmp_path):
        (tmp_path / "outside").mkdir()
        (root / "b").symlink_to(tmp_path / "outside")
        with pytest.raises(PublishError, match="leads outside the vault"):
            disk.make_new(root, {"a.md": "x", "b/new/c.md": "y"})
        assert list((tmp_path / "outside").iterdir()) == []
        assert (root / "a.md").read_text() == "x"


class TestPrivateFolder:
    def test_all_that_is_missing_is_made_and_the_topmost_is_ignored(self, root):
        disk.make_private_folder(root / "a/b/c", root)
        assert ignores(root) == ["a"]
        assert (root / "a/.gitignore").read_bytes() == b"*\n"
        if os.name == "posix":
            assert [mode(root / path) for path in ("a", "a/b", "a/b/c")] == [0o700] * 3

    def test_what_keeps_git_away_is_private_too(self, root):
        disk.make_private_folder(root / "a", root)
        if os.name == "posix":
            assert mode(root / "a/.gitignore") == 0o600

    def test_half_a_name_is_not_left_in_it(self, root, monkeypatch):
        write = os.write

        def half(descriptor, data):
            if len(data) > 1:
                return write(descriptor, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        (root / "a").mkdir()
        (root / "a/b").mkdir()
        monkeypatch.setattr(os, "write", half)
        with pytest.raises(PublishError, match="No space left"):
            disk.make_private_folder(root / "a", root, pattern="history.jsonl")
        monkeypatch.undo()
        disk.make_private_folder(root / "a", root, pattern="history.jsonl")
        assert (root / "a/.gitignore").read_bytes() == b"history.jsonl\n.*.wrapgen-*\n.gitignore\n"

    def test_another_run_may_make_it_at_the_same_moment(self, root, monkeypatch):
        (root / "a").mkdir()
        exists = type(root).exists
        monkeypatch.setattr(type(root), "exists", lambda path: path.name != "a" and exists(path))
        disk.make_private_folder(root / "a", root)
        monkeypatch.undo()
        assert ignores(root) == ["a"]

    def test_in_a_folder_of_somebody_the_topmost_of_ours_is(self, root):
        (root / "a").mkdir()
        (root / "a/notes.md").write_text("mine")
        disk.make_private_folder(root / "a/b/c", root)
        assert ignores(root) == ["a/b"]

    @pytest.mark.slow
    def test_one_that_came_with_the_vault_is_from_now_on(self, root):
        (root / "a/b").mkdir(parents=True)
        (root / "a/b/state.jsonl").write_text("theirs")
        disk.make_private_folder(root / "a/b", root)
        assert ignores(root) == ["a/b"]

    def test_below_an_ignored_one_no_other_is_needed(self, root):
        disk.make_private_folder(root / "a", root)
        disk.make_private_folder(root / "a/b/c", root)
        disk.make_private_folder(root / "a/b/c", root)
        assert ignores(root) == ["a"]

    def test_what_a_vault_ignores_at_its_top_is_no_promise(self, root):
        """It may be kept in git all the same, by `git add -f`, and is the person's own file."""
        (root / ".gitignore").write_text("*\n")
        disk.make_private_folder(root / "a", root)
        assert ignores(root) == [".", "a"]

    @pytest.mark.parametrize("text", ["!keep\n", "build\n", "x"])
    def test_an_ignore_file_of_somebody_stays_as_it_is(self, root, text):
        (root / "a").mkdir()
        (root / "a/.gitignore").write_text(text)
        disk.make_private_folder(root / "a", root)
        assert (root / "a/.gitignore").read_text() == text

    @pytest.mark.slow
    def test_an_empty_one_is_what_a_killed_run_left(self, root):
        (root / "a").mkdir()
        (root / "a/.gitignore").touch()
        disk.make_private_folder(root / "a", root)
        assert ignores(root) == ["a"]

    @pytest.mark.parametrize(
        ("stands", "ignored"),
        [
            ((), ["s"]),
            (("s",), ["s"]),
            (("s/.gitignore",), ["s"]),
            (("s/own.md",), []),
            (("s/own.md", "s/.gitignore"), []),
        ],
    )
    def test_one_that_is_named_is_ignored_when_it_is_new_or_empty(self, root, stands, ignored):
        for path in stands:
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).touch() if "." in path else (root / path).mkdir()
        disk.make_private_folder(root / "s", root, ignored=root / "s")
        assert ignores(root) == ignored

    def test_a_new_folder_in_the_one_that_is_named(self, root):
        (root / "s").mkdir()
        (root / "s/own.md").touch()
        disk.make_private_folder(root / "s/web", root, ignored=root / "s")
        assert ignores(root) == ["s"]

    @posix
    def test_nothing_is_made_outside(self, root, tmp_path):
        (tmp_path / "outside").mkdir()
        (root / "a").symlink_to(tmp_path / "outside")
        with pytest.raises(PublishError, match="leads outside the vault"):
            disk.make_private_folder(root / "a/b", root)
        assert list((tmp_path / "outside").iterdir()) == []

    def test_a_file_in_its_place_is_told(self, root):
        (root / "a").write_text("mine")
        with pytest.raises(PublishError) as caught:
            disk.make_private_folder(root / "a/b", root)
        assert str(caught.value).startswith(f"{root / 'a/b'}: the folder cannot be made (")
        assert isinstance(caught.value.__cause__, OSError)
