"""COLD_TRACK.md: the log in readable form, after the seed's template.

PURE. Messages are quoted, so that none of their lines can pass for a heading of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.text.display import visible, visible_line
from wrapgen.tracks.record import TurnRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wrapgen.tracks.labels import TrackLabels
    from wrapgen.tracks.log import LogContents
    from wrapgen.tracks.record import Record, Tombstone

_MOST_FILES = 20


def render(
    contents: LogContents, records: Iterable[Record], labels: TrackLabels, kept: Iterable[str] = ()
) -> Iterator[str]:
    """The file, piece by piece; `kept` are names of previous files that wrapgen did not write."""
    earliest = moment(contents.earliest)
    first = f"{earliest:%Y-%m-%d}" if earliest else ""
    yield f"# {labels.cold}\n\n_{labels.created}: {first or '-'}_\n"
    for name in kept:
        yield f"_{labels.kept.format(where=name)}_\n"
    yield f"\n---\n\n## {labels.graves}\n\n"
    for one in contents.tombstones.values():
        yield from _grave(one, labels, withdrawn=one.id in contents.withdrawn)
    yield f"---\n\n## {labels.decided}\n\n"
    for decision in contents.decisions.values():
        when = f"{decision.day}: " if decision.day else ""
        yield f"- {when}{visible_line(decision.text)} ({visible_line(decision.source)})\n"
    yield f"\n---\n\n## {labels.history}\n\n"
    yield from _history(contents, records)
    yield (
        f"---\n\n## {labels.statistics}\n- {labels.interactions}: {len(contents.turns)}\n"
        f"- {labels.buried}: {len(contents.standing)}\n- {labels.earliest}: {first or '-'}\n"
    )


def _grave(one: Tombstone, labels: TrackLabels, *, withdrawn: bool) -> Iterator[str]:
    name = visible_line(one.name)
    title = f"~~{name}~~" if withdrawn else f"{one.mark}{name}"
    yield f"### {one.id}: {title}\n- **{labels.reason}**: {visible_line(one.reason)}\n"
    yield f"- **{labels.day}**: {one.day or '-'}\n- **{labels.story}**:\n"
    yield "".join(f"  {f'Turn {told.turn}: ' if told.turn else ''}{visible_line(told.text)}\n" for told in one.story)
    yield "\n"


def _history(contents: LogContents, records: Iterable[Record]) -> Iterator[str]:
    session: str | None = None
    shown: set[str] = set()
    for record in records:
        if not isinstance(record, TurnRecord) or contents.turns.get(record.key) != record.digest:
            continue
        if record.key in shown:
            continue
        shown.add(record.key)
        at = moment(record.at)
        if record.session != session:
            session = record.session
            yield f"### Session: {at:%Y-%m-%d}\n\n" if at else "### Session: -\n\n"
        yield f"#### Turn {record.turn}{f' - {at:%H:%M}' if at else ''}\n"
        if record.text or not record.tools:
            yield f"**{'User' if record.role == 'user' else 'Assistant'}**:{_quoted(record.text)}\n"
        if record.tools:
            files = f" ({', '.join(map(visible_line, record.files[:_MOST_FILES]))})" if record.files else ""
            yield f"**Tools**: {', '.join(map(visible_line, record.tools))}{files}\n"
        yield "\n"


def _quoted(text: str) -> str:
    lines = text.splitlines() or [""]
    if len(lines) == 1:
        return f" {visible(lines[0])}"
    return "\n\n" + "".join(f"> {visible(line)}\n" for line in lines)
