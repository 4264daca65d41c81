"""Saves a conversation to its project's tracks: its turns, the tools called in them, and what they made of files."""

import os
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wrapgen.errors import NoVaultError, WrapgenError
from wrapgen.model import Decision
from wrapgen.redact import redact
from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import Call, CallOutcome, Header, Turn
from wrapgen.text.display import one_line
from wrapgen.tracks.files import Files, changes_files
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.log import HOT_FILE
from wrapgen.tracks.record import FileState, Interface, TurnRecord, news, turn_record
from wrapgen.tracks.signals import tombstones
from wrapgen.tracks.user_lines import MOVED_FILE
from wrapgen.vault.keyed_files import KeyedFiles
from wrapgen.workflows.app import App
from wrapgen.workflows.track_files import tracks_of

# Calls whose outcome never arrives (the session was killed) must not block those after them forever. A host runs far
# fewer at once.
_MOST_WAITING = 64


@dataclass(frozen=True, slots=True)
class Session:
    """A transcript, read to its end."""

    header: Header  # what it says of itself
    name: str  # its id, or the name of its file where it has none
    turns: tuple[TurnRecord, ...]  # oldest first
    files: tuple[FileState, ...]  # those that the calls changed, in their final version, the newest last
    redacted: int  # how many secrets were removed from what was said


@dataclass(slots=True)
class _Open:
    turn: Turn | Call
    role: str
    texts: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Waiting:
    call: Call
    turn: int
    outcome: CallOutcome | None = None


def read_steps(transcript: Path, session: str | None = None) -> Session:
    """Read a transcript with its tool calls; `session` is the host's id of it, by default what it says itself."""
    reader = open_transcript(transcript)
    reading = _Reading()
    for event in reader.with_calls():
        match event:
            case Turn():
                reading.turn(event)
            case Call():
                reading.call(event)
            case CallOutcome():
                reading.outcome(event)
    reading.settle(0)
    name = redact(session or reader.header.session_id or transcript.stem)[0]
    turns, redacted = [], 0
    for number, one in enumerate(reading.turns, 1):
        text, found = redact("\n\n".join(one.texts))
        one.texts.clear()
        redacted += found
        turns.append(_closed(one, name, number, text))
    files = tuple(replace(state, path=redact(state.path)[0]) for state in reading.files.values())
    return Session(reader.header, name, tuple(turns), files, redacted)


def _closed(one: _Open, session: str, number: int, text: str) -> TurnRecord:
    said = one.turn if isinstance(one.turn, Turn) else None
    return turn_record(
        session,
        number,
        "user" if one.role == "user" else "assistant",
        text,
        line=one.turn.line,
        at=said.timestamp if said else None,
        tools=tuple(one.tools),
        files=tuple(dict.fromkeys(redact(path)[0] for path in one.files)),
        uuid=said.uuid if said else None,
    )


class _Reading:
    """Puts turns, calls and outcomes together in the order of the file."""

    def __init__(self) -> None:
        self.turns: list[_Open] = []
        self.files: dict[str, FileState] = {}
        self._known = Files()
        self._waiting: deque[_Waiting] = deque()
        self._by_id: dict[str, _Waiting] = {}

    def turn(self, turn: Turn) -> None:
        last = self.turns[-1] if self.turns else None
        former = last.turn if last and isinstance(last.turn, Turn) else None
        if last and former and turn.message_id and (former.message_id, last.role) == (turn.message_id, turn.role):
            if turn.uuid is None or turn.uuid != former.uuid:
                last.texts.append(turn.text)
        else:
            self.turns.append(_Open(turn, turn.role, [turn.text]))

    def call(self, call: Call) -> None:
        if not self.turns or self.turns[-1].role == "user":
            self.turns.append(_Open(call, "assistant"))
        self.turns[-1].tools.append(call.name)
        if changes_files(call.name, call.arguments):
            waiting = _Waiting(call, len(self.turns), None if call.id else CallOutcome(""))
            self._waiting.append(waiting)
            self._by_id[call.id] = waiting
            self.settle(_MOST_WAITING)

    def outcome(self, outcome: CallOutcome) -> None:
        waiting = self._by_id.pop(outcome.id, None)
        if waiting is not None:
            waiting.outcome = outcome
            self.settle(_MOST_WAITING)

    def settle(self, most: int) -> None:
        """Apply calls in order, up to the first one whose outcome is unknown, unless more than `most` are queued."""
        while self._waiting and (self._waiting[0].outcome is not None or len(self._waiting) > most):
            waiting = self._waiting.popleft()
            outcome = waiting.outcome or CallOutcome("")
            if outcome.failed:
                continue
            call = waiting.call
            for state in self._known.apply(
                call.name, call.arguments, before=outcome.before, seen=outcome.seen, cwd=call.cwd or ""
            ):
                self.turns[waiting.turn - 1].files[state.path] = None
                self.files.pop(state.path, None)
                self.files[state.path] = replace(state, turn=waiting.turn)


