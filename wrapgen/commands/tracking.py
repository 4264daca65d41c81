"""Folding a conversation into the tracks of its project: read, drawn from, appended to the log, both files written."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wrapgen.commands.language import language
from wrapgen.commands.track_steps import read_steps
from wrapgen.config import Config
from wrapgen.errors import NoVaultError, WrapgenError
from wrapgen.redact import redact
from wrapgen.tracks.by_hand import MOVED_FILE, added, version_named
from wrapgen.tracks.cold_file import free_name, publish_cold
from wrapgen.tracks.entries import SnapshotRecord
from wrapgen.tracks.folding_in import Session, news
from wrapgen.tracks.hot import COLD_FILE, Grave, Material, Progress, assemble
from wrapgen.tracks.labels import labels
from wrapgen.tracks.log import Log
from wrapgen.tracks.place import HOT_FILE, LOCK_FILE, LOG_FILE, make_context_folder
from wrapgen.tracks.record import Decision
from wrapgen.vault import disk
from wrapgen.vault.files import publish
from wrapgen.vault.git import branch_of
from wrapgen.vault.lock import Wait, file_lock
from wrapgen.vault.rewrite import rewrite
from wrapgen.vault.state import append_lines

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.commands.track_steps import Session as Read
    from wrapgen.tracks.by_hand import Block
    from wrapgen.tracks.entries import Contents, TombstoneRecord
    from wrapgen.tracks.hot import Hot
    from wrapgen.tracks.labels import Labels
    from wrapgen.tracks.record import Interface, Step, Tombstone
    from wrapgen.tracks.state import Task

# The signatures of so many files are more than the hot track has room for.
_MOST_FILES = 150
_MOST_GRAVES = 300
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
    if not project.is_dir():
        raise WrapgenError("there is no such folder", where=str(project), next_step="Name a project with --dir.")
    config = configuration(app)
    read = read_steps(transcript)
    drawn = _draw(app, read, project)
    name = redact(session or read.header.session_id or transcript.stem)[0]
    folder = make_context_folder(project)
    wait = Wait("the tracks of this project", config.lock_timeout, "lock_timeout")
    with file_lock(folder / LOCK_FILE, wait, root=project, shared=config.lock == "shared"):
        log = Log(folder / LOG_FILE, project)
        known = log.contents()
        turns, buried = len(known.turns), len(known.tombstones)
        log.append(news(Session(name, read.steps, drawn.tombstones, drawn.decisions), known))
        writing = _Writing(app, project, folder, log, known, drawn, name, transcript, labels(language(app)))
        hot = writing.hot()
        aside = publish_cold(folder, log, known, writing.words, app.now)
    return Folded(
        hot_file=folder / HOT_FILE,
        cold_file=folder / COLD_FILE,
        hot=hot,
        version=known.version,
        turns=len(known.turns),
        new_turns=len(known.turns) - turns,
        tombstones=len(known.standing),
        new_tombstones=len(known.tombstones) - buried,
        interfaces=sum(one.readable and bool(one.lines) for one in drawn.interfaces),
        goals=int(bool(drawn.goal)),
        blockers=len(drawn.blockers),
        decisions=len(known.decisions),
        moved=folder / MOVED_FILE if hot.moved else None,
        aside=aside,
        redacted=read.redacted,
    )


def configuration(app: App) -> Config:
    """The vault's configuration; the defaults outside of every vault."""
    try:
        return app.config
    except NoVaultError:
        return Config()


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What is drawn from a session."""

    interfaces: tuple[Interface, ...]
    tombstones: tuple[Tombstone, ...]
    decisions: tuple[Decision, ...]
    goal: str
    blockers: tuple[str, ...]
    progress: tuple[Task, ...]


def _draw(app: App, read: Read, project: Path) -> _Drawn:
    from wrapgen.tracks.decisions import decisions, merged
    from wrapgen.tracks.skeleton import interfaces
    from wrapgen.tracks.state import state_of
    from wrapgen.tracks.tombstones import tombstones

    steps = read.steps
    state = state_of(steps)
    return _Drawn(
        tuple(_shown(one, project) for one in interfaces(_with_newest_files(steps))),
        tombstones(steps),
        merged(_in_journals(app, project), decisions(steps)),
        state.goal,
        tuple(one.text for one in state.blockers),
        state.progress,
    )


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


def _graves(standing: list[TombstoneRecord]) -> tuple[Grave, ...]:
    """A row for each dead end; of those that were walked into several times, for the last time."""
    from wrapgen.tracks.returning import same_thing

    found: list[TombstoneRecord] = []
    for one in reversed(standing[-_MOST_GRAVES:]):
        if not any(same_thing(one.found, later.found) for later in found):
            found.append(one)
    return tuple(Grave(one.id, one.name, one.reason, one.day) for one in reversed(found))


def _relative(path: str, project: Path) -> str:
    for base in (project, os.path.realpath(project)):
        path = path.removeprefix(f"{base}{os.sep}")
    return path


@dataclass(slots=True)
class _Writing:
    """The hot track on its way to the disk."""

    app: App
    project: Path
    folder: Path
    log: Log
    known: Contents
    drawn: _Drawn
    session: str
    transcript: Path
    words: Labels

    def hot(self) -> Hot:
        """Write the file for what it holds now: people's words in it may change until the last moment."""
        path = self.folder / HOT_FILE
        made: Hot | None = None

        def made_from(data: bytes | None) -> bytes:
            nonlocal made
            made = self._made("" if data is None else self._text(path, data))
            return made.text.encode("utf-8", "replace")

        if not path.exists():
            publish(path, made_from(None), root=self.project, private=True)
        else:
            rewrite(path, made_from, root=self.project)
        assert made is not None
        return made

    def _text(self, path: Path, data: bytes) -> str:
        """The file that stands there; one that is no UTF-8 is kept beside it too, or bytes of it would be lost."""
        try:
            return data.decode()
        except UnicodeDecodeError:
            aside = free_name(path)
            publish(aside, data, root=self.project, private=True)
            self.app.note(f"{path} is not UTF-8: the former file is kept as {aside}")
            return data.decode("utf-8", "replace")

    def _made(self, present: str) -> Hot:
        """The next version; the log knows it before the file does, or its lines would be taken for people's."""
        known, drawn = self.known, self.drawn
        moved_file = self.folder / MOVED_FILE
        material = Material(
            version=known.version + 1,
            generated=f"{self.app.now:%Y-%m-%d %H:%M}",
            goal=drawn.goal,
            blockers=drawn.blockers,
            progress=tuple(self._progress(one) for one in drawn.progress),
            interfaces=drawn.interfaces,
            graves=_graves(known.standing),
            decisions=tuple(Decision(one.text, one.day, one.source) for one in known.decisions.values()),
            by_hand=added(present, self._own_lines(present)),
            moved_before=moved_file.exists(),
        )
        hot = assemble(material, self.words)
        snapshot = SnapshotRecord(
            version=material.version,
            at=self.app.now.isoformat(timespec="seconds"),
            session=self.session,
            transcript=str(self.transcript),
            text=hot.own,
            branch=branch_of(self.project),
        )
        self.log.append([snapshot])
        known.take(snapshot)
        if hot.moved:
            self._move(moved_file, hot.moved)
        return hot

    def _progress(self, task: Task) -> Progress:
        """A line of a checklist with its state; a file has none."""
        if task.done is None:
            return Progress(_relative(task.text, self.project))
        return Progress(task.text, self.words.done if task.done else self.words.open)

    def _own_lines(self, present: str) -> list[str]:
        """The lines that wrapgen wrote into the file that stands there."""
        named = version_named(present)
        texts = [self.known.texts[named]] if named in self.known.texts else list(self.known.texts.values())
        return [line for text in texts for line in text.splitlines()]

    def _move(self, path: Path, blocks: tuple[Block, ...]) -> None:
        """Add what people wrote and does not fit to its own file, once."""
        target = disk.inside(path, self.project)
        try:
            present = disk.whole(target).decode("utf-8", "replace")
        except FileNotFoundError:
            present = ""
        except OSError as error:
            raise disk.cannot("cannot be read, so nothing is moved there", path, error) from error
        texts = ["\n".join(block.lines) for block in blocks]
        if new := [text for text in texts if text not in present]:
            append_lines(target, "".join(f"{text}\n\n" for text in new).encode("utf-8", "replace"))
