"""Somebody with a vault and the real client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import Person
from tests.e2e.messages_api import MessagesApi


@pytest.fixture
def person(bin_folder: Path, tmp_path: Path) -> Iterator[Person]:
    """A newcomer with a vault in another folder than the code."""
    with MessagesApi() as api:
        newcomer = Person(tmp_path / "newcomer", bin_folder / "wrap", api)
        newcomer.wrap("init", newcomer.vault, "--default", cwd=newcomer.home)
        with (newcomer.vault / "wrapgen.toml").open("a", encoding="utf-8") as settings:
            settings.write(f"\n[projects.uploader]\npaths = [{json.dumps(str(newcomer.code))}]\n")
        yield newcomer
