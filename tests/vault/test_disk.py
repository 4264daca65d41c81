"""What the disk refuses while bytes are on their way, and what is then left."""

import errno
import os

import pytest

from wrapgen.vault import disk
from wrapgen.vault.held import held, sync_folder

posix = pytest.mark.skipif(os.name != "posix", reason="links and folders of POSIX")
OLD, OURS = b"- old\n", b"- ours\n"


@pytest.fixture
def opened(tmp_path):
    file = tmp_path / "note.md"
    file.write_bytes(OLD)
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND)
    yield descriptor, file
    os.close(descriptor)


def refuse(monkeypatch, number=errno.EIO, before=lambda: None):
    def refused(*_):
        before()
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refused)


class TestAppend:
    def test_it_stands_behind_what_was_there(self, opened):
        disk.append(opened[0], OURS)
        assert opened[1].read_bytes() == OLD + OURS

    def test_what_the_disk_did_not_take_is_taken_back(self, opened, monkeypatch):
        refuse(monkeypatch)
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            disk.append(opened[0], OURS)
        assert opened[1].read_bytes() == OLD

    def test_half_of_it_too(self, opened, monkeypatch):
        real = os.write

        def half(descriptor, data):
            if len(data) < len(OURS):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(descriptor, data[:3])

        monkeypatch.setattr(os, "write", half)
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            disk.append(opened[0], OURS)
        assert opened[1].read_bytes() == OLD

    def test_not_when_somebody_has_appended_more(self, opened, monkeypatch):
        def more():
            with opened[1].open("ab") as file:
                file.write(b"- theirs\n")

        refuse(monkeypatch, before=more)
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            disk.append(opened[0], OURS)
        assert opened[1].read_bytes() == OLD + OURS + b"- theirs\n"

    def test_nobody_waits_for_the_disk_unless_asked(self, opened, monkeypatch):
        refuse(monkeypatch)
        disk.append(opened[0], OURS, durable=False)
        assert opened[1].read_bytes() == OLD + OURS


@posix
class TestFolders:
    @pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EACCES])
    def test_a_file_system_that_cannot_confirm_a_name_is_no_trouble(self, tmp_path, monkeypatch, number):
        refuse(monkeypatch, number)
        sync_folder(tmp_path)

    def test_a_disk_that_does_not_is(self, tmp_path, monkeypatch):
        refuse(monkeypatch, errno.EIO)
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            sync_folder(tmp_path)

    def test_one_that_is_gone_holds_nothing(self, tmp_path):
        assert list(disk.below(tmp_path / "none")) == []

    def test_one_that_is_left_out_and_a_link_are_not_entered(self, tmp_path):
        for path in ("a/b/one.md", ".git/two.md"):
            (tmp_path / path).parent.mkdir(parents=True)
            (tmp_path / path).touch()
        (tmp_path / "round").symlink_to(tmp_path)
        found = [os.path.relpath(entry.path, tmp_path) for entry in disk.below(tmp_path, ".git")]
        assert found == [".git", "a", "round", os.path.join("a", "b"), os.path.join("a", "b", "one.md")]  # noqa: PTH118


@posix
def test_a_link_is_not_followed_unless_that_is_meant(tmp_path):
    (tmp_path / "note.md").write_bytes(OLD)
    (tmp_path / "link.md").symlink_to("note.md")
    with disk.opened(tmp_path / "link.md") as descriptor:
        assert disk.content(descriptor) == OLD
    with pytest.raises(OSError, match="is a symbolic link") as caught, disk.opened(tmp_path / "link.md", follow=False):
        pass
    assert caught.value.errno == errno.ELOOP
    with disk.opened(tmp_path / "note.md", follow=False) as descriptor:
        assert disk.content(descriptor, 3) == OLD[:3]


@posix
def test_a_path_names_an_open_file_until_another_one_has_it(tmp_path):
    file = tmp_path / "note.md"
    file.write_bytes(OLD)
    with disk.opened(file) as descriptor, held(file, tmp_path) as note:
        assert note.is_open_as(descriptor)
        file.rename(tmp_path / "other.md")
        assert not note.is_open_as(descriptor)
        file.write_bytes(OLD)
        assert not note.is_open_as(descriptor)
        assert note.with_name("other.md").is_open_as(descriptor)
