"""How a browser is sent to the page: by a file, since everybody on the machine can read a program's arguments."""

from __future__ import annotations

import html
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={0}">
<title>wrapgen</title>
<a href="{0}">Open the page</a>
"""


@contextmanager
def redirect_file(address: str) -> Iterator[str]:
    """Make a file that only its owner can read, and take it away again.

    Args:
        address: where it leads.

    Yields:
        the file's own address.

    Raises:
        OSError: it cannot be written.
    """
    descriptor, name = tempfile.mkstemp(prefix="wrapgen-", suffix=".html")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(html.escape(address)))
        yield Path(name).as_uri()
    finally:
        Path(name).unlink(missing_ok=True)
