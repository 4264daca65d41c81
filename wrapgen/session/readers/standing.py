"""Which lines of a Claude Code transcript were taken back by /rewind: those off the chain of parents that ends last.

Ids alone are kept, so that memory stays flat. A line off the chain counts as taken back only at or below a prompt that
is off it: parallel calls and retries of the host leave branches, too. A chain that breaks keeps all before the break.
"""

import re
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from wrapgen.jsonl import lines

_ID = re.compile(rb'"uuid"\s*:\s*"([^"]{1,64})"')
_PARENT = re.compile(rb'"(?:logicalP|p)arentUuid"\s*:\s*"([^"]{1,64})"')
_TYPE = re.compile(rb'"type"\s*:\s*"(user|assistant|attachment|system|progress)"')
_ASIDE = re.compile(rb'"isSidechain"\s*:\s*true')
_NO_PROMPT = re.compile(rb'"tool_result"|"is(?:Meta|CompactSummary)"\s*:\s*true')
_PASSING = 20_000
"""Progress lines whose parents are remembered; up to 99 % of a transcript are such lines, and nothing that comes much
later has one for a parent."""


@dataclass(slots=True)
class _Ignored:
    lines: int = 0
    bad_lines: int = 0


class _ChainLine(NamedTuple):
    number: int
    parent: int  # hash of its parent's id, 0 for none
    kind: bytes
    prompts: bool  # whether somebody may have typed it


def taken_back(file: BinaryIO) -> frozenset[int]:
    """The numbers of the lines that do not stand.

    Args:
        file: opened for reading bytes, at its beginning; it is read to its end.
    """
    known: dict[int, _ChainLine] = {}
    passing: dict[int, int] = {}
    parents: set[int] = set()
    last, is_forked = 0, False
    for number, line in lines(file, _Ignored()):
        found, kind = _ID.search(line), _TYPE.search(line)
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
        prompts = _prompts(kind[1], line)
        is_forked = is_forked or (prompts and above in parents)
        known[own] = _ChainLine(number, above, kind[1], prompts)
        parents.add(above)
        if kind[1] in (b"user", b"assistant"):
            last = own
    return _off_chain(known, last) if is_forked else frozenset()


def _prompts(kind: bytes, line: bytes) -> bool:
    return (kind == b"user" and not _NO_PROMPT.search(line)) or (kind == b"attachment" and b'"queued_command"' in line)


def _off_chain(known: dict[int, _ChainLine], last: int) -> frozenset[int]:
    chain: list[int] = []
    at = last
    while at in known:
        chain.append(at)
        at = known[at].parent
        if len(chain) > len(known):  # a circle
            return frozenset()
    first = known[chain[-1]]
    standing = set(chain)
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
    return frozenset(known[one].number for one, taken in gone.items() if taken)
