"""What of a reader's answer its quotes prove, and why the rest is refused."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.errors import AnswersError
from wrapgen.session.judgement import REASON_LENGTH, SURE, UNSURE, QuotePlace, Quotes, is_backed, judge
from wrapgen.session.reading import ReviewCandidate, decode_reviewed
from wrapgen.session.transcript import Turn

TURNS = [
    Turn("user", "Please mend the login form.", 1, "u-1", "2026-04-24T10:00:00Z"),
    Turn("assistant", "Mended. Next session:\n- add a retry to the uploader\n- rotate the staging keys", 2, "u-2"),
    Turn("user", "Try a cache for the uploader first.", 3, "u-3"),
    Turn("assistant", "I wrote an LRU cache, but the uploads got slower, so I removed it again.", 4, "u-4"),
    Turn("assistant", "We keep one queue for all uploads. The retry is done, the tests pass.", 5, "u-5"),
    Turn("user", "\x1b[31mDrop\x1b[0m the keys, nobody needs them. 배포 문서는 나중에 쓰자.", 6, "u-6"),
]
RETRY, KEYS = "add a retry to the uploader", "rotate the staging keys"
SHOWN = (
    ReviewCandidate(1, "a" * 12, "cue", RETRY, RETRY, 1, 2),
    ReviewCandidate(2, "b" * 12, "cue", KEYS, KEYS, 1, 2),
    ReviewCandidate(3, "c" * 12, "state", "Polish the lamps", "Polish the lamps", 1, 2),
    ReviewCandidate(4, "d" * 12, "cue", "sort the shelves", "sort the shelves", 0, 1),
)


def answer(shown=SHOWN, turns=TURNS, **parts):
    return judge(decode_reviewed(json.dumps(parts).encode(), "here"), shown, iter(turns))


def follow_up(quote, text="", **more):
    return answer(follow_ups=[{"quote": quote, "text": text, **more}])


def drop(*drops, **parts):
    return answer(drop=[{"n": n, "why": why, "quote": quote} for n, why, quote in drops], **parts)


def whys(judgement):
    return [(one.what, one.why) for one in judgement.refused]


class TestFollowUps:
    def test_what_its_quote_proves_is_taken_in_the_readers_words(self):
        (one,) = follow_up("rotate the staging keys", "rotate keys of staging", project="infra").follow_ups
        found = one.found
        assert (found.text, found.quote, found.turn, found.line) == ("rotate keys of staging", KEYS, 1, 2)
        assert (found.role, found.uuid, found.by, found.sure, found.confidence) == (
            "assistant", "u-2", "reader", True, SURE,
        )  # fmt: skip
        assert one.project == "infra"
        assert [candidate.n for candidate in one.covers] == [2]

    def test_what_a_reader_is_not_sure_of(self):
        (one,) = follow_up(KEYS, KEYS, sure=False).follow_ups
        assert (one.found.sure, one.found.confidence) == (False, UNSURE)

    @pytest.mark.parametrize("quote", ["rotate the production keys", "Mended. rotate", "add a retry. rotate", "keys!!"])
    def test_a_quote_that_nobody_said_is_refused_by_the_name_of_its_task(self, quote):
        assert whys(follow_up(quote, "rotate keys")) == [("rotate keys", "its quote is not in this conversation")]
        assert whys(follow_up(quote))[0][0] == quote

    @pytest.mark.parametrize("quote", ["", " ", "**", "key", "- `a` -", "배"])
    def test_a_quote_that_is_too_short_proves_nothing(self, quote):
        judged = follow_up(quote, "rotate keys")
        assert (judged.follow_ups, whys(judged)) == ([], [("rotate keys", "its quote is too short")])

    @pytest.mark.parametrize(
        "text",
        ["", "  ", "buy new servers for the office", "rotate\x1b[31m the staging keys", "rotate keys\x00", "the of"],
    )
    def test_words_that_stray_from_the_quote_give_way_to_it(self, text):
        (one,) = follow_up(KEYS, text).follow_ups
        assert one.found.text == KEYS

    def test_the_marks_of_a_list_are_no_words(self):
        turns = [Turn("assistant", "Open:\n- [ ] **rotate the keys**\n")]
        (one,) = answer((), turns, follow_ups=[{"quote": "- [ ] **rotate the keys**"}]).follow_ups
        assert one.found.text == "rotate the keys"
        assert one.found.quote == "- [ ] **rotate the keys"

    def test_of_two_mentions_the_last_one_is_named(self):
        turns = [*TURNS, Turn("assistant", f"Left: {KEYS}.", 9)]
        (one,) = answer(turns=turns, follow_ups=[{"quote": KEYS}]).follow_ups
        assert (one.found.turn, one.found.line) == (6, 9)

    def test_any_language(self):
        (one,) = follow_up("배포 문서는 나중에 쓰자", "배포 문서 쓰기").follow_ups
        assert (one.found.text, one.found.lang) == ("배포 문서 쓰기", "ko")

    def test_a_long_quote_covers_no_candidate_of_which_its_task_says_nothing(self):
        """A quote may hold a whole list; the entry is about one item of it."""
        (one,) = follow_up(f"{RETRY}\n- {KEYS}", KEYS).follow_ups
        assert [candidate.n for candidate in one.covers] == [2]


class TestDrops:
    @pytest.mark.parametrize(
        ("n", "why", "quote"),
        [
            (1, "done", "The retry is done"),
            (2, "dropped", "nobody needs them"),
            (2, "Dropped.", "nobody needs them"),
            (1, "no work", ""),
            (1, "no work", "words that nobody said"),
            (2, "same as 1", ""),
            (2, "Same as #1", ""),
            (3, "done", "the tests pass"),
            (3, "no work", "the tests pass"),
            (3, "same as 4", "the tests pass"),
        ],
    )
    def test_what_is_proved_is_dropped(self, n, why, quote):
        judged = drop((n, why, quote))
        assert whys(judged) == []
        assert [one.n for one, _ in judged.dropped] == [n]

    NOT_SAID, TOO_SHORT, NOT_LATER = (
        "its quote is not in this conversation", "its quote is too short", "its quote is not from a later turn",
    )  # fmt: skip

    @pytest.mark.parametrize(
        ("n", "why", "quote", "reason"),
        [
            (1, "done", "", TOO_SHORT),
            (1, "done", "The retry was dismissed", NOT_SAID),
            (1, "done", "Mended. Next session", NOT_LATER),
            (1, "dropped", "Please mend the login form", NOT_LATER),
            (3, "no work", "", TOO_SHORT),
            (3, "same as 1", "", TOO_SHORT),
            (3, "no work", "Mended", NOT_LATER),
            (9, "no work", "", "no candidate has this number"),
            (-1, "no work", "", "no candidate has this number"),
            (1, "", "", "`why` is one of: done, dropped, no work, same as N"),
            (1, "boring", "The retry is done", "`why` is one of: done, dropped, no work, same as N"),
            (1, "same as it", "", "`why` is one of: done, dropped, no work, same as N"),
            (1, "same as 1", "", "1 is no other candidate"),
            (1, "same as 8", "", "8 is no other candidate"),
        ],
    )
    def test_what_is_not_proved_is_refused_by_its_number(self, n, why, quote, reason):
        judged = drop((n, why, quote))
        assert (judged.dropped, whys(judged)) == ([], [(f"drop {n}", reason)])

    def test_two_that_are_the_same_as_each_other_are_not_both_lost(self):
        judged = drop((1, "same as 2", ""), (2, "same as 1", ""))
        assert judged.dropped == []
        assert len(judged.refused) == 2

    def test_a_ring_of_three_loses_none(self):
        assert drop((1, "same as 2", ""), (2, "same as 4", ""), (4, "same as 1", "")).dropped == []

    def test_a_chain_keeps_its_end(self):
        judged = drop((1, "same as 2", ""), (2, "same as 4", ""))
        assert [one.n for one, _ in judged.dropped] == [2]

    def test_what_the_same_answer_lists_is_not_dropped(self):
        judged = drop((2, "no work", ""), (1, "done", "The retry is done"), follow_ups=[{"quote": KEYS, "text": KEYS}])
        assert [one.n for one, _ in judged.dropped] == [1]
        assert whys(judged) == [("drop 2", "the same answer lists it as open work")]

    def test_an_entry_that_takes_the_place_of_two_is_not_dropped_as_one_of_them(self):
        shown = (SHOWN[1], ReviewCandidate(7, "e" * 12, "cue", f"{KEYS} now", KEYS, 1, 2))
        judged = answer(shown, follow_ups=[{"quote": KEYS, "text": KEYS}], drop=[{"n": 2, "why": "same as 7"}])
        assert [one.n for one in judged.follow_ups[0].covers] == [2, 7]
        assert (judged.dropped, judged.refused) == ([], [])

    def test_a_state_find_may_be_shown_to_be_done_within_its_own_turn(self):
        """The host's own list changes between two things that are said."""
        late = ReviewCandidate(3, "c" * 12, "state", "Polish the lamps", "Polish the lamps", 4, 4)
        judged = answer((late,), drop=[{"n": 3, "why": "done", "quote": "the tests pass"}])
        assert [one.n for one, _ in judged.dropped] == [3]


