"""A file of ours that somebody takes up in the very moment that it is removed."""

import errno
import os
import sys

import pytest

from wrapgen.errors import PublishError
from wrapgen.vault import held, writers
from wrapgen.vault.held import HeldFile
from wrapgen.vault.rewrite import _Rewriter, discard, rewrite

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="services of Linux")
OURS, THEIRS = b"# d\n\n- [ ] ours\n", b"- theirs\n"


@pytest.fixture
def note(tmp_path):
    file = tmp_path / "vault" / "note.md"
    file.parent.mkdir()
    file.write_bytes(OURS)
    return file


@pytest.fixture
def once(monkeypatch):
    """Does something the first time that a function of a module is called, before it."""

    def arm(module, name, action):
        real = getattr(module, name)
        todo = [action]

        def called(*given):
            if todo:
                todo.pop()()
            return real(*given)

        monkeypatch.setattr(module, name, called)

    return arm


def append(file):
    with file.open("ab") as opened:
        opened.write(THEIRS)


def left(note):
    return sorted(path.name for path in note.parent.iterdir())


def test_a_file_that_somebody_has_just_taken_up_stays(note, once):
    # Before the lease: whoever opens the file in this process would wait for it in vain.
    once(_Rewriter, "_same", lambda: append(note))
    result = discard(note, OURS, root=note.parent)
    assert (result.changed, result.rescued) == (False, ())
    assert note.read_bytes() == OURS + THEIRS
    assert left(note) == ["note.md"]


@pytest.fixture
def unleased(monkeypatch):
    """Nobody can be made to wait."""
    monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)


@pytest.mark.usefixtures("unleased")
def test_words_appended_just_before_it_is_taken_away_bring_it_back(note, once):
    once(HeldFile, "unlink", lambda: append(note))
    result = discard(note, OURS, root=note.parent)
    assert (result.changed, result.rescued) == (False, ())
    assert note.read_bytes() == OURS + THEIRS
    assert left(note) == ["note.md"]


def test_another_file_in_its_place_stays(note, once):
    def renamed():
        (note.parent / "copy").write_bytes(THEIRS)
        (note.parent / "copy").replace(note)

    once(HeldFile, "is_open_as", renamed)
    assert not discard(note, OURS, root=note.parent).changed
    assert note.read_bytes() == THEIRS
    assert left(note) == ["note.md"]


@pytest.mark.usefixtures("unleased")
def test_if_its_place_is_taken_by_then_its_words_are_kept_elsewhere(note, once):
    once(HeldFile, "unlink", lambda: append(note))
    once(held, "sync_folder", lambda: note.write_bytes(THEIRS))
    result = discard(note, OURS, root=note.parent)
    assert not result.changed
    assert note.read_bytes() == THEIRS
    assert [path.read_bytes() for path in result.rescued] == [OURS + THEIRS]


def test_a_new_file_whose_name_the_disk_does_not_confirm_stands_and_that_is_said(note, monkeypatch):
    def refuse(_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(held, "sync_folder", refuse)
    new = note.with_name("new.md")
    result = rewrite(new, lambda _: OURS, root=note.parent)
    assert (result.changed, new.read_bytes()) == (True, OURS)
    assert "the disk did not confirm it" in result.doubt


def test_what_may_not_be_written_is_not_replaced_although_its_folder_may_be(note, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    with pytest.raises(PublishError, match=os.strerror(errno.EACCES)):
        rewrite(note, lambda data: data + THEIRS, root=note.parent)
    assert note.read_bytes() == OURS
    assert left(note) == ["note.md"]
