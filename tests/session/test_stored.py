"""The files of `.wrapgen/state/` as an earlier version wrote them: every line is read, and written as it was."""

import msgspec
import pytest

from tests.support import each
from wrapgen.session.ask import Asked
from wrapgen.session.memory import Elsewhere, Pending, Receipt, Skip
from wrapgen.session.reading import Review

FOLLOW_UP = (
    '{"id":"0123456789ab","text":"add a retry","quote":"Later: add a retry.","role":"assistant","project":"web",'
    '"lang":"en","cue":"Later","confidence":0.83,"transcript":"/talks/one.jsonl","turn":3,"line":7,"uuid":"u-1",'
    '"said_on":"2026-04-23","suggested":{"route":"active","project":"web","task":"uploads"},'
    '"said_at":"2026-04-23T10:00:00Z","reason":"line vanished after routing","also":['
    '{"transcript":"/talks/one.jsonl","turn":1,"line":3,"uuid":null},'
    '{"transcript":"/talks/two.jsonl","turn":0,"line":1,"uuid":"u-2"}],"by":"reader","sure":false}'
)
OLDEST = (
    '{"id":"0123456789ab","text":"add a retry","quote":"Later: add a retry.","role":"assistant","project":null,'
    '"lang":"en","cue":"Later","confidence":0.83,"transcript":"/talks/one.jsonl","turn":3,"line":7,"uuid":null,'
    '"said_on":null,"suggested":{"route":"journal"}}'
)
LINES = {
    "pending.jsonl": (Pending, f'{{"orphan":{FOLLOW_UP},"since":"2026-04-24"}}'),
    "skipped.jsonl": (Skip, f'{{"orphan":{FOLLOW_UP},"on":"2026-04-24","why":"no work"}}'),
    "receipts.jsonl": (
        Receipt,
        (
            '{"id":"20260424T100000-abcdef","at":"2026-04-24T10:00:00Z","command":"route","step":"done","lines":['
            '{"id":"0123456789ab","text":"add a retry","route":"project","path":"projects/web/todos.md",'
            f'"line":"- [ ] add a retry","number":5,"project":"web","task":null,"orphan":{FOLLOW_UP}}}],"changes":['
            '{"path":"projects/web/todos.md","offset":12,"after":"LSBbIF0gYWRkIGEgcmV0cnkK","before":"","created":false}],'
            f'"skips":[{{"orphan":{FOLLOW_UP},"on":"2026-04-24","why":""}}],"vanished":[],"snoozed":{{"ffff":"2026-05-01"}},'
            '"kept":["eeee"],"finished":[]}'
        ),
    ),
    "elsewhere.jsonl": (Elsewhere, '{"id":"0123456789ab","on":"2026-04-24","who":"ann@desk"}'),
    "reviews.jsonl": (
        Review,
        (
            '{"transcript":"/talks/one.jsonl","session_id":"s-1","folder":"/w",'
            '"at":"2026-04-24T10:00:00Z","candidates":['
            '{"n":1,"id":"0123456789ab","by":"cue","text":"add a retry","quote":"Later: add a retry.","turn":3,'
            '"line":7}]}'
        ),
    ),
    "asked.jsonl": (
        Asked,
        (
            '{"question":"Q?","header":"H","multi":false,"options":[{"label":"project","answer":'
            '{"id":"0123456789ab","route":"project","project":"web","task":null,"text":"words"}}]}'
        ),
    ),
}


@each(LINES)
def test_a_line_of_an_earlier_version_is_written_as_it_was(name):
    kind, line = LINES[name]
    before, after = msgspec.json.decode(line), msgspec.to_builtins(msgspec.json.decode(line, type=kind))
    assert msgspec.json.encode(known(after, before)) == msgspec.json.encode(before)


def known(after, before):
    """What an earlier version knew; what it did not know says nothing."""
    if isinstance(before, list):
        return [known(one, other) for one, other in zip(after, before, strict=True)]
    if not isinstance(before, dict):
        return after
    assert not any(one for key, one in after.items() if key not in before)
    return {key: known(after[key], one) for key, one in before.items()}


def test_what_an_early_version_did_not_know_is_taken_as_usual():
    record = msgspec.json.decode(f'{{"orphan":{OLDEST},"since":"2026-04-24"}}', type=Pending)
    assert (record.orphan.by, record.orphan.sure, record.orphan.also, record.orphan.reason) == ("cue", True, (), None)


@each(["id", "text", "transcript", "turn", "suggested"])
def test_a_line_without_what_makes_a_follow_up_is_none(key):
    given = msgspec.json.decode(OLDEST)
    del given[key]
    with pytest.raises(msgspec.ValidationError, match=key):
        msgspec.convert({"orphan": given, "since": "2026-04-24"}, Pending)
