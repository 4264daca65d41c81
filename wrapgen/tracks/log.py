"""The cold log of a project, and where its tracks are: `.claude/context/`, private to the user and ignored by git.

The log holds everything said, tried and decided, one record per line, append-only.
It is the source of COLD_TRACK.md, the hot track and every search. A line that cannot be read (a crash in the middle
of it) stays where it is and is skipped; whatever it held comes again with the next snapshot of its transcript, because
a turn counts as known only when its line can be read.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import structs

from wrapgen.errors import WrapgenError, remedy
from wrapgen.model import Decision
from wrapgen.text.display import one_line
from wrapgen.text.words import fold_key
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.record import (
    By,
    DecisionRecord,
    Record,
    RenderedRecord,
    SnapshotRecord,
    StateRecord,
    Tombstone,
    TurnRecord,
    WithdrawnRecord,
    decoded,
    digest_of,
)
from wrapgen.tracks.user_lines import MOVED_FILE
from wrapgen.vault import disk, state
from wrapgen.vault.disk import make_private_folder

CONTEXT_FOLDER = ".claude/context"
HOT_FILE = "HOT_TRACK.md"
LOG_FILE = "cold.jsonl"
OWN_FOLDER = ".wrapgen"
LOCK_FILE = f"{OWN_FOLDER}/track.lock"
_IGNORE = ".gitignore"
# In a folder that was there before, whose other files are none of ours.
_IGNORED = "".join(
    f"{name}\n" for name in (HOT_FILE, COLD_FILE, "*.former-*.md", MOVED_FILE, LOG_FILE, f"{OWN_FOLDER}/", ".*")
)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def context_folder(project: Path) -> Path:
    """The folder of a project's tracks."""
    return project / CONTEXT_FOLDER


def nearest_project(folder: Path) -> Path | None:
    """The project whose tracks a folder belongs to: the folder itself or the nearest one above that has a log."""
    with suppress(OSError, ValueError):  # a name too long, or with a null character: a transcript can say anything
        return next((one for one in (folder, *folder.parents) if (context_folder(one) / LOG_FILE).is_file()), None)
    return None


def make_context_folder(project: Path) -> Path:
    """Make the folder of a project's tracks, private and inside the project; raises `PublishError`."""
    folder = context_folder(project)
    make_private_folder(folder, project, ignored=folder)
    with disk.refused("the folder cannot be made private; nothing was written", folder):
        ignore = folder / _IGNORE
        if not ignore.exists() or ignore.stat().st_size == 0:
            ignore.write_text(_IGNORED, encoding="utf-8")
        if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & _OTHERS:
            folder.chmod(0o700)
    return folder


_BUFFER = 1 << 20
_BATCH = 1 << 20
_ID = re.compile(rb'"id":"T([0-9]{1,9})"')
_TURN = b'{"kind":"turn",'
_SNAPSHOT = b'{"kind":"snapshot",'


@dataclass(slots=True)
class LogContents:
    """What the log holds, but for the words of its turns."""

    turns: dict[str, str] = field(default_factory=dict)  # the digest of the last record of each turn, by its key
    tombstones: dict[str, Tombstone] = field(default_factory=dict)  # by id, those that were withdrawn too
    # of the tombstones, by their names folded; of one name the latest
    ids: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)  # those of them that a person took back
    decisions: dict[str, DecisionRecord] = field(default_factory=dict)
    states: dict[str, StateRecord] = field(default_factory=dict)  # what a reader said last of each session
    last_id: int = 0  # the highest number that a tombstone was ever given
    version: int = 0  # the highest version that a snapshot ever had
    last: SnapshotRecord | None = None  # the snapshot of that version
    texts: dict[int, str] = field(default_factory=dict)  # what wrapgen wrote of each snapshot, by version
    rendered: set[str] = field(default_factory=set)  # digests of every COLD_TRACK.md that wrapgen wrote
    earliest: str | None = None  # the least time stamp of a turn

    @property
    def standing(self) -> list[Tombstone]:
        """The tombstones that were not withdrawn, oldest first."""
        return [one for one in self.tombstones.values() if one.id not in self.withdrawn]

    def named(self, name: str) -> Tombstone | None:
        """The latest tombstone of a name, be it withdrawn; None when there is none."""
        return self.tombstones.get(self.ids.get(fold_key(name), ""))

    def take(self, record: Record) -> None:
        match record:
            case Tombstone():
                self.tombstones[record.id] = record
                self.ids[fold_key(record.name)] = record.id
                self.last_id = max(self.last_id, int(record.id[1:]))
            case WithdrawnRecord():
                (self.withdrawn.discard if record.back else self.withdrawn.add)(record.id)
                (self.refused.add if record.by == "said" else self.refused.discard)(record.id)
            case DecisionRecord():
                self.decisions[record.key] = record
            case StateRecord():
                self.states[record.session] = record
            case SnapshotRecord():
                if record.version >= self.version:
                    self.version, self.last = record.version, record
                self.texts[record.version] = record.text
            case RenderedRecord():
                self.rendered.add(record.digest)
            case TurnRecord():
                self.turns[record.key] = record.digest
                if record.at and (self.earliest is None or record.at < self.earliest):
                    self.earliest = record.at


