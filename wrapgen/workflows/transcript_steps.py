"""A transcript as steps: turns with the tools called in them and what they made of files, without secrets."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wrapgen.redact import redact
from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import Call, CallOutcome, Turn
from wrapgen.tracks.files import Files, changes_files
from wrapgen.tracks.record import FileState, TurnStep

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.session.transcript import Header

# Calls whose outcome never arrives (the session was killed) must not block those after them forever. A host runs far
# fewer at once.
_MOST_WAITING = 64


@dataclass(frozen=True, slots=True)
class Session:
    """A transcript, read to its end."""

    header: Header  # what it says of itself
    steps: tuple[TurnStep, ...]  # oldest first
    redacted: int  # how many secrets were removed from what was said


@dataclass(slots=True)
class _Open:
    """A step to which parts may still be added."""

    role: str
    line: int
    texts: list[str] = field(default_factory=list)
    timestamp: str | None = None
    uuid: str | None = None
    message: str | None = None
    tools: list[str] = field(default_factory=list)
    files: dict[str, FileState] = field(default_factory=dict)


@dataclass(slots=True)
class _Waiting:
    """A call that changes files, until its outcome is known."""

    call: Call
    step: _Open
    outcome: CallOutcome | None = None


def read_steps(transcript: Path) -> Session:
    """Read a transcript with its tool calls.

    Args:
        transcript: in any format that wrapgen can read; only the hosts' own files include tool calls.

    Raises:
        NoSuchTranscriptError: there is no such file, or it cannot be read.
        NotATranscriptError: it has none of the known forms.
    """
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
    steps, redacted = [], 0
    for number, step in enumerate(reading.steps, 1):
        text, found = redact("\n\n".join(step.texts))
        redacted += found
        steps.append(_closed(step, number, text))
        step.texts.clear()
    return Session(reader.header, tuple(steps), redacted)


def _closed(step: _Open, number: int, text: str) -> TurnStep:
    return TurnStep(
        number=number,
        role="user" if step.role == "user" else "assistant",
        text=text,
        line=step.line,
        timestamp=step.timestamp,
        tools=tuple(step.tools),
        files=tuple(replace(state, path=redact(state.path)[0]) for state in step.files.values()),
        typed=step.role == "user",
        uuid=step.uuid,
    )


class _Reading:
    """Puts turns, calls and outcomes together in the order of the file."""

    def __init__(self) -> None:
        self.steps: list[_Open] = []
        self._files = Files()
        self._waiting: deque[_Waiting] = deque()
        self._by_id: dict[str, _Waiting] = {}
        self._last_of: dict[str, _Open] = {}

    def turn(self, turn: Turn) -> None:
        """Something was said: a new step, or more of the reply whose lines share an id."""
        last = self.steps[-1] if self.steps else None
        if last and turn.message_id and (last.message, last.role) == (turn.message_id, turn.role):
            if turn.uuid is None or turn.uuid != last.uuid:
                last.texts.append(turn.text)
        else:
            self.steps.append(
                _Open(turn.role, turn.line, [turn.text], turn.timestamp, turn.uuid, message=turn.message_id)
            )

    def call(self, call: Call) -> None:
        """A tool was called by the assistant."""
        if not self.steps or self.steps[-1].role == "user":
            self.steps.append(_Open("assistant", call.line))
        step = self.steps[-1]
        step.tools.append(call.name)
        if changes_files(call.name, call.arguments):
            waiting = _Waiting(call, step, None if call.id else CallOutcome(""))
            self._waiting.append(waiting)
            self._by_id[call.id] = waiting
            self.settle(_MOST_WAITING)

    def outcome(self, outcome: CallOutcome) -> None:
        """A call has ended; those before it come first."""
        waiting = self._by_id.pop(outcome.id, None)
        if waiting is not None:
            waiting.outcome = outcome
            self.settle(_MOST_WAITING)

    def settle(self, most: int) -> None:
        """Apply calls in order, up to the first one whose outcome is unknown, unless more than `most` are queued."""
        while self._waiting and (self._waiting[0].outcome is not None or len(self._waiting) > most):
            waiting = self._waiting.popleft()
            outcome = waiting.outcome or CallOutcome("")
            if not outcome.failed:
                call = waiting.call
                for state in self._files.apply(
                    call.name, call.arguments, before=outcome.before, seen=outcome.seen, cwd=call.cwd or ""
                ):
                    self._note(waiting.step, state)

    def _note(self, step: _Open, state: FileState) -> None:
        """Keep what a file holds now; of what it held before, only that it was changed."""
        former = self._last_of.get(state.path)
        if former is not None and former is not step:
            former.files[state.path] = replace(former.files[state.path], text="")
        step.files.pop(state.path, None)
        step.files[state.path] = state
        self._last_of[state.path] = step
