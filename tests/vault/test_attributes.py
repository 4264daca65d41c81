"""What a file has beside its content stays when it is changed: owner, mode, access list, attributes, other names."""

import errno
import fcntl
import os
import stat
import struct
import sys
from contextlib import suppress

import pytest

from wrapgen.errors import PublishError
from wrapgen.vault import disk, leftovers, writers
from wrapgen.vault.disk import publish
from wrapgen.vault.held import HeldFile
from wrapgen.vault.rewrite import discard, rewrite

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="attributes and leases of Linux")

OLD, OURS = b"# web\n\n- [ ] old\n", b"- [ ] ours\n"
ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
USER_OBJ, USER, GROUP_OBJ, MASK, OTHER = 1, 2, 4, 16, 32
NOBODY = 0xFFFFFFFF
# user::rw-, user:1234:rw-, group::r--, mask::rw-, other::---
LIST = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", *entry)
    for entry in ((USER_OBJ, 6, NOBODY), (USER, 6, 1234), (GROUP_OBJ, 4, NOBODY), (MASK, 6, NOBODY), (OTHER, 0, NOBODY))
)


def add(data):
    return None if OURS in data else data + OURS


@pytest.fixture
def note(tmp_path):
    file = tmp_path / "vault" / "note.md"
    file.parent.mkdir()
    file.write_bytes(OLD)
    return file


def given(file, name, value):
    """Give a file an attribute, where its file system has such."""
    try:
        os.setxattr(file, name, value)
    except OSError as error:
        pytest.skip(f"this file system takes no {name}: {error.strerror}")


def left(note):
    return sorted(path.name for path in note.parent.iterdir())


WRITES = {"rewrite": lambda note: rewrite(note, add, root=note.parent),
          "publish": lambda note: publish(note, OLD + OURS, root=note.parent)}  # fmt: skip


@pytest.mark.parametrize("how", WRITES)
class TestKept:
    def test_an_access_list(self, note, how):
        """Its mask is what the mode shows as the group's: without the list, the group could write."""
        given(note, ACCESS, LIST)
        before = stat.S_IMODE(note.stat().st_mode)
        WRITES[how](note)
        assert os.getxattr(note, ACCESS) == LIST
        assert (note.read_bytes(), stat.S_IMODE(note.stat().st_mode)) == (OLD + OURS, before)

    def test_attributes(self, note, how):
        given(note, "user.colour", b"blue")
        WRITES[how](note)
        assert {name: os.getxattr(note, name) for name in os.listxattr(note)} == {"user.colour": b"blue"}
        assert note.read_bytes() == OLD + OURS

    def test_nobody_may_read_it_before_it_has_its_mode(self, note, how, monkeypatch):
        """Who opens it early reads on, whatever its mode becomes."""
        real, modes = os.write, []

        def noted(descriptor, data):
            modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
            return real(descriptor, data)

        monkeypatch.setattr(os, "write", noted)
        WRITES[how](note)
        assert modes == [0o600]


@pytest.fixture
def other(note):
    """A second name of the note, outside the vault."""
    name = note.parent.parent / "other.md"
    name.hardlink_to(note)
    return name


