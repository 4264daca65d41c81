"""A follow-up, where it may go, the answers to that, and why one may be impossible. PURE.

There is one record of it, from the sentence that puts work off to the receipt of the line. The files of
`.wrapgen/state/` and the team's queue hold it as it stands here, so its fields keep their names and order.
"""

import hashlib
import re
import unicodedata
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from typing import Literal, Self

from wrapgen.days import moment
from wrapgen.session.transcript import Turn
from wrapgen.text.display import shorten, visible, visible_line
from wrapgen.text.words import fold_key

ID_LENGTH = 12

By = Literal["state", "reader", "cue"]
"""Who vouches for a find, in falling order of trust: the host's own data, somebody who has read, rules over words."""


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
    """A place where a follow-up was said; its fields mean what they mean in `FollowUp`."""

    transcript: str
    turn: int
    line: int
    uuid: str | None = None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A piece of work that was put off in a conversation."""

    id: str  # 12 hexadecimal digits of the folded words and the project; empty until the project is known
    text: str  # the task as it would be written down
    quote: str  # the words as they were said
    role: str  # who said them, `user` or `assistant`
    project: str | None
    lang: str  # language of the cue
    cue: str  # the words that gave it away
    confidence: float  # 0 to 1, how likely somebody would call it a follow-up
    transcript: str  # the conversation, as it was named; empty until that is known
    turn: int  # 0-based index among the turns that are read
    line: int  # 1-based line of the transcript where the turn begins
    uuid: str | None  # the host's id of that line, when it has one
    said_on: date | None  # local day of the turn, or of the transcript's last change when the turn bears no time
    suggested: Suggestion
    said_at: str | None = None  # the host's time stamp of the turn, when it has one
    reason: str | None = None  # why it is asked although it was routed before, else None
    also: tuple[Mention, ...] = ()  # further mentions of the same words, oldest first
    by: By = "cue"  # who vouches for it
    sure: bool = True  # whether it starts ticked when somebody is asked
    due: date | None = None  # the day that a user named for it

    @classmethod
    def said_in(cls, turn: Turn, index: int, text: str, quote: str, *, lang: str, cue: str = "") -> Self:
        """What a sentence alone tells; who vouches for it, its conversation, project and day follow."""
        return cls(
            id="",
            text=text,
            quote=quote,
            role=turn.role,
            project=None,
            lang=lang,
            cue=cue,
            confidence=0,
            transcript="",
            turn=index,
            line=turn.line,
            uuid=turn.uuid,
            said_on=None,
            suggested=Suggestion(Route.JOURNAL),
            said_at=turn.timestamp,
        )

    def within(self, transcript: str) -> Self:
        also = tuple(replace(one, transcript=transcript) for one in self.also)
        return replace(self, transcript=transcript, also=also)

    @property
    def mention(self) -> Mention:
        return Mention(self.transcript, self.turn, self.line, self.uuid)


def orphan_id(text: str, project: str | None) -> str:
    """A name that stays the same wherever and however often the task is said."""
    key = f"{fold_key(text)}\x00{fold_key(project or '')}"
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:ID_LENGTH]


def unique(orphans: Iterable[FollowUp]) -> list[FollowUp]:
    """Each follow-up once, at its first place; where else it was said is noted with it."""
    by_id: dict[str, list[FollowUp]] = {}
    for orphan in orphans:
        by_id.setdefault(orphan.id, []).append(orphan)
    return [_with_mentions(*same) if len(same) > 1 else same[0] for same in by_id.values()]


def newest_first(orphans: Iterable[FollowUp], just: Container[str] = ()) -> list[FollowUp]:
    """Conversation by conversation, those in `just` first, then the newest; each in the order in which it left them."""
    conversations: dict[str, list[FollowUp]] = {}
    for orphan in orphans:
        conversations.setdefault(orphan.transcript, []).append(orphan)

    def age(numbered: tuple[int, list[FollowUp]]) -> tuple[bool, date, float, int]:
        at, said = numbered
        day = max(one.said_on or date.min for one in said)
        moments = [when.timestamp() for one in said if (when := moment(one.said_at))]
        return said[0].transcript in just, day, max(moments, default=0.0), at

    return [one for _, said in sorted(enumerate(conversations.values()), key=age, reverse=True) for one in said]


def _with_mentions(first: FollowUp, *others: FollowUp) -> FollowUp:
    """A follow-up that also names where others of the same words were said, each place once."""
    places: dict[tuple[str, int], Mention] = {}
    for one in (mention for said in (first, *others) for mention in (said.mention, *said.also)):
        places.setdefault((one.transcript, one.turn), one)
    del places[first.transcript, first.turn]
    return replace(first, also=tuple(places.values()))


@dataclass(frozen=True, slots=True)
class Answer:
    """The decision about one orphan."""

    id: str
    route: Route
    project: str | None = None
    task: str | None = None
    text: str | None = None  # the words to write down instead, None to keep those of the orphan

    @classmethod
    def taking(cls, orphan: FollowUp, where: Suggestion, text: str | None = None) -> Self:
        return cls(orphan.id, where.route, where.project, where.task, text)


@dataclass(frozen=True, slots=True)
class Places:
    """What can be routed to."""

    projects: tuple[str, ...] = ()  # names of the known projects
    tasks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # names of each project's active tasks
    journal: str = "today's journal"  # today's journal, for display
    # files of lists that are elsewhere than in the default layout, by project and task (None: the project's own list);
    # for display
    files: Mapping[tuple[str, str | None], str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # project of each name and alias, casefolded
    # the heading under which a line goes in each file that exists, "" for none; None when nobody has looked
    sections: Mapping[str, str] | None = None
    journal_trouble: str = ""  # why today's journal cannot be named; then it has no path
    home: str | None = None  # the project whose list takes what names none, where no journals are kept
    homeless: str | None = None  # the vault's own project where it has no list yet: today's journal takes what is its

    def named(self, name: str) -> str | None:
        if name in self.projects:
            return name
        folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
        return self.names.get(folded) or next((one for one in self.projects if one.casefold() == folded), None)

    def file(self, where: Suggestion) -> str | None:
        """The file that a destination writes to, None for a skip."""
        if where.route is Route.SKIP:
            return None
        if where.route is Route.JOURNAL or where.project is None:
            return self.journal
        task = where.task if where.route is Route.ACTIVE else None
        below = f"actives/{task}/" if task else ""
        return self.files.get((where.project, task)) or f"projects/{where.project}/{below}todos.md"

    def lists(self) -> list[Suggestion]:
        """The lists of all projects that exist, each followed by those of its active tasks."""
        found: list[Suggestion] = []
        for project in self.projects:
            found.append(Suggestion(Route.PROJECT, project))
            found += [Suggestion(Route.ACTIVE, project, task) for task in self.tasks.get(project, ())]
        return [one for one in found if self.sections is None or self.file(one) in self.sections]


def suggest(project: str | None, places: Places, text: str = "") -> Suggestion:
    """Where a follow-up belongs: the one active task that its words name, else its project's list, else the journal."""
    if project is None or project not in places.projects:
        return Suggestion(Route.PROJECT, places.home) if places.home else Suggestion(Route.JOURNAL)
    if project == places.homeless:
        return Suggestion(Route.JOURNAL, project)
    named = _named(text, places.tasks.get(project, ()))
    if len(named) == 1:
        return Suggestion(Route.ACTIVE, project, named[0])
    return Suggestion(Route.PROJECT, project)


