"""Parses answers from a file, an agent or a host's question tool into decisions.

Pure. A bad answer does not affect the others: it is listed in `Answers.refused` and its follow-up stays pending.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from wrapgen.errors import AnswersError, Refusal
from wrapgen.session.ask import Asked
from wrapgen.session.follow_up import Route
from wrapgen.session.routing import Answer, Places, called, wording_trouble
from wrapgen.session.told import told
from wrapgen.text.display import one_line

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


@dataclass(frozen=True, slots=True)
class Answers:
    """What was decided, and what could not be understood."""

    answers: tuple[Answer, ...] = ()
    refused: tuple[Refusal, ...] = ()
    seen: tuple[str, ...] = ()  # ids of unsure ones that were shown and left


def decode_answers(document: object, asked: Sequence[Asked] = (), places: Places | None = None) -> Answers:
    """Read answers in either form, in their order; what nobody chose is in neither list and stays pending.

    `document` is decoded JSON: `wrapgen.answers/1`, or a question tool's result, bare or wrapped by its host; `asked`
    are the questions that were put, the newest last, to understand the latter. Raises `AnswersError` for anything else,
    and for answers to questions that are not on record.
    """
    found = _find(document)
    if found is None:
        raise AnswersError(f"no answers in {_sort_of(document)}", next_step=_ALLOWED)
    known = places or Places()
    schema, answers = found.get("schema", SCHEMA), found["answers"]
    if schema != SCHEMA:
        raise AnswersError(f"answers of schema `{called(schema)}`", next_step=_ALLOWED)
    if isinstance(answers, list):
        results = (_direct(answer, position) for position, answer in enumerate(answers, 1))
    elif not asked:
        raise AnswersError(
            "these answers belong to questions that are not on record",
            next_step="Run `wrap orphans --ask`, ask its questions, and pass the result.",
        )
    else:
        results = (result for key, value in answers.items() for result in told(str(key), value, asked, known))
    return _gathered(results)


def _find(document: object, depth: int = 0) -> dict[str, Any] | None:
    if not isinstance(document, dict) or depth > _DEEPEST:
        return None
    if isinstance(document.get("answers"), dict | list):
        return document
    inner = (_find(document[name], depth + 1) for name in _WRAPPINGS if name in document)
    return next((found for found in inner if found is not None), None)


def _gathered(results: Iterator[Answer | Refusal]) -> Answers:
    answers: dict[str, Answer] = {}
    refused: list[Refusal] = []
    for result in results:
        if isinstance(result, Refusal):
            refused.append(result)
        elif answers.setdefault(result.id, result) != result:
            refused.append(Refusal(result.id, f"answered twice; the first answer, {answers[result.id].route}, counts"))
    return Answers(tuple(answers.values()), tuple(refused))


def _direct(given: object, position: int) -> Answer | Refusal:
    if not isinstance(given, dict):
        return Refusal(f"answer {position}", f"is {_sort_of(given)}; an object with {', '.join(_KEYS)} is needed")
    identity = given.get("id")
    if not isinstance(identity, str) or not identity.strip():
        return Refusal(f"answer {position}", "names no `id`")
    identity = identity.strip()
    for key in given:
        if key not in _KEYS and (near := get_close_matches(str(key), _KEYS, n=1, cutoff=0.75)):
            return Refusal(identity, f"unknown key `{called(key)}`; the nearest is `{near[0]}`")
    for key in _KEYS[1:]:
        if not isinstance(given.get(key), str | None):
            return Refusal(identity, f"`{key}` is {_sort_of(given[key])}; a string is needed")
    route = (given.get("route") or "").strip().casefold()
    if route not in list(Route):
        near = get_close_matches(route, list(Route), n=1)
        guess = f"; the nearest is `{near[0]}`" if near else ""
        return Refusal(identity, f"route `{called(route)}` is not one of {', '.join(Route)}{guess}")
    project, task, text = given.get("project"), given.get("task"), given.get("text")
    if text is not None and (trouble := wording_trouble(text := one_line(text))):
        return Refusal(identity, trouble)
    return Answer(identity, Route(route), project or None, task or None, text)


_SORTS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "a truth value",
    type(None): "null",
}


def _sort_of(value: object) -> str:
    return _SORTS.get(type(value), "a number")
