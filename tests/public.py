"""Public labelled data, which lies beside the checkout where there is any; tests that need it skip without it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support import CHECKOUT

DATA = Path(os.environ.get("WRAPGEN_DATA") or CHECKOUT.parent / "shared" / "data")


def rows(name: str) -> list[dict[str, Any]]:
    """The records of a file of JSON lines; none when it is not there."""
    file = DATA / name
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def needs(records: list[dict[str, Any]]) -> pytest.MarkDecorator:
    """Skips a test that would have nothing to look at."""
    return pytest.mark.skipif(not records, reason="the public data is not beside the checkout (WRAPGEN_DATA)")