class TestDeadEnds:
    TRIED, FAILED = "I wrote an LRU cache", "the uploads got slower"

    def dead_end(self, tried=TRIED, failed=FAILED, name="", reason=""):
        return answer(dead_ends=[{"tried": tried, "failed": failed, "name": name, "reason": reason}])

    def test_a_proved_one_is_taken(self):
        (one,) = self.dead_end(name="LRU cache", reason="uploads got slower").dead_ends
        assert (one.name, one.reason, one.tried.index, one.failed.index) == ("LRU cache", "uploads got slower", 3, 3)

    @pytest.mark.parametrize("words", ["", "LRU cache\x1b[31m"])
    def test_a_name_and_a_reason_that_are_missing_or_unfit_give_way_to_the_quotes(self, words):
        (one,) = self.dead_end(name=words, reason=words).dead_ends
        assert (one.name, one.reason) == (self.TRIED, self.FAILED)

    def test_a_reason_that_is_not_backed_gives_way_to_the_quote(self):
        (one,) = self.dead_end(name="LRU cache", reason="the moon was full").dead_ends
        assert one.reason == self.FAILED

    def test_one_whose_name_nothing_backs_is_refused_by_that_name(self):
        """The words of its quote may name what stands: the next session would be told to leave that."""
        judged = self.dead_end(name="a new database cluster")
        why = "nothing that was said near its quotes backs its name"
        assert (judged.dead_ends, whys(judged)) == ([], [("a new database cluster", why)])

    def test_the_turns_before_and_after_back_its_words(self):
        turns = [
            Turn("user", "Could we keep the sessions in Redis?", 1),
            Turn("assistant", "Done, it runs now.", 2),
            Turn("user", "That breaks at every deploy.", 3),
            Turn("assistant", "Right: hash slots move whenever it restarts.", 4),
        ]
        words = {"name": "sessions in Redis", "reason": "hash slots move"}
        claim = {"tried": "Done, it runs now", "failed": "That breaks at every deploy", **words}
        (one,) = answer((), turns, dead_ends=[claim]).dead_ends
        assert {"name": one.name, "reason": one.reason} == words

    def test_a_long_reason_is_cut(self):
        reason = "the uploads got slower " * 5
        (one,) = self.dead_end(reason=reason).dead_ends
        assert len(one.reason) <= REASON_LENGTH
        assert one.reason.startswith("the uploads got slower")

    def test_it_cannot_fail_before_it_was_tried(self):
        judged = self.dead_end(tried="the tests pass", failed=self.FAILED, name="tests")
        assert (judged.dead_ends, whys(judged)) == ([], [("tests", "it failed before it was tried")])
        assert self.dead_end(tried=self.FAILED, failed=self.TRIED).dead_ends == []

    @pytest.mark.parametrize(
        ("tried", "failed"), [("I wrote a tree", FAILED), (TRIED, "it exploded"), ("", FAILED), (TRIED, "")]
    )
    def test_both_must_have_been_said(self, tried, failed):
        judged = self.dead_end(tried, failed)
        assert judged.dead_ends == []
        assert len(judged.refused) == 1


