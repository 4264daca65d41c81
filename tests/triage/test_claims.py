"""What a judge says, as far as it can be read."""

import json

import pytest

from tests.support import each
from wrapgen.errors import AnswersError
from wrapgen.model import TriageVerdict
from wrapgen.triage.claims import decode_triaged


def decoded(**document):
    return decode_triaged(json.dumps(document).encode(), "answer.json")


def test_items_and_sources_are_read():
    said = decoded(
        items=[{"handle": "a1b2", "verdict": "done", "quote": "shipped", "at": "log.md:3"}],
        sources=[{"path": "docs/plan.md", "section": "Criteria", "verdict": "not_work", "quote": "q", "at": "a.md:1"}],
    )
    assert said.items[0].verdict is TriageVerdict.DONE
    assert said.sources[0].section == "Criteria"
    assert not said.refused


@each([b"", b"no", b"[]", b'"x"', b'{"schema": "wrapgen.other/1"}', b"\xff", b"[" * 5000])
def test_what_is_no_answer_is_an_error_that_names_its_source(data):
    with pytest.raises(AnswersError) as raised:
        decode_triaged(data, "answer.json")
    assert raised.value.where == "answer.json"


def test_junk_among_the_entries_is_refused_by_position_and_the_rest_is_read():
    said = decoded(
        items=[
            {"handle": "a1b2", "verdict": "perhaps"},
            7,
            {"verdict": "open"},
            {"handle": "b2c3", "verdict": "open"},
            {"handle": "c3d4", "verdict": "parked", "until": "soon"},
        ],
        sources={"path": "docs"},
    )
    assert [one.handle for one in said.items] == ["b2c3"]
    assert [one.what for one in said.refused] == ["items 1", "items 2", "items 3", "items 5", "sources"]


def test_a_source_cannot_be_open():
    assert decoded(sources=[{"path": "a.md", "verdict": "open"}]).refused
