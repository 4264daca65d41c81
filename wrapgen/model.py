"""The records passed between packages: what was found in notes, and what became of it.

These are msgspec structs, as in `notes`.
"""

from datetime import date
from enum import StrEnum
from hashlib import blake2b

import msgspec

from wrapgen.notes import Kind, Priority
from wrapgen.text.folding import ComparableText

BLOCKED_SIGN = "⛔"
FOR_PERSON = "for you"
"""The mark of what only the person can do."""


class Fate(StrEnum):
    """What became of a collected item; every item has exactly one."""

    SHOWN = "shown"
    RESOLVED = "resolved"
    DUPLICATE = "duplicate"
    OVERFLOW = "overflow"
    EXPIRED = "expired"


class HandOver(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An entry of a row: a journal's session block, a hand-over file or the newest dated entry in it."""

    row: str  # the journals' folder, or what `[sources] hand_overs` names
    day: date | None = None  # None where neither a heading nor a name nor the file system says it
    number: int = 0  # of the session, or its time
    place: int = 0  # of the session block in its file, rising with time
    dated: bool = True  # whether a heading, name or front matter says the day; else it is that of the file's change


# Characters of an item's context in front of its words; the outermost parts go first.
_LONGEST_CONTEXT = 100


class Item(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An open item of a durable source."""

    id: str  # 12 hexadecimal digits, the same from run to run while words and file stay
    text: str
    kind: Kind
    path: str
    line: int
    folded: ComparableText  # the text as it is compared
    raised: date | None = None  # the journal's date, elsewhere the `➕` date, None when unknown
    last_seen: date | None = None  # newest date of the group that was merged into this item
    due: date | None = None
    priority: Priority | None = None
    recurrence: str | None = None
    block: tuple[str, int] | None = None  # position of the session block within the day's journals, for journal items
    header: str | None = None  # the titles above it, innermost first, a line each
    project: str | None = None
    candidates: tuple[str, ...] = ()  # projects that the header names when it names several
    conflict: bool = False
    box: bool = False
    mark: str = ""  # what stands in its box, or its task marker
    twins: tuple[tuple[str, int], ...] = ()  # where the items that were merged into this one stand, as path and line
    # what it is about: the nearest heading that says so, then the list items above it, outermost first
    context: tuple[str, ...] = ()
    needs_context: bool = False  # whether its words mean little without that
    title: str = ""  # what its file is about, where it is but a word and has no context; shown, never compared
    own_list: str = ""  # which list it belongs to; "" for journals, which carry the work of all lists
    handed: bool = False  # whether it stands in a hand-over: the list of a *Next* section
    entry: HandOver | None = None  # the entry of a row of hand-overs; journals say it by their names
    # the hand-overs that it and what was merged into it stand in, with path and line; () for none but its own
    carried: tuple[tuple[HandOver, str, int], ...] = ()
    aside: str = ""  # why it is not on the page by its note's own word; "" for most
    changed: date | None = None  # day of the last change of its line, as far as is known
    # day before which it is not shown: it is planned for then, or cannot be started earlier
    not_before: date | None = None
    ident: str | None = None  # its own name, for others to depend on
    depends: tuple[str, ...] = ()  # names of what must be done before it
    blocked_by: tuple[str, ...] = ()  # ids of the open items among these

    @property
    def words(self) -> str:
        """The text as people are shown it: behind its context, where it means little alone."""
        if not self.needs_context:
            return f"{self.title} › {self.text}" if self.title else self.text
        shown = list(self.context)
        while len(shown) > 1 and sum(map(len, shown)) > _LONGEST_CONTEXT:
            shown.pop(0)
        return " › ".join([*(("…",) if len(shown) < len(self.context) else ()), *shown, self.text])

    @property
    def place(self) -> str:
        """Where the item stands, as `path:line`."""
        return f"{self.path}:{self.line}"

    @property
    def digest(self) -> str:
        """A short name for what its line says: another one is judged anew."""
        if self.kind is Kind.SAID:
            return self.id  # it is that of the line, whose words may be put in many ways
        parts = (self.text, self.mark, self.due, self.priority, self.recurrence, self.not_before)
        return blake2b("\0".join(map(str, parts)).encode(), digest_size=8).hexdigest()


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """A finished item: what can resolve open ones."""

    text: str
    path: str
    line: int
    folded: ComparableText
    kind: Kind
    listed: bool  # an entry of a journal's *Done* section; a tick elsewhere otherwise
    # the day it was done, by its journal or done date; None for a tick whose day nobody wrote down
    day: date | None = None
    latest: date | None = None  # the latest day an undated tick can mean
    written: date | None = None  # the date of its journal, whenever it was ticked there
    due: date | None = None  # the day by which it was to be done
    block: tuple[str, int] | None = None  # session block of a journal entry
    header: str | None = None
    project: str | None = None
    candidates: tuple[str, ...] = ()  # projects that the header names when it names several
    # what it is about: the nearest heading that says so, then the list items above it, outermost first
    context: tuple[str, ...] = ()
    own_list: str = ""  # which list it belongs to; "" for journals
    handed: bool = False  # whether it stands in a hand-over: the list of a *Next* section
    entry: HandOver | None = None  # the entry of a row of hand-overs; journals say it by their names

    def is_ahead(self, today: date) -> bool:
        """Whether it is dated to a day that is still to come: until then it proves nothing."""
        return self.day is not None and self.day > today


class Because(msgspec.Struct, frozen=True, gc=False):
    """Why an item was dropped, or is probably done."""

    path: str  # where the proof stands
    line: int  # its line
    score: float  # how alike the words are, 0 to 100
    item: str | None = None  # id of the item that it was merged with
    doubt: str | None = None  # why the proof was not believed
    by: str | None = None  # `triage` where somebody judged; None for a rule


class TriageVerdict(StrEnum):
    """What somebody who could judge said about an item."""

    OPEN = "open"
    DONE = "done"
    NOT_WORK = "not_work"
    PARKED = "parked"
    SAME_AS = "same_as"


class Judged(msgspec.Struct, frozen=True):
    """A verdict on one item, with the words that prove it."""

    id: str  # of the item
    verdict: TriageVerdict
    on: date
    by: str  # `agent`, `reader` or `person`
    seen: str = ""  # digest of what was judged: the item and its entry; another one is asked about again
    quote: str = ""
    at: str = ""  # `path:line` or `commit:` and a hash
    other: str = ""  # id of the item that stays, for `same_as`
    until: date | None = None  # for `parked`
    row: str = ""  # the row of dated files that it stands in, in all of which the verdict is about these words
    words: str = ""  # its folded words, where it stands in a row

    def holds(self, item: Item, today: date) -> bool:
        """Whether it still says something about its item: until that changes, and a day that it names has come."""
        return self.seen in ("", item.digest) and (self.until is None or self.until > today)


class SaidNext(msgspec.Struct, frozen=True):
    """What somebody who can tell said is next, and when."""

    day: date
    by: str  # `person`, `agent` or `reader`
    leads: bool = True  # whether it stands in a list that is in force; else it is open like any other
    project: str | None = None  # whose list it stands in; None for a person's
    quote: str = ""  # the words that prove it
    at: str = ""  # where they stand, as `path:line`
    is_for_person: bool = False  # whether only the person can do it
    session: str = ""  # the session of the agent
    commit: str = ""  # what its folder stood at


class UnreadSection(msgspec.Struct, frozen=True):
    """A *Next* section that holds prose instead of a list."""

    path: str
    line: int
    heading: str


class UnreadableDate(msgspec.Struct, frozen=True):
    """A date of an open item that no calendar has; it stays in the item's text."""

    path: str
    line: int
    text: str
    written: str


class Decision(msgspec.Struct, frozen=True):
    """Something that was decided."""

    text: str  # in the words of the journal or of the transcript
    day: date | None  # when; None where that is not known
    source: str  # `turn 12` or `journals/2026/04/2026-04-24.md:7`
