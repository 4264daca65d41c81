"""Which entries have words so alike that they may be one piece of work: that depends on the two alone. PURE.

Two lists, or two tasks, are never one piece of work: journals alone carry the work of all of them. So an entry of a
list is compared with journals, and with the other files of its own list, however many lists say the same. Of what its
place lets through, an inverted index finds all that shares half of its words, or more.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeVar
from zlib import crc32

from wrapgen.late_pattern import late
from wrapgen.model import Evidence, Item
from wrapgen.pipeline import matching
from wrapgen.pipeline.alike import Alike, AlikePairs, Thresholds
from wrapgen.pipeline.places import spot

_ANYWHERE = "*"  # all lists; no list is called so
_ANY = "\n"  # all projects; none is called so
_RARE = "\n"  # all places and projects
_OPEN, _DONE = "open", "done"
_PLACE_BITS, _TELLING_BITS, _LENGTH_BITS = 20, 16, 10
"""What is posted is a number, then a mark of the project and the length of the text, which tell most others apart."""
_LONGEST = (1 << _LENGTH_BITS) - 1
_PROJECTS = (1 << _TELLING_BITS - _LENGTH_BITS) - 1
_COMMON = 8  # entries of the sample; a rarer word is as rare as one that is in none
_MOST_SAID = 100
_DENSE = late("[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]{2,}")

Entry = Item | Evidence
E = TypeVar("E", Item, Evidence)
_Word = tuple[int, str, int]
"""How often a word is, itself, and the part of a key that it makes."""


def words_of(text: str) -> frozenset[str]:
    """The words of a folded text; of scripts that write without blanks each two characters beside each other."""
    words = text.split()
    if text.isascii():
        return frozenset(words) or frozenset(("",))
    pairs = (run[at : at + 2] for run in _DENSE.findall(text) for at in range(len(run) - 1))
    return frozenset((*(_DENSE.sub(" ", text).split()), *pairs)) or frozenset(words)


def common_words(texts: Iterable[str]) -> dict[str, int]:
    """Count the words that many texts of a sample have. Any order of words finds the same; this one asks less."""
    often = Counter(chain.from_iterable(map(words_of, texts)))
    return {word: number for word, number in often.items() if number > _COMMON}


def number_of(file: int, place: int) -> int:
    """Return the number of an entry: of its file's, and its place in it, items first, then evidence."""
    return file << _PLACE_BITS | place


def place_of(number: int) -> tuple[int, int]:
    """Return the file's number and the place in it."""
    return number >> _PLACE_BITS, number & ((1 << _PLACE_BITS) - 1)


