"""Answers as they come from a file, an agent or a host's question tool, made into decisions.

Pure. One bad answer never takes the others with it: it is named in `Answers.refused` and its follow-up stays pending.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from wrapgen.errors import AnswersError
from wrapgen.session.routing import Answer, Route, wording_trouble
from wrapgen.text import one_line, shorten, visible

SCHEMA = "wrapgen.answers/1"

_KEYS = ("id", "route", "project", "task", "text")
_ALLOWED = (
    f'Allowed: {{"schema": "{SCHEMA}", "answers": [{{"id": "...", "route": "{"|".join(Route)}"}}]}}, or the result of'
    ' AskUserQuestion, {"questions": [...], "answers": {"<question>": "<label>"}}.'
)

# Where hosts put the result of a tool; the first that holds answers counts.
_WRAPPINGS = (
    "tool_response", "toolUseResult", "tool_result", "tool_output", "result", "response", "output", "updatedInput",
    "tool_input", "input", "hookSpecificOutput", "data",
)  # fmt: skip
_DEEPEST = 5

# Typed into "Other" instead of a task.
_LATER = frozenset(
    (
        "later",
        "not now",
        "pending",
        "leave it",
        "leave pending",
        "나중에",
        "보류",
        "以后",
        "稍后",
        "待定",
        "あとで",
        "後で",
        "保留",
    )
)


@dataclass(frozen=True, slots=True)
class Option:
    """One option that was offered, and what choosing it means."""

    label: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it was put: what is needed to understand its answer.

    Attributes:
        question: its text, the key of the answer.
        header: its short title, understood as the key as well.
        multi: several options may be chosen, each about an orphan of its own; otherwise all options are about one
            orphan, and the first is the suggestion.
    """

    question: str
    header: str
    multi: bool
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer that could not be understood, and why; `about` is the id or the question as given."""

    about: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answers:
    """What was decided, and what could not be understood."""

    answers: tuple[Answer, ...] = ()
    refused: tuple[Refused, ...] = ()


def decode_answers(document: object, asked: Sequence[Asked] = ()) -> Answers:
    """Read answers in either form.

    Args:
        document: decoded JSON: `wrapgen.answers/1`, or a question tool's result, bare or wrapped by its host.
        asked: the questions that were put, to understand the latter.

    Returns:
        The decisions in the order given. What nobody chose is in neither list: it stays pending.

    Raises:
        AnswersError: the document is neither, or answers questions that are not on record.
    """
    found = _find(document)
    if found is None:
        raise AnswersError(f"no answers in {_sort_of(document)}", next_step=_ALLOWED)
    schema, answers = found.get("schema", SCHEMA), found["answers"]
    if schema != SCHEMA:
        raise AnswersError(f"answers of schema `{_show(schema)}`", next_step=_ALLOWED)
    if isinstance(answers, list):
        results = (_direct(answer, position) for position, answer in enumerate(answers, 1))
    elif not asked:
        raise AnswersError(
            "these answer questions that are not on record",
            next_step="Run `wrap orphans --ask`, put its questions, and hand over their result.",
        )
    else:
        results = (result for key, value in answers.items() for result in _told(str(key), value, asked))
    return _gathered(results)


def _find(document: object, depth: int = 0) -> dict[str, Any] | None:
    """The innermost object that holds answers."""
    if not isinstance(document, dict) or depth > _DEEPEST:
        return None
    if isinstance(document.get("answers"), dict | list):
        return document
    inner = (_find(document[name], depth + 1) for name in _WRAPPINGS if name in document)
    return next((found for found in inner if found is not None), None)


def _gathered(results: Iterator[Answer | Refused]) -> Answers:
    answers: dict[str, Answer] = {}
    refused: list[Refused] = []
    for result in results:
        if isinstance(result, Refused):
            refused.append(result)
        elif answers.setdefault(result.id, result) != result:
            refused.append(Refused(result.id, f"answered twice; the first answer, {answers[result.id].route}, counts"))
    return Answers(tuple(answers.values()), tuple(refused))


def _direct(given: object, position: int) -> Answer | Refused:
    """One answer of `wrapgen.answers/1`."""
    if not isinstance(given, dict):
        return Refused(f"answer {position}", f"is {_sort_of(given)}; an object with {', '.join(_KEYS)} is needed")
    identity = given.get("id")
    if not isinstance(identity, str) or not identity.strip():
        return Refused(f"answer {position}", "names no `id`")
    identity = identity.strip()
    for key in given:
        if key not in _KEYS and (near := get_close_matches(str(key), _KEYS, n=1, cutoff=0.75)):
            return Refused(identity, f"unknown key `{_show(key)}`; the nearest is `{near[0]}`")
    for key in _KEYS[1:]:
        if not isinstance(given.get(key), str | None):
            return Refused(identity, f"`{key}` is {_sort_of(given[key])}; a string is needed")
    route = (given.get("route") or "").strip().casefold()
    if route not in list(Route):
        near = get_close_matches(route, list(Route), n=1)
        guess = f"; the nearest is `{near[0]}`" if near else ""
        return Refused(identity, f"route `{_show(route)}` is not one of {', '.join(Route)}{guess}")
    project, task, text = given.get("project"), given.get("task"), given.get("text")
    if text is not None and (trouble := wording_trouble(text := one_line(text))):
        return Refused(identity, trouble)
    return Answer(identity, Route(route), project or None, task or None, text)


def _told(key: str, value: object, asked: Sequence[Asked]) -> Iterator[Answer | Refused]:
    """What the answer to one question of a host's tool says."""
    about = shorten(one_line(visible(key)), 80)
    question = _question(key, asked)
    if question is None:
        headers = "; ".join(known.header for known in asked)
        yield Refused(about, f"was not asked; asked: {headers}; for new questions run `wrap orphans --ask` again")
        return
    if value is None:
        return
    values = value if isinstance(value, list) else [value]
    if wrong := [part for part in values if isinstance(part, bool) or not isinstance(part, str | int)]:
        yield Refused(about, f"is answered by {_sort_of(wrong[0])}; labels are strings: {_labels(question)}")
        return
    choices = [_split(str(part), question) for part in values]
    chosen = {option.label: option for options, _ in choices for option in options}
    typed = [words for _, words in choices if words and words.casefold().rstrip(".!") not in _LATER]
    if not question.multi and len(chosen) > 1:
        yield Refused(about, f"takes one of {_labels(question)}, not {', '.join(chosen)}")
        return
    rewordings = [_reworded(words, question, about, chosen) for words in typed]
    reworded = {result.id for result in rewordings if isinstance(result, Answer)}
    yield from (option.answer for option in chosen.values() if option.answer.id not in reworded)
    yield from rewordings


