"""What was said to be next, found again in the notes as they are: an item of a list, or a line of its own."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from pathlib import Path

import msgspec

from wrapgen.config import VAULT_FILE, is_source
from wrapgen.ledger import SaidGone
from wrapgen.model import Item, SaidNext
from wrapgen.notes import Entry, Kind
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.stage import StageResult
from wrapgen.pipeline.tag import tagged
from wrapgen.regular_files import whole
from wrapgen.text.folding import fold
from wrapgen.text.words import quote_form
from wrapgen.triage.note_text import NoteText
from wrapgen.triage.said import DAYS, Said, SaidEntry, SaidWork
from wrapgen.vault.disk import LARGEST_FILE
from wrapgen.vault.index import Glance
from wrapgen.vault.state import STATE_FOLDER
from wrapgen.whereabouts import is_within
from wrapgen.workflows.app import App

_MOST_FILES = 200
"""Files that are looked into for words that are no longer in theirs, the newest first."""

_MOST_SEARCHES = 50
"""Entries whose words are looked for elsewhere: a file that came with somebody's notes may name any number."""


class QuotedFiles:
    """The files of the vault and of its projects' folders that may be quoted; each is read once."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._root = os.path.realpath(app.root)
        self._texts: dict[str, NoteText | str] = {}

    @cached_property
    def bases(self) -> dict[str, list[str]]:
        """Return the folders that may be quoted, by project; the vault's is that of "" ."""
        projects = self._app.config.projects
        each = {name: [os.path.realpath(self._app.root / Path(path).expanduser()) for path in one.paths]
                for name, one in projects.items()}  # fmt: skip
        return {"": [self._root], **each}

    def is_own(self, real: str) -> bool:
        """Tell whether a file is one that the program itself writes; it proves nothing."""
        own = (self._app.config.output, STATE_FOLDER.partition("/")[0], VAULT_FILE, ".git")
        return any(is_within(real, str(Path(self._root, one))) for one in own)

    def is_no_note(self, real: str) -> bool:
        """Tell whether nothing in a file can be next: one of the program's own, or a hidden one that is no source."""
        if self.is_own(real) or is_within(real, str(Path(self._root, self._app.config.stage.dir))):
            return True
        folder = next((one for every in self.bases.values() for one in every if is_within(real, one)), self._root)
        hidden = any(part.startswith(".") for part in Path(os.path.relpath(real, folder)).parts)
        return hidden and not is_source(self.from_vault(real), self._app.config)

    def resolve(self, path: str) -> tuple[str, str, str] | None:
        """Return the real path of a file that may be quoted, the path as it is named in the notes, and its base."""
        if "\0" in path:
            return None
        for base, folders in self.bases.items():
            for folder in folders:
                if real := _file_in(folder, path):
                    return real, Path(os.path.relpath(real, folder)).as_posix(), base
        return None

    def text(self, real: str, path: str) -> NoteText | str:
        """Return a file's text, or why it cannot be read."""
        if real not in self._texts:
            self._texts[real] = self._read(real, path)
        return self._texts[real]

    @staticmethod
    def _read(real: str, path: str) -> NoteText | str:
        try:
            data = whole(real, LARGEST_FILE + 1)
        except OSError as error:
            return f"{path} cannot be read ({error.strerror or error})"
        if len(data) > LARGEST_FILE:
            return f"{path} is larger than {LARGEST_FILE // 1_000_000} MB, so nothing is looked up in it"
        return NoteText(data.decode("utf-8-sig", "replace"), path)

    def of_entry(self, entry: SaidEntry) -> tuple[NoteText | None, str]:
        """Return the text of an entry's file, None where it is gone, and its path from the vault."""
        for folder in self.bases.get(entry.base, ()):
            real = _file_in(folder, entry.path)
            if real and not self.is_no_note(real):
                text = self.text(real, entry.path)
                return (None if isinstance(text, str) else text), self.from_vault(real)
        return None, entry.path

    def from_vault(self, real: str) -> str:
        return Path(os.path.relpath(real, self._root)).as_posix()


def _file_in(folder: str, path: str) -> str | None:
    """Return the real path of a file, None where it is not in a folder."""
    real = os.path.realpath(Path(folder, path))
    return real if is_within(real, folder) and Path(real).is_file() else None


@dataclass(slots=True)
class FoundWork:
    """What was said to be next, by the items that it means now."""

    said: dict[str, SaidNext] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)  # those that no list holds
    gone: list[SaidGone] = field(default_factory=list)