class TestInPlace:
    def test_all_names_have_the_new_text(self, note, other):
        inode = note.stat().st_ino
        assert rewrite(note, add, root=note.parent).changed
        assert note.read_bytes() == other.read_bytes() == OLD + OURS
        assert (note.stat().st_ino, note.stat().st_nlink) == (inode, 2)
        assert left(note) == ["note.md"]

    def test_what_belongs_to_somebody_else_stays_theirs(self, note, monkeypatch):
        inode = note.stat().st_ino
        monkeypatch.setattr(disk, "is_ours", lambda _: False)
        assert rewrite(note, add, root=note.parent).changed
        assert (note.read_bytes(), note.stat().st_ino, left(note)) == (OLD + OURS, inode, ["note.md"])

    def test_it_may_become_shorter(self, note, other):
        rewrite(note, lambda _: b"- x\n", root=note.parent)
        assert other.read_bytes() == b"- x\n"

    def test_discarding_takes_the_one_name_away(self, note, other):
        assert discard(note, OLD, root=note.parent).changed
        assert (note.exists(), other.read_bytes()) == (False, OLD)

    @pytest.mark.parametrize("manner", ["rb", "ab"])
    def test_what_is_open_elsewhere_is_refused(self, note, other, manner, monkeypatch):
        """Of a reader nobody can tell what it does next, where it is not alone."""
        monkeypatch.setattr(writers, "_PATIENCE", 0.01)
        with other.open(manner), pytest.raises(PublishError, match=r"is open (for writing )?in another program"):
            rewrite(note, add, root=note.parent)
        assert (note.read_bytes(), left(note)) == (OLD, ["note.md"])

    def test_who_opens_it_meanwhile_waits(self, note, other, monkeypatch):
        """It is leased, as a file is that is displaced."""
        real, held = leftovers.overwrite, []

        def put(descriptor, present, wanted):
            held.append(fcntl.fcntl(descriptor, fcntl.F_GETLEASE))
            real(descriptor, present, wanted)

        monkeypatch.setattr(leftovers, "overwrite", put)
        rewrite(note, add, root=note.parent)
        assert (held, other.read_bytes()) == ([fcntl.F_WRLCK], OLD + OURS)

    @pytest.mark.parametrize("leases", [True, False])
    def test_what_was_written_meanwhile_is_not_overwritten(self, note, other, monkeypatch, leases):
        real, todo = leftovers.keep_both, [b"- theirs\n"]

        def keep(*given):
            if todo:
                with other.open("ab") as file:
                    file.write(todo.pop())
            return real(*given)

        monkeypatch.setattr(leftovers, "keep_both", keep)
        if not leases:
            monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)
        rewrite(note, add, root=note.parent)
        assert other.read_bytes() == OLD + b"- theirs\n" + OURS
        assert left(note) == ["note.md"]

    @pytest.mark.parametrize("nth", range(3))
    def test_what_the_disk_refuses_is_taken_back(self, note, other, monkeypatch, nth):
        real, made = os.write, [0]

        def full(descriptor, data):
            if os.path.samestat(os.fstat(descriptor), other.stat()):
                made[0] += 1
                if made[0] == nth + 1:
                    real(descriptor, data[: len(data) // 2])
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(descriptor, data)

        monkeypatch.setattr(os, "write", full)
        if nth < 2:
            with pytest.raises(PublishError, match="the existing file is unchanged"):
                rewrite(note, add, root=note.parent)
        else:
            assert rewrite(note, add, root=note.parent).changed
        assert other.read_bytes() == (OLD if nth < 2 else OLD + OURS)
        assert left(note) == ["note.md"]


class Killed(BaseException):
    """Nothing is tidied up."""


def torn(note, monkeypatch, wanted, at):
    """A run that was killed when so many bytes were written over the note."""

    def put(descriptor, present, new):
        longest = present + new[len(present) :]
        os.pwrite(descriptor, longest, 0)
        os.pwrite(descriptor, new[:at], 0)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(leftovers, "overwrite", put)
        with suppress(Killed):
            rewrite(note, lambda _: wanted, root=note.parent)


@pytest.mark.usefixtures("other")
class TestRecovery:
    @pytest.mark.parametrize("wanted", [b"- new\n" + OLD, b"- x\n", OLD + OURS], ids=["longer", "shorter", "appended"])
    def test_a_torn_file_is_put_back_by_the_next_run(self, note, monkeypatch, wanted):
        for at in range(len(wanted) + 1):
            torn(note, monkeypatch, wanted, at)
            assert len(left(note)) == 2
            result = rewrite(note, lambda _: None, root=note.parent)
            assert result.rescued == ()
            assert note.read_bytes() in (OLD, wanted)
            assert left(note) == ["note.md"]
            note.write_bytes(OLD)

    def test_words_that_somebody_wrote_into_it_stay_and_both_texts_are_kept(self, note, monkeypatch):
        torn(note, monkeypatch, b"- new\n" + OLD, 9)
        with note.open("ab") as file:
            file.write(b"- theirs\n")
        before = note.read_bytes()
        result = rewrite(note, lambda _: None, root=note.parent)
        assert note.read_bytes() == before
        assert [path.read_bytes() for path in result.rescued] == [OLD + b"- new\n" + OLD]

    def test_a_file_that_is_gone_leaves_both_texts(self, note, monkeypatch):
        torn(note, monkeypatch, OLD + OURS, 9)
        note.unlink()
        result = rewrite(note, lambda _: None, root=note.parent)
        assert [path.read_bytes() for path in result.rescued] == [OLD + OLD + OURS]

    def test_doctor_knows_what_was_left(self, note, monkeypatch):
        torn(note, monkeypatch, b"- new\n" + OLD, 9)
        (found,) = leftovers.left_over(note.parent)
        assert leftovers.finish(found, note.parent) == []
        assert (note.read_bytes(), left(note)) == (OLD, ["note.md"])


def test_what_is_kept_beside_it_is_private(note, other, monkeypatch):
    note.chmod(0o644)
    torn(note, monkeypatch, OLD + OURS, 3)
    (both,) = disk.beside(HeldFile(note))
    assert stat.S_IMODE(both.stat().st_mode) == 0o600
    assert both.path.read_bytes() == OLD + OLD + OURS
    assert other.read_bytes() == note.read_bytes()
