"""Looks up what a judge quotes: in the notes, in the projects' folders, in the history.

A judge is believed only as far as its quotes prove it: what it quotes must stand at the named line or in the
subject of the named commit, be no older than what it is to finish, and share a word of content with it.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path

from wrapgen.late_pattern import late
from wrapgen.model import Item, TriageVerdict
from wrapgen.text.display import one_line
from wrapgen.text.words import quote_form, too_short
from wrapgen.triage.claims import ItemClaim, NextClaim, SourceClaim
from wrapgen.triage.note_text import NoteText
from wrapgen.triage.related import unrelated
from wrapgen.vault.git import Git, commit_named
from wrapgen.vault.walk import FoundFile
from wrapgen.workflows.said_work import QuotedFiles
from wrapgen.workflows.vault_session import VaultSession

_COMMIT = late(r"commit:([0-9a-f]{4,40})")
_PLACE = late(r"(.+):([1-9][0-9]{0,8})", re.DOTALL)
_NEAR = 5
"""Lines from the named one within which what is said to be next must stand."""


@dataclass(frozen=True, slots=True)
class QuotedPlace:
    """Where a judge says that its words stand."""

    path: str = ""  # relative to the vault, or absolute in a project's folder
    line: int = 0  # 1-based
    commit: str = ""  # the beginning of a hash, in place of path and line

    @classmethod
    def of(cls, at: str) -> "QuotedPlace | None":
        """`docs/log.md:12` or `commit:1a2b3c4`; None for anything else."""
        if found := _COMMIT.fullmatch(at.strip().lower()):
            return cls(commit=found[1])
        found = _PLACE.fullmatch(at.strip())
        return cls(found[1], int(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """A place that was looked up."""

    text: NoteText
    line: int = 1  # the 1-based line that was named
    path: str = ""  # from the vault; "" for the subject of a commit
    named: str = ""  # from its base
    base: str = ""  # the project in whose folder it is, "" for the vault
    commit: str = ""

    @property
    def at(self) -> str:
        return f"commit:{self.commit}" if self.commit else f"{self.path}:{self.line}"


def missing(quote: str, text: NoteText, line: int) -> str | None:
    """Return why a quote does not begin at a line of a file, from where it may go on; None when it does."""
    found = _nearest(quote, text, line)
    if line > len(text.lines) and not too_short(quote_form(quote)):
        return f"the file has {len(text.lines)} lines, not {line}"
    if isinstance(found, str):
        return found
    return None if found == line else f"its quote stands in line {found}, not in line {line}"


def _nearest(quote: str, text: NoteText, line: int) -> int | str:
    """Return the line nearest to a named one in which a quote begins, or why there is none."""
    form = quote_form(quote)
    if too_short(form):
        return "its quote is too short" if quote.strip() else "it needs a quote"
    return text.nearest(form, line) or "its quote does not stand there"


class Proofs:
    """The places that quotes name."""

    def __init__(self, session: VaultSession) -> None:
        self._session = session
        self.files = QuotedFiles(session.app)
        self._root = os.path.realpath(session.app.root)
        self._days: dict[str, dict[int, date | None]] = {}  # of the commits of lines, by path
        self._commits: dict[str, tuple[str, date] | None] = {}

    def of_verdict(self, claim: ItemClaim, group: Sequence[Item]) -> QuotedLine | str:
        """Look a verdict's quote up: the place, or why it does not prove the verdict on an item."""
        found = self._quoted(claim)
        if isinstance(found, str) or claim.verdict is not TriageVerdict.DONE:
            return found
        if self._is_part_of(found, group):
            return "an item is no proof of itself"
        if unrelated(claim.quote, _said(group)):
            return "its quote shares no word with the item"
        return self._too_old(found, group) or found

    def of_source(self, claim: SourceClaim, inside: Sequence[Item]) -> QuotedLine | str:
        found = self._quoted(claim)
        if isinstance(found, str):
            return found
        name = claim.path.replace("/", " ").replace("-", " ").replace("_", " ").removesuffix(".md")
        not_work = claim.verdict == "not_work"
        if unrelated(claim.quote, [claim.section, name, *([] if not_work else _said(inside))]):
            return "its quote shares no word with the heading or the path"
        return found if not_work else self._too_old(found, inside) or found

    def of_next(self, claim: NextClaim) -> QuotedLine | str:
        """Look up what is said to be next: its place, at most some lines from the named one."""
        found = self._place(claim.at)
        if isinstance(found, str):
            return found
        if not found.commit and self.files.is_no_note(os.path.realpath(Path(self._root, found.path))):
            return f"{found.path} is none of the notes; a hidden file counts where `sources` names it"
        if found.commit:
            return "what is next stands in the notes, not in a commit"
        line = _nearest(claim.quote, found.text, found.line)
        if isinstance(line, str):
            return line
        if abs(line - found.line) > _NEAR:
            return f"its quote stands in line {line}, not near line {found.line}"
        return replace(found, line=line)

    def _quoted(self, claim: ItemClaim | SourceClaim) -> QuotedLine | str:
        found = self._place(claim.at)
        return found if isinstance(found, str) else missing(claim.quote, found.text, found.line) or found

    def _is_part_of(self, found: QuotedLine, group: Sequence[Item]) -> bool:
        """Tell whether a place is the line of an item, or what stands below it."""
        mine = {item.line for item in group if item.path == found.path}
        if not mine or found.line > len(found.text.lines):
            return False
        return found.line in mine or any(one.line in mine for one in found.text.entries_around(found.line))

    def _too_old(self, found: QuotedLine, items: Sequence[Item]) -> str | None:
        latest = self._written(found)
        newest = max((day for item in items if (day := self._day(item))), default=None)
        if newest is None or latest is None or latest >= newest:
            return None
        return f"its quote is of {latest}, older than the item of {newest}"

    def _day(self, item: Item) -> date | None:
        """Return the day of an item: written down, else its line's commit; a file's change says nothing of a line."""
        return item.raised or self._commit_days(item.path).get(item.line)

    def _commit_days(self, path: str) -> dict[int, date | None]:
        if path not in self._days:
            self._days[path] = dict(self._session.glance.tick_days([path]).get(path, {}))
        return self._days[path]

    def _place(self, at: str) -> QuotedLine | str:
        """Return what stands at a place, or why nothing that proves anything does."""
        place = QuotedPlace.of(at)
        if place is None:
            return f"`at` is `path:line` or `commit:hash`, not {one_line(at)!r}" if at else "it names no place (`at`)"
        if name := place.commit:
            found = self._commit(name)
            return QuotedLine(NoteText(found[0]), commit=name) if found else f"there is no commit {name}"
        resolved = self.files.resolve(place.path)
        if resolved is None or self.files.is_own(resolved[0]):
            return f"{place.path} is no file of this vault or of a project's `paths`"
        real, named, base = resolved
        text = self.files.text(real, named)
        return text if isinstance(text, str) else QuotedLine(text, place.line, self.files.from_vault(real), named, base)

    def _commit(self, name: str) -> tuple[str, date] | None:
        if name not in self._commits:
            folders = dict.fromkeys(one for each in self.files.bases.values() for one in each)
            found = next((one for folder in folders if (one := commit_named(Git(Path(folder)), name))), None)
            self._commits[name] = (found.subject, found.day) if found else None
        return self._commits[name]

    @cached_property
    def _sources(self) -> dict[str, FoundFile]:
        return {one.path: one for one in self._session.glance.listing.found}

    def _written(self, found: QuotedLine) -> date | None:
        """Return the latest day on which the words of a place can have been written."""
        if found.commit:
            commit = self._commit(found.commit)
            return commit[1] if commit else None
        source = self._sources.get(found.path)
        entry = next((one for one in found.text.document.entries if one.line == found.line), None) if source else None
        if entry and entry.finished:
            return entry.finished
        if source and source.place.day:
            return source.place.day
        if day := self._commit_days(found.path).get(found.line) if source else None:
            return day
        return datetime.fromtimestamp(Path(self._root, found.path).stat().st_mtime).astimezone().date()


def _said(items: Sequence[Item]) -> list[str]:
    return [text for item in items for text in (item.text, *item.context)]