class WorkFinder:
    """Finds entries among the items that were collected, else in the files."""

    def __init__(self, app: App, glance: Glance, found: StageResult, projects: Projects) -> None:
        self._app, self._glance, self._projects = app, glance, projects
        self._searches = 0
        self._items = {item.id: item for item in (*found.kept, *found.backlog)}
        self._finished = {(one.path, one.line) for one in found.evidence}
        self.files = QuotedFiles(app)

    @cached_property
    def _places(self) -> dict[tuple[str, int], Item]:
        return {(item.path, item.line): item for item in self._items.values()}

    def find(self, said: Said) -> FoundWork:
        """Find all that was said; what ended too long ago is named for as long again."""
        found = FoundWork()
        for work in said.work:
            self._take(work, found)
        for work in said.past:
            aged = (self._app.day - work.said.day).days < 2 * DAYS
            if aged and work.key not in self._items and isinstance(self.locate(work.entry), Item):
                found.gone.append(_gone(work, f"said on {work.said.day}, and not again since"))
        return found

    def _take(self, work: SaidWork, found: FoundWork) -> None:
        item = self._items.get(work.key) or self.locate(work.entry, work.said)
        if isinstance(item, Item):
            if item.id not in found.said:
                found.said[item.id] = work.said
                if item.kind is Kind.SAID:
                    found.items.append(item)
        elif item:
            found.gone.append(_gone(work, item))

    def locate(self, entry: SaidEntry, said: SaidNext | None = None) -> Item | str:
        """Return the item that an entry means now; else why there is none, "" where it was finished."""
        form = quote_form(entry.quote)
        text, path = self.files.of_entry(entry)
        if text and (line := text.nearest(form, entry.line)):
            return self.item_at(text, path, line, entry, said)
        self._searches += 1
        searched = self._searches <= _MOST_SEARCHES
        elsewhere = [*self._elsewhere(form, entry, said.day if said else None)] if searched else []
        if len(elsewhere) != 1:
            return "its words are gone from the notes"
        text, line, path = elsewhere[0]
        return self.item_at(text, path, line, entry, said)

    def item_at(self, text: NoteText, path: str, line: int, entry: SaidEntry, said: SaidNext | None) -> Item | str:
        """Return the item of a list that a line belongs to, else one of its own; "" for what is finished."""
        if text.is_finished(line) or (path, line) in self._finished:
            return ""
        for around in text.entries_around(line):
            if item := self._places.get((path, around.line)):
                return item
        own = next((one for one in text.entries_around(line) if one.line == line), None)
        item = tagged(_item(text, path, line, own, entry, said), self._projects)
        if item.project is None and said and not item.candidates:
            return msgspec.structs.replace(item, project=said.project)
        return item

    def _elsewhere(self, form: str, entry: SaidEntry, since: date | None) -> Iterator[tuple[NoteText, int, str]]:
        """Yield where the words stand in another file that was changed or moved since they were said."""
        oldest = datetime.combine(since, datetime.min.time()).timestamp() * 1e9 if since else 0
        changed = [
            (max(one.stamp.mtime_ns, one.stamp.ctime_ns), one)
            for one in (*self._glance.listing.found, *self._glance.listing.others)
            if one.path != entry.path
        ]
        newest = sorted((pair for pair in changed if pair[0] >= oldest), key=lambda pair: (-pair[0], pair[1].path))
        for _, one in newest[:_MOST_FILES]:
            text = self.files.text(os.path.realpath(one.file), one.path)
            if isinstance(text, NoteText) and (line := next(text.places(form), None)):
                yield text, line, one.path


def _gone(work: SaidWork, why: str) -> SaidGone:
    return SaidGone(work.entry.path, work.entry.line, work.entry.text or work.entry.quote, why)


def _item(
    text: NoteText, path: str, line: int, own: Entry | None, entry: SaidEntry, said: SaidNext | None
) -> Item:  # fmt: skip
    words = text.work(line, entry.quote, entry.text)
    day = said.day if said else None
    return Item(
        text.id_of(line), words, Kind.SAID, path, line, fold(words),
        raised=day, last_seen=day, due=own.due if own else None, priority=own.priority if own else None,
        header=text.headings(line) or None, box=own is not None and own.box, mark=own.mark if own else "",
    )  # fmt: skip