def _named(text: str, tasks: Iterable[str]) -> list[str]:
    """The tasks whose names are in the text; a name within a longer one that is there too does not count."""
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
    # Chinese and Japanese write no blanks, Korean glues particles to the noun: their names may be within a word.
    return (name if name.isascii() else name.strip()) in words


def alternatives(orphan: FollowUp, places: Places) -> tuple[Suggestion, ...]:
    """The destinations to offer for an orphan: the suggested one first, a skip last, each route at most once."""
    project = orphan.suggested.project or orphan.project
    if project not in places.projects:
        project = places.projects[0] if len(places.projects) == 1 else None
    found = [orphan.suggested]
    if project is not None and project != places.homeless:
        found.append(Suggestion(Route.PROJECT, project))
        tasks = places.tasks.get(project, ())
        if len(tasks) == 1:
            found.append(Suggestion(Route.ACTIVE, project, tasks[0]))
    found += [*([] if places.home else [Suggestion(Route.JOURNAL)]), Suggestion(Route.SKIP)]
    by_route: dict[Route, Suggestion] = {}
    for where in found:
        by_route.setdefault(where.route, where)
    return tuple(by_route.values())


def completed(answer: Answer, orphan: FollowUp, places: Places) -> Answer:
    """Fill in project and task where an answer leaves them out and there is only one possibility."""
    if answer.route not in (Route.PROJECT, Route.ACTIVE):
        return answer
    said = answer.project and (places.named(answer.project) or answer.project)
    project = said or orphan.suggested.project or orphan.project
    task = answer.task
    if answer.route is Route.ACTIVE and task is None and project is not None:
        if project == orphan.suggested.project:
            task = orphan.suggested.task
        tasks = places.tasks.get(project, ())
        if task is None and len(tasks) == 1:
            task = tasks[0]
    return replace(answer, project=project, task=task)


