"""What was asked, and what an answer to it means. PURE.

A question begins with the handles of its follow-ups, so that its answer says by itself what it is about: any number of
conversations may ask at the same time. Words that name a route, a project, a number or *later* are that; only other
words are a rewording.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wrapgen.session.follow_up import ID_LENGTH, Route
from wrapgen.session.refusal import Refusal
from wrapgen.session.routing import Answer, Places, wording_trouble
from wrapgen.text.display import one_line, shorten, visible

SKIP_THE_REST = "skip the rest"
"""The last option of a question about several."""

_HANDLE = f"[0-9a-f]{{4,{ID_LENGTH}}}"
_HANDLES = re.compile(rf"\s*({_HANDLE}(?:\s*,\s*{_HANDLE})*)\s*:")
# The first number may be written as people write lists; a later one has to be plain, for words hold numbers, too.
_FIRST = re.compile(rf"#?\s*(\d+|{_HANDLE})\s*[:.)\]=-]\s*")
_FURTHER = re.compile(rf"[,;]\s*#?(\d+|{_HANDLE})\s*[:=]\s*")

# Typed instead of a task.
_LATER = frozenset(
    (
        "later", "not now", "pending", "leave it", "leave pending",
        "나중에", "보류", "以后", "稍后", "待定", "あとで", "後で", "保留",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """One option that was offered, and what choosing it means."""

    label: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it was asked: what is needed to understand its answer.

    Attributes:
        question: its text, the key of the answer; it begins with the handles of its follow-ups.
        header: its short title, understood as the key as well.
        multi: several options may be chosen, each about an orphan of its own; otherwise all options are about one
            orphan, and the first is the suggestion.
    """

    question: str
    header: str
    multi: bool
    options: tuple[Option, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The follow-ups that it is about."""
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
    return re.findall(_HANDLE, found[1]) if found else []


def folded(text: str) -> str:
    """A label or a question as it is compared."""
    return one_line(text).casefold().removesuffix("(recommended)").rstrip(" .")


def told(key: str, value: object, asked: Sequence[Asked], places: Places) -> Iterator[Answer | Refusal]:
    """What the answer to one question of a host's tool says.

    Args:
        key: the question, as it came back.
        asked: every question that is remembered, the newest last.
        places: the names of projects and tasks.
    """
    about = shorten(one_line(visible(key)), 80)
    question = _question(key, asked)
    if question is None:
        yield Refusal(about, "was not asked, or is no longer remembered; ask with `wrap orphans --ask`")
        return
    if value is None:
        return
    values = value if isinstance(value, list) else [value]
    if any(isinstance(part, bool) or not isinstance(part, str | int) for part in values):
        yield Refusal(about, f"is answered by something else than words; labels are: {_labels(question)}")
        return
    reply = _Several(question, about, places) if question.multi else _One(question, about, places)
    yield from reply.read([one_line(str(part)) for part in values])


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


def _show(words: str) -> str:
    return shorten(visible(words), 60)


@dataclass(frozen=True)
class _Reply:
    """Reads the answer to one question."""

    question: Asked
    about: str
    places: Places

    def _refused(self, reason: str) -> Refusal:
        return Refusal(self.about, reason)

    def _place(self, words: str, option: Option) -> Answer | None:
        """What words mean that name a route, a project, or a task as `project/task`; None for other words."""
        said, key = words.casefold().rstrip(".!"), option.answer.id
        if said in list(Route):
            offered = [one.answer for one in self.question.options if one.answer.id == key]
            return next((one for one in offered if one.route == said), Answer(key, Route(said)))
        for project in self.places.projects:
            if said == project.casefold():
                return Answer(key, Route.PROJECT, project)
            for task in self.places.tasks.get(project, ()):
                if said == f"{project}/{task}".casefold():
                    return Answer(key, Route.ACTIVE, project, task)
        return None

    def _reworded(self, words: str, option: Option) -> Answer | Refusal:
        trouble = wording_trouble(words)
        return self._refused(trouble) if trouble else replace(option.answer, text=words)


class _One(_Reply):
    """The answer to a question about one follow-up: a label, a place, or other words for it."""

    def read(self, values: Sequence[str]) -> Iterator[Answer | Refusal]:
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

    def _choices(self, value: str, labels: Mapping[str, Option]) -> list[str]:
        parts = value.split(",")
        return parts if all(folded(part) in labels for part in parts) else [value]

    def _typed(self, words: str, chosen: Sequence[Option]) -> Answer | Refusal | None:
        option = chosen[0] if chosen else self.question.options[0]
        numbered = _FIRST.match(words)
        said = words[numbered.end() :] if numbered else words
        place = self._place(said, option)
        if numbered and (place or _is_later(said) or _FURTHER.search(words)):
            if numbered[1].casefold() not in self.question.named or _FURTHER.search(words):
                return self._refused(f"is about one follow-up; cannot tell what `{_show(words)}` means")
            if place is None:
                return None
        elif numbered and numbered[1].casefold() in handles_of(self.question.question):
            words = said
        if place and chosen and place.route != option.answer.route:
            return self._refused(f"takes one place, not {option.label} and {_show(said)}")
        return place or self._reworded(words, option)


class _Several(_Reply):
    """The answer to a question about several: labels, then `1: place` or `1: other words`, and *skip the rest*."""

    def read(self, values: Sequence[str]) -> Iterator[Answer | Refusal]:
        found: dict[str, Answer | None] = {}
        refused: list[Refusal] = []
        rest: str | None = None
        for value in values:
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
                    refused.append(self._refused(f"says two things of one follow-up: `{_show(words)}`"))
            found |= typed
        yield from (answer for answer in found.values() if answer)
        yield from refused
        if rest and refused:
            yield self._refused(f"`{rest}` waits until it is clear what is meant by the rest")
        elif rest:
            left = (option for option in self.question.options if option.answer.id not in found)
            yield from filter(None, (self._place(rest, option) for option in left))

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
            yield self._refused(f"cannot tell which one `{_show(words)}` means; {how}")
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
            yield self._refused(f"cannot tell words from choices in `{_show(words)}`; write one thing of each number")
        else:
            answer = self._reworded(words, option)
            yield answer if isinstance(answer, Refusal) else (key, answer)


def _is_later(words: str) -> bool:
    return words.casefold().rstrip(".!") in _LATER
