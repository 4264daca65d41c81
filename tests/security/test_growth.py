"""No text from outside takes longer to be looked through than its length: each pattern alone, and all together."""

from __future__ import annotations

import gc
import re
import time

import pytest

from tests.security import growth
from tests.security.patterns import uses
from tests.support import THOROUGH
from wrapgen.config import Config
from wrapgen.redact import redact
from wrapgen.redact.forms import FORMS, prefixed, prefixes
from wrapgen.session.lexicon import load_cues as session_cues
from wrapgen.text.phrases import _GAP, Phrases
from wrapgen.text.wildcards import words_pattern
from wrapgen.tracks import signals, user_lines
from wrapgen.tracks.record import turn_record
from wrapgen.vault.index import signs

pytestmark = pytest.mark.slow

PIECES = (
    "://::::", "//a//a/", "eyJ-", "token=", "password=(", "-----BEGIN PRIVATE KEY-----", "npm_hf_", "https://a:",
    "PuTTY-User-Key-File-2:",
)  # fmt: skip
# Tried once where the match before ended, which each time is further on.
ONE_BEHIND_ANOTHER = {
    "wrapgen.hosts.settings._ITEM",
    "wrapgen.hosts.jsontext._TOKEN",
}
# Their time may grow by more than the text, because no text of any length reaches them.
BOUNDED = {
    "wrapgen.agents.databases._ONLY_HERE": "the program's own statements",
    "wrapgen.config.load._SECRETS": "one address, from the user's own file or environment",
    "wrapgen.config.task_ids._TOKEN": "what `re.compile` has taken, where every bracket is closed",
    "wrapgen.text.file_names._MAYBE": "a file's name",
    "wrapgen.text.file_names._SURE": "a file's name",
    "wrapgen.text.display._MARKED": "2,000 characters of a line",
    "wrapgen.tracks.skeleton.final._IN_INFO": "300 letters behind a fence",
    "wrapgen.tracks.skeleton.outline._PREDICATES": "the queries that the grammars ship",
    "wrapgen.vault.detect.detect._TEMPLATE_FILE": "a file's name",
    "wrapgen.vault.markdown.marks.item._PLACEHOLDER": "1,000 letters of an item",
}


def test_each_pattern_looks_through_a_text_in_linear_time():
    slow = {
        f"{use.where} {use.pattern.pattern[:60]}": found
        for use in uses()
        if use.where not in BOUNDED
        and (found := growth.slow_for(use.pattern, ["match"] if use.where in ONE_BEHIND_ANOTHER else use.methods))
    }
    assert slow == {}


def test_what_is_said_to_be_slow_is():
    said = [use for use in uses() if use.where in BOUNDED]
    for _ in range(5):  # a quick machine, or a busy one, may see it at the second look only
        said = [use for use in said if not growth.slow_for(use.pattern, use.methods)]
    assert {use.where for use in said} == set()
    assert {*BOUNDED, *ONE_BEHIND_ANOTHER} <= {use.where for use in uses()}


def test_cues_are_looked_for_in_linear_time():
    follow_ups, tracks = session_cues(), [signals.phrases(name) for name in ("guessed", "did", "failed", "left")]
    # By type: other tests leave objects that refuse to say what they are.
    listed = [one for one in gc.get_objects() if type(one) is Phrases]
    patterns = {one.pattern(key) for one in listed for key in [*one._keyed, *([""] if one._loose else [])]}
    # All others are words with blanks between them.
    special = [one for one in patterns if _GAP in one.pattern or not one.pattern.startswith("(?=")]
    # Hundreds, all put together by the same few lines: every night all of them, else one in four.
    special = sorted(special, key=lambda one: one.pattern)[:: 1 if THOROUGH else 4]
    assert follow_ups
    assert tracks
    assert len(special) > 50
    assert [one.pattern for one in special if growth.slow_for(one)] == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.kind} {form.pattern[:20]}")
def test_each_form_is_looked_for_in_linear_time(form):
    pattern = re.compile(form.pattern, re.ASCII)
    assert growth.slow_for(pattern) is None


@pytest.mark.parametrize("names", [Config().names.next, ("Next Session", "다음 할 일", "a+b (c)")])
def test_what_stands_in_every_file_with_work_is_looked_for_in_linear_time(names):
    assert growth.slow_for(signs(names)) is None


@pytest.mark.parametrize("written", ["*a" * 9 + "*", "* a " * 9, "*ab*ac*", "a * b"])
def test_words_with_stars_are_compared_in_linear_time(written):
    assert growth.slow_for(re.compile(words_pattern(written, str.strip), re.DOTALL), ["fullmatch"]) is None


def test_the_beginnings_are_looked_for_in_linear_time():
    assert growth.slow_for(prefixed(" ".join(f"{prefix}{'a' * 20}" for prefix in prefixes()))) is None


@pytest.mark.parametrize("pattern", [r"eyJ[\w-]+\.[\w-]+", r"\s*,?\s*\bbecause", r"a\s*\s*b", r"(?:a|a)*b"])
def test_the_measure_sees_what_is_not_linear(pattern):
    assert growth.slow_for(re.compile(pattern, re.ASCII)) is not None


def test_what_is_tried_at_one_place_only_is_measured_there():
    assert growth.slow_for(re.compile(r"\s*,", re.ASCII), ["sub"]) is not None
    assert growth.slow_for(re.compile(r"\s*,", re.ASCII), ["match"]) is None


@pytest.mark.parametrize(
    ("reader", "piece"),
    [
        *((redact, piece) for piece in PIECES),
        *(
            (lambda text: signals.tombstones([turn_record("", 1, "assistant", text)]), piece)
            for piece in (" ", "- ", "use ")
        ),
        *((lambda text: user_lines.added(text, ()), piece) for piece in ("a\n", "```a\n", "\n", "# a\n")),
    ],
)
def test_four_times_the_text_takes_about_four_times_as_long(reader, piece):
    def seconds(letters: int) -> float:
        begun = time.process_time()
        reader(piece * (letters // len(piece)))
        return time.process_time() - begun

    seconds(1_000)
    assert any(seconds(160_000) < 8 * max(seconds(40_000), 0.01) for _ in range(5))  # a quadratic one never: 16 times
