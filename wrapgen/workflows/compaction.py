"""Saves a conversation to its project's tracks; failures of automatic snapshots are kept for `wrap doctor`."""

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from wrapgen.errors import NoVaultError, WrapgenError
from wrapgen.model import Decision
from wrapgen.redact import redact
from wrapgen.text.display import one_line
from wrapgen.tracks.hot import COLD_FILE, Hot
from wrapgen.tracks.log import HOT_FILE
from wrapgen.tracks.log_merge import MergedSession, news
from wrapgen.tracks.record import Drawn, Interface, SnapshotRecord
from wrapgen.tracks.signals import tombstones
from wrapgen.tracks.user_lines import MOVED_FILE
from wrapgen.vault import state
from wrapgen.vault.git import branch_of
from wrapgen.workflows.app import App
from wrapgen.workflows.track_files import tracks_of
from wrapgen.workflows.transcript_steps import Session, read_steps

# The hot track never has room for signatures of more files.
_MOST_FILES = 150
_MOST_WRITTEN = 20
_ENOUGH_DECISIONS = 10  # of the journals


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result of a snapshot."""

    hot_file: Path
    cold_file: Path
    hot: Hot
    version: int
    turns: int  # that the log holds
    new_turns: int
    tombstones: int  # that are current
    new_tombstones: int
    interfaces: int  # files of which signatures were extracted; the hot track shows those it has room for
    goals: int
    blockers: int
    decisions: int
    moved: Path | None  # where added text that did not fit was moved
    aside: Path | None  # where a COLD_TRACK.md that wrapgen did not write is kept
    redacted: int  # how many secrets were removed


def fold(app: App, transcript: Path, project: Path, session: str | None = None) -> Compacted:
    """Save a transcript to a project's tracks.

    Args:
        app: the global options; no vault is needed, but if there is one, its configuration applies.
        session: the host's id of it; by default what the transcript says.
    """
    from wrapgen.tracks.drawn import decisions, drawn_from, merged

    if not project.is_dir():
        raise WrapgenError("there is no such folder", where=str(project), next_step="Name a project with --dir.")
    read = read_steps(transcript, session)
    told = merged(_in_journals(app, project), decisions(read.turns))
    new = MergedSession(read.name, read.turns, tombstones(read.turns), told)
    interfaces = _interfaces(read, project)
    with tracks_of(app, project) as tracks:
        known = tracks.known
        turns, buried = len(known.turns), len(known.tombstones)
        tracks.log.append(news(new, known))
        drawn = drawn_from(read.turns, read.files, tracks.words, known.states.get(read.name))
        drawn = replace(drawn, written=_written(drawn, project), interfaces=interfaces)
        at, branch = app.now.isoformat(timespec="seconds"), branch_of(project)
        taken = SnapshotRecord(at=at, session=read.name, transcript=str(transcript), branch=branch)
        hot, aside = tracks.publish(drawn, taken)
    return Compacted(
        hot_file=tracks.folder / HOT_FILE,
        cold_file=tracks.folder / COLD_FILE,
        hot=hot,
        version=known.version,
        turns=len(known.turns),
        new_turns=len(known.turns) - turns,
        tombstones=len(known.standing),
        new_tombstones=len(known.tombstones) - buried,
        interfaces=sum(one.readable and bool(one.lines) for one in interfaces),
        goals=int(bool(drawn.goal)),
        blockers=len(drawn.blockers),
        decisions=len(known.decisions),
        moved=tracks.folder / MOVED_FILE if hot.moved else None,
        aside=aside,
        redacted=read.redacted,
    )


def _written(drawn: Drawn, project: Path) -> tuple[str, ...]:
    """The files written, where nothing says how far the work is."""
    return () if drawn.progress else tuple(_relative(path, project) for path in drawn.written[-_MOST_WRITTEN:])


def _interfaces(read: Session, project: Path) -> tuple[Interface, ...]:
    from wrapgen.tracks.skeleton.final import interfaces

    # Parsing the others would be wasted: they have no room.
    older = [replace(state, text="") for state in read.files[:-_MOST_FILES]]
    return tuple(_shown(one, project) for one in interfaces(read.turns, [*older, *read.files[-_MOST_FILES:]]))


def _in_journals(app: App, project: Path) -> list[Decision]:
    """The decisions in the vault's journals; an unreadable vault does not stop the snapshot."""
    try:
        from wrapgen.workflows.session_brief import decided

        return decided(app, project, _ENOUGH_DECISIONS)
    except NoVaultError:
        return []
    except (WrapgenError, OSError) as error:
        app.note(f"decisions from the journals are left out: {error}")
        return []


def _shown(one: Interface, project: Path) -> Interface:
    return replace(
        one,
        name=_relative(one.name, project),
        lines=tuple(redact("\n".join(one.lines))[0].splitlines()),
        bare=tuple(redact("\n".join(one.bare))[0].splitlines()),
    )


def _relative(path: str, project: Path) -> str:
    for base in (project, os.path.realpath(project)):
        path = path.removeprefix(f"{base}{os.sep}")
    return path


STATE_FILE = "tracks.jsonl"
_MOST = 200


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot that failed, or the first one of its project that succeeded again."""

    at: datetime
    project: str
    transcript: str
    error: str | None = None  # what went wrong, None when nothing did


def fold_noted(app: App, transcript: Path, project: Path, session: str | None = None) -> None:
    """Save a transcript to its tracks for a hook, and remember a failure or that it is resolved."""
    error: str | None = None
    try:
        fold(app, transcript, project, session)
    except Exception as problem:
        known = isinstance(problem, WrapgenError | OSError)
        error = one_line(str(problem) if known else f"unexpected {type(problem).__name__}: {problem}")
        raise
    finally:
        attempt = Attempt(at=app.now, project=str(project), transcript=str(transcript), error=error)
        with suppress(WrapgenError, OSError):
            _remember(app.root, attempt)


def failures(root: Path) -> list[Attempt]:
    """The projects whose last snapshot failed."""
    latest = {one.project: one for one in state.load(root, STATE_FILE, Attempt).records}
    return [one for one in latest.values() if one.error is not None]


def _remember(root: Path, attempt: Attempt) -> None:
    """Record a failure or its end; without a lock, because a compaction must not wait for one."""
    if attempt.error is None and all(one.project != attempt.project for one in failures(root)):
        return
    state.add_record(root, STATE_FILE, attempt, durable=False)
    records = state.load(root, STATE_FILE, Attempt).records
    if len(records) > _MOST:
        state.save(root, STATE_FILE, records[len(records) // 2 :])
