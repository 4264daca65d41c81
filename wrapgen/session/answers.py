"""Parses answers from a file, an agent or a host's question tool into decisions. PURE.

A bad answer does not affect the others: it is listed in `Answers.refused` and its follow-up stays pending. Words that
name a route, a project, a number or *later* are that; only other words are a rewording.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from wrapgen.errors import AnswersError, Refusal
from wrapgen.session.ask import HANDLE, SKIP_THE_REST, Asked, Option, folded, handles_of
from wrapgen.session.follow_up import Answer, Places, Route, called, wording_trouble
from wrapgen.text.display import one_line, shorten, visible

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
        results = (result for key, value in answers.items() for result in _told(str(key), value, asked, known))
    taken: dict[str, Answer] = {}
    refused: list[Refusal] = []
    for result in results:
        if isinstance(result, Refusal):
            refused.append(result)
        elif taken.setdefault(result.id, result) != result:
            refused.append(Refusal(result.id, f"answered twice; the first answer, {taken[result.id].route}, counts"))
    return Answers(tuple(taken.values()), tuple(refused))


def _find(document: object, depth: int = 0) -> dict[str, Any] | None:
    if not isinstance(document, dict) or depth > _DEEPEST:
        return None
    if isinstance(document.get("answers"), dict | list):
        return document
    inner = (_find(document[name], depth + 1) for name in _WRAPPINGS if name in document)
    return next((found for found in inner if found is not None), None)


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


_SORTS = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "null"}


def _sort_of(value: object) -> str:
    return _SORTS.get(type(value), "a number")


# The first number may be written as people write lists; a later one has to be plain, for words hold numbers, too.
_FIRST = re.compile(rf"#?\s*(\d+|{HANDLE})\s*[:.)\]=-]\s*")
_FURTHER = re.compile(rf"[,;]\s*#?(\d+|{HANDLE})\s*[:=]\s*")
# What may be a later number, where what is before it is no words.
_RUN_ON = re.compile(rf"[\s,;]#?(?:\d+|{HANDLE})\s*(?:[:=)\]]|\.(?=\s))")
_LIST_MARK = re.compile(r"^\s*[-*+•]\s+")

_LATER = frozenset((  # typed instead of a task
    "later", "not now", "pending", "leave it", "leave pending",
    "나중에", "보류", "以后", "稍后", "待定", "あとで", "後で", "保留",
))  # fmt: skip


def _told(key: str, value: object, asked: Sequence[Asked], places: Places) -> Iterator[Answer | Refusal]:
    """What the answer to one question (by its key) of a host's tool says; the newest of `asked` is last."""
    about = ", ".join(handles_of(key)) or shorten(one_line(visible(key)), 80)
    question = _question(key, asked)
    if question is None:
        yield Refusal(about, "was not asked, or is no longer remembered; ask with `wrap orphans --ask`")
        return
    values = value if isinstance(value, list) else [value] if value is not None else []
    if any(isinstance(part, bool) or not isinstance(part, str | int) for part in values):
        yield Refusal(about, f"is answered by something else than words; labels are: {_labels(question)}")
        return
    reply = _Several(question, about, places) if question.multi else _One(question, about, places)
    yield from reply.read([_lines(str(part)) for part in values])


def _question(key: str, asked: Sequence[Asked]) -> Asked | None:
    """The question that a key means: by its text, by its handles, or by its header where no other has the same."""
    said, handles = folded(key), handles_of(key)
    newest = asked[::-1]
    by_text = next((one for one in newest if folded(one.question) == said), None)
    if by_text or handles:
        return by_text or next((one for one in newest if handles_of(one.question) == handles), None)
    titled = [one for one in newest if folded(one.header) == said]
    return titled[0] if len({one.ids for one in titled}) == 1 else None


def _labels(question: Asked) -> str:
    return ", ".join([*(option.label for option in question.options), *([SKIP_THE_REST] if question.multi else [])])


def _lines(value: str) -> list[str]:
    """The lines of a value that say something, without list marks."""
    lines = (one_line(_LIST_MARK.sub("", line, count=1)) for line in value.splitlines())
    return [line for line in lines if line]


