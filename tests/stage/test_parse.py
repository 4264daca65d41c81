"""A snapshot is taken at its word only where that can be checked."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stage.kit import HEADER, TASK
from tests.support import examples
from wrapgen.config import Stage
from wrapgen.errors import SnapshotError
from wrapgen.stage.compose import compose, parse
from wrapgen.stage.record import Body

RULES = Stage()
GOOD = compose(HEADER, Body.of(b"The plan.\n")).data


def test_what_is_written_is_read():
    snapshot = parse(GOOD, TASK, RULES)
    assert (snapshot.header, snapshot.size_bytes, snapshot.truncated) == (HEADER, len(GOOD), False)
    assert snapshot.text == "The plan.\n"


@settings(max_examples=examples(60))
@given(st.binary(max_size=9000))
def test_any_body_that_fits_is_read_byte_for_byte(data):
    made = compose(HEADER, Body.of(data))
    if not made.cut:
        assert parse(made.data, TASK, RULES).body == data


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("task_id: TUNE-0254", "task_id: TUNE-0255", "task_id"),
        ("schema_version: 1", "schema_version: 99", "schema_version"),
        ("stage: plan", "stage: no sense", "unknown stage"),
        ("stage: plan", "stage: PLAN", "unknown stage"),
        ("artifact: stage-snapshot", "artifact: session-handoff", "artifact"),
        ("size_bytes: 2", "size_bytes: 3", "size_bytes"),
        ("size_bytes: 2", "size_bytes: banana 2", "size_bytes"),
        ("truncated: false", "truncated: maybe", "truncated"),
        ("recommended_next: /dr-do", "recommended_next: ", "no next command"),
        ("captured_at: 2026-04-24T09:00:00Z", "captured_at: yesterday", "captured"),
        ("The plan.", "The plan, and more.", "size_bytes"),
    ],
)
def test_a_value_that_is_not_true_is_refused(old, new, word):
    text = GOOD.decode()
    changed = text.replace(old, new)
    assert changed != text
    if "size_bytes" not in old and "plan," not in new:  # keep the size true, so that only the value is wrong
        size = len(changed)
        changed = changed.replace(f"size_bytes: {len(text)}", f"size_bytes: {size}")
        assert len(changed) == size
    with pytest.raises(SnapshotError, match=word):
        parse(changed.encode(), TASK, RULES)


def test_one_that_is_larger_than_the_cap_is_refused():
    text = GOOD.decode().replace(f"size_bytes: {len(GOOD)}", "size_bytes: 9001").encode()
    with pytest.raises(SnapshotError, match="more than 8192"):
        parse(text + b"x" * (9001 - len(text)), TASK, RULES)


@settings(max_examples=examples(100))
@given(st.binary(max_size=300) | st.binary(max_size=60).map(lambda data: GOOD[:100] + data + GOOD[100:]))
def test_rubbish_is_an_error_of_ours(data):
    with suppress(SnapshotError):
        assert parse(data, TASK, RULES).size_bytes == len(data)
