"""Which lines of a Claude Code transcript were taken back by /rewind: those off the chain of parents that ends last.

Ids alone are kept, so that memory stays flat. A line off the chain counts as taken back only at or below a prompt that
is off it: parallel calls and retries of the host leave branches, too. A chain that breaks keeps all before the break.
"""

import re
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from wrapgen.jsonl import Counts, lines

_ID = re.compile(rb'"uuid"\s*:\s*"([^"]{1,64})"')
_PARENT = re.compile(rb'"(?:logicalP|p)arentUuid"\s*:\s*"([^"]{1,64})"')
_TYPE = re.compile(rb'"type"\s*:\s*"(user|assistant|attachment|system|progress)"')
_ASIDE = re.compile(rb'"isSidechain"\s*:\s*true')
_TURN = re.compile(rb'"turnIndex"\s*:\s*(\d+)')
_BOUNDARY = re.compile(rb'"subtype"\s*:\s*"compact_boundary"')
_REWOUND = re.compile(rb'"leafUuid"\s*:\s*"[0-]{36}"')
"""What the host notes behind the first prompt after /rewind (Claude Code 2.1.330)."""
_NO_PROMPT = re.compile(rb'"tool_result"|"is(?:Meta|CompactSummary)"\s*:\s*true')
_HEAD = 1_000  # bytes in which a progress line and the host's notes show themselves
_TOOL_HEAD = 2_000
"""Bytes in which a tool line shows itself (`"tool_use"`, `"tool_result"`) and names its tool; one that does not show
itself is merely decoded."""
_ESCAPE = ord("\\")
_RECENT = 8  # lines before a prompt in which its parent is looked for
_KEY = 24  # bytes before a value in which its key stands
_PASSING = 20_000
"""Progress lines whose parents are remembered; up to 99 % of a transcript are such lines, and nothing that comes much
later has one for a parent."""


class _ChainLine(NamedTuple):
    number: int
    parent: int  # hash of its parent's id, 0 for none
    kind: bytes
    prompts: bool  # whether somebody may have typed it


def tool_at(line: bytes) -> int:
    """Where a line with a call or a result says so, -1 for any other; words about a tool, within a text, do not."""
    tool = line.find(b'"tool_', 0, _TOOL_HEAD)
    return -1 if tool > 0 and line[tool - 1] == _ESCAPE else tool


def standing(file: BinaryIO, header: Counts, wanted: Callable[[bytes, int], bool]) -> Iterator[tuple[int, bytes]]:
    """The lines that stand of those of which `wanted` (told their `tool_at` too) says yes, with their numbers.

    The file is gone through once; all lines are asked about before the first is given.
    """
    forks, places = _Forks(), array("Q")
    for number, line in lines(file, header, forks.noting(wanted)):
        places.extend((number, file.tell() - len(line), len(line)))
    gone: frozenset[int] = frozenset()
    if forks.are_there:
        file.seek(0)
        known, last, before = _chain_lines(file)
        gone = frozenset(known[one].number for one in _off_chain(known, last, before))
    for at in range(0, len(places), 3):
        if places[at] not in gone:
            file.seek(places[at + 1])
            yield places[at], file.read(places[at + 2])


class _Forks:
    """Whether a prompt goes on with anything but the line before it: a branch may have been left then."""

    def __init__(self) -> None:
        self.are_there = False
        self._recent: deque[bytes] = deque(maxlen=_RECENT)
        self._begun, self._missing = False, b""

    def noting(self, wanted: Callable[[bytes, int], bool]) -> Callable[[bytes], bool]:
        """The same question, with each line noted; tool lines are but glanced at."""
        remember = self._recent.append

        def note(line: bytes) -> bool:
            tool = tool_at(line)
            answer = wanted(line, tool)
            if tool < 0:
                if not answer:  # progress and whatever else says nothing
                    if line.find(b'"progress"', 0, _HEAD) < 0:
                        remember(line)
                        self.are_there = self.are_there or _is_note_of_rewind(line)
                    return False
                self._note_prompt(line)
            remember(line)
            return answer

        return note

    def _note_prompt(self, line: bytes) -> None:
        kind = _TYPE.search(line)
        if kind is None or not _prompts(kind[1], line):
            return
        named = _PARENT.search(line)
        if named is None:
            self.are_there = self.are_there or self._begun
        elif named[1] != self._missing and not _goes_on(named[1], self._recent):
            if self._begun:
                self.are_there = True
            else:
                self._missing = named[1]  # in another file, if anywhere
        self._begun = True


