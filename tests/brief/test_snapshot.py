"""From a state that anybody may have made to a record that nothing can change."""

from dataclasses import FrozenInstanceError, fields, is_dataclass
from types import MappingProxyType

import pytest
from hypothesis import given, settings

from tests.brief.hostile import FIELDS, VALUES, EndlessList, RaisingDict, RaisingText
from tests.brief.states import as_state, states
from tests.support import each, examples
from wrapgen.brief import FileChange, Snapshot, Teammate, create_snapshot, diff_snapshots
from wrapgen.text.tokens import utf16_length

EMPTY = Snapshot()
FULL = {
    "task_description": "Write the brief",
    "files": [{"path": "a.py", "change_type": "created"}, {"path": "b.py"}],
    "decisions": ["One", "Two"],
    "teammates": [{"name": "Ann", "role": "review"}],
    "pending": ["Test it"],
    "generated_at": "2026-04-24T18:00:00+09:00",
    "branch": "main",
}

MADE = create_snapshot(FULL)


def test_a_full_state():
    assert create_snapshot(FULL) == Snapshot(
        "Write the brief",
        (FileChange("a.py", "created"), FileChange("b.py", "modified")),
        ("One", "Two"),
        (Teammate("Ann", "review"),),
        ("Test it",),
        generated_at="2026-04-24T18:00:00+09:00",
        branch="main",
    )


def test_camel_case_is_the_same_state():
    camel = {"taskDescription": "T", "files": [{"path": "a", "changeType": "deleted"}], "generatedAt": "now"}
    snake = {"task_description": "T", "files": [{"path": "a", "change_type": "deleted"}], "generated_at": "now"}
    assert create_snapshot(camel) == create_snapshot(snake) != EMPTY


@pytest.mark.parametrize("state", [None, 5, "words", b"{}", [FULL], (), True])
def test_what_is_no_mapping_is_an_empty_state(state):
    assert create_snapshot(state) == EMPTY


@each(VALUES)
def test_whatever_is_given_is_an_empty_state(name):
    assert create_snapshot(VALUES[name]) == EMPTY


@each(FIELDS, VALUES)
def test_a_field_of_any_type_leaves_the_other_fields_alone(name, sort):
    field = {"task_description": "task", "taskDescription": "task"}.get(name, name)
    made = create_snapshot({**FULL, name: VALUES[sort]})
    kept = {one.name for one in fields(Snapshot)} - {field}
    assert [getattr(made, one) for one in sorted(kept)] == [getattr(MADE, one) for one in sorted(kept)]


@each(["files", "decisions", "teammates", "pending"], VALUES)
def test_an_element_of_any_type_leaves_the_other_elements_alone(name, sort):
    first, last = FULL[name][0], FULL[name][-1]
    made = getattr(create_snapshot({name: [first, VALUES[sort], last]}), name)
    assert (made[0], made[-1]) == (getattr(MADE, name)[0], getattr(MADE, name)[-1])


@each(VALUES)
def test_parts_of_an_element_may_be_of_any_type(sort):
    value = VALUES[sort]
    made = create_snapshot(
        {
            "files": [{"path": "a", "change_type": value}, {"path": value, "change_type": "created"}],
            "teammates": [{"name": "Ann", "role": value}],
        }
    )
    assert made.files[0].path == "a"
    assert made.teammates[0].name == "Ann"


def test_classes_of_ones_own():
    assert create_snapshot(RaisingDict(FULL)) == EMPTY
    assert create_snapshot(MappingProxyType(FULL)) == create_snapshot(FULL)
    assert create_snapshot({"task_description": RaisingText("words")}).task == "words"
    assert type(create_snapshot({"task_description": RaisingText("words")}).task) is str
    assert create_snapshot({"pending": EndlessList(["once"])}).pending == ("once",)


def test_the_newest_are_kept_in_the_order_given():
    made = create_snapshot({"files": [{"path": str(n)} for n in range(10)], "decisions": list("abcde")})
    assert [file.path for file in made.files] == list("23456789")
    assert made.decisions == ("c", "d", "e")
    assert (made.files_omitted, made.decisions_omitted) == (2, 2)


@pytest.mark.parametrize(("name", "limit"), [("task_description", 150), ("decisions", 160), ("pending", 100)])
@pytest.mark.parametrize("letter", ["x", "가", "😀"])
def test_lengths(name, limit, letter):
    def made(length):
        text = letter * (length // utf16_length(letter))
        state = create_snapshot({name: text if name == "task_description" else [text]})
        return state.task if name == "task_description" else getattr(state, name)[0]

    assert made(limit) == letter * (limit // utf16_length(letter))
    assert made(limit + 2).endswith("…")
    assert made(limit + 2).removesuffix("…") == letter * ((limit - 1) // utf16_length(letter))


def test_what_says_nothing_is_left_out():
    state = {
        "files": [{}, {"path": ""}, {"change_type": "created"}, "a.py", None],
        "decisions": ["", "\n", None],
        "teammates": [{}, {"name": None, "role": ""}],
        "pending": ["", "\x00"],
    }
    assert create_snapshot(state) == EMPTY


def test_half_of_a_teammate_is_kept():
    made = create_snapshot({"teammates": [{"name": "Ann"}, {"role": "review"}]})
    assert made.teammates == (Teammate("Ann", ""), Teammate("", "review"))


def frozen(value):
    """Whether nothing in a record can be changed."""
    if is_dataclass(value):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(value, fields(value)[0].name, "changed")
        return not hasattr(value, "__dict__") and all(frozen(getattr(value, field.name)) for field in fields(value))
    return all(map(frozen, value)) if isinstance(value, tuple) else type(value) in (str, int)


def test_frozen_all_the_way_down():
    state = {**FULL, "files": [*FULL["files"]]}
    made = create_snapshot(state)
    assert frozen(made)
    state["files"].clear()
    state["pending"] = None
    assert made == create_snapshot(FULL)
    assert hash(made) == hash(create_snapshot(FULL))


@settings(max_examples=examples(60), deadline=None)
@given(states)
def test_a_snapshot_made_again_from_what_it_says_is_the_same(state):
    made = create_snapshot(state)
    assert create_snapshot(made) is made
    again = create_snapshot(as_state(made))
    assert (again.task, again.files, again.decisions, again.teammates, again.pending) == (
        made.task, made.files, made.decisions, made.teammates, made.pending
    )  # fmt: skip


# What is new


def test_only_what_is_new():
    later = {
        **FULL,
        "files": [{"path": "a.py", "change_type": "modified"}, {"path": "b.py"}],
        "decisions": ["One", "Two", "Three"],
        "pending": [],
        "branch": "next",
    }
    assert diff_snapshots(create_snapshot(FULL), create_snapshot(later)) == Snapshot(
        files=(FileChange("a.py", "modified"),),
        decisions=("Three",),
        generated_at="2026-04-24T18:00:00+09:00",
        branch="next",
    )


def test_another_task_is_new():
    assert diff_snapshots(create_snapshot(FULL), create_snapshot({"task_description": "Else"})).task == "Else"


@settings(max_examples=examples(60), deadline=None)
@given(states, states)
def test_the_difference_holds_what_is_there_and_was_not(one, other):
    old, new = create_snapshot(one), create_snapshot(other)
    made = diff_snapshots(old, new)
    for name in ("files", "decisions", "teammates", "pending"):
        assert list(getattr(made, name)) == [item for item in getattr(new, name) if item not in getattr(old, name)]
    nothing = diff_snapshots(new, new)
    assert (nothing.task, nothing.files, nothing.decisions, nothing.teammates, nothing.pending) == ("", (), (), (), ())
