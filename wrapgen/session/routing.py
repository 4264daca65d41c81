"""The words of routing: what was only said, where it may go, what somebody decided, and why that may be impossible.

Pure.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from typing import Self

from wrapgen.session.follow_ups import By
from wrapgen.text import shorten, visible


class Route(StrEnum):
    """Where the line of a follow-up goes."""

    JOURNAL = "journal"
    PROJECT = "project"
    ACTIVE = "active"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A destination: a route, with the project and the task that it needs."""

    route: Route
    project: str | None = None
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A further place where the same follow-up was said."""

    transcript: str
    turn: int
    line: int
    uuid: str | None = None


@dataclass(frozen=True, slots=True)
class Orphan:
    """A follow-up that no durable source holds.

    Attributes:
        id: 12 hexadecimal digits of the folded words and the project.
        text: the task as it would be written down.
        quote: the words as they were said.
        role: who said them, `user` or `assistant`.
        cue: the words that gave it away.
        transcript: the conversation, as it was named.
        turn: 0-based index among the turns that are read.
        line: 1-based line of the transcript.
        uuid: the host's id of that line, when it has one.
        said_on: local day of the turn, or of the transcript's last change when the turn bears no time.
        said_at: the host's time stamp of the turn, when it has one.
        reason: why it is asked although it was routed before, else None.
        also: further mentions of the same words.
        by: who vouches for it: `state`, `reader` or `cue`.
        sure: whether it starts ticked when somebody is asked.
    """

    id: str
    text: str
    quote: str
    role: str
    project: str | None
    lang: str
    cue: str
    confidence: float
    transcript: str
    turn: int
    line: int
    uuid: str | None
    said_on: date | None
    suggested: Suggestion
    said_at: str | None = None
    reason: str | None = None
    also: tuple[Mention, ...] = ()
    by: By = "cue"
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody decided about one orphan.

    Attributes:
        text: the words to write down instead, None to keep those of the orphan.
    """

    id: str
    route: Route
    project: str | None = None
    task: str | None = None
    text: str | None = None

    @classmethod
    def taking(cls, orphan: Orphan, where: Suggestion, text: str | None = None) -> Self:
        """The answer that sends an orphan to a destination."""
        return cls(orphan.id, where.route, where.project, where.task, text)


@dataclass(frozen=True, slots=True)
class Places:
    """What can be routed to.

    Attributes:
        projects: names of the known projects.
        tasks: names of each project's active tasks.
        journal: today's journal, for display.
        files: files of lists that stand elsewhere than in the default layout, by project and task (None: the
            project's own list); for display.
    """

    projects: tuple[str, ...] = ()
    tasks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    journal: str = "today's journal"
    files: Mapping[tuple[str, str | None], str] = field(default_factory=dict)

    def file(self, where: Suggestion) -> str | None:
        """The file that a destination writes to, None for a skip."""
        if where.route is Route.SKIP:
            return None
        if where.route is Route.JOURNAL or where.project is None:
            return self.journal
        task = where.task if where.route is Route.ACTIVE else None
        below = f"actives/{task}/" if task else ""
        return self.files.get((where.project, task)) or f"projects/{where.project}/{below}todos.md"


def suggest(project: str | None, places: Places, text: str = "") -> Suggestion:
    """Where a follow-up belongs, as far as its project and words tell.

    Args:
        project: the orphan's project, if one is known.
        places: what can be routed to.
        text: the task's words; an active task is suggested when they name exactly one of the project.

    Returns:
        The task that is named, else the project's list, else today's journal.
    """
    if project is None or project not in places.projects:
        return Suggestion(Route.JOURNAL)
    named = _named(text, places.tasks.get(project, ()))
    if len(named) == 1:
        return Suggestion(Route.ACTIVE, project, named[0])
    return Suggestion(Route.PROJECT, project)


def _named(text: str, tasks: Iterable[str]) -> list[str]:
    """The tasks whose names stand in the text; a name within a longer one that stands there too does not count."""
    words = _words(text)
    found = {task: name for task in tasks if (name := _words(task)).strip() and _stands(name, words)}
    return [
        task
        for task, name in found.items()
        if not any(name != other and _stands(name, other) for other in found.values())
    ]


def _words(text: str) -> str:
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    return f" {' '.join(words)} "


def _stands(name: str, words: str) -> bool:
    # Chinese and Japanese write no blanks, Korean glues particles to the noun: their names may stand within a word.
    return (name if name.isascii() else name.strip()) in words


