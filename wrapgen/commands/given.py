"""Documents that the command line names: answers, proposals, pairs."""

from __future__ import annotations

import errno
import sys

# A thousand answers are a tenth of a megabyte; what never ends, such as /dev/zero, is not read for ever.
_LONGEST = 64_000_000


def document_of(source: str) -> bytes:
    """Read a file or standard input whole.

    Args:
        source: a file (a pipe too, so that a shell can make one up), or - for stdin.

    Raises:
        OSError: it cannot be read, or is longer than any document of this kind (`EFBIG`).
    """
    if source == "-":
        data = sys.stdin.buffer.read(_LONGEST + 1)
    else:
        with open(source, "rb") as file:  # noqa: PTH123 - as the shell names it
            data = file.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise OSError(errno.EFBIG, f"is larger than {_LONGEST} bytes")
    return data
