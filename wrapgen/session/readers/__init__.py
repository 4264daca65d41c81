"""Readers of transcripts, chosen by the file's contents."""

import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import msgspec

from wrapgen.errors import WrapgenError
from wrapgen.jsonl import NOT_JSON, Counts, lines
from wrapgen.session.readers import claude, codex, exported, whole
from wrapgen.session.transcript import Event, Header, Kept, Kind, NoSuchTranscriptError, NotATranscriptError, Turn
from wrapgen.vault import disk

_Event = TypeVar("_Event", bound=Event)
_READERS: dict[Kind, Callable[[BinaryIO, Header], Iterator[Turn | Kept]]] = {
    "claude-code": claude.events,
    "codex": codex.events,
    "gemini": whole.gemini,
    "opencode": whole.opencode,
    "specstory": exported.specstory,
    "neutral": exported.neutral,
    "empty": lambda _file, _header: iter(()),
}
_WITH_CALLS: dict[Kind, Callable[[BinaryIO, Header], Iterator[Event]]] = {
    **_READERS,
    "claude-code": claude.with_calls,
    "codex": codex.with_calls,
}
_LOOK = 64 * 1024
_LOOK_LINES = 200
_BUFFER = 64 * 1024  # larger ones read most of a file twice: lines that are wanted are read again
_NEUTRAL = re.compile(rb'"turns"\s*:\s*\[')
_GEMINI = re.compile(rb"\A\s*+\{[ \t\r]*+\n")
_CODEX_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context"})
_CLAUDE_TYPES = frozenset({"summary", "system", "progress", "file-history-snapshot", "attachment"})


class TranscriptReader:
    """The turns of one transcript, to be gone through once; `header` is complete when they are exhausted.

    Reading raises what `open_transcript` does: a file may vanish, and a neutral document turn out to be broken.
    """

    def __init__(self, path: Path, kind: Kind) -> None:
        self.header = Header(path, kind)

    def __iter__(self) -> Iterator[Turn]:
        return (event for event in self.with_kept() if isinstance(event, Turn))

    def with_kept(self) -> Iterator[Turn | Kept]:
        """The turns, with what the host keeps as data beside what is said."""
        return self._read(_READERS)

    def with_calls(self) -> Iterator[Event]:
        """The turns, with the tools that were called; lines of one reply are not joined.

        This decodes the tool lines too, which are nearly all of a transcript.
        """
        return self._read(_WITH_CALLS)

    def _read(self, readers: dict[Kind, Callable[[BinaryIO, Header], Iterator[_Event]]]) -> Iterator[_Event]:
        self.header = Header(self.header.path, self.header.kind)
        try:
            with _opened(self.header.path) as file:
                for event in readers[self.header.kind](file, self.header):
                    if isinstance(event, Turn):
                        self.header.count(event)
                    yield event
        except OSError as error:
            raise _unreadable(self.header.path, error) from error
        except WrapgenError:
            raise
        except Exception as error:  # hosts change what they write: one file must not stop what reads all
            raise NoSuchTranscriptError(
                f"the transcript cannot be read ({type(error).__name__}: {error})",
                where=str(self.header.path),
                next_step="Report it with the line that is odd; all others are read.",
            ) from error


def open_transcript(path: Path) -> TranscriptReader:
    """Choose a file's reader by its beginning; an empty file is a transcript without turns.

    Raises `NoSuchTranscriptError` when it cannot be read, `NotATranscriptError` when it has none of the known forms.
    """
    try:
        with _opened(path) as file:
            kind = _kind(file)
    except OSError as error:
        raise _unreadable(path, error) from error
    if kind is None:
        raise NotATranscriptError(
            "not a transcript that wrapgen can read",
            where=str(path),
            next_step="Known forms: Claude Code's, Codex', Gemini CLI's and OpenCode's own, SpecStory Markdown, and"
            ' {"turns": [...]}.',
        )
    return TranscriptReader(path, kind)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    with disk.opened(path) as descriptor, open(descriptor, "rb", buffering=_BUFFER, closefd=False) as file:
        yield unpacked(file) if is_packed(path) else file


