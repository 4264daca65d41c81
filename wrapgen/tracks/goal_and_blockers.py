"""The state of a conversation: its goal, blockers and progress. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from wrapgen.text.blocks import Block, blocks
from wrapgen.text.display import one_line, shorten
from wrapgen.tracks.lexicon import load_cues
from wrapgen.tracks.lines import labelled
from wrapgen.tracks.record import Quoted
from wrapgen.tracks.sentences import sentences
from wrapgen.tracks.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.tracks.lexicon import TrackCues
    from wrapgen.tracks.record import TurnStep

LIMIT = 200
"""Characters of the goal and of a blocker (spec 6.3)."""
MOST_BLOCKERS = 5
"""Maximum number of blockers (spec 6.3)."""
_MOST_OPEN = 50  # failures that an answer is compared with: it is about one of the last
_BEYOND = re.compile(rf"(?m)^(.{{{5 * LIMIT}}}).+$")  # what no label or goal reaches into
_BOXES = ("[ ]", "[x]", "[X]", "☐", "☑", "✅", "⬜", "□", "☒")


@dataclass(frozen=True, slots=True)
class Task:
    """A line of the last checklist, or a file that was written."""

    text: str  # the line without its box, or the path
    done: bool | None = None  # whether its box is ticked; None for a file


@dataclass(frozen=True, slots=True)
class TrackState:
    """The state of a conversation."""

    goal: str  # one line, empty when nobody said anything
    blockers: tuple[Quoted, ...]  # newest first
    progress: tuple[Task, ...]  # in the order of the checklist, or of the writing


def state_of(steps: Sequence[TurnStep]) -> TrackState:
    """Goal, blockers and progress of a conversation by the rules of spec 6.3."""
    cues = load_cues()
    return TrackState(_goal(steps, cues), _blockers(steps, cues), _progress(steps))


def _short(text: str) -> str:
    return shorten(one_line(text), LIMIT - 1)


def _goal(steps: Sequence[TurnStep], cues: TrackCues) -> str:
    """The newest line that names the goal, else what was typed first."""
    for step in reversed(steps):
        lines = list(labelled(_BEYOND.sub(r"\1", step.text), cues.labels["goal"]))
        if lines:
            return _short(lines[-1].text)
    typed = (step.text for step in steps if step.typed and step.role == "user" and step.text.strip())
    return _short(next(typed, ""))


def _blockers(steps: Sequence[TurnStep], cues: TrackCues) -> tuple[Quoted, ...]:
    """Newest first: sentences that name a blocker, and failures of the last tenth that nothing has answered."""
    open_failures = {(one.turn, one.text): one for one in _open_failures(steps, cues)}
    named = list(islice(_named(steps, cues), MOST_BLOCKERS))
    found = {(one.turn, one.text): one for one in (*named, *open_failures.values())}
    newest = sorted(found.values(), key=lambda one: -one.turn)
    return tuple(newest[:MOST_BLOCKERS])


def _named(steps: Sequence[TurnStep], cues: TrackCues) -> Iterator[Quoted]:
    for step in reversed(steps):
        if not cues["blocked"].found(step.text.lower()):
            continue
        for one in sentences(step.text):
            if cues["blocked"].found(one.said) and not cues["unblocked"].found(one.said) and one.stated(cues):
                yield Quoted(step.number, _short(step.text[one.start : one.end]))


def _open_failures(steps: Sequence[TurnStep], cues: TrackCues) -> list[Quoted]:
    """Failures of the last tenth without a later success or a farewell to the same thing."""
    failures: list[tuple[Quoted, frozenset[str]]] = []
    for step in steps[len(steps) - max(1, len(steps) // 10) :] if steps else ():
        for one in sentences(step.text):
            if not one.stated(cues):
                continue
            about = terms(one.words(), cues)
            if any(cues[group].found(one.said) for group in ("worked", "left", "left_it")):
                failures = _unanswered(failures, about)
            elif cues["failed"].found(one.said):
                failures = [
                    *failures[-_MOST_OPEN:],
                    (Quoted(step.number, _short(step.text[one.start : one.end])), about),
                ]
    return [failure for failure, _ in failures]


def _unanswered(
    failures: list[tuple[Quoted, frozenset[str]]], answer: frozenset[str]
) -> list[tuple[Quoted, frozenset[str]]]:
    """The failures that an answer is not about; one about none of them is about the last."""
    others = [one for one in failures if one[1].isdisjoint(answer)]
    return failures[:-1] if others == failures else others


def _progress(steps: Sequence[TurnStep]) -> tuple[Task, ...]:
    for step in reversed(steps):
        if any(box in step.text for box in _BOXES):
            tasks = _checklist(step.text)
            if tasks:
                return tasks
    written = {file.path: file.gone for step in steps for file in step.files}
    return tuple(Task(path) for path, gone in written.items() if not gone)


def _checklist(text: str) -> tuple[Task, ...]:
    """The last list of a turn whose lines have boxes."""
    items: list[Block] = [block for block in blocks(text) if block.shape == "item" and block.checked is not None]
    return tuple(
        Task(one_line(text[item.start : item.end]), item.checked) for item in items if item.lists == items[-1].lists
    )