class TestDecisions:
    def test_a_proved_one_is_taken(self):
        (one,) = answer(decisions=[{"quote": "We keep one queue", "text": "one queue for all uploads"}]).decisions
        assert (one.text, one.place.index) == ("one queue for all uploads", 4)

    def test_one_that_strays_is_taken_by_its_quote(self):
        (one,) = answer(decisions=[{"quote": "We keep one queue", "text": "buy a bigger server"}]).decisions
        assert one.text == "We keep one queue"

    def test_the_question_that_it_answers_backs_it(self):
        turns = [
            Turn("assistant", "Shall uploads go through a queue, or straight?", 1),
            Turn("user", "The first one.", 2),
        ]
        claim = {"quote": "The first one.", "text": "uploads go through a queue"}
        (one,) = answer((), turns, decisions=[claim]).decisions
        assert one.text == "uploads go through a queue"

    @pytest.mark.parametrize(
        ("quote", "text"),
        [
            ("- `--login` 옵션 추가", "`--login` 옵션 추가"),
            ("**커밋 & 푸시:** 성공", "커밋 & 푸시: 성공"),
            ("## **Keep** the `old` table", "Keep the `old` table"),
            ("| keep `__init__` as it is |", "keep `__init__` as it is"),
            ("**keep the old table", "keep the old table"),
            ("**커밋**을 푸시", "커밋을 푸시"),
            ("keep 2**3 cells", "keep 2**3 cells"),
            ("`keep the old table", "keep the old table"),
            ("--force stays the default", "--force stays the default"),
        ],
    )
    def test_the_marks_of_a_quote_go_whole_or_stay_whole(self, quote, text):
        (one,) = answer((), [Turn("assistant", quote, 1)], decisions=[{"quote": quote}]).decisions
        assert one.text == text

    def test_one_that_nobody_made_is_refused(self):
        judged = answer(decisions=[{"quote": "We keep two queues", "text": "two queues"}])
        assert (judged.decisions, len(judged.refused)) == ([], 1)