def _unreadable(path: Path, error: OSError) -> NoSuchTranscriptError:
    what = "there is no such transcript" if isinstance(error, FileNotFoundError) else "the transcript cannot be read"
    reason = "" if isinstance(error, FileNotFoundError) else f" ({error.strerror})"
    return NoSuchTranscriptError(
        f"{what}{reason}",
        where=str(path),
        next_step="Claude Code keeps its transcripts in ~/.claude/projects/ for 30 days.",
    )


def _kind(file: BinaryIO) -> Kind | None:
    head = file.read(_LOOK).removeprefix(b"\xef\xbb\xbf")
    if not head.strip():
        return "empty" if len(head) < _LOOK else None
    if not head.lstrip().startswith((b"{", b"[")):
        text = head.decode("utf-8", "replace")
        if any(exported.MARKER.match(line) for line in text.splitlines()):
            return "specstory"
    if b'"projectHash"' in head and _GEMINI.match(head):
        return "gemini"
    file.seek(0)
    cut_off = False
    for number, line in lines(file, Counts()):
        if number > _LOOK_LINES:
            break
        try:
            record = msgspec.json.decode(line)
        except NOT_JSON:
            cut_off = cut_off or line.lstrip().startswith(b'{"')
            continue
        if isinstance(record, dict) and (kind := _kind_of_line(record)):
            return kind
    if head.lstrip().startswith(b"{") and _NEUTRAL.search(head):
        return "neutral"
    # A host's file with only part of its first line written so far.
    begins = b'"parentUuid"' in head or -1 < head.find(b'"type"') < head.rfind(b'"sessionId"')
    return "claude-code" if cut_off and begins else None


def _kind_of_line(record: dict[str, Any]) -> Kind | None:
    kind = record.get("type")
    kind = kind if isinstance(kind, str) else ""
    if isinstance(record.get("turns"), list):
        return "neutral"
    if "$set" in record or "$rewindTo" in record or ("projectHash" in record and "sessionId" in record):
        return "gemini"
    if whole.POINTER in record and "session" in record:
        return "opencode"
    if kind in _CODEX_TYPES and "payload" in record:
        return "codex"
    if kind == "message" and "role" in record and "content" in record:
        return "codex"
    return "claude-code" if _is_claude(kind, record) else None


def _is_claude(kind: str, record: dict[str, Any]) -> bool:
    """Whether a line has Claude Code's own fields; Gemini CLI has a `sessionId` and a `user`, too."""
    if "parentUuid" in record:
        return True
    if kind in ("user", "assistant"):
        return "message" in record
    return bool(kind) and ("sessionId" in record or (kind in _CLAUDE_TYPES and not record.get("payload")))


PACKED = ".zst"
_LARGEST = 256 * 1024 * 1024  # bytes of a conversation once unpacked, which is held as a whole
_CHUNK = 1 << 20


def is_packed(path: Path | str) -> bool:
    """Whether a file is one, by its name."""
    return os.fspath(path).endswith(PACKED)


def can_unpack() -> bool:
    """Whether a library for it is there."""
    return find_spec("zstandard") is not None


def unpacked(file: BinaryIO) -> BinaryIO:
    """The file as it was before; raises `OSError` when it is damaged, too large, or cannot be unpacked here."""
    try:
        import zstandard
    except ImportError as error:
        raise OSError(
            0, "it is packed with zstd: `pip install 'wrapgen[zstd]'`, or unpack it with `zstd -d`"
        ) from error
    data = io.BytesIO()
    try:
        with zstandard.ZstdDecompressor().stream_reader(file) as reader:
            while chunk := reader.read(_CHUNK):
                data.write(chunk)
                if data.tell() > _LARGEST:
                    raise OSError(0, "it is too large once unpacked")
    except zstandard.ZstdError as error:
        raise OSError(0, f"it is damaged ({error})") from error
    data.seek(0)
    return cast("BinaryIO", data)
