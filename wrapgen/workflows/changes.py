"""What a run changes in a file, as its receipt keeps it: whole lines, known by themselves or, with a secret, by digest.

PURE.
"""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from sys import maxsize
from typing import TYPE_CHECKING

from wrapgen.redact import redact
from wrapgen.session.memory import Change, Digests, Known
from wrapgen.vault.disk import digest
from wrapgen.vault.markdown.blocks import Lines, as_written, encode
from wrapgen.vault.markdown.take_out import occurrences
from wrapgen.vault.markdown.tick import apply_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wrapgen.vault.markdown.tick import Replacement


def changes_of(path: str, data: bytes | None, rounds: Sequence[Sequence[Replacement]]) -> tuple[Change, ...]:
    """Return what rounds of splices, made one after the other, change in a file: whole lines, none of them twice."""
    before = after = data or b""
    for one in rounds:
        after = apply_all(after, one)
    changes: list[Change] = []
    for start, end, now, stop in _regions(before, after, rounds):
        change = Change(path, start, after[now:stop], before[start:end], created=data is None)
        if change.before != change.after:
            changes.append(_without_secrets(change))
    return tuple(changes)


def digests_of(before: bytes | None, after: bytes | None) -> Digests:
    """Return how a receipt knows a file, before and after."""
    return Digests(name(before), name(after))


def name(data: bytes | None) -> str:
    """Return how a receipt knows a file as a whole; empty for none."""
    return "" if data is None else digest(data)


_Span = tuple[int, int, int]
"""Bytes that still stand: start and end before, start afterwards."""


def _left(spans: Iterable[_Span], splices: Iterable[Replacement]) -> Iterator[_Span]:
    """Yield what still stands after a round of splices; both are gone through once."""
    pieces, at, by = list[_Span](), 0, 0  # what lies between the splices: start, end, how far it moves
    for one in sorted(splices, key=attrgetter("offset")):
        pieces.append((at, one.offset, by))
        at, by = one.offset + len(one.old), by + len(one.new) - len(one.old)
    between = iter((*pieces, (at, maxsize, by)))
    low, high, by = next(between)
    for start, stop, now in spans:
        end = now + stop - start
        while True:
            first, last = max(now, low), min(end, high)
            if first < last:
                yield start + first - now, start + last - now, first + by
            if end <= high:
                break
            low, high, by = next(between)


def _regions(
    before: bytes, after: bytes, rounds: Sequence[Sequence[Replacement]]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the places that differ, as whole lines: start and end before, start and end afterwards."""
    spans, lines = [(0, len(before), 0)], Lines(before)
    for splices in rounds:
        spans = [*_left(spans, splices)]
    found: list[list[int]] = []
    stopped = (0, 0)
    for start, stop, now in (*spans, (len(before), len(before), len(after))):
        if stopped != (start, now):
            region = _as_lines(lines, after, (stopped[0], start, stopped[1], now))
            if found and region[0] <= found[-1][1]:
                found[-1][1::2] = region[1::2]
            else:
                found.append(region)
        stopped = (stop, now + stop - start)
    for first, end, now, stop in found:
        yield first, end, now, stop


def _as_lines(lines: Lines, after: bytes, place: tuple[int, int, int, int]) -> list[int]:
    """Return a place with the whole lines around it, by which it is found again; an insertion of lines as is."""
    start, end, now, stop = place
    if start == end and occurrences(after, after[now:stop], now)[:1] == [now]:
        return list(place)
    first, last = min(start, lines.start(lines.at(start))), lines.at(end)
    behind = end if end == lines.start(last) else max(end, lines.start(last) + len(lines.text(last)))
    return [first, behind, now - (start - first), stop + behind - end]


def _without_secrets(change: Change) -> Change:
    """Return the change as a receipt keeps it: secrets are cut, and lines with one are known by their digest."""
    if not redact(f"{as_written(change.before)}\n{as_written(change.after)}")[1]:
        return change
    after, before = (redact(as_written(one))[0] for one in (change.after, change.before))
    hidden = (known(change.after), known(change.before))
    return replace(change, after=encode(after), before=encode(before), hidden=hidden)


def known(data: bytes) -> Known:
    """Return how a receipt knows lines with a secret."""
    return Known(len(data), digest(data))
