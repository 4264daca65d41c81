"""Where the system cannot exchange files, or cannot tell who writes to one, the callers do without."""

import errno
import os
import sys

import pytest

from wrapgen.vault import swap
from wrapgen.vault.held import HeldFile
from wrapgen.vault.swap import Writers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="services of Linux")


@pytest.fixture
def pair(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    other.write_bytes(b"2")
    return HeldFile(one), HeldFile(other)


@pytest.fixture
def bare(monkeypatch):
    """A system that knows neither of the two services."""
    monkeypatch.setattr(swap, "_system_call", lambda: None)
    monkeypatch.setattr(swap, "_lease", lambda *_, **__: None)


@linux
class TestExchange:
    def test_two_files_change_places(self, pair):
        assert swap.exchange(*pair)
        assert [one.path.read_bytes() for one in pair] == [b"2", b"1"]

    def test_one_that_is_gone_is_an_error(self, pair):
        pair[1].unlink()
        with pytest.raises(FileNotFoundError, match="other"):
            swap.exchange(*pair)
        assert pair[0].path.read_bytes() == b"1"


@pytest.mark.usefixtures("bare")
def test_without_the_call_nothing_is_exchanged(pair):
    assert not swap.exchange(*pair)
    assert [one.path.read_bytes() for one in pair] == [b"1", b"2"]


class TestPlace:
    @pytest.fixture(params=["with the call", "without"], autouse=True)
    def system(self, request):
        if request.param == "without":
            request.getfixturevalue("bare")

    def test_it_gets_the_name(self, pair):
        pair[1].unlink()
        swap.place(*pair)
        assert (pair[1].path.read_bytes(), pair[0].exists()) == (b"1", False)

    def test_what_stands_there_is_never_replaced(self, pair):
        with pytest.raises(FileExistsError):
            swap.place(*pair)
        assert [one.path.read_bytes() for one in pair] == [b"1", b"2"]


@pytest.mark.usefixtures("bare")
class TestPlaceWithoutLinks:
    def refuse(self, monkeypatch, number):
        def refused(*_, **__):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "link", refused)

    @pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP])
    def test_it_gets_the_name_all_the_same(self, pair, monkeypatch, number):
        self.refuse(monkeypatch, number)
        pair[1].unlink()
        swap.place(*pair)
        assert (pair[1].path.read_bytes(), pair[0].exists()) == (b"1", False)

    @pytest.mark.parametrize("number", [errno.EPERM, errno.EIO])
    def test_what_stands_there_is_never_replaced(self, pair, monkeypatch, number):
        self.refuse(monkeypatch, number)
        with pytest.raises(OSError, match=os.strerror(number)):
            swap.place(*pair)
        assert [one.path.read_bytes() for one in pair] == [b"1", b"2"]

    def test_a_disk_that_refuses_is_an_error(self, pair, monkeypatch):
        self.refuse(monkeypatch, errno.EIO)
        pair[1].unlink()
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            swap.place(*pair)
        assert pair[0].path.read_bytes() == b"1"


class TestSettled:
    @pytest.fixture
    def opened(self, pair):
        descriptor = os.open(pair[0].path, os.O_RDONLY)
        yield descriptor
        os.close(descriptor)

    @linux
    @pytest.mark.parametrize("displaced", [False, True])
    def test_while_nobody_writes(self, opened, displaced):
        assert swap.settled(opened, displaced=displaced) == (b"1", Writers.NONE)
        assert swap.undisturbed(opened)

    @linux
    def test_while_somebody_has_it_open_for_writing(self, pair, opened, monkeypatch):
        monkeypatch.setattr(swap, "_PATIENCE", 0.01)
        with pair[0].path.open("ab"):
            assert swap.settled(opened, displaced=False) == (b"1", Writers.SOME)
        assert swap.settled(opened, displaced=False) == (b"1", Writers.NONE)

    @linux
    def test_a_writer_who_comes_in_between_is_waited_for(self, pair, opened, monkeypatch):
        """He waits for the lease; it is given up, his words are read."""
        looks = []

        def stands(_):
            looks.append(1)
            if len(looks) == 1:
                swap.give_up(opened)
                with pair[0].path.open("ab") as file:
                    file.write(b"+")
            return len(looks) > 1

        monkeypatch.setattr(swap, "_stands", stands)
        assert swap.settled(opened, displaced=True) == (b"1+", Writers.NONE)

    @pytest.mark.usefixtures("bare")
    def test_where_nobody_can_tell_it_is_read_until_it_stands_still(self, pair, opened, monkeypatch):
        written = []

        def sleep(_):
            if len(written) < 3:
                written.append(1)
                with pair[0].path.open("ab") as file:
                    file.write(b"+")

        monkeypatch.setattr(swap.time, "sleep", sleep)
        assert swap.settled(opened, displaced=False) == (b"1+++", Writers.UNKNOWN)

    @pytest.mark.usefixtures("bare")
    def test_but_not_for_ever(self, pair, opened, monkeypatch):
        def sleep(_):
            with pair[0].path.open("ab") as file:
                file.write(b"+")

        monkeypatch.setattr(swap.time, "sleep", sleep)
        assert swap.settled(opened, displaced=False) == (b"1" + b"+" * 10, Writers.UNKNOWN)
