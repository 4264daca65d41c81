"""The one question for agents: the input of a single AskUserQuestion call.

Pure. The host allows four questions of two to four options each, a header of twelve characters, and adds "Other"
(free text) by itself. Answers come back under the text of their question, so the texts are unique, and free of the
follow-ups' own words, which nobody could repeat exactly.
"""

from collections.abc import Sequence
from typing import Any

from wrapgen.session.answers import Asked, Option
from wrapgen.session.routing import Answer, Orphan, Places, Suggestion, alternatives, unique
from wrapgen.text import one_line, shorten, visible

MOST_QUESTIONS = 4
MOST_OPTIONS = 4

# The host sets no limit here; these keep the form on one screen.
_TASK_LENGTH = 240
_FILE_LENGTH = 120


def ask_payload(
    orphans: Sequence[Orphan], places: Places
) -> tuple[dict[str, Any], tuple[Asked, ...], tuple[Orphan, ...]]:
    """Put orphans into the questions of one call.

    Up to four get a question each. More are grouped by suggested destination, up to four in a question; the fullest
    questions are put.

    Args:
        orphans: what waits; nothing to ask gives no questions.
        places: what can be routed to.

    Returns:
        The tool's input; what was asked, which must be kept to understand the result; and what did not fit.
    """
    waiting = unique(orphans)
    groups = [[orphan] for orphan in waiting] if len(waiting) <= MOST_QUESTIONS else _grouped(waiting)
    left_over = tuple(orphan for group in groups[MOST_QUESTIONS:] for orphan in group)
    asked: list[Asked] = []
    questions: list[dict[str, Any]] = []
    number = 1
    for group in groups[:MOST_QUESTIONS]:
        last = len(asked) + 1 == MOST_QUESTIONS
        note = f" ({len(left_over)} more wait for another round.)" if left_over and last else ""
        question = _one(group[0], number, note, places) if len(group) == 1 else _several(group, number, note, places)
        texts = {orphan.id: _words(orphan) for orphan in group}
        asked.append(question)
        questions.append(_input(question, texts, places))
        number += len(group)
    return {"questions": questions}, tuple(asked), left_over


def _grouped(orphans: Sequence[Orphan]) -> list[list[Orphan]]:
    """Orphans of one destination together, four at most; full groups first, else in the order given."""
    by_place: dict[Suggestion, list[Orphan]] = {}
    for orphan in orphans:
        by_place.setdefault(orphan.suggested, []).append(orphan)
    groups = [
        group[start : start + MOST_OPTIONS]
        for group in by_place.values()
        for start in range(0, len(group), MOST_OPTIONS)
    ]
    return sorted(groups, key=len, reverse=True)


def _one(orphan: Orphan, number: int, note: str, places: Places) -> Asked:
    """A question about one orphan; its labels are routes."""
    options = tuple(Option(str(where.route), Answer.taking(orphan, where)) for where in alternatives(orphan, places))
    return Asked(
        f"Follow-up {number}: where does it belong?{note}", f"Follow-up {number}", multi=False, options=options
    )


def _several(orphans: Sequence[Orphan], first: int, note: str, places: Places) -> Asked:
    """A question about orphans of one destination; its labels are their numbers."""
    options = tuple(
        Option(str(number), Answer.taking(orphan, orphan.suggested)) for number, orphan in enumerate(orphans, first)
    )
    last = first + len(orphans) - 1
    text = (
        f"Follow-ups {first} to {last}: which of them go to {_file(orphans[0].suggested, places)}? Those not chosen"
        f" stay pending. Other words for one: type its number and the words, as {first}: new words.{note}"
    )
    return Asked(text, f"Nos. {first}-{last}", multi=True, options=options)


def _input(question: Asked, texts: dict[str, str], places: Places) -> dict[str, Any]:
    options = []
    for option in question.options:
        answer = option.answer
        file = _file(Suggestion(answer.route, answer.project, answer.task), places)
        options.append({"label": option.label, "description": f"{texts[answer.id]} → {file}"})
    return {"question": question.question, "header": question.header, "options": options, "multiSelect": question.multi}


def _words(orphan: Orphan) -> str:
    words = shorten(one_line(visible(orphan.text)), _TASK_LENGTH)
    return words if orphan.sure else f"(not sure) {words}"


def _file(where: Suggestion, places: Places) -> str:
    file = places.file(where)
    return "nowhere, not asked again" if file is None else shorten(one_line(visible(file)), _FILE_LENGTH)