def _question(key: str, asked: Sequence[Asked]) -> Asked | None:
    """The question that a key means: its text, white space and case aside, or its header."""
    folded = _folded(key)
    return next((known for known in asked if folded in (_folded(known.question), _folded(known.header))), None)


def _split(value: str, question: Asked) -> tuple[list[Option], str]:
    """Tell the labels that were chosen from what was typed.

    Several choices come joined by commas, what was typed last, and typed words may hold commas and numbers of their
    own: so only labels in front of the first other part are choices.
    """
    labels = {_folded(option.label): option for option in question.options}
    parts = value.split(",")
    chosen = [option for option in map(labels.get, map(_folded, parts)) if option is not None]
    if len(chosen) == len(parts):
        return chosen, ""
    if not question.multi:
        return [], one_line(value)
    taken = next(position for position, part in enumerate(parts) if _folded(part) not in labels)
    return chosen[:taken], one_line(",".join(parts[taken:]))


def _reworded(words: str, question: Asked, about: str, chosen: Mapping[str, Option]) -> Answer | Refused:
    """What was typed instead of a choice: other words for an orphan."""
    labels = {option.label: option for option in question.options}
    text = words
    if words.casefold() in list(Route):
        return Refused(about, f"`{words}` was not offered; offered: {_labels(question)}")
    if not question.multi:
        option = next(iter(chosen.values()), question.options[0])
    else:
        numbered = re.match(r"#?\s*(\d+)\s*[:.)\]=-]\s*(.+)", words)
        if numbered is None or numbered[1] not in labels:
            example = f"`{question.options[0].label}: new words`"
            return Refused(about, f"cannot tell which one `{_show(words)}` means; begin with its number, as {example}")
        if words.rpartition(",")[2].strip() in labels:
            # Some hosts put what was typed first: then these are choices, and neither reading is safe.
            return Refused(
                about, f"cannot tell words from choices in `{_show(words)}`; leave the numbers at its end out"
            )
        option, text = labels[numbered[1]], numbered[2]
    if trouble := wording_trouble(text):
        return Refused(about, trouble)
    return replace(option.answer, text=text)


def _labels(question: Asked) -> str:
    return ", ".join(option.label for option in question.options)


def _folded(text: str) -> str:
    return one_line(text).casefold().removesuffix("(recommended)").rstrip(" .")


def _show(value: object) -> str:
    return shorten(one_line(visible(str(value))), 60)


_SORTS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "a truth value",
    type(None): "null",
}


def _sort_of(value: object) -> str:
    return _SORTS.get(type(value), "a number")
