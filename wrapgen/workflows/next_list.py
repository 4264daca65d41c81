"""What is said to be next: shown with its age, put first by a person, taken back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import msgspec

from wrapgen.dashboard.document import fields
from wrapgen.late_pattern import late
from wrapgen.ledger import Outcome, Run
from wrapgen.model import Fate, Item, SaidNext
from wrapgen.redact import redact
from wrapgen.text.display import count
from wrapgen.triage.said import PersonSays, SaidEntry, SaidList
from wrapgen.vault.git import Git, head_of, is_below_git
from wrapgen.workflows.file_writer import begin
from wrapgen.workflows.item_edit import MergedItems
from wrapgen.workflows.said_edit import remember
from wrapgen.workflows.said_work import QuotedFiles
from wrapgen.workflows.vault_session import VaultSession

NEXT_SCHEMA = "wrapgen.next/1"
OLD_DAYS, OLD_COMMITS = 3, 10
"""From here on a list says that it is old."""
_COMMIT = late(r"[0-9a-f]{7,64}")
_SECONDS = 2.0  # for git, as somebody waits


@dataclass(frozen=True, slots=True)
class NextLine:
    """An item that is said to be next."""

    item: Item
    said: SaidNext
    commits: int | None  # of its folder since it was said; None where nobody knows
    is_changed: bool  # whether its file was changed on a later day

    def age(self, run: Run) -> str:
        """Return who said it, how long ago, in days and commits."""
        by = "you" if self.said.by == "person" else self.said.by
        parts = [f"said by {by} {ago((run.today - self.said.day).days)}"]
        if self.commits is not None:
            parts.append(f"{count(self.commits, 'commit')} since")
        if self.is_changed:
            parts.append("file changed since")
        return ", ".join(parts)

    def as_json(self, handles: Mapping[str, str]) -> dict[str, Any]:
        return {
            "handle": handles[self.item.id],
            **fields(self.item, "id text path line project"),
            "quote": self.said.quote,
            "by": self.said.by,
            "said_on": self.said.day,
            "commits_since": self.commits,
            "changed_since": self.is_changed,
            "you": self.said.is_for_person,
        }


def ago(days: int) -> str:
    """Return how long ago a day was, in words."""
    return "today" if days <= 0 else f"{count(days, 'day')} ago"


class NextList:
    """What leads the page, because somebody said so."""

    def __init__(self, session: VaultSession) -> None:
        self._session = session
        self._commits: dict[str, int | None] = {}

    @cached_property
    def run(self) -> Run:
        return self._session.run

    @cached_property
    def lines(self) -> list[NextLine]:
        """Return the items that are said to be next and are not done or aside, in order."""
        return [self._line(one.item, said) for one, said in self._leading()]

    def _leading(self) -> Iterator[tuple[Outcome, SaidNext]]:
        order = {key: place for place, key in enumerate(self._session.decisions.said)}
        for one in self.run.of(Fate.DUPLICATE):
            if one.because and one.because.item and one.item.id in order:
                kept, place = one.because.item, order[one.item.id]
                order[kept] = min(place, order.get(kept, place))
        said = [
            (order.get(one.item.id, len(order)), one, one.said)
            for one in self.run.outcomes
            if one.said and one.said.leads and one.fate in (Fate.SHOWN, Fate.OVERFLOW) and not one.is_set_aside
        ]
        yield from ((one, words) for _, one, words in sorted(said, key=itemgetter(0)))

    def _line(self, item: Item, said: SaidNext) -> NextLine:
        try:
            changed = datetime.fromtimestamp((self._session.app.root / item.path).stat().st_mtime).astimezone().date()
        except OSError:
            changed = said.day
        return NextLine(item, said, self.commits_since(said.commit), changed > said.day)

    def ages(self) -> dict[str, str]:
        """Return who said what to be next and how long ago, by the items' ids."""
        return {one.item.id: self._line(one.item, one.said).age(self.run) for one in self.run.outcomes if one.said}

    def commits_since(self, commit: str) -> int | None:
        if not _COMMIT.fullmatch(commit):
            return None
        if commit not in self._commits:
            folders = dict.fromkeys(one for each in QuotedFiles(self._session.app).bases.values() for one in each)
            counts = (_count(Path(one), commit) for one in folders if is_below_git(Path(one)))
            self._commits[commit] = next((one for one in counts if one is not None), None)
        return self._commits[commit]

    def old(self) -> list[str]:
        """Return what to say of the lists that are old."""
        return [said for one in self._session.said.lists if (said := self._is_old(one))]

    def _is_old(self, one: SaidList) -> str:
        days = (self._session.app.day - one.day).days
        commits = self.commits_since(one.commit) or 0
        if one.by == "person" or not one.size or (days < OLD_DAYS and commits < OLD_COMMITS):
            return ""
        whose = f" of {one.project}" if one.project else ""
        since = f", {count(commits, 'commit')} since" if commits else ""
        return f"the list{whose} was said {ago(days)}{since}; an agent says it anew: wrap triage --review --next"

    def as_json(self) -> list[dict[str, Any]]:
        handles = self.run.handles()
        return [one.as_json(handles) for one in self.lines]


def _count(folder: Path, commit: str) -> int | None:
    said = Git(folder, timeout=_SECONDS).ask("rev-list", "--count", f"{commit}..HEAD", "--")
    return int(said) if said and said.strip().isdigit() else None


def entry_of(item: Item) -> SaidEntry:
    """Return an item as it is remembered, without secrets."""
    return SaidEntry(item.id, item.path, item.line, redact(item.text)[0])


def commit_of(folder: Path) -> str:
    """Return the commit that a folder stands at; "" outside of git."""
    return (head_of(folder, _SECONDS) or b"").decode("ascii", "replace").strip()


def put_first(session: VaultSession, items: Sequence[Item], *, how: Literal["front", "behind"], folder: Path) -> str:
    """Put items first, or behind what a person put first before; the receipt. The caller holds the lock."""
    app, hidden = session.app, session.decisions.snoozed
    entries = tuple(_entry(session, one) for one in items)
    record = PersonSays(said=app.now, how=how, next=entries, commit=commit_of(folder))
    merged = MergedItems(session.run)
    shown = {one.id: app.day for part in merged.parts(items) for one in part if hidden.get(one.id, app.day) > app.day}
    return remember(session, replace(begin(app, "next"), snoozed=shown), [record]).id


def _entry(session: VaultSession, item: Item) -> SaidEntry:
    """Return an entry for an item; a line that stands in no list keeps the words that it is found by."""
    known = next((one.entry for one in session.said.work if one.key == item.id), None)
    return msgspec.structs.replace(known, line=item.line) if known else entry_of(item)


def clear(session: VaultSession, items: Iterable[Item]) -> str | None:
    """Take back what was said to be next, or of some items alone; the receipt, None where nothing was said."""
    ids = {item.id for item in items}
    known = {one.key for one in session.said.work if one.said.leads}
    found = {key for key in known if ids & set(_means(session, key))}
    if not (found if ids else known):
        return None
    record = PersonSays(said=session.app.now, how="clear", ids=tuple(sorted(found)))
    return remember(session, begin(session.app, "next"), [record]).id


def _means(session: VaultSession, key: str) -> Iterator[str]:
    """Yield the items that an entry means: itself, and what it is merged with."""
    merged = {one.item.id: one.because.item for one in session.run.of(Fate.DUPLICATE) if one.because}
    while key:
        yield key
        key = merged.get(key) or ""
