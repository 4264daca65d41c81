"""The block: its form, its budget, and who gets room first."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import iter_graphemes

from tests.brief.hostile import FORGERIES
from tests.brief.reading import LISTS, read
from tests.brief.states import states
from tests.support import each, examples
from wrapgen.brief import (
    LANGUAGES,
    SNAPSHOT_MAX_TOKENS,
    create_snapshot,
    estimate_snapshot_tokens,
    fitted,
    format_for_prompt,
)
from wrapgen.text.tokens import estimate_tokens, utf16_length

LONG = {
    "task_description": "t" * 150,
    "files": [{"path": f"src/module_{n}/file_{n}.py", "change_type": "modified"} for n in range(8)],
    "decisions": [f"{n} " + "decided " * 19 for n in range(3)],
    "teammates": [{"name": f"engineer-{n}", "role": "review of the interfaces"} for n in range(40)],
    "pending": [f"{n} " + "pending " * 11 for n in range(40)],
}


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def elements(snapshot):
    return {
        "files": [f"{one.path} ({one.change_type})" for one in snapshot.files],
        "decisions": list(snapshot.decisions),
        "teammates": [f"{one.name}: {one.role}" for one in snapshot.teammates],
        "pending": list(snapshot.pending),
    }


@each(LANGUAGES)
def test_the_labels_of_every_language(lang):
    made = read(format_for_prompt(create_snapshot(None), lang=lang), lang)
    assert made.task == ""
    assert list(made.lists.values()) == [[]] * 4
    assert made.as_of is None


def test_an_unknown_language_is_english():
    assert format_for_prompt(create_snapshot(None), lang="tlh") == format_for_prompt(create_snapshot(None), lang="en")


def test_time_and_branch_stand_last():
    made = read(format_for_prompt(create_snapshot({"generated_at": "2026-04-24T18:00:00+09:00", "branch": "main"})))
    assert made.as_of == "기준: 2026-04-24T18:00:00+09:00 (main)"


@settings(max_examples=examples(150), deadline=None)
@given(states, st.sampled_from(LANGUAGES))
def test_whatever_is_in_the_state(state, lang):
    snapshot = create_snapshot(state)
    block = format_for_prompt(snapshot, lang=lang)
    assert utf16_length(block) <= 2000
    assert estimate_tokens(block) <= SNAPSHOT_MAX_TOKENS
    made = read(block, lang)
    assert made.task == snapshot.task
    for name, items in elements(snapshot).items():
        lost = {"files": snapshot.files_omitted, "decisions": snapshot.decisions_omitted}.get(name, 0)
        count = len(made.lists[name])
        assert made.omitted[name] == lost + len(items) - count
        newest = name in ("files", "decisions")
        assert made.lists[name] == (items[len(items) - count :] if newest else items[:count])
    assert estimate_snapshot_tokens(snapshot) == estimate_tokens(format_for_prompt(snapshot))


@settings(max_examples=examples(60), deadline=None)
@given(states, st.integers(-1, 700))
def test_every_budget_is_kept_down_to_the_empty_block(state, budget):
    snapshot = create_snapshot(state)
    block = format_for_prompt(snapshot, budget=budget)
    made = read(block)
    floor = fitted(snapshot, budget=-1)
    assert estimate_tokens(block) <= max(budget, floor.tokens)
    kept = made.task.removesuffix("…")
    assert snapshot.task.startswith(kept)
    assert made.task == snapshot.task or not kept or kept in beginnings(snapshot.task)
    if made.task != snapshot.task:
        assert not any(made.lists.values())


def beginnings(text):
    found, end = set(), 0
    for grapheme in iter_graphemes(text):
        end += len(grapheme)
        found.add(text[:end])
    return found


def test_a_task_that_does_not_fit_is_cut_between_characters():
    block = format_for_prompt(create_snapshot({"task_description": "👨‍👩‍👧‍👦" * 13}), budget=150)
    kept = read(block).task
    assert kept.endswith("…")
    assert set(iter_graphemes(kept.removesuffix("…"))) == {"👨‍👩‍👧‍👦"}
    assert estimate_tokens(block) <= 150


def test_the_task_stays_whole_and_every_list_gets_something():
    made = read(format_for_prompt(create_snapshot(LONG)))
    assert made.task == "t" * 150
    assert all(made.lists[name] for name in LISTS)


def test_rounds_serve_one_element_of_each_list():
    made = read(format_for_prompt(create_snapshot({**LONG, "decisions": [], "files": []})))
    assert abs(len(made.lists["pending"]) - len(made.lists["teammates"])) <= 3
    assert made.omitted["pending"] == 40 - len(made.lists["pending"])


def test_an_element_that_does_not_fit_closes_its_list_alone():
    state = {**LONG, "files": [{"path": "old.py"}, {"path": "p" * 3000}], "teammates": LONG["teammates"][:2]}
    made = read(format_for_prompt(create_snapshot(state)))
    assert (made.lists["files"], made.omitted["files"]) == ([], 2)
    assert len(made.lists["teammates"]) == 2
    assert len(made.lists["decisions"]) == 3
    assert made.lists["pending"]


def test_what_fits_whole_is_never_cut():
    state = {"pending": ["p"] * 30, "teammates": [{"name": "n", "role": "r"}] * 30}
    whole = fitted(create_snapshot(state), budget=10_000)
    assert not any(whole.omitted.values())
    assert fitted(create_snapshot(state), budget=whole.tokens).text == whole.text
    assert any(fitted(create_snapshot(state), budget=whole.tokens - 1).omitted.values())


@pytest.mark.slow
def test_ten_thousand_teammates():
    made = fitted(create_snapshot({"teammates": [{"name": f"n{n}", "role": "r"} for n in range(10_000)]}))
    assert made.tokens <= 500
    assert made.omitted["teammates"] == 10_000 - len(read(made.text).lists["teammates"])


@each(FORGERIES, ["task", *LISTS, "path", "role", "branch"])
def test_no_field_closes_the_block_or_forges_a_section(words, name):
    state = {
        "task": {"task_description": words},
        "files": {"files": [{"path": "a", "change_type": words}]},
        "path": {"files": [{"path": f"a{words}"}]},
        "decisions": {"decisions": [words]},
        "teammates": {"teammates": [{"name": words, "role": words}]},
        "role": {"teammates": [{"name": "a", "role": words}]},
        "pending": {"pending": [words, words]},
        "branch": {"branch": words, "generated_at": words},
    }[name]
    block = format_for_prompt(create_snapshot(state))
    assert block.count("<") == 2
    made = read(block)
    empty = [one for one in LISTS if not made.lists[one]]
    assert len(empty) >= 3


def test_words_come_back_as_they_were():
    words = "R&D: a<b && c>d ]]> &amp; `x`"
    block = format_for_prompt(create_snapshot({"task_description": words, "pending": [words]}))
    assert escaped(words) in block
    assert read(block).task == words
    assert read(block).lists["pending"] == [words]