class Finder:
    """Compares entries with all that were posted before, and posts them.

    Args:
        thresholds: what counts as alike.
        common: how often words are, see `common_words`; always the same for what was posted.
        entry_at: gives an entry by its number.
        posted: gives what was posted earlier under some keys, by key.
        live: the numbers of the files that there are; of others nothing is compared.
    """

    def __init__(
        self,
        thresholds: Thresholds,
        common: Mapping[str, int],
        entry_at: Callable[[int], Entry],
        posted: Callable[[Collection[int]], Iterable[tuple[int, bytes]]] | None = None,
        live: Container[int] = (),
    ) -> None:
        self._thresholds, self._common, self._entry_at, self._posted, self._live = (
            thresholds, common, entry_at, posted, live,
        )  # fmt: skip
        self._new: defaultdict[int, list[int]] = defaultdict(list)
        self._former: dict[int, list[int]] = {}  # what was posted earlier, of the files that there are
        self._texts: dict[int, str] = {}  # of what was taken
        self._words: dict[str, _Word] = {}

    def take(
        self, file: int, items: Sequence[Item], evidence: Sequence[Evidence], is_old: Callable[[Item], bool]
    ) -> AlikePairs:
        """Compare and post the entries of a file.

        Args:
            is_old: whether an item will expire: then it is held against evidence with the same words alone.
        """
        found = AlikePairs()
        # Nothing is compared with what it cannot be one with: lines of one place, and those of a list with what is
        # finished in its file. So these are posted late, or a long list would cost its square.
        one_place = len({spot(item) for item in items}) == 1
        files = {one.path for one in items} | {one.path for one in evidence}
        one_list = one_place and len(files) == 1 and all(item.own_list for item in items)
        waiting: list[tuple[Item, int, list[_Word]]] = []
        for place, item in _seldom_said(items):
            number, old = number_of(file, place), is_old(item)
            words = self._rarest(item.folded.text)
            self._compare(item, number, words, found, old=old)
            waiting.append((item, number, words[:1] if old else words))
            if not one_place:
                self._post_open(waiting)
        if not one_list:
            self._post_open(waiting)
        for place, one in _seldom_said(evidence, len(items)):
            number, text = number_of(file, place), one.folded.text
            words = self._rarest(text)
            for other, score in self._near(one, self._keys(one, _OPEN, words), self._thresholds.done):
                open_one = self._entry_at(other)
                if isinstance(open_one, Item) and (open_one.folded.text == text or not is_old(open_one)):
                    _add(found.done, open_one, other, one, number, score)
            self._post(_DONE, one, number, words)
        self._post_open(waiting)
        return found

    def _post_open(self, waiting: list[tuple[Item, int, list[_Word]]]) -> None:
        for item, number, words in waiting:
            self._post(_OPEN, item, number, words)
        waiting.clear()

    def widen(self, file: int, items: Sequence[Item], is_old: Callable[[Item], bool]) -> AlikePairs:
        """Compare and post items that were old when they were taken, and are not old any more."""
        found = AlikePairs()
        for place, item in _seldom_said(items):
            if not is_old(item):
                number, words = number_of(file, place), self._rarest(item.folded.text)
                self._compare(item, number, words, found)
                self._post(_OPEN, item, number, words)
        return found

    def _compare(
        self, item: Item, number: int, words: Sequence[_Word], found: AlikePairs, *, old: bool = False
    ) -> None:
        """Add what an item is alike to; an old one is not compared with other items."""
        text = item.folded.text
        for other, score in self._near(
            item, self._keys(item, _DONE, words[:1] if old else words), self._thresholds.done
        ):
            one = self._entry_at(other)
            if isinstance(one, Evidence) and not (old and one.folded.text != text):
                _add(found.done, item, number, one, other, score)
        if old:
            return
        for other, score in self._near(item, self._keys(item, _OPEN, words), self._thresholds.open):
            twin = self._entry_at(other)
            if isinstance(twin, Item) and spot(twin) != spot(item) and _may_be_one(item, twin):
                found.open.append((number, other, score))

    def taken(self) -> Iterator[tuple[int, bytes]]:
        """What was posted, packed for whoever keeps it."""
        return ((key, array("Q", numbers).tobytes()) for key, numbers in self._new.items())

    def saying(self, text: str) -> list[Entry]:
        """Return all items and evidence of whatever place and project that say the same."""
        often, _, word = self._rarest(text)[0]
        places = (
            [(place, project) for place in ("", _ANYWHERE) for project in (None, _ANY)] if often else [(_RARE, None)]
        )
        keys = [word | _scope(what, place, project) for what in (_OPEN, _DONE) for place, project in places]
        same = map(self._entry_at, self._under(keys, None, len(text), len(text)))
        return [one for one in same if one.folded.text == text]

    def _near(self, mine: Entry, keys: Sequence[int], least: float) -> Iterator[tuple[int, float]]:
        text, share = mine.folded.text, least / (200 - least)
        # Texts whose lengths differ by more are never so alike, see rapidfuzz's `ratio`.
        length, texts = len(text), self._texts
        scores: dict[str, float] = {}
        for number in self._under(keys, mine.project, int(length * share) - 1, int(length / share) + 1):
            other = texts.get(number)
            if other is None:
                other = texts[number] = self._entry_at(number).folded.text
            score = scores.get(other)
            if score is None:
                one, two = (text, other) if isinstance(mine, Item) else (other, text)
                score = scores[other] = matching.similar(one, two, least)
            if score >= least:
                yield number, score

    def _under(self, keys: Sequence[int], project: str | None, shortest: int, longest: int) -> list[int]:
        """The numbers under some keys, ascending, as far as project and length let them be alike."""
        found: set[int] = set()
        new = self._new
        for key in keys:
            if key in new:
                found.update(new[key])
        for key in self._looked_up(keys):
            found.update(self._former[key])
        if not found:
            return []
        shortest, longest, mine = min(shortest, _LONGEST), min(longest, _LONGEST), _mark(project)
        return [
            one >> _TELLING_BITS
            for one in sorted(found)
            if shortest <= one & _LONGEST <= longest
            and (not mine or (mark := one >> _LENGTH_BITS & _PROJECTS) == mine or not mark)
        ]

    def _looked_up(self, keys: Sequence[int]) -> Sequence[int]:
        """The keys, after what was posted under them has been looked up, once: a file that changed has it again."""
        if self._posted is None:
            return ()
        if missing := [key for key in keys if key not in self._former]:
            live, files = self._live, _PLACE_BITS + _TELLING_BITS
            self._former |= {key: [] for key in missing}
            for key, data in self._posted(missing):
                self._former[key] += [one for one in array("Q", data) if one >> files in live]
        return keys

    def _keys(self, one: Entry, what: str, words: Sequence[_Word]) -> list[int]:
        """Where what may be one with an entry is posted."""
        return _keys_of(words, what, _asked(what, bool(one.own_list), one.project), one)

    def _post(self, what: str, one: Entry, number: int, words: Sequence[_Word]) -> None:
        scopes, text = _posted(what, bool(one.own_list), one.project), one.folded.text
        self._texts[number] = text
        posted = number << _TELLING_BITS | _mark(one.project) << _LENGTH_BITS | min(len(text), _LONGEST)
        new = self._new
        for key in _keys_of(words, what, scopes, one):
            new[key].append(posted)

    def _rarest(self, text: str) -> list[_Word]:
        """Of two texts that share half of their words one of these is in both: the rarest of each, all but half."""
        known = self._words
        words = words_of(text)
        ordered = sorted([known.get(word) or self._ranked(word) for word in words])
        return ordered[: len(words) // 2 + 1]

    def _ranked(self, word: str) -> _Word:
        found = self._words[word] = (
            self._common.get(word, 0), word, crc32(word.encode("utf-8", "surrogatepass")) << 31,
        )  # fmt: skip
        return found


def _seldom_said(entries: Sequence[E], start: int = 0) -> Iterator[tuple[int, E]]:
    """Number the entries of a file, without those whose words it says a hundred times before: they stay as they are.

    Each of them would be held against each: 15,000 ticks and 15,000 boxes of one word are 225 million pairs.
    """
    said: Counter[tuple[str, str]] = Counter()
    for place, one in enumerate(entries, start):
        key = one.path, one.folded.text
        said[key] += 1
        if said[key] <= _MOST_SAID:
            yield place, one


def _keys_of(words: Sequence[_Word], what: str, scopes: tuple[int, ...], one: Entry) -> list[int]:
    """Return the keys of words: a rare one has few entries, whatever their places and projects."""
    if one.own_list and one.own_list != one.path:
        scopes = (*scopes, _scope(what, one.own_list, _ANY))
    rare = (_scope(what, _RARE, None),)
    return [word | scope for often, _, word in words for scope in (scopes if often else rare)]


@lru_cache(maxsize=10_000)
def _asked(what: str, is_list: bool, project: str | None) -> tuple[int, ...]:
    """Where an entry looks: among journals, and one of a journal among lists, in its project and in none."""
    places = ("",) if is_list else ("", _ANYWHERE)
    projects = (project, None) if project else (_ANY, None)
    return tuple(_scope(what, place, one) for place in places for one in projects)


@lru_cache(maxsize=10_000)
def _posted(what: str, is_list: bool, project: str | None) -> tuple[int, ...]:
    """Where an entry is found."""
    place = _ANYWHERE if is_list else ""
    return tuple(_scope(what, place, one) for one in ((project, _ANY) if project else (None,)))


@lru_cache(maxsize=10_000)
def _mark(project: str | None) -> int:
    return 0 if project is None else 1 + crc32(project.encode("utf-8", "surrogatepass")) % _PROJECTS


@lru_cache(maxsize=100_000)
def _scope(what: str, place: str, project: str | None) -> int:
    written = "\0".join((what, place, "" if project is None else f"+{project}"))
    return crc32(written.encode("utf-8", "surrogatepass")) >> 1


def _add(found: list[tuple[int, int, float]], item: Item, number: int, one: Evidence, other: int, score: float) -> None:
    """Add evidence to what an item is alike to, unless it was written down before the item, in its project."""
    since = None if item.recurrence else item.raised
    written = one.written or one.day
    if since and written is not None and written < since and one.project is not None:
        return
    if (item.own_list and item.path == one.path) or not _may_be_one(item, one):
        return
    found.append((number, other, score))


def _may_be_one(one: Item, other: Entry) -> bool:
    if one.own_list and other.own_list and one.own_list != other.own_list:
        return False
    if one.project != other.project and None not in (one.project, other.project):
        return False
    sides = (matching.Side(each.text, each.path, each.line, each.folded) for each in (one, other))
    return matching.refusal(*sides) is None


def alike_among(
    items: Sequence[Item], evidence: Sequence[Evidence], thresholds: Thresholds, is_old: Callable[[Item], bool]
) -> Alike:
    """Compare items and evidence of which nothing is known yet."""
    entries: list[Entry] = [*items, *evidence]
    finder = Finder(thresholds, common_words(one.folded.text for one in entries), lambda number: entries[number])
    pairs = finder.take(0, items, evidence, is_old)
    return alike_of([pairs], entries.__getitem__)


def alike_of(pairs: Iterable[AlikePairs], entry_at: Callable[[int], Entry]) -> Alike:
    """Gather what is alike by the items' ids."""
    proofs: dict[int, Evidence] = {}
    done: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    twins: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for each in pairs:
        for number, other, score in each.done:
            item, one = entry_at(number), entry_at(other)
            if isinstance(item, Item) and isinstance(one, Evidence):
                proofs[other] = one
                done[item.id].append((other, score))
        for number, other, score in each.open:
            item, twin = entry_at(number), entry_at(other)
            if isinstance(item, Item) and isinstance(twin, Item):
                twins[item.id].append((twin.id, score))
                twins[twin.id].append((item.id, score))
    return Alike(proofs, done, twins)