SAID = st.sampled_from([turn.text for turn in TURNS])
PIECES = st.builds(
    lambda text, start, length: text[start : start + length], SAID, st.integers(0, 40), st.integers(0, 60)
)
WORDS = st.one_of(
    PIECES, st.text(max_size=30), st.builds("{}{}".format, PIECES, st.text(max_size=5)),
    st.sampled_from(["done", "dropped", "no work", "same as 1", "same as 2", "", "\ud800", "\x1b[2J"]),
)  # fmt: skip
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


def claim(**fields):
    return st.fixed_dictionaries({}, optional={name: values | ANYTHING for name, values in fields.items()}) | ANYTHING


ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "schema": st.just("wrapgen.reviewed/1") | ANYTHING,
        "session_id": ANYTHING,
        "follow_ups": st.lists(claim(quote=WORDS, text=WORDS, sure=st.booleans(), project=WORDS), max_size=4)
        | ANYTHING,
        "drop": st.lists(claim(n=st.integers(-1, 6), why=WORDS, quote=WORDS), max_size=4) | ANYTHING,
        "dead_ends": st.lists(claim(tried=WORDS, failed=WORDS, name=WORDS, reason=WORDS), max_size=2) | ANYTHING,
        "decisions": st.lists(claim(quote=WORDS, text=WORDS), max_size=2) | ANYTHING,
        "goal": claim(quote=WORDS, text=WORDS),
        "progress": st.lists(claim(part=WORDS, quote=WORDS, state=WORDS, note=WORDS), max_size=2) | ANYTHING,
        "blockers": st.lists(claim(quote=WORDS, text=WORDS), max_size=2) | ANYTHING,
    },
)


def stands(text, place):
    """Whether words are those of a place, marks and white space aside."""
    (form,) = [*Quotes.of([text]).wanted.values(), ""][:1]
    return form in Quotes.of([place.words]).wanted.get(place.words, "")


@settings(max_examples=examples(60))
@given(ANSWERS)
def test_whatever_a_reader_answers_only_what_was_said_is_taken(given_answer):
    try:
        said = decode_reviewed(json.dumps(given_answer).encode(), "here")
    except AnswersError:
        return
    judged = judge(said, SHOWN, iter(TURNS))
    for one in judged.follow_ups:
        turn = TURNS[one.found.turn]
        start = turn.text.find(one.found.quote)
        assert start >= 0
        assert one.found.line == turn.line
        places = [
            QuotePlace(one.found.turn, turn, at, at + len(one.found.quote))
            for at in range(len(turn.text))
            if turn.text.startswith(one.found.quote, at)
        ]
        assert any(is_backed(one.found.text, place) or stands(one.found.text, place) for place in places)
    for candidate, _ in judged.dropped:
        assert candidate in SHOWN
    for dead_end in judged.dead_ends:
        assert (dead_end.tried.index, dead_end.tried.start) <= (dead_end.failed.index, dead_end.failed.start)
        assert len(dead_end.reason) <= REASON_LENGTH
    for row in judged.progress:
        assert row.part
        assert row.state or row.note
    names = ("follow_ups", "dead_ends", "decisions", "progress", "blockers")
    given_claims = sum(len(getattr(said, name)) for name in names) + len(said.drop) + len(said.goal)
    taken = sum(len(getattr(judged, name)) for name in names) + len(judged.dropped) + (judged.goal is not None)
    assert taken + len(judged.refused) - len(said.refused) <= given_claims
