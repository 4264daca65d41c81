"""How the time that a pattern takes grows with a text made to make it grow.

The texts come from the pattern itself: what it begins with, and each thing that it repeats
without end, many times over.
"""

from __future__ import annotations

import re
import signal
import time
from functools import partial
from re import _constants as kind
from re import _parser as parser
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

SHORT, TIMES = 1_000, 8  # letters of the shorter text, and how much longer the longer one is
WORST = 3.0  # linear time grows by `TIMES`; what is quadratic grows by its square
NOTHING = 0.002  # seconds; less says nothing
PATIENCE = 0.15  # seconds; no pattern that is linear takes so long for the longer text
ENDLESS = 1_000  # repetitions; more are as good as no bound
_REPEATS = (kind.MAX_REPEAT, kind.MIN_REPEAT, kind.POSSESSIVE_REPEAT)
_ONE_LETTER = (kind.IN, kind.ANY, kind.LITERAL, kind.NOT_LITERAL)


class Attack(NamedTuple):
    """A text that could make a pattern slow: a beginning, and a piece many times over."""

    before: str
    piece: str

    def text(self, letters: int) -> str:
        return self.before + self.piece * (letters // len(self.piece) + 1)


def slow_for(pattern: re.Pattern[str], methods: Collection[str] = ("sub",)) -> Attack | None:
    """What makes it slow, if anything does; each is tried twice, as other programs run too.

    Args:
        methods: what it is used by; all but `match` and `fullmatch` look at every place of a text.
    """
    ways = [getattr(pattern, method) for method in methods if method in ("match", "fullmatch")]
    if len(ways) < len(methods):
        ways.append(partial(pattern.sub, ""))
    slow = (
        attack for attack in attacks(pattern) for way in ways if all(growth(way, attack) >= WORST for _ in range(2))
    )
    return next(slow, None)


def growth(way: Callable[[str], object], attack: Attack) -> float:
    """How many times as long an eight times longer text takes, over what it would in linear time."""
    worst = 0.0
    for tail in ("", "\0"):
        long = _seconds(way, attack.text(TIMES * SHORT) + tail)
        if long > PATIENCE:
            return float("inf")  # the shorter text may not come to its end either
        if long > NOTHING:
            short = _seconds(way, attack.text(SHORT) + tail)
            worst = max(worst, long / max(short, NOTHING / TIMES) / TIMES)
    return worst


def attacks(pattern: re.Pattern[str]) -> list[Attack]:
    """All texts that could make it slow."""
    flags = pattern.flags & ~re.DEBUG
    tree = list(parser.parse(pattern.pattern, flags))
    example = _Example(tree, flags)
    found = {Attack("", example.of(tree)[:-1]), Attack("", example.of(tree, 1)[:-1])}
    found |= {Attack("", beginning) for beginning in _beginnings(tree, example)}
    for before, body in _endless(tree, "", example):
        for piece in {example.of(body, 1), *(letter for one in _letters(body) for letter in example.letters(*one))}:
            found |= {Attack("", before + piece), Attack("", piece), Attack(before, piece)}
    return sorted(attack for attack in found if attack.piece)


def _beginnings(tree: list, example: _Example) -> list[str]:
    """What the pattern may begin with, up to what it repeats without end: each of its choices."""
    found = [""]
    for op, value in tree:
        if op in _REPEATS and value[1] >= ENDLESS:
            break
        inner = _inside(op, value)
        if op is kind.BRANCH or (op is kind.SUBPATTERN and inner[0][:1] and inner[0][0][0] is kind.BRANCH):
            branches = inner if op is kind.BRANCH else _inside(*inner[0][0])
            found = [before + example.of(branch) for before in found for branch in branches]
        elif op is kind.ATOMIC_GROUP:
            break
        else:
            found = [before + example.of([(op, value)]) for before in found]
    return found


def _endless(tree: list, before: str, example: _Example) -> list[tuple[str, list]]:
    """The bodies of the repetitions without end, each with the least that stands before it."""
    found = []
    for op, value in tree:
        for inner in _inside(op, value):
            found += _endless(inner, before, example)
        if op in _REPEATS and value[1] >= ENDLESS:
            found.append((before, list(value[2])))
        before += example.of([(op, value)])
    return found


def _inside(op: object, value: object) -> list[list]:
    if op in _REPEATS:
        return [list(value[2])]
    match op:
        case kind.SUBPATTERN:
            return [list(value[3])]
        case kind.ATOMIC_GROUP:
            return [list(value)]
        case kind.BRANCH:
            return [list(branch) for branch in value[1]]
        case kind.ASSERT | kind.ASSERT_NOT:
            return [list(value[1])]
        case _:
            return []


def _letters(body: list) -> list[tuple]:
    """The single letters of a repetition's body."""
    found = [one for one in body if one[0] in _ONE_LETTER]
    return found + [letter for op, value in body for inner in _inside(op, value) for letter in _letters(inner)]


class _Example:
    """Texts that a pattern's parts take, with one letter for all that the whole pattern does not tell apart."""

    def __init__(self, tree: list, flags: int) -> None:
        self._flags = flags
        atoms = {repr(one): _taking(*one, flags) for one in _letters(tree)}
        kinds: dict[tuple, str] = {}
        for letter in "a-1_ .A:/\n" + _ALPHABET:
            takers = tuple(atom.match(letter) is not None for atom in atoms.values())
            kinds.setdefault((*takers, letter.isalnum() or letter == "_", letter == "\n"), letter)
        self._alphabet = "".join(kinds.values())
        self._seen: dict[str, str] = {}

    def of(self, tree: list, least: int = 0) -> str:
        """Something that the tree matches, or nearly."""
        return "".join(self._one(op, value, least) for op, value in tree)

    def _one(self, op: object, value: object, least: int) -> str:
        if op in _REPEATS:
            return self.of(list(value[2]), least) * min(max(value[0], least if value[1] else 0), 80)
        match op:
            case kind.LITERAL:
                return chr(value)
            case kind.IN | kind.NOT_LITERAL | kind.ANY:
                return self.letters(op, value)[0]
            case kind.BRANCH | kind.SUBPATTERN | kind.ATOMIC_GROUP:
                return self.of(_inside(op, value)[0], least)
            case _:
                return ""

    def letters(self, op: object, value: object) -> str:
        """The letters that a part of the pattern takes."""
        if (key := f"{op} {value}") not in self._seen:
            self._seen[key] = "".join(filter(_taking(op, value, self._flags).match, self._alphabet)) or "a"
        return self._seen[key]


_ALPHABET = "".join(map(chr, range(32, 127))) + "\n\té가漢、。"


def _taking(op: object, value: object, flags: int) -> re.Pattern[str]:
    state = parser.State()
    state.flags = flags
    return re._compiler.compile(parser.SubPattern(state, [(op, value)]), flags)


def _seconds(way: Callable[[str], object], text: str) -> float:
    """How long a look at a text takes; what is far from linear is ended."""
    begun = time.thread_time()  # that of the process goes by ticks while the timer runs
    signal.setitimer(signal.ITIMER_VIRTUAL, 1.1 * PATIENCE)
    try:
        way(text)
    except TimeoutError:
        return float("inf")  # the timer counts what other threads use, too: less may have passed for this one
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - begun


def _give_up(*_: object) -> None:
    raise TimeoutError


signal.signal(signal.SIGVTALRM, _give_up)
