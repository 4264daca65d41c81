"""Sessions reported by hosts: their transcripts are searched for follow-ups. Imports nothing large."""

import os
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

from wrapgen.vault.keyed_files import KeyedFiles

_KEPT_SECONDS = 60 * 86_400  # twice as long as hosts keep transcripts
_SESSIONS = KeyedFiles("sessions", kept_seconds=_KEPT_SECONDS, largest=64 * 1024)
_WORDS = KeyedFiles("words", kept_seconds=_KEPT_SECONDS, largest=None)


class RegisteredSession(NamedTuple):
    """What a host reported about a session."""

    session: str  # its id
    transcript: str = ""  # its file; "" when the host keeps none
    cwd: str = ""  # its working folder
    size: int = -1  # bytes of the transcript when it was handed to a scan
    ended: bool = False  # whether it was reported to have ended
    named: bool = False  # whether the next session was told that it did not say what is next
    given: str = ""  # digests of the lines that the session was given at its starts

    @classmethod
    def of(cls, fields: dict[str, Any] | None) -> Self | None:
        """Read a note; None when it is none."""
        if fields is None or not isinstance(fields.get("session"), str):
            return None
        wanted = {name: kind for name, kind in cls.__annotations__.items() if isinstance(fields.get(name), kind)}
        return cls(**{name: fields[name] for name in wanted})


def recall(root: str, session: str) -> RegisteredSession:
    """What is known about a session; only its id if nothing is."""
    known = RegisteredSession.of(_SESSIONS.get(root, session))
    return known if known is not None and known.session == session else RegisteredSession(session)


def tell(root: str, told: RegisteredSession) -> None:
    """Store what a host reported about a session, replacing earlier reports; raises what `KeyedFiles.put` raises."""
    _SESSIONS.put(root, told.session, told._asdict())


def kept_words(root: str, session: str) -> list[Any]:
    """The turns that are kept for a session's whose host keeps none."""
    turns = (_WORDS.get(root, session) or {}).get("turns")
    return turns if isinstance(turns, list) else []


def keep_words(root: str, session: str, document: dict[str, Any]) -> None:
    """Store the messages, in the neutral form, of a session whose host keeps no transcript; as `tell`."""
    _WORDS.put(root, session, document)


def sessions(root: str) -> Iterator[RegisteredSession]:
    """Every session that a host reported."""
    for file in _SESSIONS.files(root):
        told = _told(file)
        if told is not None:
            yield told


def newest_in(root: str, cwd: str) -> str:
    """The session that a host reported last in a working folder; "" for none."""
    found = [(os.stat(file).st_mtime_ns, told) for file in _SESSIONS.files(root) if (told := _told(file))]
    return max(((at, told.session) for at, told in found if told.cwd == cwd), default=(0, ""))[1]


def _told(file: str) -> RegisteredSession | None:
    return RegisteredSession.of(_SESSIONS.read(file))


def transcripts(root: str) -> Iterator[str]:
    """The transcript of every reported session; some files may be gone."""
    for told in sessions(root):
        if told.transcript:
            yield told.transcript
    yield from _WORDS.files(root)


def forget(root: str) -> None:
    """Remove reports so old that no host keeps the transcript."""
    for store in (_SESSIONS, _WORDS):
        store.forget_old(root)