# The hot track never has room for signatures of more files.
_MOST_FILES = 150
_MOST_WRITTEN = 20
_ENOUGH_DECISIONS = 10  # of the journals


SNAPSHOT_SCHEMA = "wrapgen.track-snapshot/1"


def fold(app: App, transcript: Path, project: Path, session: str | None = None) -> dict[str, Any]:
    """Save a transcript to a project's tracks; what came of it, as a document.

    Args:
        app: the global options; no vault is needed, but if there is one, its configuration applies.
        session: the host's id of it; by default what the transcript says.
    """
    from wrapgen.tracks.drawn import decisions, drawn_from, merged

    if not project.is_dir():
        raise WrapgenError("there is no such folder", where=str(project), next_step="Name a project with --dir.")
    read = read_steps(transcript, session)
    told = merged(_in_journals(app, project), decisions(read.turns))
    graves = tombstones(read.turns)
    interfaces = _interfaces(read, project)
    with tracks_of(app, project) as tracks:
        known = tracks.known
        turns, buried = len(known.turns), len(known.tombstones)
        tracks.log.append(news(read.name, known, graves, told, read.turns))
        drawn = drawn_from(read.turns, read.files, tracks.words, known.states.get(read.name))
        # The files written are named where nothing says how far the work is.
        named = () if drawn.progress else tuple(_relative(path, project) for path in drawn.written[-_MOST_WRITTEN:])
        drawn = replace(drawn, written=named, interfaces=interfaces)
        hot, aside = tracks.publish(drawn, tracks.snapshot(read.name, transcript))
    return {
        "schema": SNAPSHOT_SCHEMA,
        "hot_track": str(tracks.folder / HOT_FILE),
        "cold_track": str(tracks.folder / COLD_FILE),
        "version": known.version,
        "tokens": hot.tokens,
        "goals": int(bool(drawn.goal)),
        "blockers": len(drawn.blockers),
        # The hot track shows those it has room for.
        "skeletons": sum(one.readable and bool(one.lines) for one in interfaces),
        "tombstones": len(known.standing),
        "new_tombstones": len(known.tombstones) - buried,
        "decisions": len(known.decisions),
        "turns": len(known.turns),
        "new_turns": len(known.turns) - turns,
        "moved_by_hand": str(tracks.folder / MOVED_FILE) if hot.moved else None,
        "former_cold_track": str(aside) if aside else None,
        "redacted": read.redacted,
    }


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


_UNSAVED = KeyedFiles("unsaved")


def fold_noted(app: App, transcript: Path, project: Path, session: str | None = None) -> None:
    """Save a transcript to its tracks for a hook; a failure stands in `wrap doctor` until the project is saved."""
    key = str(project)
    try:
        fold(app, transcript, project, session)
    except Exception as problem:
        known = isinstance(problem, WrapgenError | OSError)
        error = one_line(str(problem) if known else f"unexpected {type(problem).__name__}: {problem}")
        with suppress(WrapgenError, OSError):
            failed = {"at": f"{app.now:%Y-%m-%d %H:%M}", "project": key, "transcript": str(transcript), "error": error}
            _UNSAVED.put(str(app.root), key, failed)
        raise
    with suppress(WrapgenError, OSError):
        _UNSAVED.remove(str(app.root), key)


def failures(root: Path) -> list[dict[str, str]]:
    """The projects whose last snapshot failed: `at`, `project`, `transcript` and `error`."""
    found = filter(None, map(_UNSAVED.read, sorted(_UNSAVED.files(str(root)))))
    return [{name: str(one.get(name, "")) for name in ("at", "project", "transcript", "error")} for one in found]
