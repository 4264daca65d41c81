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
        read(pipe, data)


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
        os.write(pipe[1], beginning)
        try:
            while True:
                os.write(pipe[1], b"x" * 65_536)
        except OSError:
            return

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    return writer


@pytest.mark.parametrize("system", [sys.platform, "win32"])
def test_a_stream_without_an_end_is_read_up_to_a_limit_and_a_deadline(pipe, monkeypatch, system):
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr(stdin, "_LARGEST", 300_000)
    taken, said = [], []
    monkeypatch.setattr(stdin, "_first_fields", lambda text: taken.append(len(text)) or {"a": 1})
    writer = endless(pipe, b'{"a": 1, "b": "')
    assert read_object(pipe[0], 0.3, said.append) == {"a": 1}
    assert taken == [300_000]
    (words,) = said
    assert words.startswith("stdin was cut")
    assert words.endswith("and more); read were a")
    os.close(pipe[0])
    writer.join(10)


def test_a_stream_without_an_end_that_is_no_json(pipe):
    writer = endless(pipe, b"y")
    with pytest.raises(NoJSONError, match="and more"):
        read_object(pipe[0], 0.5)
    os.close(pipe[0])
    writer.join(10)


def test_what_is_too_large_is_cut_and_said(pipe, monkeypatch):
    monkeypatch.setattr(stdin, "_LARGEST", 1000)
    said = []
    document = {"session_id": "s", "n": [1, {"x": None}], "text": "x" * 2000, "after": 1}
    os.write(pipe[1], json.dumps(document).encode())
    os.close(pipe[1])
    assert read_object(pipe[0], 5.0, said.append) == {"session_id": "s", "n": [1, {"x": None}]}
    assert said == [f"stdin was cut ({len(json.dumps(document))} bytes); read were session_id, n"]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", {}), ("[1", {}), ('{"a" : 1 , "b"', {"a": 1}), ('{"a": 12', {}), ('{"a": 1}', {"a": 1}),
        ('{"a": tru', {}), ('{"a": 1,', {"a": 1}), ('{"a"', {}), ("{", {}),
        ('{"a": "b", "c": ' + "[" * 5000, {"a": "b"}),
    ],
)  # fmt: skip
def test_the_fields_before_a_cut(text, fields):
    assert stdin._first_fields(text) == fields


def test_a_large_document_is_parsed_once(pipe, monkeypatch):
    """However many pieces it comes in, as long as its writer does not pause."""
    parsed = []
    monkeypatch.setattr(stdin, "_PAUSE", 5.0)
    monkeypatch.setattr(stdin.json, "loads", lambda text: parsed.append(text) or json.JSONDecoder().decode(text))
    data = json.dumps({"text": "e" * 5_000_000}).encode()

    def write():
        view = memoryview(data)
        while view:
            view = view[os.write(pipe[1], view[:100_000]) :]
        os.close(pipe[1])

    writer = threading.Thread(target=write)
    writer.start()
    assert len(read_object(pipe[0], 20.0)["text"]) == 5_000_000
    writer.join()
    assert len(parsed) <= 2
