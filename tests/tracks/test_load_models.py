"""The weights that ship: they parse, and weigh facts that the code still makes."""

from __future__ import annotations

import tomllib
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

import pytest

from tests.benchmarks.tombstones import OWN, dialogues
from wrapgen.tracks.candidates import pieces_of
from wrapgen.tracks.ends import ends, evidence
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.load_models import FILE, load_models, models_from
from wrapgen.tracks.names import name_of
from wrapgen.tracks.story import Story
from wrapgen.tracks.tombstones import named
from wrapgen.tracks.turns import turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.tombstones import Dialogue

TABLES = ("end", "word", "name", "dead_end")
TABLE = tomllib.loads(FILE.read_text(encoding="utf-8"))


def mixed() -> Iterator[Dialogue]:
    """The labelled dialogues, one of each set in turn."""
    for row in zip_longest(*(list(dialogues(path)) for path in sorted(OWN.glob("*.jsonl")))):
        yield from filter(None, row)


def made(dialogue: Dialogue) -> Iterator[tuple[str, str]]:
    """The facts of a dialogue, each with the table that weighs it."""
    cues, models = load_cues(), load_models()
    for end in ends(turns_of(dialogue.steps, cues)):
        facts = evidence(end).keys()
        story = Story(end, models.rarity)
        words = story.word_evidence()
        likely = dict.fromkeys(words, 0.5)
        yield from (("end", fact) for fact in facts)
        yield from (("word", fact) for fact in chain.from_iterable(words.values()))
        yield from (("name", fact) for one in pieces_of(end, cues) for fact in story.piece_evidence(one, likely))
        name = name_of(end, models, cues)
        yield from (("dead_end", fact) for fact in (*facts, *(named(end, name) if name else ())))


def test_no_table_is_empty() -> None:
    models = load_models()
    for table in TABLES:
        assert getattr(models, table).weights
        assert getattr(models, table).bias == TABLE[table]["bias"]
    assert models.rarity


def test_every_fact_that_is_weighed_is_made_somewhere() -> None:
    """A fact that was renamed would silently weigh nothing."""
    missing = {(table, fact) for table in TABLES for fact in getattr(load_models(), table).weights}
    for dialogue in mixed():
        missing.difference_update(made(dialogue))
        if not missing:
            break
    assert not missing


def test_rarity_lies_between_said_by_all_and_by_none() -> None:
    rarity = load_models().rarity
    assert all(0 <= rare < 1 for rare in rarity.values())
    listed = [word for lines in TABLE["rarity"].values() for line in lines for word in line.split()]
    assert sorted(listed) == sorted(rarity)


def test_what_is_read_leaves_the_table_as_it_was() -> None:
    assert models_from(TABLE) == models_from(TABLE) == load_models()


def test_what_is_fitted_is_written_and_read_again() -> None:
    pytest.importorskip("sklearn", reason="the weights are fitted with scikit-learn, which is not installed")
    from tests.benchmarks.dead_ends import written

    models = load_models()
    assert models_from(tomllib.loads(written(models))) == models
    assert written(models) == FILE.read_text(encoding="utf-8")
