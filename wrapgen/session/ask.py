"""The one question for agents: the input of a single AskUserQuestion call, and what of it is remembered. PURE.

The host allows four questions of two to four options each, a header of twelve characters, and adds "Other" (free text)
by itself. Answers come back under the text of their question, so it begins with the handles of what it is about, and is
free of the follow-ups' own words, which nobody could repeat exactly; any number of conversations may ask at a time.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wrapgen.session.follow_up import ID_LENGTH, Answer, FollowUp, Places, Suggestion, alternatives, unique
from wrapgen.text.display import one_line, shorten, visible

SKIP_THE_REST = "skip the rest"  # the last option of a question about several

HANDLE = f"[0-9a-f]{{4,{ID_LENGTH}}}"  # pattern of a handle

_HANDLES = re.compile(rf"\s*({HANDLE}(?:\s*,\s*{HANDLE})*)\s*:")


@dataclass(frozen=True, slots=True)
class Option:
    """One option that was offered, and what choosing it means."""

    label: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it was asked: what is needed to understand its answer."""

    question: str  # its text, the key of the answer; it begins with the handles of its follow-ups
    header: str  # its short title, understood as the key as well
    # several options may be chosen, each about an orphan of its own; otherwise all options are about one orphan, and
    # the first is the suggestion
    multi: bool
    options: tuple[Option, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(option.answer.id for option in self.options))

    @property
    def named(self) -> Mapping[str, Option]:
        """What a label, a handle or a number means."""
        handles = handles_of(self.question)
        found = {folded(option.label): option for option in self.options}
        if self.multi:
            return found | dict(zip(handles, self.options, strict=False))
        return {"1": self.options[0], **dict.fromkeys(handles, self.options[0])} | found


def handles_of(question: str) -> list[str]:
    """The handles that a question begins with."""
    found = _HANDLES.match(question.casefold())
    return re.findall(HANDLE, found[1]) if found else []


def folded(text: str) -> str:
    """A label or a question as it is compared."""
    return one_line(text).casefold().removesuffix("(recommended)").rstrip(" .")


MOST_QUESTIONS = 4
MOST_OPTIONS = 4
_LONGEST_HEADER = 12

# The host sets no limit here; these keep the form on one screen.
_TASK_LENGTH = 240
_FILE_LENGTH = 120
_SKIPPED = "do not file, do not ask again"


def ask_payload(
    orphans: Sequence[FollowUp], places: Places, handles: Mapping[str, str]
) -> tuple[dict[str, Any], tuple[Asked, ...], tuple[FollowUp, ...]]:
    """The tool's input; what was asked, which must be kept to understand the result; and what did not fit.

    Up to four orphans get a question each. More are grouped by suggested destination, up to three per question, beside
    *skip the rest*. The first ones are asked about.
    """
    waiting = unique(orphans)
    groups = _grouped(waiting, alone=len(waiting) <= MOST_QUESTIONS)
    fitting = {orphan.id for group in groups for orphan in group}
    left_over = tuple(orphan for orphan in waiting if orphan.id not in fitting)
    asked: list[Asked] = []
    questions: list[dict[str, Any]] = []
    number = 1
    for group in groups:
        last = len(asked) + 1 == len(groups)
        note = f" ({len(left_over)} more will be asked next time.)" if left_over and last else ""
        names = [handles[orphan.id] for orphan in group]
        question = (
            _one(group[0], names[0], note, places) if len(group) == 1 else _several(group, names, number, note, places)
        )
        texts = {orphan.id: _words(orphan) for orphan in group}
        asked.append(question)
        questions.append(_input(question, texts, places))
        number += len(group)
    return {"questions": questions}, tuple(asked), left_over


def _grouped(orphans: Sequence[FollowUp], *, alone: bool) -> list[list[FollowUp]]:
    """What each question is about, in the order given; what has no room in four questions is left out."""
    room = 1 if alone else MOST_OPTIONS - 1
    groups: list[list[FollowUp]] = []
    for orphan in orphans:
        group = next((one for one in groups if one[0].suggested == orphan.suggested and len(one) < room), None)
        if group:
            group.append(orphan)
        elif len(groups) < MOST_QUESTIONS:
            groups.append([orphan])
    return groups


def _one(orphan: FollowUp, handle: str, note: str, places: Places) -> Asked:
    """A question about one orphan; its labels are routes."""
    options = tuple(Option(str(where.route), Answer.taking(orphan, where)) for where in alternatives(orphan, places))
    return Asked(f"{handle}: where does this follow-up belong?{note}", handle, multi=False, options=options)


def _several(orphans: Sequence[FollowUp], handles: Sequence[str], first: int, note: str, places: Places) -> Asked:
    """A question about orphans of one destination; its labels are their numbers."""
    options = tuple(
        Option(str(number), Answer.taking(orphan, orphan.suggested)) for number, orphan in enumerate(orphans, first)
    )
    header = f"{handles[0]} + {len(orphans) - 1}"
    text = (
        f"{', '.join(handles)}: which of these follow-ups go to {_file(orphans[0].suggested, places)}? Those not chosen"
        f" stay pending. For another place or other words, type as {first}: journal, {first + 1}: new words.{note}"
    )
    return Asked(text, header if len(header) <= _LONGEST_HEADER else handles[0], multi=True, options=options)


def _input(question: Asked, texts: dict[str, str], places: Places) -> dict[str, Any]:
    options = []
    for option in question.options:
        answer = option.answer
        file = _file(Suggestion(answer.route, answer.project, answer.task), places)
        options.append({"label": option.label, "description": f"{texts[answer.id]} → {file}"})
    if question.multi:
        options.append({"label": SKIP_THE_REST, "description": f"those not chosen here: {_SKIPPED}"})
    return {"question": question.question, "header": question.header, "options": options, "multiSelect": question.multi}


def _words(orphan: FollowUp) -> str:
    words = shorten(one_line(visible(orphan.text)), _TASK_LENGTH)
    return words if orphan.sure else f"(not sure) {words}"


def _file(where: Suggestion, places: Places) -> str:
    file = places.file(where)
    return _SKIPPED if file is None else shorten(one_line(visible(file)), _FILE_LENGTH)