def validate(answer: Answer, known: Collection[str], places: Places) -> str | None:
    """Why a completed answer cannot be carried out, with the nearest name that could; None when it can."""
    if answer.id not in known:
        return f"no pending follow-up `{called(answer.id)}`{nearest(answer.id, known)}"
    if answer.text is not None and (trouble := wording_trouble(answer.text)):
        return trouble
    if answer.route is Route.SKIP:
        return None
    if answer.project is None:
        return (
            places.journal_trouble or None
            if answer.route is Route.JOURNAL
            else _missing("project", answer.route, places.projects)
        )
    if answer.project not in places.projects:
        return f"no project `{called(answer.project)}`{nearest(answer.project, places.projects)}"
    if answer.route is Route.ACTIVE:
        tasks = places.tasks.get(answer.project, ())
        if answer.task is None:
            return _missing("task", answer.route, tasks)
        if answer.task not in tasks:
            return f"no active task `{called(answer.task)}` in project {answer.project}{nearest(answer.task, tasks)}"
    return None


def called(words: object) -> str:
    """What somebody wrote, short enough for a message."""
    return shorten(visible_line(str(words)), _NAME_SHOWN)


def _missing(what: str, route: Route, known: Collection[str]) -> str:
    return f"route `{route}` needs a {what}{nearest('', known) or '; there is none'}"


def wording_trouble(text: str) -> str | None:
    """Why words cannot be in a list item, or None."""
    if not text.strip():
        return "the wording is empty"
    for character in text:
        if character in "\r\n":
            return "the wording contains a line break"
        # Tabs are harmless; other control characters affect terminals, and surrogates cannot be written as UTF-8.
        if character != "\t" and unicodedata.category(character) in ("Cc", "Cs"):
            return f"the wording contains the control character {visible(character)}"
    return None


# Maximum characters shown of an unknown name.
_NAME_SHOWN = 60
# Up to this many known names are listed in full; of more, only the nearest.
_LISTED = 6


def nearest(name: str, known: Collection[str]) -> str:
    """The end of a sentence about an unknown name ("" for none): the nearest known one, and what is allowed."""
    if not known:
        return ""
    near = get_close_matches(name, known, n=1, cutoff=0.6) if name else []
    guess = f"; the nearest is `{visible(near[0])}`" if near else ""
    if len(known) > _LISTED:
        return guess or f"; {len(known)} are known"
    return f"{guess}; known: {', '.join(map(visible, known))}"
