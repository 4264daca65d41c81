"""Looks up what a judge quotes: in the notes, in the projects' folders, in the history (spec 9)."""

import os
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from wrapgen.config import VAULT_FILE
from wrapgen.model import Item, TriageVerdict
from wrapgen.regular_files import whole
from wrapgen.text.display import one_line
from wrapgen.triage.claims import ItemClaim, SourceClaim
from wrapgen.triage.proof import QuotedPlace, QuotedText, missing, unrelated
from wrapgen.vault.git import Git, commit_named
from wrapgen.vault.state import STATE_FOLDER
from wrapgen.whereabouts import is_within
from wrapgen.workflows.vault_session import VaultSession

_LARGEST = 5_000_000  # bytes of a file that is quoted, as for notes


class Proofs:
    """The places that quotes name."""

    def __init__(self, session: VaultSession) -> None:
        self._session = session
        self._root = os.path.realpath(session.app.root)
        self._days: dict[str, dict[int, date | None]] = {}  # of the commits of lines, by path

    def why_not(self, claim: ItemClaim, group: Sequence[Item]) -> str | None:
        """Why a quote does not prove a verdict on an item; None when it does."""
        words = self._quoted(claim)
        if isinstance(words, str):
            return words
        if claim.verdict is not TriageVerdict.DONE:
            return None
        if claim.at.strip() in {item.place for item in group}:
            return "an item is no proof of itself"
        if unrelated(claim.quote, _said(group)):
            return "its quote shares no word with the item"
        return self._too_old(words, group)

    def why_not_source(self, claim: SourceClaim, inside: Sequence[Item]) -> str | None:
        words = self._quoted(claim)
        if isinstance(words, str):
            return words
        name = claim.path.replace("/", " ").replace("-", " ").replace("_", " ").removesuffix(".md")
        not_work = claim.verdict == "not_work"
        if unrelated(claim.quote, [claim.section, name, *([] if not_work else _said(inside))]):
            return "its quote shares no word with the heading or the path"
        return None if not_work else self._too_old(words, inside)

    def _quoted(self, claim: ItemClaim | SourceClaim) -> QuotedText | str:
        words = self._words(claim.at)
        return words if isinstance(words, str) else missing(claim.quote, words) or words

    def _too_old(self, words: QuotedText, items: Sequence[Item]) -> str | None:
        newest = max((day for item in items if (day := self._day(item))), default=None)
        if newest is None or words.latest is None or words.latest >= newest:
            return None
        return f"its quote is of {words.latest}, older than the item of {newest}"

    def _day(self, item: Item) -> date | None:
        """The day of an item: written down, else its line's commit; a file's change says nothing of a line."""
        return item.raised or self._commit_days(item.path).get(item.line)

    def _commit_days(self, path: str) -> dict[int, date | None]:
        if path not in self._days:
            self._days[path] = dict(self._session.glance.tick_days([path]).get(path, {}))
        return self._days[path]

    def _words(self, at: str) -> QuotedText | str:
        """What stands at a place, or why nothing that proves anything does."""
        place = QuotedPlace.of(at)
        if place is None:
            return f"`at` is `path:line` or `commit:hash`, not {one_line(at)!r}" if at else "it names no place (`at`)"
        if place.commit:
            return self._commit(place.commit)
        file = self._file(place.path)
        if file is None:
            return f"{place.path} is no file of this vault or of a project's `paths`"
        try:
            data = whole(file, _LARGEST)
        except OSError as error:
            return f"{place.path} cannot be read ({error.strerror or error})"
        lines = data.decode("utf-8-sig", "replace").splitlines()
        return QuotedText(lines, place.line, self._written(place, file))

    def _commit(self, name: str) -> QuotedText | str:
        folders = [self._root, *self._project_folders]
        found = next((one for folder in folders if (one := commit_named(Git(Path(folder)), name))), None)
        return QuotedText([found.subject], 1, found.day) if found else f"there is no commit {name}"

    @property
    def _project_folders(self) -> list[str]:
        projects = self._session.app.config.projects.values()
        return [os.path.realpath(Path(path).expanduser()) for one in projects for path in one.paths]

    def _file(self, path: str) -> Path | None:
        """A file of the vault or of a project's folders; what the program itself writes proves nothing."""
        own = [self._session.app.config.output, STATE_FOLDER.partition("/")[0], VAULT_FILE, ".git"]
        hidden = [str(Path(self._root, one)) for one in own]
        for folder in (self._root, *self._project_folders):
            real = Path(os.path.realpath(Path(folder, path)))
            if any(is_within(str(real), one) for one in hidden):
                return None
            if is_within(str(real), folder) and real.is_file():
                return real
        return None

    def _written(self, place: QuotedPlace, file: Path) -> date | None:
        source = next((one for one in self._session.contents.sources if one.path == place.path), None)
        entry = next((one for one in source.document.entries if one.line == place.line), None) if source else None
        if entry and entry.finished:
            return entry.finished
        if source and source.day:
            return source.day
        if day := self._commit_days(place.path).get(place.line) if source else None:
            return day
        return datetime.fromtimestamp(file.stat().st_mtime).astimezone().date()


def _said(items: Sequence[Item]) -> list[str]:
    return [text for item in items for text in (item.text, *item.context)]
