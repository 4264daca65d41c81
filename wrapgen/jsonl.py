"""JSON lines that other programs write: files of any size, lines cut off or broken, in memory that does not grow."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

import msgspec

from wrapgen.late_pattern import late

LINE_LIMIT = 8 * 1024 * 1024
"""Bytes. A longer line is skipped and counted; hosts have written lines of 60 MB (anthropics/claude-code
issue 95484), all of them tool results."""

_SKIP_CHUNK = 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_SURROGATE = late("[\ud800-\udfff]")

NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON raises: it is none, or none of the wanted shape, or nested too deeply."""

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Counts:
    """What is counted while a file is read."""

    lines: int = 0  # how many lines the file has
    bad_lines: int = 0  # lines that are not JSON, are cut off, or exceed `LINE_LIMIT`


def lines(file: BinaryIO, header: Counts, wanted: Callable[[bytes], bool] | None = None) -> Iterator[tuple[int, bytes]]:
    """Non-blank lines with their number (from 1) and their line end, without byte order mark; `header` counts them.

    Lines that are not `wanted` are left out; it is asked for every line, so it has to be cheap.
    """
    number = 0
    while line := file.readline(LINE_LIMIT + 1):
        number += 1
        if len(line) > LINE_LIMIT and not line.endswith(b"\n"):
            header.bad_lines += 1
            while (rest := file.readline(_SKIP_CHUNK)) and not rest.endswith(b"\n"):
                pass
        elif wanted is None or wanted(line):
            if number == 1:
                line = line.removeprefix(_BOM)
            if not line.isspace():
                yield number, line
    header.lines = number


def decode(line: bytes, decoder: msgspec.json.Decoder[T], header: Counts) -> T | None:
    """One JSON line as a record; None (and counted) when it is not JSON, None when it is JSON of another shape.

    msgspec is strict about lone surrogates and broken UTF-8, which hosts do write; such lines are read again with a
    slow, lenient decoder before they count as bad.
    """
    try:
        return decoder.decode(line)
    except msgspec.ValidationError:
        return None
    except NOT_JSON:
        pass
    try:
        loose: Any = json.loads(line.decode("utf-8", "replace"))
        # Lone surrogates come in as escapes, and cannot be written anywhere.
        loose = json.loads(_SURROGATE.sub("\ufffd", json.dumps(loose, ensure_ascii=False)))
    except (ValueError, RecursionError):
        header.bad_lines += 1
        return None
    try:
        return msgspec.convert(loose, decoder.type, strict=False)
    except (msgspec.ValidationError, RecursionError):
        return None


def clean(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be encoded; line ends become line feeds."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
