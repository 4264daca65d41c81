"""Sessions that a host told of: their transcripts are looked through for follow-ups. Loads nothing large."""

import json
import os
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

from wrapgen.vault.hookfiles import HOOKS_FOLDER, folder_of, forget_old, put_json

_SESSIONS = "sessions"
_WORDS = "words"
_KEPT_SECONDS = 60 * 86_400  # twice as long as hosts keep transcripts
_LARGEST = 64 * 1024  # bytes of a note


class Told(NamedTuple):
    """What a host said of a session.

    Attributes:
        session: its id.
        transcript: its file; "" when the host keeps none.
        cwd: its working folder.
        size: bytes of the transcript when it was handed to a scan.
        given: digest of what the session was given at its start.
    """

    session: str
    transcript: str = ""
    cwd: str = ""
    size: int = -1
    given: str = ""

    @classmethod
    def of(cls, fields: Any) -> Self | None:  # noqa: ANN401 - what JSON gives
        """Read a note; None when it is none."""
        if not isinstance(fields, dict) or not isinstance(fields.get("session"), str):
            return None
        wanted = {name: kind for name, kind in cls.__annotations__.items() if isinstance(fields.get(name), kind)}
        return cls(**{name: fields[name] for name in wanted})


def recall(root: str, session: str) -> Told:
    """What is known of a session; its id alone when nothing is.

    Args:
        root: the vault.
        session: its id.
    """
    known = _read(f"{root}/{HOOKS_FOLDER}/{_SESSIONS}/{_name(session)}")
    return known if known is not None and known.session == session else Told(session)


def tell(root: str, told: Told) -> None:
    """Keep what a host said of a session, in the place of what it said before.

    Args:
        root: the vault.
        told: the session.

    Raises:
        OSError: it cannot be written.
        WrapgenError: the folder cannot be made.
    """
    _put(f"{folder_of(root, _SESSIONS)}/{_name(told.session)}", told._asdict())


def words_file(root: str, session: str) -> str:
    """Where the words of a session are kept whose host keeps none; a transcript in the neutral form.

    Args:
        root: the vault.
        session: its id.

    Raises:
        WrapgenError: the folder cannot be made.
    """
    return f"{folder_of(root, _WORDS)}/{_name(session)}"


def keep_words(root: str, session: str, document: dict[str, Any]) -> None:
    """Keep the words of a session whose host keeps none, in the place of those that were kept before.

    Args:
        root: the vault.
        session: its id.
        document: a transcript in the neutral form.

    Raises:
        OSError: they cannot be written.
        WrapgenError: the folder cannot be made.
    """
    _put(words_file(root, session), document)


def sessions(root: str) -> Iterator[Told]:
    """Every session that a host told of.

    Args:
        root: the vault.
    """
    for file in _files(root):
        told = _read(file)
        if told is not None:
            yield told


def transcripts(root: str) -> Iterator[tuple[str, float]]:
    """Where the words stand of every session that a host told of; some files may be gone.

    Args:
        root: the vault.

    Yields:
        the file, and when it was told of last, in seconds since the epoch: a background run may have begun after the
        file was written, and listed what there was before it was told of.
    """
    for note in _files(root):
        told = _read(note)
        if told is not None and told.transcript:
            yield told.transcript, _changed(note)
    for words in _files(root, _WORDS):
        yield words, _changed(words)


def forget(root: str) -> None:
    """Remove what was told so long ago that no host keeps the transcript.

    Args:
        root: the vault.
    """
    for folder in (_SESSIONS, _WORDS):
        forget_old(f"{root}/{HOOKS_FOLDER}/{folder}", _KEPT_SECONDS)


def _put(file: str, document: dict[str, Any]) -> None:
    """Replace a note. Its time is one at which it could be seen.

    It is written first and put in its place after: a run that began and listed all notes in between would be newer than
    the note and not have seen it, and no later run would look at it.
    """
    put_json(file, document)
    try:
        os.utime(file)
    except OSError:  # a file system that sets no times: the session must be handed over all the same
        return


def _files(root: str, folder: str = _SESSIONS) -> list[str]:
    try:
        with os.scandir(f"{root}/{HOOKS_FOLDER}/{folder}") as found:
            return [entry.path for entry in found if entry.name.endswith(".json")]
    except OSError:
        return []


def _changed(file: str) -> float:
    try:
        return os.stat(file).st_mtime
    except OSError:
        return 0.0


def _read(file: str) -> Told | None:
    try:
        with open(file, "rb") as data:
            return Told.of(json.loads(data.read(_LARGEST)))
    except (OSError, ValueError, RecursionError):
        return None


def _name(session: str) -> str:
    """A file's name for a session, whatever its id holds."""
    from hashlib import sha256

    return f"{sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"
