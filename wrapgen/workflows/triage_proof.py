"""Looks up what a judge quotes: in the notes, in the projects' folders, in the history.

A judge is believed only as far as its quotes prove it (spec 9): what it quotes must stand at the named line or in the
subject of the named commit, be no older than what it is to finish, and share a word of content with it.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from wrapgen.config import VAULT_FILE
from wrapgen.late_pattern import late
from wrapgen.model import Item, TriageVerdict
from wrapgen.regular_files import whole
from wrapgen.text.display import one_line
from wrapgen.text.words import content_words, quote_form, too_short
from wrapgen.triage.claims import ItemClaim, SourceClaim
from wrapgen.vault.git import Git, commit_named
from wrapgen.vault.state import STATE_FOLDER
from wrapgen.whereabouts import is_within
from wrapgen.workflows.vault_session import VaultSession

_LARGEST = 5_000_000  # bytes of a file that is quoted, as for notes


_COMMIT = late(r"commit:([0-9a-f]{4,40})")
_PLACE = late(r"(.+):([1-9][0-9]{0,8})", re.DOTALL)
_LINES_OF_ONE_QUOTE = 8


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
class QuotedText:
    """The text of a place, with its age."""

    lines: Sequence[str]  # all lines of the file, or the subject of the commit
    line: int = 1  # the 1-based line that was named
    latest: date | None = None  # the latest day on which it can have been written


def missing(quote: str, words: QuotedText) -> str | None:
    """Why a quote does not stand at its place; None when it does.

    It may go on over the lines that follow, as a paragraph does.
    """
    form = quote_form(quote)
    if too_short(form):
        return "its quote is too short" if quote.strip() else "it needs a quote"
    if words.line > len(words.lines):
        return f"the file has {len(words.lines)} lines, not {words.line}"
    if stands_in(form, words.lines, words.line):
        return None
    for number in range(1, len(words.lines) + 1):
        if stands_in(form, words.lines, number):
            return f"its quote stands in line {number}, not in line {words.line}"
    return "its quote does not stand there"


def stands_in(form: str, lines: Sequence[str], number: int) -> bool:
    """Whether folded words begin in a line, and go on in those that follow at most."""
    first = quote_form(lines[number - 1])
    if form in first:
        return True
    if not first:
        return False
    joined = first + "".join(quote_form(line) for line in lines[number : number - 1 + _LINES_OF_ONE_QUOTE])
    at = joined.find(form)
    return 0 <= at < len(first)


def unrelated(quote: str, about: Sequence[str]) -> bool:
    """Whether a quote shares no word of content and no identifier with what it is to prove something of.

    The parts of an identifier are words, and one word in two forms is one: proofs stand in code and in other sentences.
    """
    said = _words(quote)
    return not any(_akin(one, other) for text in about for other in _words(text) for one in said)


_HUMP = late(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CAPITALS = late(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
_SHOUTED = frozenset({"AND", "ARE", "BUT", "FOR", "HAS", "NOR", "NOT", "THE", "WAS", "YOU"})
_STEM = 6  # first letters that two forms of one word share


def _words(text: str) -> frozenset[str]:
    names = _CAPITALS.findall(text)  # PER is a name, "per" is a word without content
    return content_words(text) | content_words(_HUMP.sub(" ", text)) | (frozenset(names) - _SHOUTED)


def _akin(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _STEM and one[:_STEM] == other[:_STEM])


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
