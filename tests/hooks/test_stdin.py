"""The host's JSON: whole, half, of another kind, in pieces, and with a pipe that nobody closes."""

import json
import os
import sys
import threading
import time

import pytest

from wrapgen.hooks import stdin
from wrapgen.hooks.stdin import NoJSONError, read_object


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


def read(pipe, data, seconds=5.0):
    os.write(pipe[1], data)
    return read_object(pipe[0], seconds)


def test_a_pipe_that_stays_open(pipe):
    assert read(pipe, b'{"session_id": "s"}') == {"session_id": "s"}


def test_a_line_end_behind(pipe):
    assert read(pipe, b'{"a": {"b": [1]}}\r\n') == {"a": {"b": [1]}}


def test_a_byte_order_mark(pipe):
    assert read(pipe, b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_bytes_that_are_not_utf_8(pipe):
    assert read(pipe, b'{"a": "\xff"}') == {"a": "�"}


def test_pieces_that_come_slowly(pipe):
    def write():
        for piece in (b'{"a": ', b'{"b": 1}', b', "c": "\xec\x95', b'\x88"}'):
            os.write(pipe[1], piece)
            time.sleep(0.02)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_object(pipe[0], 10.0) == {"a": {"b": 1}, "c": "안"}
    writer.join()


def test_more_than_a_pipe_holds(pipe):
    document = {"tool_response": "x" * 1_000_000, "more": ["}"] * 1000}
    data = json.dumps(document).encode()

    def write():
        view = memoryview(data)
        while view:
            view = view[os.write(pipe[1], view) :]

    writer = threading.Thread(target=write)
    writer.start()
    assert read_object(pipe[0], 20.0) == document
    writer.join()


@pytest.mark.parametrize("data", [b"", b'{"a": 1', b'{"a": "}', b"{", b"  "])
def test_half_a_document_that_ends(pipe, data):
    os.write(pipe[1], data)
    os.close(pipe[1])
    with pytest.raises(NoJSONError, match="no complete JSON"):
        read_object(pipe[0], 5.0)


def test_half_a_document_that_does_not_end(pipe):
    with pytest.raises(NoJSONError, match="no complete JSON"):
        read(pipe, b'{"a": {"b": 1}', seconds=0.05)


def test_nothing_at_all(pipe):
    with pytest.raises(NoJSONError):
        read_object(pipe[0], 0.02)


@pytest.mark.parametrize(
    ("data", "kind"), [(b"null", "NoneType"), (b"[{}]", "list"), (b'"a"', "str"), (b"true", "bool")]
)
def test_another_kind_of_json(pipe, data, kind):
    with pytest.raises(NoJSONError, match=kind):
        read(pipe, data, seconds=0.05)


def test_nested_deeper_than_a_parser_goes(pipe):
    os.write(pipe[1], b"[" * 50_000)
    os.close(pipe[1])
    with pytest.raises(NoJSONError):
        read_object(pipe[0], 5.0)


def test_where_descriptors_cannot_be_waited_for(pipe, monkeypatch):
    """As on Windows: another thread reads, and nobody waits for it."""
    monkeypatch.setattr("sys.platform", "win32")
    assert read(pipe, b'{"a": 1}') == {"a": 1}
    os.close(pipe[1])


def test_nothing_comes_where_descriptors_cannot_be_waited_for(pipe, monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(NoJSONError):
        read_object(pipe[0], 0.02)
    os.close(pipe[1])


def endless(pipe, beginning):
    """Writes until nobody reads any more."""

    def write():
        os.write(pipe[1], beginning + b"x" * 1_000)  # at once: by itself the beginning may be all of an event
        try:
            while True:
                os.write(pipe[1], b"x" * 65_536)
        except OSError:
            return

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    return writer


@pytest.mark.parametrize("system", [sys.platform, "win32"])
def test_a_stream_without_an_end_is_read_up_to_a_limit(pipe, monkeypatch, system):
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr(stdin, "_LARGEST", 300_000)
    writer = endless(pipe, b'{"a": 1, "b": "')
    with pytest.raises(NoJSONError, match="more than 300000 bytes"):
        read_object(pipe[0], 5.0)
    os.close(pipe[0])
    writer.join(10)


@pytest.mark.parametrize("beginning", [b"y", b"}", b'{"a": 1} '])
def test_a_stream_without_an_end_that_is_no_json(pipe, beginning):
    writer = endless(pipe, beginning)
    with pytest.raises(NoJSONError):
        read_object(pipe[0], 0.5)
    os.close(pipe[0])
    writer.join(10)