def _is_note_of_rewind(line: bytes) -> bool:
    return b'"last-prompt"' in line[:_HEAD] and _REWOUND.search(line) is not None


def _goes_on(parent: bytes, recent: deque[bytes]) -> bool:
    """Whether a parent is the last of the recent lines that stand in a chain: it has no other child."""
    for line in reversed(recent):
        at = line.find(parent)
        while at >= 0:
            key = line[max(0, at - _KEY) : at].rstrip(b' "')
            if key.endswith((b'arentUuid":', b'"uuid":')):
                return key.endswith(b'"uuid":')
            at = line.find(parent, at + 1)
    return False


def _chain_lines(file: BinaryIO) -> tuple[dict[int, _ChainLine], int, dict[int, int]]:
    """Every line that has an id, by the hash of it; the last turn's; and of each compaction that of the turn before."""
    known: dict[int, _ChainLine] = {}
    passing: dict[int, int] = {}
    before: dict[int, int] = {}
    last = prompted = 0
    for number, line in lines(file, Counts()):
        found, kind = _ID.search(line), _TYPE.search(line)
        if prompted and _is_note_of_rewind(line):
            # A first prompt that was taken back is the parent of the new one all the same, which counts anew.
            known[prompted] = known[prompted]._replace(parent=0)
        if found is None or kind is None or _ASIDE.search(line):
            continue
        own, named = hash(found[1]), _PARENT.search(line)
        above = hash(named[1]) if named else 0
        above = passing.get(above, above)
        if kind[1] == b"progress":
            if len(passing) >= _PASSING:
                del passing[next(iter(passing))]
            passing[own] = above
            continue
        if own in known:  # a line that a host wrote twice
            continue
        known[own] = _ChainLine(number, above, kind[1], _prompts(kind[1], line))
        if kind[1] in (b"user", b"assistant"):
            last = own
        elif _BOUNDARY.search(line, 0, _HEAD):
            before[own] = last
        if known[own].prompts:
            turn = _TURN.search(line)
            prompted = own if turn and turn[1] == b"1" else 0
    return known, last, before


def _prompts(kind: bytes, line: bytes) -> bool:
    return (kind == b"user" and not _NO_PROMPT.search(line)) or (kind == b"attachment" and b'"queued_command"' in line)


def _chain(known: dict[int, _ChainLine], at: int) -> Iterator[int]:
    """A line and those above it, each once."""
    seen: set[int] = set()
    while at in known and at not in seen:
        yield at
        seen.add(at)
        at = known[at].parent


def _off_chain(known: dict[int, _ChainLine], last: int, before: dict[int, int]) -> frozenset[int]:
    if not known:
        return frozenset()
    chain = list(_chain(known, last))
    at = known[chain[-1]].parent
    if at in known:  # a circle
        return frozenset()
    first = known[chain[-1]]
    standing = set(chain)
    for one in chain:
        if one in before:  # a compaction takes nothing back, whatever part of the conversation it sums up
            for above in _chain(known, before[one]):
                if above in standing:
                    break
                standing.add(above)
    # What a root that nobody typed stands below is not known: a compaction of an older host, a file without chains.
    broken = at != 0 or not first.prompts or any(one.kind == b"assistant" and not one.parent for one in known.values())
    if broken:
        standing |= {one for one, line in known.items() if line.number < first.number}
    gone = dict.fromkeys(standing, False)
    for one in known:
        path: list[int] = []
        at = one
        while at in known and at not in gone:
            gone[at] = False  # a circle ends here
            path.append(at)
            at = known[at].parent
        taken = gone.get(at, False)
        for here in reversed(path):
            taken = taken or (known[here].prompts and (at in known or not known[here].parent))
            gone[here] = taken
    return frozenset(one for one, taken in gone.items() if taken)