def alternatives(orphan: Orphan, places: Places) -> tuple[Suggestion, ...]:
    """The destinations to offer for an orphan: the suggested one first, a skip last, each route at most once.

    Args:
        orphan: what is asked about.
        places: what can be routed to; its only project, or a project's only task, is offered unasked.
    """
    project = orphan.suggested.project or orphan.project
    if project not in places.projects:
        project = places.projects[0] if len(places.projects) == 1 else None
    found = [orphan.suggested]
    if project is not None:
        found.append(Suggestion(Route.PROJECT, project))
        tasks = places.tasks.get(project, ())
        if len(tasks) == 1:
            found.append(Suggestion(Route.ACTIVE, project, tasks[0]))
    found += [Suggestion(Route.JOURNAL), Suggestion(Route.SKIP)]
    by_route: dict[Route, Suggestion] = {}
    for where in found:
        by_route.setdefault(where.route, where)
    return tuple(by_route.values())


def unique(orphans: Iterable[Orphan]) -> list[Orphan]:
    """Each orphan once, at its first place; where else it was said is noted with it."""
    by_id: dict[str, Orphan] = {}
    for orphan in orphans:
        first = by_id.setdefault(orphan.id, orphan)
        if first is not orphan:
            by_id[orphan.id] = _with_mentions(first, orphan)
    return list(by_id.values())


def _with_mentions(first: Orphan, other: Orphan) -> Orphan:
    """An orphan that also names where another one of the same words was said."""
    known = {(first.transcript, first.turn), *((one.transcript, one.turn) for one in first.also)}
    further = (Mention(other.transcript, other.turn, other.line, other.uuid), *other.also)
    return replace(first, also=(*first.also, *(one for one in further if (one.transcript, one.turn) not in known)))


def completed(answer: Answer, orphan: Orphan, places: Places) -> Answer:
    """Fill in what an answer leaves out and only one reading allows.

    Args:
        answer: an answer as it came.
        orphan: what it is about.
        places: what can be routed to.

    Returns:
        The answer with the project and task of the suggestion, or with the only task of its project.
    """
    if answer.route not in (Route.PROJECT, Route.ACTIVE):
        return answer
    project = answer.project or orphan.suggested.project or orphan.project
    task = answer.task
    if answer.route is Route.ACTIVE and task is None and project is not None:
        if project == orphan.suggested.project:
            task = orphan.suggested.task
        tasks = places.tasks.get(project, ())
        if task is None and len(tasks) == 1:
            task = tasks[0]
    return replace(answer, project=project, task=task)


def validate(answer: Answer, known: Collection[str], places: Places) -> str | None:
    """Why an answer cannot be carried out, with the nearest name that could; None when it can.

    Args:
        answer: the answer, completed.
        known: ids of the orphans that wait.
        places: what can be routed to.
    """
    if answer.id not in known:
        return f"no follow-up `{_called(answer.id)}` waits{nearest(answer.id, known)}"
    if answer.text is not None and (trouble := wording_trouble(answer.text)):
        return trouble
    if answer.route is Route.SKIP:
        return None
    if answer.project is None:
        return None if answer.route is Route.JOURNAL else _missing("project", answer.route, places.projects)
    if answer.project not in places.projects:
        return f"no project `{_called(answer.project)}`{nearest(answer.project, places.projects)}"
    if answer.route is Route.ACTIVE:
        tasks = places.tasks.get(answer.project, ())
        if answer.task is None:
            return _missing("task", answer.route, tasks)
        if answer.task not in tasks:
            return f"no active task `{_called(answer.task)}` in project {answer.project}{nearest(answer.task, tasks)}"
    return None


def _called(name: str) -> str:
    return visible(shorten(name, _NAME_SHOWN))


def _missing(what: str, route: Route, known: Collection[str]) -> str:
    return f"route `{route}` needs a {what}{nearest('', known)}"


def wording_trouble(text: str) -> str | None:
    """Why words cannot stand in a list item, or None.

    Args:
        text: the words, on one line.
    """
    if not text.strip():
        return "the wording is empty"
    for character in text:
        if character in "\r\n":
            return "the wording holds a line break"
        # Tabs are harmless; other controls drive terminals, and surrogates cannot be written as UTF-8.
        if character != "\t" and unicodedata.category(character) in ("Cc", "Cs"):
            return f"the wording holds the control character {visible(character)}"
    return None


# Characters of a name that nobody knows.
_NAME_SHOWN = 60
# So many known names are listed in full; of more, those that come nearest.
_LISTED = 6


def nearest(name: str, known: Collection[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, and what is allowed.

    Args:
        name: the name that is not known, or "".
        known: the names that are.
    """
    if not known:
        return "; there is none"
    near = get_close_matches(name, known, n=1, cutoff=0.6) if name else []
    guess = f"; the nearest is `{visible(near[0])}`" if near else ""
    if len(known) > _LISTED:
        return guess or f"; {len(known)} are known"
    return f"{guess}; known: {', '.join(map(visible, known))}"
