"""A look at the last conversations of a folder that is no vault: what was put off and is in no Markdown file below it.

Nothing is set up, remembered or written.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.config import Config
from wrapgen.errors import WrapgenError
from wrapgen.pipeline.matching import DEFAULT_THRESHOLD, Side, alike, refusal
from wrapgen.session.conversation import Dismissed
from wrapgen.session.discover import host_sessions, named_folders
from wrapgen.text.words import content_words
from wrapgen.vault.disk import LARGEST_FILE, read
from wrapgen.vault.walk import list_sources
from wrapgen.workflows.app import App
from wrapgen.workflows.orphan_search import ALREADY_DURABLE, Search
from wrapgen.workflows.vault_session import VaultSession

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.session.folders import Folders
    from wrapgen.session.follow_up import FollowUp

_NAMES_WORK = 3
"""Words of content that a follow-up needs to be looked for among other words."""
_MARKS = re.compile(r"^(?:[\s>#|*+-]|\d{1,3}[.)](?=\s)|\[.\](?=\s))+")


class _Folder(App):
    """A folder that is no vault, as a vault in which nothing is configured."""

    @cached_property
    def root(self) -> Path:
        return Path.cwd()

    @cached_property
    def config(self) -> Config:
        return Config()


def first_look(app: App, transcripts: Sequence[Path], last: int) -> Search:
    """Search the conversations named, else the last ones of the current folder."""
    here = _Folder(today=app.today, quiet=True)
    search = Search(VaultSession.look(here)).read(transcripts or last_conversations(here.folders, last))
    lines = _Lines(here.root)
    for found in (search.orphans, search.unsure):
        for one in list(found):
            if place := lines.holder(one):
                found.remove(one)
                search.dismissed.append(Dismissed(one, ALREADY_DURABLE, place))
    return search


def last_conversations(folders: Folders, most: int) -> list[Path]:
    """Return the newest conversations that hosts kept of a folder, oldest first."""
    newest = list(host_sessions(0, Path.home(), os.environ))[::-1]
    return list(islice((path for path in newest if _is_of(path, folders)), most))[::-1]


def _is_of(path: Path, folders: Folders) -> bool:
    try:
        return any(folders.project_of(one)[0] for one in named_folders(path))
    except WrapgenError:
        return False


class _Lines:
    """The lines of all Markdown files below a folder, but those that git leaves out."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @cached_property
    def _read(self) -> list[tuple[str, Side]]:
        found: list[tuple[str, Side]] = []
        listing = list_sources(self._root, Config())
        for one in (*listing.found, *listing.others):
            try:
                text = read(one.file, LARGEST_FILE).text
            except OSError:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if words := _MARKS.sub("", line).strip():
                    found.append((f"{one.path}:{number}", Side(words)))
        return found

    def holder(self, orphan: FollowUp) -> str | None:
        """Return where a line says what a follow-up says, in other words for it or among more words."""
        mine = Side(orphan.text)
        names_work = len(content_words(orphan.text)) >= _NAMES_WORK
        text = mine.folded.text
        near = alike(text, [side.folded.text for _, side in self._read], DEFAULT_THRESHOLD)
        for at, (place, side) in enumerate(self._read):
            if (names_work and text in side.folded.text) or (at in near and refusal(mine, side) is None):
                return place
        return None
