"""What a receipt says of a file, held against what stands there: its changes are made once, and taken back once. PURE.

A file that stands as the receipt knows it, before or after, is carried over byte by byte. Where somebody has written
since, each change is looked for by its lines; what is not found is left, and named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.late_pattern import late
from wrapgen.redact import MARK, redact
from wrapgen.vault.markdown.take_out import occurrences, remove
from wrapgen.workflows.changes import known, name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wrapgen.session.memory import Change, Receipt

_BREAK = late(rb"\r\n|\r|\n")
_CUT = late(re.escape(MARK.encode()) + rb"[^\]]*\]")
_LISTS_OF_LINES = (".jsonl",)  # their lines mean the same wherever they stand
_SETTINGS = (".toml",)
_MOST_HASHED = 100_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Carried:
    """A file in which a receipt's changes stand, or stand no more."""

    data: bytes | None  # what it holds then, None when there is none
    left: tuple[Change, ...] = ()  # the changes that could not be found, because somebody has written there since
    kept: tuple[str, ...] = ()  # their lines
    gone: tuple[str, ...] = ()  # added lines that were gone before


def secrets_in(receipt: Receipt, files: Mapping[str, bytes | None]) -> list[bytes]:
    """Return what was cut from a receipt, as far as it stands in its files: it goes back with its line."""
    found: list[bytes] = []
    for change in (one for one in receipt.changes if one.hidden):
        data = files.get(change.path) or b""
        for side in (change, _reverse(change)):
            for start, end in _places(data, side)[:1]:
                found += _behind(side.after, data[start:end])
    return found


def _behind(text: bytes, lines: bytes) -> list[bytes]:
    """Return the secrets that were cut from some lines."""
    first, *others = _CUT.split(text)
    found, at = [], len(first)
    for number, piece in enumerate(others, 1):
        end = lines.find(piece, at) if number < len(others) else len(lines) - len(piece)
        found.append(lines[at : max(at, end)])
        at = max(at, end) + len(piece)
    return found


def _whole(change: Change, secrets: Sequence[bytes]) -> bytes | None:
    """Return what a change puts there, with its secrets; None where they stand nowhere any more."""
    if change.hidden is None:
        return change.after
    pieces = _CUT.split(change.after)
    for first in range(max(1, len(secrets) - len(pieces) + 2)):
        between = [*secrets[first : first + len(pieces) - 1], b""]
        whole = b"".join(part for pair in zip(pieces, between, strict=False) for part in pair)
        if known(whole) == change.hidden[0]:
            return whole
    return None


def _reverse(change: Change) -> Change:
    hidden = change.hidden and (change.hidden[1], change.hidden[0])
    return replace(change, after=change.before, before=change.after, hidden=hidden)


def _size(change: Change) -> int:
    return change.hidden[0].size if change.hidden else len(change.after)