@dataclass(frozen=True)
class _Reply:
    question: Asked
    about: str
    places: Places

    def _refused(self, reason: str) -> Refusal:
        return Refusal(self.about, reason)

    def _place(self, words: str, option: Option) -> Answer | None:
        """What words mean that name a route, a project or its alias, or a task as `project/task`; None for others."""
        said, key = words.casefold().rstrip(".!"), option.answer.id
        if said in list(Route):
            offered = [one.answer for one in self.question.options if one.answer.id == key]
            return next((one for one in offered if one.route == said), Answer(key, Route(said)))
        name, slash, behind = said.partition("/")
        project = self.places.named(name)
        if project is None or not slash:
            return Answer(key, Route.PROJECT, project) if project else None
        task = next((one for one in self.places.tasks.get(project, ()) if one.casefold() == behind.strip()), None)
        return Answer(key, Route.ACTIVE, project, task) if task else None

    def _says_where(self, words: str) -> bool:
        """Whether words name a place or *later*, so that they are nobody's words for a task."""
        words = words.strip(" ,;.")
        return _is_later(words) or self._place(words, self.question.options[0]) is not None

    def _runs_on(self, words: str) -> bool:
        """Whether words hold another number's answer: several that were written without anything between them."""
        said = words
        while numbered := _FIRST.match(said):
            said = said[numbered.end() :]
        further = _RUN_ON.search(said)
        return self._says_where(said if further is None else said[: further.start()])

    def _reworded(self, words: str, option: Option) -> Answer | Refusal:
        if trouble := wording_trouble(words):
            return self._refused(trouble)
        if self._runs_on(words) or not any(map(str.isalpha, words)):
            return self._refused(f"cannot tell what `{called(words)}` means; write one answer a line")
        return replace(option.answer, text=words)


class _One(_Reply):
    """The answer to a question about one follow-up: a label, a place, or other words for it."""

    def read(self, given: Sequence[Sequence[str]]) -> Iterator[Answer | Refusal]:
        values = [" ".join(lines) for lines in given]
        for lines, value in zip(given, values, strict=True):
            if len(lines) > 1 and any(map(self._is_answer, lines)):
                yield self._unclear(value)
                return
        labels = {folded(option.label): option for option in self.question.options}
        parts = [part for value in values for part in self._choices(value, labels)]
        chosen = list({option.label: option for part in parts if (option := labels.get(folded(part)))}.values())
        typed = [part for part in parts if part and folded(part) not in labels and not _is_later(part)]
        if len(chosen) > 1:
            yield self._refused(f"takes one of {_labels(self.question)}, not {', '.join(one.label for one in chosen)}")
        elif not typed:
            yield from (option.answer for option in chosen)
        else:
            yield from filter(None, (self._typed(words, chosen) for words in typed))

    def _is_answer(self, line: str) -> bool:
        numbered = _FIRST.match(line)
        return self._says_where(line[numbered.end() :] if numbered else line)

    def _unclear(self, words: str) -> Refusal:
        return self._refused(f"one follow-up is asked about; cannot tell what `{called(words)}` means")

    def _choices(self, value: str, labels: Mapping[str, Option]) -> list[str]:
        parts = value.split(",")
        return parts if all(folded(part) in labels for part in parts) else [value]

    def _typed(self, words: str, chosen: Sequence[Option]) -> Answer | Refusal | None:
        option = chosen[0] if chosen else self.question.options[0]
        if folded(words) in self.question.named:
            return option.answer
        numbered = _FIRST.match(words)
        said = words[numbered.end() :] if numbered else words
        place = self._place(said, option)
        if numbered and (place or _is_later(said) or _FURTHER.search(words)):
            if numbered[1].casefold() not in self.question.named or _FURTHER.search(words):
                return self._unclear(words)
            if place is None:
                return None
        elif numbered and numbered[1].casefold() in handles_of(self.question.question):
            words = said
        if place and chosen and place.route != option.answer.route:
            return self._refused(f"takes one place, not {option.label} and {called(said)}")
        return place or self._reworded(words, option)