@dataclass(frozen=True, slots=True)
class Log:
    """A project's log; its file need not exist. What reads it raises WrapgenError when it cannot be read."""

    path: Path
    root: Path

    def contents(self) -> LogContents:
        """Read the log without the words of its turns."""
        found = LogContents()
        for _, line in self.lines():
            if record := decoded(line):
                found.take(record)
            else:
                # The id in an incomplete line may already have been shown.
                found.last_id = max([found.last_id, *(int(number) for number in _ID.findall(line))])
        return found

    def records(self) -> Iterator[tuple[int, Record]]:
        """Every record that can be read, with the byte that its line begins at."""
        for offset, line in self.lines():
            record = decoded(line)
            if record is not None:
                yield offset, record

    def dead_ends(self) -> list[Tombstone]:
        """The dead ends that somebody vouches for, oldest first; turns are skipped undecoded."""
        found = LogContents()
        for _, line in self.lines():
            if not line.startswith(_TURN) and isinstance(record := decoded(line), Tombstone | WithdrawnRecord):
                found.take(record)
        return [one for one in found.standing if not one.asked]

    def lines(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, with the byte that each begins at, from a byte on that begins one."""
        try:
            with disk.opened(self.path) as descriptor, open(descriptor, "rb", buffering=_BUFFER, closefd=False) as file:
                file.seek(start)
                offset = start
                for line in file:
                    if not line.isspace():
                        yield offset, line
                    offset += len(line)
        except FileNotFoundError:
            return
        except OSError as error:
            raise WrapgenError(
                f"cannot be read ({error.strerror or error})", where=str(self.path), next_step=remedy(error)
            ) from error

    def last_snapshot(self) -> SnapshotRecord | None:
        found = None
        for _, line in self.lines():
            if line.startswith(_SNAPSHOT) and isinstance(record := decoded(line), SnapshotRecord):
                found = record
        return found

    def append(self, records: Iterable[Record]) -> None:
        """Add records in their order; the caller holds the tracks' lock. What was in the log stays if that fails."""
        batch = bytearray()
        for record in records:
            batch += msgspec.json.encode(record)
            batch += b"\n"
            if len(batch) > _BATCH:
                state.append_lines(self.path, bytes(batch), root=self.root, durable=False)
                batch.clear()
        if batch:
            state.append_lines(self.path, bytes(batch), root=self.root)


_TRUST: tuple[By, ...] = get_args(By)


def news(
    session: str,
    known: LogContents,
    tombstones: Sequence[Tombstone],
    decisions: Sequence[Decision],
    turns: Sequence[TurnRecord] = (),
) -> Iterator[Record]:
    """What a session adds: the records that the log lacks, each added to `known` as it is yielded.

    The same name is the same dead end, and its latest wording counts; decisions likewise.

    Args:
        session: the host's id, or the name of the transcript where the host gives none; "" when nobody knows it.
        turns: of the whole session, oldest first; without them it is told by somebody, whose new wording counts.
    """

    def found() -> Iterator[Record]:
        keys = {turn.turn: turn.key for turn in turns}
        yield from (turn for turn in turns if known.turns.get(turn.key) != turn.digest)
        still: set[str] = set()
        for tombstone in tombstones:
            yield from _buried(session, tombstone, keys, known)
            still.update(one.id for one in [known.named(tombstone.name)] if one)
        present = set(keys.values())
        for one in known.standing:
            ours = one.asked and one.session == session and one.id not in still
            if ours and one.story and {told.key for told in one.story} <= present:
                yield WithdrawnRecord(one.id)
        for decision in decisions:
            key = digest_of(one_line(decision.text.casefold()))
            if key not in known.decisions:
                yield DecisionRecord(key, session, decision.text, decision.source, decision.day)

    for record in found():
        known.take(record)
        yield record


def _buried(session: str, tombstone: Tombstone, keys: dict[int, str], known: LogContents) -> Iterator[Record]:
    """The records of a dead end that the log lacks, or has in other words of a source that is trusted less.

    `keys` are those of the session's turns, by their numbers; where there are none, as much trust is enough.
    """
    story = tuple(structs.replace(one, key=keys.get(one.turn, one.key)) for one in tombstone.story)
    turns = tuple(dict.fromkeys(one.turn for one in story if one.turn))
    record = structs.replace(tombstone, id=f"T{known.last_id + 1:02d}", session=session, story=story, turns=turns)
    former = known.named(tombstone.name)
    gone = former is not None and former.id in known.withdrawn
    if former is not None and former.id in known.refused and tombstone.by != "said":
        return
    if former is None or (gone and tombstone.asked and former.session != session):
        yield record
        return
    if gone:
        yield WithdrawnRecord(former.id, back=True)
    more = _TRUST.index(tombstone.by) - _TRUST.index(former.by)
    if more >= bool(keys) and (more or record.reason != former.reason):
        kept = {} if story else {"story": former.story, "turns": former.turns}
        yield structs.replace(record, id=former.id, **kept)
