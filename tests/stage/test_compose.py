"""The cap holds for every body; a text that fits is kept byte for byte, one that does not keeps head and tail."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.stage.kit import CALL_TO_ACTION, HEADER, MARKER, body, front
from tests.support import THOROUGH, each, examples
from wrapgen.errors import SnapshotError
from wrapgen.stage.compose import compose
from wrapgen.stage.record import CAP, Body

MARK = f"\n{MARKER}\n".encode()
UNITS = {
    "ascii": b"word ", "two bytes": "é".encode(), "three bytes": "한".encode(), "four bytes": "\U0001f600".encode(),
    "lines": b"a line of words\n", "CRLF": b"a line\r\n", "invalid": b"ab\xff\xfe", "cut character": b"\xed\x95",
}  # fmt: skip
ROOM = CAP - len(compose(HEADER, Body.of(b"")).data) - 1  # the size has four digits there, not three


def composed(data, header=HEADER):
    return compose(header, Body.of(data))


def check(made, data, tail=b""):
    """What holds for every snapshot."""
    values = front(made.data)
    assert values["recommended_next"] == HEADER.recommended_next
    assert values["truncated"] is (made.cut or made.dropped > 0)
    if not made.cut:
        assert body(made.data) == data
        return
    made.data.decode("utf-8")
    assert body(made.data).count(MARK) == 1
    head, end = body(made.data).split(MARK)
    assert end.endswith(tail)
    text = data.decode("utf-8", "replace")
    assert text.startswith(head.decode())
    assert text.endswith(end.decode())
    assert len(made.data) > CAP - 2 * 204, "more was cut than the line that the cut is in"


@pytest.mark.slow
@pytest.mark.sampled(8)
@pytest.mark.parametrize("unit", UNITS)
def test_every_size(unit):
    """Every size around the limits, and steps of a prime between."""
    step = (1 if THOROUGH else 7) if unit == "ascii" else 41
    sizes = {*range(0, 10_001, step), *range(700, 780), *range(ROOM - 90, ROOM + 90), *range(CAP - 5, CAP + 5)}
    data = UNITS[unit] * (10_001 // len(UNITS[unit]) + 1)
    for size in sorted(sizes):
        text = data[:size]
        made = composed(text)
        check(made, text)
        assert made.cut is (size > ROOM)


@each(UNITS)
def test_the_call_to_action_at_the_end_is_kept_whole(unit):
    tail = CALL_TO_ACTION.encode()
    for size in (7000, 7800, 7900, 8192, 9000, 20_000, 100_000):
        text = UNITS[unit] * (size // len(UNITS[unit])) + b"\n" + tail
        made = composed(text)
        check(made, text, tail)
        assert made.cut is (len(text) > ROOM)


def test_a_cut_falls_between_lines_where_one_ends_near():
    text = b"".join(b"line %d of the answer\n" % number for number in range(1000))
    head, tail = body(composed(text).data).split(MARK)
    assert text.startswith(head + b"\n")
    assert b"\n" + tail in text


@settings(max_examples=examples(100))
@given(st.binary(max_size=200), st.integers(0, 400))
def test_any_bytes(data, times):
    text = data * times
    check(composed(text), text)


@settings(max_examples=examples(60))
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), max_size=60), st.integers(0, 12_000))
@example(["---"], 0)
def test_any_options(options, size):
    options = tuple(" ".join(option.split()) for option in options if option.split())
    text = b"x" * size
    made = composed(text, replace(HEADER, options=options))
    check_options(made, options, text)


def check_options(made, options, text):
    values = front(made.data)
    kept = values["options"] or []
    assert kept == list(options[: len(kept)])
    assert made.dropped == len(options) - len(kept)
    assert values["truncated"] is (made.cut or made.dropped > 0)
    if not made.cut:
        assert body(made.data) == text


def test_options_are_dropped_from_the_last_before_half_of_the_body_is_lost():
    options = tuple(f"/dr-do TUNE-0254 | way {number:04d} {'x' * 60}" for number in range(200))
    short, long = (composed(b"y" * size, replace(HEADER, options=options)) for size in (500, 9000))
    for made, text in ((short, b"y" * 500), (long, b"y" * 9000)):
        check_options(made, options, text)
    assert body(short.data) == b"y" * 500, "a short body is whole"
    assert len(short.data) > CAP - 90, "as many options as fit"
    assert long.cut
    assert len(body(long.data)) >= CAP // 2
    assert 0 < len(front(long.data)["options"]) < len(front(short.data)["options"])


def test_one_option_too_large_is_dropped_and_nothing_else():
    made = composed(b"text", replace(HEADER, options=("small", "x" * 9000)))
    assert front(made.data)["options"] == ["small"]
    assert body(made.data) == b"text"


def test_an_option_of_the_former_limit_still_fits():
    made = composed(b"x" * 250, replace(HEADER, options=("y" * 7_600,)))
    assert (made.cut, made.dropped) == (False, 0)


@pytest.mark.slow
def test_many_options_take_no_time_that_grows_with_their_square():
    made = composed(b"text", replace(HEADER, options=("a",) * 100_000))
    assert len(made.data) <= CAP


def test_values_that_leave_room_for_nothing_are_refused():
    with pytest.raises(SnapshotError, match="too long"):
        composed(b"text", replace(HEADER, recommended_next="/" * 8100))


@each(range(7_800, 7_990, 7))
def test_long_values_keep_the_cap_or_are_refused(length):
    try:
        made = composed(b"a text that is longer than the room\n" * 9, replace(HEADER, captured_by="c" * length))
    except SnapshotError:
        assert length > CAP - 400
    else:
        assert len(made.data) <= CAP
        assert front(made.data)["recommended_next"] == "/dr-do"


def test_only_the_ends_of_a_huge_body_are_needed():
    text = b"head\n" * 4000 + b"tail\n" * 4000
    ends = compose(HEADER, Body(text[:CAP], text[-CAP:], len(text)))
    assert ends == composed(text)
