"""Where the system cannot exchange files, or cannot tell who writes to one, the callers do without."""

import errno
import os
import sys
import threading
import time

import pytest

from wrapgen.vault import writers
from wrapgen.vault.held import HeldFile
from wrapgen.vault.writers import Writers

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
    monkeypatch.setattr(writers, "_system_call", lambda: None)
    monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)


@linux
class TestExchange:
    def test_two_files_change_places(self, pair):
        assert writers.exchange(*pair)
        assert [one.path.read_bytes() for one in pair] == [b"2", b"1"]

    def test_one_that_is_gone_is_an_error(self, pair):
        pair[1].unlink()
        with pytest.raises(FileNotFoundError, match="other"):
            writers.exchange(*pair)
        assert pair[0].path.read_bytes() == b"1"


@pytest.mark.usefixtures("bare")
def test_without_the_call_nothing_is_exchanged(pair):
    assert not writers.exchange(*pair)
    assert [one.path.read_bytes() for one in pair] == [b"1", b"2"]


class TestPlace:
    def test_it_gets_the_name(self, pair):
        pair[1].unlink()
        pair[0].place(pair[1])
        assert (pair[1].path.read_bytes(), pair[0].exists()) == (b"1", False)

    def test_what_stands_there_is_never_replaced(self, pair):
        with pytest.raises(FileExistsError):
            pair[0].place(pair[1])
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
        pair[0].place(pair[1])
        assert (pair[1].path.read_bytes(), pair[0].exists()) == (b"1", False)

    @pytest.mark.parametrize("number", [errno.EPERM, errno.EIO])
    def test_what_stands_there_is_never_replaced(self, pair, monkeypatch, number):
        self.refuse(monkeypatch, number)
        with pytest.raises(OSError, match=os.strerror(number)):
            pair[0].place(pair[1])
        assert [one.path.read_bytes() for one in pair] == [b"1", b"2"]

    def test_a_disk_that_refuses_is_an_error(self, pair, monkeypatch):
        self.refuse(monkeypatch, errno.EIO)
        pair[1].unlink()
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            pair[0].place(pair[1])
        assert pair[0].path.read_bytes() == b"1"


class TestSettled:
    @pytest.fixture
    def opened(self, pair):
        descriptor = os.open(pair[0].path, os.O_RDONLY)
        yield descriptor
        os.close(descriptor)

    @linux
    def test_while_nobody_writes(self, opened):
        assert writers.settled(opened) == (b"1", Writers.NONE)
        assert not writers.waits(opened)

    @linux
    def test_while_somebody_has_it_open_for_writing(self, pair, opened, monkeypatch):
        monkeypatch.setattr(writers, "_PATIENCE", 0.01)
        with pair[0].path.open("ab"):
            assert writers.settled(opened) == (b"1", Writers.SOME)
        assert writers.settled(opened) == (b"1", Writers.NONE)

    @linux
    def test_the_last_words_of_a_writer_who_waited(self, pair, opened):
        """He waits for the lease; it is given up, his words are read."""

        def write():
            with pair[0].path.open("ab") as file:
                file.write(b"+")

        assert writers.settled(opened) == (b"1", Writers.NONE)
        writer = threading.Thread(target=write)
        writer.start()
        while not writers.waits(opened):
            time.sleep(0.001)
        assert writers.last_words(opened) == b"1+"
        writer.join()

    @pytest.mark.usefixtures("bare")
    def test_where_nobody_can_tell_it_is_read_until_it_stands_still(self, pair, opened, monkeypatch):
        written = []

        def sleep(_):
            if len(written) < 3:
                written.append(1)
                with pair[0].path.open("ab") as file:
                    file.write(b"+")

        monkeypatch.setattr(writers.time, "sleep", sleep)
        assert writers.settled(opened) == (b"1+++", Writers.UNKNOWN)

    @pytest.mark.usefixtures("bare")
    def test_but_not_for_ever(self, pair, opened, monkeypatch):
        def sleep(_):
            with pair[0].path.open("ab") as file:
                file.write(b"+")

        monkeypatch.setattr(writers.time, "sleep", sleep)
        assert writers.settled(opened) == (b"1" + b"+" * 10, Writers.UNKNOWN)
