"""The last words of a transcript, however it is written."""

import json

import pytest

from wrapgen.agents.moments import LastWords, last_words
from wrapgen.agents.operations import Usage


def said(*texts, reply=None, usage=None):
    content = [{"type": "text", "text": text} for text in texts]
    return {"type": "assistant", "isSidechain": True, "message": {"id": reply, "content": content, "usage": usage}}


@pytest.fixture
def read(tmp_path):
    def read(*rows, name="agent-a1.jsonl", tail=b""):
        data = b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)
        (tmp_path / name).write_bytes(data + tail)
        return last_words(tmp_path / name)

    return read


def test_the_last_reply_that_has_words(read):
    thinking = {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": "hm"}]}}
    tool = {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Read", "input": {}}]}}
    user = {"type": "user", "message": {"content": "[COMPRESSED] agent_type: x"}}
    assert read(said("one"), said("two"), thinking, tool, said(""), said(" "), user).text == "two"


def test_a_reply_in_several_lines_is_one(read):
    assert read(said("old", reply="m1"), said("top", reply="m2"), said("end", reply="m2")).text == "top\nend"


def test_a_line_that_is_half_written_hides_nothing(read):
    assert read(said("whole"), tail=json.dumps(said("cut off")).encode()[:40]).text == "whole"


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'"x"',
        b"\xff\xfe",
        b'{"type": "assistant"}',
        b'{"type": "assistant", "message": null}',
        b'{"type": "assistant", "message": {"content": [null, 3, {"type": 3}]}}',
        b"[" * 5_000,
    ],
)
def test_a_bad_line_anywhere_hides_nothing(read, bad):
    assert read(bad, said("before"), bad).text == "before"
    assert read(said("x"), bad, said("after")).text == "after"


def test_content_that_is_a_string(read):
    assert read({"type": "assistant", "message": {"content": "plain words"}}).text == "plain words"


def test_parts_that_are_null(read):
    row = {
        "type": "assistant",
        "message": {"content": [None, {"type": "text", "text": None}, {"type": "text", "text": "x"}]},
    }
    assert read(row).text == "x"


def test_lone_surrogates_are_replaced(read):
    assert read(b'{"type": "assistant", "message": {"content": "a\\ud800b"}}').text == "a\ufffdb"


def test_usage_counts_every_reply_once_and_all_that_went_in(read):
    usage = {
        "input_tokens": 1,
        "output_tokens": 20,
        "cache_read_input_tokens": 300,
        "cache_creation_input_tokens": 4000,
    }
    rows = [said("a", reply="m1", usage=usage), said("b", reply="m1", usage=usage), said("c", reply="m2", usage=usage)]
    assert read(*rows).usage == Usage(2 * 4301, 40)


def test_usage_that_makes_no_sense_counts_nothing(read):
    usage = {"input_tokens": -5, "output_tokens": None}
    assert read(said("a", reply="m1", usage=usage)).usage == Usage(0, 0)


def test_files_that_are_none(tmp_path, read):
    assert last_words(tmp_path / "missing.jsonl") == LastWords()
    (tmp_path / "folder.jsonl").mkdir()
    assert last_words(tmp_path / "folder.jsonl") == LastWords()
    assert read(said("x"), name="passwords.txt") == LastWords()
    assert read() == LastWords()