def _places(data: bytes, change: Change) -> list[tuple[int, int]]:
    """Return where the lines stand that a change puts there, the nearest first."""
    size, near = _size(change), change.offset
    if change.hidden is None:
        starts = occurrences(data, change.after, near) if size else []
    else:
        edges = {near, 0, *(edge for found in _BREAK.finditer(data) for edge in found.span())}
        nearest = sorted(edges, key=lambda one: abs(one - near))[: _MOST_HASHED // max(1, size)]
        starts = [one for one in nearest if known(data[one : one + size]) == change.hidden[0]] if size > 0 else []
    return [(one, one + size) for one in sorted(starts, key=lambda one: abs(one - near))]


def _stands(data: bytes, change: Change) -> bool:
    """Tell whether a change is made; the line beside what is taken out stands before and after it."""
    before = _places(data, _reverse(change))
    if before and change.after in change.before:
        return False
    return bool(_places(data, change)) or (not change.after and not before)


def _spliced(data: bytes, changes: Sequence[Change], secrets: Sequence[bytes]) -> bytes | None:
    for change in reversed(changes):
        whole = _whole(change, secrets)
        if whole is None:
            return None
        data = data[: change.offset] + whole + data[change.offset + _size(_reverse(change)) :]
    return data


def _swapped(data: bytes, change: Change, secrets: Sequence[bytes]) -> bytes | None:
    """Return a file with a change's lines in place of the nearest that stood before it; None where none do."""
    whole = _whole(change, secrets)
    if not change.before:  # all of the file was taken out
        place = next(((one, one) for one in occurrences(data, b"", change.offset)), None)
    else:
        place = next(iter(_places(data, _reverse(change))), None)
    if whole is None or place is None:
        return None
    return data[: place[0]] + whole + data[place[1] :]


def forward(receipt: Receipt, path: str, secrets: Sequence[bytes], data: bytes | None) -> Carried:
    """Return a file in which all that a receipt planned is made, however much of it was."""
    changes = [one for one in receipt.changes if one.path == path]
    whole = receipt.files.get(path)
    if whole and name(data) == whole.after:
        return Carried(data)
    if whole and name(data) == whole.before:
        new = _spliced(data or b"", changes, secrets)
        if new is not None and name(new) == whole.after:
            return Carried(new)
    left: list[Change] = []
    for change in changes:
        if _stands(data or b"", change):
            continue
        new = _swapped(data or b"", change, secrets) if change.before else None
        data = data if new is None else new
        left += [change] if new is None else []
    return Carried(data, tuple(left), tuple(row for one in left for row in rows_of(receipt, one)))


def backward(receipt: Receipt, path: str, secrets: Sequence[bytes], data: bytes | None) -> Carried:
    """Return a file in which nothing of what a receipt made stands any more, however much of it did."""
    changes = [one for one in receipt.changes if one.path == path]
    whole = receipt.files.get(path)
    if whole and name(data) == whole.before:
        return Carried(data)
    if whole and name(data) == whole.after:
        old = _spliced(data or b"", list(_taken_back(changes)), secrets)
        if old is not None and name(old) == (whole.before or name(b"")):
            return Carried(old if whole.before else None)
    left: list[Change] = []
    kept: list[str] = []
    gone: list[str] = []
    for change in reversed(changes):
        if change.before:
            data, rows = _put_back(receipt, change, data, secrets)
        else:
            data, missing = _removed(receipt, change, data)
            rows = _changed_since(receipt, path, data, missing)
            gone += [one for one in missing if one not in rows]
        left += [change] if rows else []
        kept += rows
    return Carried(data, tuple(reversed(left)), tuple(kept), tuple(gone))


def _taken_back(changes: Sequence[Change]) -> Iterator[Change]:
    """Yield changes that take these back, where they stand in the file that these made."""
    shift = 0
    for change in changes:
        yield replace(_reverse(change), offset=change.offset + shift)
        shift += _size(change) - _size(_reverse(change))


def _put_back(
    receipt: Receipt, change: Change, data: bytes | None, secrets: Sequence[bytes]
) -> tuple[bytes | None, list[str]]:
    back = _reverse(change)
    # What is done whole was made, though a line like the one that was taken out may stand there still.
    made = receipt.step == "done" and bool(_places(data or b"", change))
    if not made and not _stands(data or b"", change):
        return data, ([] if _places(data or b"", back) else rows_of(receipt, change))
    new = _swapped(data or b"", back, secrets)
    return (data, rows_of(receipt, change)) if new is None else (new, [])


def _removed(receipt: Receipt, change: Change, data: bytes | None) -> tuple[bytes | None, list[str]]:
    """Take inserted lines out, those alone that stand as they were written; and which do not."""
    rows = rows_of(receipt, change)
    if data is None:
        return None, rows
    places = _places(data, change)
    if change.path.endswith(_SETTINGS + _LISTS_OF_LINES):
        new, missing = _without(data, change, places), [] if places else rows
    else:
        exact = data[places[0][0] : places[0][1]] if places else change.after
        try:
            removal = remove(data, exact, [] if change.hidden else rows, offset=change.offset)
        except EditError:
            return data, rows
        new, missing = (data, rows) if removal is None else (removal.data, list(removal.gone))
    return None if change.created and not new else new, missing


def _changed_since(receipt: Receipt, path: str, data: bytes | None, missing: Sequence[str]) -> list[str]:
    """Return which of the lines that do not stand as they were written stand in another form.

    A line whose words are nowhere in the file was taken out, by somebody or by an undo that was interrupted; but it
    may have been reworded too, and what moves with it must not come back beside it.
    """
    if receipt.indivisible and not receipt.interrupted:
        return list(missing)
    if not missing or data is None:
        return []
    texts = {line.line: line.text for line in receipt.lines if line.path == path}
    there = redact(_text(data))[0]
    return [row for row in missing if texts.get(row, row) in there]


def _without(data: bytes, change: Change, places: Sequence[tuple[int, int]]) -> bytes:
    if places or not change.path.endswith(_LISTS_OF_LINES):
        return data[: places[0][0]] + data[places[0][1] :] if places else data
    rows = set(change.after.splitlines())
    return b"".join(row for row in data.splitlines(keepends=True) if row.rstrip(b"\r\n") not in rows)


def rows_of(receipt: Receipt, change: Change) -> list[str]:
    """Return the lines that a change took away or changed, else those that it added, for items their lines."""
    after, before = ([_text(row) for row in _BREAK.split(one)] for one in (change.after, change.before))
    if rows := [row.strip() for row in before if row.strip() and row not in after]:
        return rows
    added = [row for row in after if row.strip() and row not in before]
    return [one.line for one in receipt.lines if one.path == change.path and one.line in added] or added or before


def _text(row: bytes) -> str:
    return row.decode("utf-8", "replace")
