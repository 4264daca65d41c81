"""What a run changes in a file, as its receipt keeps it: whole lines, known by themselves or, with a secret, by digest.

PURE.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.redact import redact
from wrapgen.session.memory import Change, Digests, Known
from wrapgen.vault.disk import digest
from wrapgen.vault.markdown.blocks import Lines, as_written, encode
from wrapgen.vault.markdown.take_out import occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.vault.markdown.tick import Replacement


def changes_of(path: str, data: bytes | None, splices: Sequence[Replacement]) -> tuple[Change, ...]:
    """Return what splices, made one after the other, change in a file: whole lines, none of them twice."""
    before = after = data or b""
    for one in splices:
        after = one.apply(after)
    changes: list[Change] = []
    for start, end, now, stop in _regions(before, after, splices):
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


def _regions(before: bytes, after: bytes, splices: Sequence[Replacement]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the places that differ, as whole lines: start and end before, start and end afterwards."""
    spans = [(0, len(before), 0)]  # what still stands: start and end before, start afterwards
    for splice in splices:
        behind, by = splice.offset + len(splice.old), len(splice.new) - len(splice.old)
        spans = [
            span
            for start, stop, now in spans
            for span in (
                (start, min(stop, start + splice.offset - now), now),
                (max(start, start + behind - now), stop, max(now, behind) + by),
            )
            if span[0] < span[1]
        ]
    found: list[list[int]] = []
    stopped = (0, 0)
    for start, stop, now in (*spans, (len(before), len(before), len(after))):
        if stopped != (start, now):
            region = _as_lines(before, after, (stopped[0], start, stopped[1], now))
            if found and region[0] <= found[-1][1]:
                found[-1][1::2] = region[1::2]
            else:
                found.append(region)
        stopped = (stop, now + stop - start)
    for first, end, now, stop in found:
        yield first, end, now, stop


def _as_lines(before: bytes, after: bytes, place: tuple[int, int, int, int]) -> list[int]:
    """Return a place with the whole lines around it, by which it is found again; an insertion of lines as is."""
    start, end, now, stop = place
    if start == end and occurrences(after, after[now:stop], now)[:1] == [now]:
        return list(place)
    lines = Lines(before)
    first, last = min(start, lines.start(lines.at(start))), lines.at(end)
    behind = end if end == lines.start(last) else max(end, lines.start(last) + len(lines.text(last)))
    return [first, behind, now - (start - first), stop + behind - end]


def _without_secrets(change: Change) -> Change:
    """Return the change as a receipt keeps it: secrets are cut, and lines with one are known by their digest."""
    after, before = (redact(as_written(one))[0] for one in (change.after, change.before))
    both = redact(f"{as_written(change.before)}\n{as_written(change.after)}")[1]
    if not both:
        return change
    hidden = (known(change.after), known(change.before))
    return replace(change, after=encode(after), before=encode(before), hidden=hidden)


def known(data: bytes) -> Known:
    """Return how a receipt knows lines with a secret."""
    return Known(len(data), digest(data))
