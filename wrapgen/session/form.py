"""The questions of the prompt and the order in which they come; what they look like is the screen's business.

Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Protocol

from wrapgen.session.routing import Answer, Orphan, Places, Route, Suggestion, alternatives
from wrapgen.session.screens import Decision, Line, Size, overview, shown, single
from wrapgen.text import count

Head = Callable[[Size], list[Line]]
Keys = Mapping[str, Callable[[], object]]
NO_KEYS: Keys = MappingProxyType({})
_CHOOSE = "↑ ↓ choose"
_GO_BACK = "← back"


class Do(Enum):
    """What a row of a question does when it is no destination."""

    ALL = auto()
    EACH = auto()
    OTHER = auto()
    WORDS = auto()
    LATER = auto()
    BACK = auto()
    STOP = auto()


_BACK: Keys = MappingProxyType({"left": lambda: Do.BACK})


@dataclass(frozen=True, slots=True)
class Row:
    """One choice: what it gives, its name, what that means, and a note for where there is room."""

    value: object
    label: str
    detail: str
    note: str = ""


class Screen(Protocol):
    """What can be put to somebody; breaking off raises KeyboardInterrupt."""

    def select(
        self,
        question: str,
        rows: Sequence[Row],
        head: Head,
        *,
        hints: Sequence[str],
        start: object = None,
        keys: Keys = NO_KEYS,
        typed: bool = False,
    ) -> object:
        """Have one row chosen.

        Args:
            question: what is asked.
            rows: what can be chosen.
            head: the lines above the question.
            hints: what the keys do.
            start: value of the row to begin at, the first one if it is none of them.
            keys: further keys; what they give ends the question, None goes on with it.
            typed: whether typing narrows the rows down.

        Returns:
            The value of the row, or what a key gave.
        """

    def words(self, question: str, text: str, head: Head) -> str:
        """Have a line of text edited."""


class Form:
    """The one question about all orphans, and the form that decides one by one.

    Args:
        orphans: what is asked about, in the order of their numbers.
        places: what can be routed to.
        screen: who asks.
    """

    def __init__(self, orphans: Sequence[Orphan], places: Places, screen: Screen) -> None:
        self._orphans = orphans
        self._places = places
        self._screen = screen
        self._decided: list[Decision | None] = [None] * len(orphans)
        self._texts: list[str | None] = [None] * len(orphans)

    def answers(self) -> tuple[Answer, ...]:
        """Ask, and give the answers; an orphan without one stays pending."""
        match self._overview():
            case Do.ALL:
                return tuple(Answer.taking(orphan, orphan.suggested) for orphan in self._sure())
            case Route.SKIP:
                return tuple(Answer(orphan.id, Route.SKIP) for orphan in self._orphans)
            case Do.EACH:
                return self._one_by_one()
            case _:
                return ()

    def _overview(self) -> object:
        sure = self._sure()
        added = f"adds {count(len(sure), 'line')} to {count(len({one.suggested for one in sure}), 'file')}"
        whole = len(sure) == len(self._orphans)
        rows = [
            Row(Do.ALL, "Route all as suggested", f"{added}, as shown")
            if whole
            else Row(Do.ALL, "Route those without ?", f"{added}; the others wait"),
            Row(Do.EACH, "Decide one by one", "choose each place, change the words"),
            Row(Route.SKIP, "Skip all", "writes nothing, does not ask again"),
            Row(Do.LATER, "Not now", "writes nothing, asks again next time"),
        ]
        rows = rows if sure else rows[1:]
        pages: dict[Size, list[list[Line]]] = {}
        page = 0

        def head(size: Size) -> list[Line]:
            nonlocal page
            if size not in pages:
                pages[size] = overview(self._orphans, self._places, size)
            page = min(max(page, 0), len(pages[size]) - 1)
            return pages[size][page]

        def turn(by: int) -> None:
            nonlocal page
            page += by

        keys = {"left": -1, "pageup": -1, "right": 1, "pagedown": 1}
        turning = {key: lambda by=by: turn(by) for key, by in keys.items()}
        return self._screen.select("Where should they go?", rows, head, hints=[_CHOOSE], keys=turning)

    def _sure(self) -> list[Orphan]:
        """What nobody would ask about; the others are routed only one by one."""
        return [orphan for orphan in self._orphans if orphan.sure]

    def _one_by_one(self) -> tuple[Answer, ...]:
        at = 0
        while at < len(self._orphans):
            match self._decide(at):
                case Decision() as decision:
                    self._decided[at] = decision
                    at += 1
                case Do.BACK:
                    at -= 1
                case _:
                    break
        decisions = zip(self._orphans, self._decided, strict=True)
        answers = [decision.answer(orphan) for orphan, decision in decisions if decision is not None]
        return tuple(answer for answer in answers if answer is not None)

    def _decide(self, at: int) -> Decision | Do:
        """Ask about one orphan; `BACK` goes back to the one before, `STOP` ends the form."""
        orphan, former = self._orphans[at], self._decided[at]
        start: object = orphan.suggested if former is None else former.where or Do.LATER

        def head(size: Size) -> list[Line]:
            return single(self._orphans, self._decided, at, self._texts[at] or orphan.text, self._places, size)

        question, hints, keys = "Where should it go?", [_CHOOSE, *([_GO_BACK] if at else [])], _BACK if at else NO_KEYS
        while True:
            chosen = self._screen.select(question, self._rows(at, start), head, hints=hints, start=start, keys=keys)
            if chosen in (Do.BACK, Do.STOP):
                return Do(chosen)
            if chosen is Do.WORDS:
                self._texts[at] = self._reworded(at, head)
            if chosen is Do.OTHER:
                chosen = self._elsewhere(orphan, head)
            if isinstance(chosen, Suggestion):
                return Decision(chosen, self._texts[at])
            if chosen is Do.LATER:
                return Decision(None, self._texts[at])

    def _rows(self, at: int, former: object) -> list[Row]:
        orphan = self._orphans[at]
        *near, skip = alternatives(orphan, self._places)
        if isinstance(former, Suggestion) and former not in (*near, skip):
            near.append(former)
        rows = []
        for where in near:
            note = " (suggested)" if where == orphan.suggested else ""
            rows.append(Row(where, str(where.route), shown(self._places.file(where) or ""), note))
        if self._others(orphan):
            rows.append(Row(Do.OTHER, "other", "another project or task"))
        stop = Row(Do.STOP, "stop", "the rest stays pending")
        return [
            *rows,
            Row(Do.WORDS, "words", "change the words first"),
            Row(skip, str(skip.route), "nowhere, not asked again"),
            Row(Do.LATER, "later", "stays pending, asked again"),
            *([stop] if 0 < at < len(self._orphans) - 1 else []),
        ]

    def _others(self, orphan: Orphan) -> list[Suggestion]:
        """The lists of projects and active tasks that are not offered at once."""
        near = alternatives(orphan, self._places)
        found: list[Suggestion] = []
        for project in self._places.projects:
            found.append(Suggestion(Route.PROJECT, project))
            found += [Suggestion(Route.ACTIVE, project, task) for task in self._places.tasks.get(project, ())]
        return [where for where in found if where not in near]

    def _elsewhere(self, orphan: Orphan, head: Head) -> object:
        rows = [
            Row(
                where,
                shown(" / ".join(filter(None, (where.project, where.task)))),
                shown(self._places.file(where) or ""),
            )
            for where in self._others(orphan)
        ]
        hints = [_CHOOSE, "type to narrow down", _GO_BACK]
        return self._screen.select("Which project or task?", rows, head, hints=hints, keys=_BACK, typed=True)

    def _reworded(self, at: int, head: Head) -> str | None:
        """The new words, None when they are those of the orphan."""
        former = self._texts[at]
        # What a screen would obey is edited in its visible form, and kept as it is when nobody touches it.
        before = shown(former or self._orphans[at].text)
        words = self._screen.words("Words:", before, head)
        return former if words == before else words
