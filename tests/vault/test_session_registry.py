"""What a host told of a session is a help: whatever stands there instead is passed over."""

import json

import pytest

from wrapgen.vault import headline, session_registry
from wrapgen.vault.session_registry import RegisteredSession


@pytest.fixture
def root(tmp_path):
    session_registry.tell(str(tmp_path), RegisteredSession("s", "/talk.jsonl", "/code", size=7))
    return tmp_path


def note_of(root):
    (note,) = [path for path in root.rglob("*.json") if path.is_file()]
    return note


def test_it_is_recalled(root):
    assert session_registry.recall(str(root), "s") == RegisteredSession("s", "/talk.jsonl", "/code", size=7)
    assert session_registry.recall(str(root), "other") == RegisteredSession("other")
    assert list(session_registry.sessions(str(root))) == [session_registry.recall(str(root), "s")]
    assert list(session_registry.transcripts(str(root))) == ["/talk.jsonl"]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"session": 7}', "{}", "[" * 100_000, "\ud800"])
def test_what_is_no_note_is_passed_over(root, text):
    note_of(root).write_bytes(text.encode("utf-8", "surrogatepass"))
    assert session_registry.recall(str(root), "s") == RegisteredSession("s")
    assert list(session_registry.sessions(str(root))) == list(session_registry.transcripts(str(root))) == []


def test_a_field_of_another_kind_is_as_good_as_none(root):
    note_of(root).write_text(json.dumps({"session": "s", "transcript": 7, "size": "x", "new": 1}), encoding="utf-8")
    assert session_registry.recall(str(root), "s") == RegisteredSession("s")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": "x"}', '{"version": 0, "open": 1, "due": {}}', "[" * 100_000]
)
def test_a_headline_that_cannot_be_read_says_nothing(tmp_path, text):
    assert not headline.confirm(str(tmp_path))
    file = tmp_path / headline.FILE
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    assert headline.counts(str(tmp_path)) is None
    assert not headline.confirm(str(tmp_path))