class _Several(_Reply):
    """The answer to a question about several: labels, then `1: place` or `1: other words`, and *skip the rest*."""

    def read(self, given: Sequence[Sequence[str]]) -> Iterator[Answer | Refusal]:
        found: dict[str, Answer | None] = {}
        refused: list[Refusal] = []
        rest: str | None = None
        for value in (value for lines in given for value in self._values(lines)):
            chosen, words, skip = self._choices(value)
            found |= {option.answer.id: option.answer for option in chosen if option.answer.id not in found}
            if skip:
                rest = Route.SKIP
            if not words or _is_later(words):
                continue
            if self._place(words, self.question.options[0]):
                rest = words
                continue
            typed: dict[str, Answer | None] = {}
            for result in self._numbered(words):
                if isinstance(result, Refusal):
                    refused.append(result)
                elif typed.setdefault(result[0], result[1]) != result[1]:
                    refused.append(self._refused(f"says two things of one follow-up: `{called(words)}`"))
            found |= typed
        yield from (answer for answer in found.values() if answer)
        yield from refused
        if rest and refused:
            yield self._refused(f"`{rest}` waits until it is clear what is meant by the rest")
        elif rest:
            left = (option for option in self.question.options if option.answer.id not in found)
            yield from filter(None, (self._place(rest, option) for option in left))

    def _values(self, lines: Sequence[str]) -> list[str]:
        """Lines as single answers; one that is none by itself goes on with the words before it."""
        found: list[str] = []
        for line in lines:
            _, words, _ = self._choices(line)
            if not found or not words or _FIRST.match(line) or self._says_where(line):
                found.append(line)
            else:
                found[-1] += f" {line}"
        return found

    def _choices(self, value: str) -> tuple[list[Option], str, bool]:
        """The labels that a value begins with, the words behind them, and whether it says to skip the rest.

        Several choices come joined by commas, what was typed last, and typed words may hold commas and numbers of their
        own: so only labels in front of the first other part are choices.
        """
        named = self.question.named
        parts = [part for part in value.split(",") if folded(part) != SKIP_THE_REST]
        skip = len(parts) < value.count(",") + 1
        chosen: list[Option] = []
        while parts and (option := named.get(folded(parts[0]))):
            chosen.append(option)
            parts.pop(0)
        return chosen, one_line(",".join(parts)), skip

    def _numbered(self, words: str) -> Iterator[tuple[str, Answer | None] | Refusal]:
        """What is said of each number; None is *later*."""
        named = self.question.named
        first = _FIRST.match(words)
        if first is None or first[1].casefold() not in named:
            label = self.question.options[0].label
            how = f"begin with its number, as `{label}: new words`, `{label}: journal` or `{label}: skip`"
            yield self._refused(f"cannot tell which one `{called(words)}` means; {how}")
            return
        marks = [first, *(one for one in _FURTHER.finditer(words, first.end()) if one[1].casefold() in named)]
        ends = [mark.start() for mark in marks[1:]] + [len(words)]
        for mark, end in zip(marks, ends, strict=True):
            yield from self._said_of(named[mark[1].casefold()], words[mark.end() : end].strip())

    def _said_of(self, option: Option, words: str) -> Iterator[tuple[str, Answer | None] | Refusal]:
        key = option.answer.id
        head, *behind = (part.strip() for part in words.split(","))
        place = self._place(head, option)
        named = self.question.named
        others = [named[folded(part)] for part in behind if folded(part) in named]
        if (place or _is_later(head)) and len(others) == len(behind):
            yield key, place
            yield from ((other.answer.id, other.answer) for other in others)
        elif place or _is_later(head) or (behind and folded(behind[-1]) in named):
            # Some hosts put typed text first: then numbers at the end are choices, and neither reading is safe.
            yield self._refused(f"cannot tell words from choices in `{called(words)}`; write one thing of each number")
        else:
            answer = self._reworded(words, option)
            yield answer if isinstance(answer, Refusal) else (key, answer)


def _is_later(words: str) -> bool:
    return words.casefold().rstrip(".!") in _LATER
