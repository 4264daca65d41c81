"""A transcript for the tracks: turns with the tools called in them and what they made of files, without secrets."""

from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path

from wrapgen.redact import redact
from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import Call, CallOutcome, Header, Turn
from wrapgen.tracks.files import Files, changes_files
from wrapgen.tracks.record import FileState, TurnRecord, turn_record

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
