"""COLD_TRACK.md on disk: written from the log in one step; a file that wrapgen did not write is kept beside it."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from wrapgen.days import moment
from wrapgen.text.display import visible, visible_line
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.labels import TrackLabels
from wrapgen.tracks.log import Log, LogContents
from wrapgen.tracks.record import Record, RenderedRecord, Tombstone, TurnRecord
from wrapgen.vault import disk
from wrapgen.vault.held import held, inside

_STEM = COLD_FILE.removesuffix(".md")
_PIECE = 200  # texts


def publish_cold(folder: Path, log: Log, contents: LogContents, labels: TrackLabels, now: datetime) -> Path | None:
    """Write the file from the log; the caller holds the tracks' lock.

    Returns the name under which a file that wrapgen did not write is kept. Raises `PublishError` when it cannot be
    written: the former one stands.
    """
    path = folder / COLD_FILE
    former = _digest(inside(path, log.root))
    foreign = former is not None and former not in contents.rendered
    aside = free_name(path) if foreign else None
    kept = [one.name for one in sorted(folder.glob(f"{_STEM}.former-*.md"))] + ([aside.name] if aside else [])
    hashing = hashlib.sha256()
    pieces = _encoded(render(contents, (record for _, record in log.records()), labels, kept), hashing)
    try:
        with held(path, log.root) as cold:
            disk.remove_leftovers(cold)
            with disk.replacing(cold, pieces, private=True):
                log.append([RenderedRecord(hashing.hexdigest(), now.isoformat(timespec="seconds"))])
                if aside:
                    cold.rename(cold.with_name(aside.name))
            disk.sync_name(cold)
    except OSError as error:
        what = "cannot be written; what it would say is safe in the log"
        raise disk.cannot(what, path, error) from error
    return aside


def _encoded(texts: Iterable[str], hashing: "hashlib._Hash") -> Iterator[bytes]:
    """Texts in pieces of some size, each of which is counted into a digest."""
    rest = iter(texts)
    while piece := "".join(islice(rest, _PIECE)).encode("utf-8", "replace"):
        hashing.update(piece)
        yield piece


def _digest(path: Path) -> str | None:
    """The digest of a file, None when there is none; of another no one could say that its words are not lost."""
    try:
        with disk.opened(path) as descriptor, open(descriptor, "rb", closefd=False) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk.cannot("cannot be read, so it is not written either", path, error) from error


def free_name(path: Path) -> Path:
    """A name beside a file under which it can be kept, and that nothing has yet."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.former-{number}.md")).exists() or aside.is_symlink():
        number += 1
    return aside


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
