"""Folding a conversation into the tracks of its project: read, drawn from, appended to the log, both files written."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wrapgen.commands.track_publishing import tracks_of
from wrapgen.commands.track_steps import read_steps
from wrapgen.errors import NoVaultError, WrapgenError
from wrapgen.redact import redact
from wrapgen.tracks.by_hand import MOVED_FILE
from wrapgen.tracks.entries import SnapshotRecord
from wrapgen.tracks.folding_in import Session, news
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.place import HOT_FILE
from wrapgen.tracks.record import Decision, Drawn, Progress
from wrapgen.vault.git import branch_of

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.tracks.hot import Hot
    from wrapgen.tracks.labels import Labels
    from wrapgen.tracks.record import Interface, Step
    from wrapgen.tracks.state import Task

# The signatures of so many files are more than the hot track has room for.
_MOST_FILES = 150
_ENOUGH_DECISIONS = 10  # of the journals


@dataclass(frozen=True, slots=True)
class Folded:
    """What a snapshot came to.

    Attributes:
        hot: the hot track.
        version: its version.
        turns, new_turns: how many turns the log holds, and how many of them are new.
        tombstones: how many tombstones stand.
        new_tombstones: how many of them are new.
        interfaces: of how many files signatures were drawn; the hot track shows those it has room for.
        goals, blockers, decisions: how many the hot track was made from.
        moved: where what people added and did not fit stands, None when everything fitted.
        aside: where a COLD_TRACK.md that wrapgen did not write is kept.
        redacted: how many secrets were taken out.
    """

    hot_file: Path
    cold_file: Path
    hot: Hot
    version: int
    turns: int
    new_turns: int
    tombstones: int
    new_tombstones: int
    interfaces: int
    goals: int
    blockers: int
    decisions: int
    moved: Path | None
    aside: Path | None
    redacted: int


def fold(app: App, transcript: Path, project: Path, session: str | None = None) -> Folded:
    """Fold a transcript into the tracks of a project.

    Args:
        app: the global options; a vault is not needed, its configuration counts where there is one.
        transcript: the conversation.
        project: the project's folder.
        session: the host's id of it; by default what the transcript says.

    Raises:
        WrapgenError: the transcript cannot be read, the lock is held, or something cannot be written. What was
            appended to the log before that stays there, and comes again into the next snapshot.
    """
    from wrapgen.tracks.decisions import decisions, merged
    from wrapgen.tracks.tombstones import tombstones

    if not project.is_dir():
        raise WrapgenError("there is no such folder", where=str(project), next_step="Name a project with --dir.")
    read = read_steps(transcript)
    told = merged(_in_journals(app, project), decisions(read.steps))
    name = redact(session or read.header.session_id or transcript.stem)[0]
    new = Session(name, read.steps, tombstones(read.steps), told)
    interfaces = _interfaces(read.steps, project)
    with tracks_of(app, project) as tracks:
        known = tracks.known
        turns, buried = len(known.turns), len(known.tombstones)
        tracks.log.append(news(new, known))
        drawn = _drawn(read.steps, interfaces, project, tracks.words)
        hot, aside = tracks.publish(
            drawn,
            SnapshotRecord(
                at=app.now.isoformat(timespec="seconds"),
                session=name,
                transcript=str(transcript),
                branch=branch_of(project),
            ),
        )
    return Folded(
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


def _drawn(steps: tuple[Step, ...], interfaces: tuple[Interface, ...], project: Path, words: Labels) -> Drawn:
    from wrapgen.tracks.state import state_of

    state = state_of(steps)
    return Drawn(
        state.goal,
        tuple(one.text for one in state.blockers),
        tuple(_progress(one, project, words) for one in state.progress),
        interfaces,
    )


def _progress(task: Task, project: Path, words: Labels) -> Progress:
    """A line of a checklist with its state; a file has none."""
    if task.done is None:
        return Progress(_relative(task.text, project))
    return Progress(task.text, words.done if task.done else words.open)


def _interfaces(steps: tuple[Step, ...], project: Path) -> tuple[Interface, ...]:
    from wrapgen.tracks.skeleton import interfaces

    return tuple(_shown(one, project) for one in interfaces(_with_newest_files(steps)))


def _in_journals(app: App, project: Path) -> list[Decision]:
    """What the vault's journals say was decided; a vault that cannot be read costs the conversation nothing."""
    try:
        from wrapgen.commands.briefing import decided

        return [Decision(one.text, one.day, one.place) for one in decided(app, project, _ENOUGH_DECISIONS)]
    except NoVaultError:
        return []
    except (WrapgenError, OSError) as error:
        app.note(f"the journals' decisions are left out: {error}")
        return []


def _with_newest_files(steps: tuple[Step, ...]) -> list[Step]:
    """The steps with the texts of the files that may have room; signatures of the others would be read in vain."""
    seen: set[str] = set()
    found: list[Step] = []
    for step in reversed(steps):
        seen.update([state.path for state in reversed(step.files)][: _MOST_FILES - len(seen)])
        files = tuple(state if state.path in seen else replace(state, text="") for state in step.files)
        found.append(step if files == step.files else replace(step, files=files))
    return found[::-1]


def _shown(one: Interface, project: Path) -> Interface:
    """Without the project's own path in the name, and without secrets."""
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
