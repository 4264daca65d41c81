"""Whether an item's words tell one piece of work from all others: "Run tests" of sixty plans is sixty. PURE."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from wrapgen.late_pattern import late
from wrapgen.model import Evidence, Item
from wrapgen.notes import Kind
from wrapgen.pipeline.hand_overs import in_one_row
from wrapgen.pipeline.item_context import says_enough
from wrapgen.pipeline.places import contexts_match

_IDENTIFIER = late(
    r"""(?<![\w/.@~-])[\w.@~-]*/[\w.@~-]+/[\w./@~-]*  # a path of several folders, or a URL
    | [\w@~/-]\.[a-z]{1,5}\b(?!\.)                 # a file
    | \b[A-Z][A-Z0-9]+-\d+\b | (?<!\w)[#!]\d+\b    # a ticket
    """,
    re.X,
)
_QUOTED = late(r"`([^`\s]+)`")
# What names of code have and words and commands have not.
_OF_CODE = late(r"[_./:(]|[a-z][A-Z]|\d")


@lru_cache(maxsize=100_000)
def says_what(text: str, words: str) -> bool:
    """Whether a text has three words of content, or an identifier: a path, a ticket, quoted code that is no command."""
    if says_enough(words) or _IDENTIFIER.search(text):
        return True
    return any(_OF_CODE.search(code) and not code.startswith("-") for code in _QUOTED.findall(text))


class Repeated:
    """The texts that stand as work of their own at several places of a vault: lines of a template."""

    def __init__(self, entries: Iterable[Item | Evidence] = ()) -> None:
        said: defaultdict[str, list[Item | Evidence]] = defaultdict(list)
        for one in entries:
            said[one.folded.text].append(one)
        self.saying: Callable[[str], Sequence[Item | Evidence]] = lambda text: said.get(text, ())
        self._may_be_habit: Callable[[str], bool] = lambda text: len(said.get(text, ())) > HABIT
        self.may_be_ticked: Callable[[Item], bool] = lambda item: len(said.get(item.folded.text, ())) > 1
        self._known: dict[tuple[str, str | None], bool] = {}
        self._habits: dict[tuple[str, str | None], bool] = {}

    @classmethod
    def known(
        cls,
        saying: Callable[[str], Sequence[Item | Evidence]],
        may_be_habit: Callable[[str], bool],
        may_be_ticked: Callable[[Item], bool],
    ) -> "Repeated":
        """Ask for the entries that say a text when a rule needs them; most texts no rule asks for.

        Args:
            may_be_habit: false for what is surely not ticked in journal after journal.
            may_be_ticked: false for what is surely not ticked in another list.
        """
        made = cls()
        made.saying, made._may_be_habit, made.may_be_ticked = (
            lru_cache(maxsize=None)(saying),
            may_be_habit,
            may_be_ticked,
        )
        return made

    def without(self, ids: Collection[str]) -> "Repeated":
        """Leave items out."""
        return Repeated.known(
            lambda text: [one for one in self.saying(text) if isinstance(one, Evidence) or one.id not in ids],
            self._may_be_habit,
            self.may_be_ticked,
        )

    def at_several(self, text: str, project: str | None) -> bool:
        """Whether the same text stands under two contexts, tasks or lists.

        Args:
            project: whose work is asked for: that of another project is none of it; None asks for all.
        """
        key = text, project
        if key not in self._known:
            self._known[key] = _are_several({(one.own_list, one.context) for one in self._of(text, project)})
        return self._known[key]

    def is_habit(self, text: str, project: str | None) -> bool:
        """Whether the same text is ticked in journal after journal and stands open again: each tick is about its day.

        Args:
            project: whose work is asked for: that of another project is none of it; None asks for all.
        """
        if not self._may_be_habit(text):
            return False
        key = text, project
        if key not in self._habits:
            said = [one for one in self._of(text, project) if one.kind is Kind.JOURNAL_NEXT]
            ticks = [one for one in said if isinstance(one, Evidence) and not one.listed]
            first = min((one.written for one in ticks if one.written), default=None)
            again = first is not None and any(
                isinstance(one, Item) and one.raised and one.raised > first for one in said
            )
            self._habits[key] = again and len({one.path for one in ticks}) >= HABIT
        return self._habits[key]

    def _of(self, text: str, project: str | None) -> list[Item | Evidence]:
        return [one for one in self.saying(text) if project is None or one.project in (None, project)]


# Ticks of one text in so many journals are no list that was copied from day to day.
HABIT = 3


def _are_several(stands: Collection[tuple[str, tuple[str, ...]]]) -> bool:
    if len({own_list for own_list, _ in stands if own_list}) > 1:
        return True
    contexts = {context for _, context in stands if context}
    return any(not contexts_match(one, other) for one, other in combinations(contexts, 2))


def can_be_proven(item: Item, repeated: Repeated) -> bool:
    """Whether words can show that an item is done: they say what it is, and it is not done day by day."""
    return says_what(item.text, item.folded.text) and not repeated.is_habit(item.folded.text, item.project)


def unproven(item: Item, evidence: Evidence, repeated: Repeated) -> str | None:
    """Why the words are not enough to say that the evidence is about the item; None when they are."""
    if not says_what(item.text, item.folded.text):
        return _FEW
    if any(repeated.is_habit(one.folded.text, item.project) for one in (item, evidence)):
        return _AGAIN
    if _is_template(item, evidence, repeated, item.project) and not _own_context(item, evidence):
        return _TEMPLATE
    return None


def unmerged(one: Item, other: Item, repeated: Repeated) -> str | None:
    """Why the words are not enough to say that two items are one; None when they are.

    Work is carried forward from journal to journal and between a journal and a list: so few words may do.
    """
    if any(repeated.is_habit(each.folded.text, each.project) for each in (one, other)):
        return _AGAIN
    template = _is_template(one, other, repeated, one.project) or _is_template(one, other, repeated, other.project)
    if not template and says_what(one.text, one.folded.text) and says_what(other.text, other.folded.text):
        return None
    why = _TEMPLATE if template else _FEW
    if one.own_list and other.own_list and not in_one_row(one, other):
        return why
    in_one = _own_context(one, other) if template else _one_context(one, other)
    return None if in_one else why


_FEW = "not specific: fewer than three words of content"
_AGAIN = "not specific: done again and again, in one journal after another"
_TEMPLATE = "not specific: the same words stand in other lists or contexts"


def _is_template(one: Item, other: Item | Evidence, repeated: Repeated, project: str | None) -> bool:
    return repeated.at_several(one.folded.text, project) or repeated.at_several(other.folded.text, project)


def _own_context(one: Item, other: Item | Evidence) -> bool:
    """Whether the places of two lines of a template say that they are one: what they are about, or their list."""
    if one.context or other.context:
        return bool(one.context and other.context) and contexts_match(one.context, other.context)
    return bool(one.own_list) and one.own_list == other.own_list


def _one_context(one: Item, other: Item) -> bool:
    if not one.context and not other.context:
        return True
    return bool(one.context and other.context) and contexts_match(one.context, other.context)
