"""Which items the user means: numbers of the list that was printed last, handles, ids, places, or words."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from functools import cached_property
from typing import Protocol

from wrapgen.errors import ExitCode, UsageError, WrapgenError
from wrapgen.late_pattern import late
from wrapgen.ledger import SHORTEST, Concern, Run
from wrapgen.model import Fate, Item
from wrapgen.text.display import shorten
from wrapgen.text.folding import fold
from wrapgen.workflows.listed import LastList, ListedItem

_NUMBERS = late(r"\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*,?")
_ID = late(f"[0-9a-f]{{{SHORTEST},12}}")
_PLACE = late(r".+:\d+")
_WORD = late(r"\w+")
_TEXT_LIMIT = 60  # characters of an item in a message
_MOST_NAMED = 3  # items in a message
_ALIKE = 0.7  # of a word that is mistyped and the one that is meant


class UnclearNameError(WrapgenError):
    """A name fits several items, or a number means none."""

    def __init__(self, what: str, next_step: str, items: Sequence[Item], *, usage: bool = False) -> None:
        super().__init__(what, next_step=next_step)
        self.items = tuple(items)
        self.exit_code = ExitCode.USAGE if usage else ExitCode.COULD_NOT


class Nameable(Protocol):
    """What names an item."""

    @property
    def text(self) -> str: ...
    @property
    def context(self) -> tuple[str, ...]: ...
    @property
    def project(self) -> str | None: ...
    @property
    def path(self) -> str: ...


def refuse_unsaid(given: Sequence[str], known: Callable[[], Sequence[Nameable] | None]) -> None:
    """Refuse a word that no line says, before it is asked what became of the lines.

    Args:
        known: gives what names every open item, whatever became of it; None where that is not all.

    Raises:
        UsageError: nothing fits.
    """
    named = [word.strip() for word in given if word.strip()]
    is_name = (_NUMBERS.fullmatch(word) or _ID.fullmatch(word.lower()) or _PLACE.fullmatch(word) for word in named)
    if all(is_name) or (len(named) > 1 and all(" " in word for word in named)) or (said := known()) is None:
        return
    words = " ".join(named).split()
    plain = [_plain(word) for word in words]
    texts = _plain("\n".join([one.text for one in said]))
    places = _plain("\n".join({part for one in said for part in (*one.context, one.project or "", one.path)}))
    is_unsaid = any(word not in texts and word not in places for word in plain)
    if is_unsaid and _meant(plain, texts) == plain:
        raise _unknown(words)


def _meant(words: list[str], texts: str) -> list[str]:
    """The words that somebody may have mistyped."""
    vocabulary = set(_WORD.findall(texts))

    def nearest(word: str) -> str:
        if word in vocabulary:
            return word
        # What `get_close_matches` looks at first, too.
        long = [one for one in vocabulary if 2 * min(len(one), len(word)) >= _ALIKE * (len(one) + len(word))]
        return next(iter(get_close_matches(word, long, 1, _ALIKE)), word)

    return [nearest(word) for word in words]


def _unknown(words: Sequence[str], near: str = "") -> UsageError:
    otherwise = "Name it by number, handle, path:line or its words; `wrap list --all` shows all."
    return UsageError(f"no open item {' '.join(words)!r}", next_step=near or otherwise)


def fits(item: Item, words: Sequence[str]) -> bool:
    """Whether all words occur in an item: in its text, context, project or path."""
    return _fits(item, [_plain(word) for word in words])


def _fits(item: Nameable, words: Sequence[str]) -> bool:
    whole = _plain(" ".join((item.text, *item.context, item.project or "", item.path)))
    return all(word in whole for word in words)


def _plain(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


@dataclass(frozen=True)
class ItemNames:
    """All names that items of a run have."""

    run: Run
    listed: LastList | None  # the list that was printed last
    now: datetime
    dropped_first: bool = False  # words mean what was resolved or merged, before what is open
    prints: bool = True  # whether a list to choose from is printed when a name is refused

    def pick(self, words: Sequence[str]) -> list[Item]:
        """The items that the arguments of a command name, each once: all names, or together the words of one item.

        Where each of several arguments holds a blank, each is the words of one.

        Raises:
            UnclearNameError: several items fit, or a number means none.
            UsageError: nothing fits.
        """
        given = [word.strip() for word in words if word.strip()]
        if not given:
            raise UsageError("no item is named", next_step="Name one by number, handle, path:line or its words.")
        each = given if len(given) > 1 and all(" " in word for word in given) else [" ".join(given)]
        found = self._known(given) or [self._of_words(words.split()) for words in each]
        return list({item.id: item for item in found}.values())

    def any_of(self, word: str) -> list[Item]:
        """All items that a number, the beginning of an id, or a place means; none when it is something else."""
        if _NUMBERS.fullmatch(word):
            return [self._listed_item(row) for row in self._rows(word)]
        return self._named(word)

    def _known(self, words: Sequence[str]) -> list[Item]:
        # Looked up only once it is clear that all of them are names: `call 3 people` is no number.
        if all(_NUMBERS.fullmatch(word) or self._named(word) or self._ended(word) for word in words):
            return [item for word in words for item in self._items_of(word)]
        return []

    @cached_property
    def _items(self) -> dict[str, Item]:
        outcomes = {one.item.id: one.item for one in self.run.outcomes}
        return {item.id: item for item in self.run.backlog} | outcomes

    @cached_property
    def _handles(self) -> Mapping[str, str]:
        return self.run.handles()

    def _named(self, word: str) -> list[Item]:
        if _PLACE.fullmatch(word):
            return [item for item in self._items.values() if item.place == word]
        if _ID.fullmatch(word.lower()):
            return [item for key, item in self._items.items() if key.startswith(word.lower())]
        return []

    def _items_of(self, word: str) -> list[Item]:
        found = self._named(word)
        if _NUMBERS.fullmatch(word) and (not found or len(word) < len(found[0].id)):
            return [self._listed_item(row) for row in self._rows(word)]
        if row := self._ended(word):
            raise self._gone(word, row)
        if len(found) > 1:
            raise self._several(word, found)
        return found

    def _rows(self, word: str) -> list[ListedItem]:
        listed = self.listed if self.listed and not self.listed.is_old(self.now) else None
        rows = {row.number: row for row in listed.items} if listed else {}
        wanted: list[ListedItem] = []
        for part in word.strip(",").split(","):
            ends = sorted(int(end) for end in part.split("-"))
            if missing := [end for end in ends if end not in rows]:
                raise self._refused(missing[0], listed)
            wanted += [row for number, row in rows.items() if ends[0] <= number <= ends[-1]]
        return wanted

    def _refused(self, number: int, listed: LastList | None) -> UnclearNameError:
        if listed:
            what = f"the list that was printed last has no number {number}"
        elif self.listed:
            what = f"number {number} is of a list older than a day"
        else:
            what = f"number {number} means nothing yet: no list has been printed here"
        shown = [one.item for one in self.run.of(Fate.SHOWN)]
        step = "Numbers mean the list above now." if shown and self.prints else "`wrap list` prints them."
        return UnclearNameError(what, step, shown, usage=True)

    def _listed_item(self, row: ListedItem) -> Item:
        item = self._items.get(row.id)
        if item is None or not row.means(item):
            raise self._gone(f"number {row.number}", row)
        return item

    def _ended(self, word: str) -> ListedItem | None:
        if _NUMBERS.fullmatch(word) or not _ID.fullmatch(word.lower()):
            return None
        rows = self.listed.items if self.listed else ()
        ended = {key: row for row in rows for key in (row.was, row.id) if key not in self._items}
        return next((row for key, row in ended.items() if key.startswith(word.lower())), None)

    def _gone(self, name: str, row: ListedItem) -> WrapgenError:
        text = f'"{shorten(row.text, _TEXT_LIMIT)}"'
        if row.id in self._items and row.was:
            return WrapgenError(f"no item {name} any more", next_step=f"It is {self._handles[row.id]} {text} now.")
        return WrapgenError(
            f"{name} was {text}, which is not open there any more", next_step="`wrap list` prints what is."
        )

    def _of_words(self, words: Sequence[str]) -> Item:
        plain = [_plain(word) for word in words]
        for among in self._tiers():
            found = [item for item in among if _fits(item, plain)]
            if len(found) > 1:
                whole = fold(" ".join(words)).text
                found = [item for item in found if item.folded.text == whole] or found
            if len(found) == 1:
                return found[0]
            if found:
                raise self._several(" ".join(words), found)
        raise _unknown(words, self._nearest(words))

    def _tiers(self) -> Iterable[list[Item]]:
        run = self.run
        live = [one.item for fate in (Fate.SHOWN, Fate.OVERFLOW) for one in run.of(fate)]
        dropped = [one.item for fate in (Fate.RESOLVED, Fate.DUPLICATE) for one in run.of(fate)]
        if self.dropped_first:
            yield dropped + [one.item for one in run.about(Concern.PROBABLY_DONE)]
        yield live
        yield [one.item for one in run.of(Fate.EXPIRED)] + list(run.backlog)

    def _several(self, name: str, found: Sequence[Item]) -> UnclearNameError:
        first = ", ".join(
            f'{self._handles[item.id]} "{shorten(item.text, _TEXT_LIMIT)}"' for item in found[:_MOST_NAMED]
        )
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        return UnclearNameError(f"{name!r} fits {len(found)} items", f"Name one: {first}{more}.", found)

    def _nearest(self, words: Sequence[str]) -> str:
        known = [item for among in self._tiers() for item in among]
        plain = [_plain(word) for word in words]
        meant = _meant(plain, _plain("\n".join([one.text for one in known])))
        if meant == plain:
            return ""
        near = [f'{self._handles[item.id]} "{shorten(item.text, _TEXT_LIMIT)}"' for item in known if _fits(item, meant)]
        return f"Did you mean {' or '.join(near[:_MOST_NAMED])}?" if near else ""
