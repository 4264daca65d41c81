"""Reading input from a file or standard input."""

import codecs
import json
from contextlib import suppress
from pathlib import Path

from wrapgen.errors import WrapgenError
from wrapgen.streams import given_input

MAX_BYTES = 10_000_000
STDIN = "-"


def read_bytes(source: str, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file or standard input; pipes too, up to the limit. Text is in UTF-8, whatever mark it began with.

    PowerShell writes such marks, and UTF-16.
    """
    try:
        if source == STDIN:
            data = given_input().read(limit + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        reason = getattr(error, "strerror", None) or error
        raise WrapgenError(
            f"cannot be read ({reason})", where=_named(source), next_step="Name a file, or - for stdin."
        ) from error
    if len(data) > limit:
        raise WrapgenError(
            f"is larger than {limit // 1_000_000} MB", where=_named(source), next_step="Pass a smaller file."
        )
    return _without_mark(data)


def _without_mark(data: bytes) -> bytes:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16").encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8)


def read_json(source: str) -> object:
    """The JSON document in a file or on standard input; its numbers may be rounded."""
    data = read_bytes(source)
    try:
        # As floats, because Python refuses to read integers of some thousand digits.
        return json.loads(data.decode(json.detect_encoding(data)), parse_int=float)
    except json.JSONDecodeError as error:
        what, line = f"{error.msg} at column {error.colno}", error.lineno
    except UnicodeDecodeError as error:
        what, line = f"not {error.encoding.upper()}", data.count(b"\n", 0, error.start) + 1
    except RecursionError:
        what, line = "it is nested too deeply", 1
    raise WrapgenError(
        f"is not JSON: {what}", where=f"{_named(source)}:{line}", next_step="Pass one JSON document in UTF-8."
    )


def _named(source: str) -> str:
    return "standard input" if source == STDIN else source
