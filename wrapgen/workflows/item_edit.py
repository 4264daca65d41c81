"""An edit of single items: what `add`, `done`, `edit`, `move`, `snooze` and `keep` share."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from wrapgen.dashboard.document import fields
from wrapgen.errors import UsageError
from wrapgen.ledger import Run
from wrapgen.model import Fate, Item
from wrapgen.notes import Kind
from wrapgen.redact import redact
from wrapgen.regular_files import whole
from wrapgen.session.follow_up import Route, Suggestion, nearest
from wrapgen.session.memory import Line, Receipt, Step, routed
from wrapgen.text.display import count
from wrapgen.text.folding import fold
from wrapgen.vault.disk import refused
from wrapgen.workflows.app import App
from wrapgen.workflows.file_writer import Written, begin
from wrapgen.workflows.listed import carry_numbers
from wrapgen.workflows.rebuild import rebuilt_after
from wrapgen.workflows.vault_session import VaultSession, open_vault

EDIT_SCHEMA = "wrapgen.edit/1"


def named(item: Item, handle: str) -> dict[str, Any]:
    """Return an item that a command was about, as JSON."""
    return {"id": item.id, "handle": handle, **fields(item, "text project path line")}


def edit_document(
    command: str,
    receipt: str | None,
    items: Sequence[Mapping[str, Any]],
    lines: Sequence[Mapping[str, Any]],
    failed: Sequence[str],
) -> dict[str, Any]:
    """Return the JSON document of the commands about single items."""
    return {
        "schema": EDIT_SCHEMA, "command": command, "receipt": receipt, "items": items, "lines": lines,
        "failed": failed,
    }  # fmt: skip


class MergedItems:
    """Which items of a run were merged, by their words or because somebody judged them to be the same."""

    def __init__(self, run: Run) -> None:
        self._merged = {one.item.id: one.because for one in run.of(Fate.DUPLICATE)}
        self._groups: dict[str, list[Item]] = {}
        for one in run.outcomes:
            self._groups.setdefault(self.kept(one.item.id), []).append(one.item)

    def kept(self, key: str, *, judged: bool = True) -> str:
        """Return the id of the item that stands for another; `judged` says whether verdicts join them, too."""
        while (because := self._merged.get(key)) and because.item and (judged or not because.by):
            key = because.item
        return key

    def parts(self, chosen: Iterable[Item]) -> tuple[list[Item], list[Item]]:
        """Return the items with what is merged with them by their words, the items first; and what a verdict joined."""
        own = {item.id: item for item in chosen}
        near = {self.kept(key, judged=False) for key in own}
        far = dict.fromkeys(self.kept(key) for key in own)
        every = {one.id: one for key in far for one in self._groups.get(key, ())}
        own |= {key: item for key, item in every.items() if self.kept(key, judged=False) in near}
        words = {item.text for item in own.values()}
        own |= {key: item for key, item in every.items() if item.text in words}
        return list(own.values()), [item for key, item in every.items() if key not in own]


@dataclass(slots=True)
class ItemEdit:
    """An edit in progress."""

    session: VaultSession
    receipt: Receipt  # the record of it
    verb: str = ""  # what became of each line that was written, for commands that make or change open items
    items: list[dict[str, Any]] = field(default_factory=list)  # what was named or made, as JSON
    lines: list[Line] = field(default_factory=list)  # what was written
    failed: list[str] = field(default_factory=list)  # what could not be done, and why
    # where an item stands that was reworded or moved, by the id that it had
    became: dict[str, str] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)  # what else its JSON document says
    _run: Run | None = None
    _before: list[Item] = field(default_factory=list)  # the items before the edit, of the files that it writes at least
    _listed: set[str] = field(default_factory=set)  # those of them that were no backlog
    _merged: MergedItems | None = None
    _alone: str = ""  # the one file that is written, for a command that needs no run before that

    @property
    def run(self) -> Run:
        """The vault's run, made when it is first asked for; after the rebuild, the new one."""
        if self._run is None:
            self._run = self.session.run
        return self._run

    def standing_in(self, path: str) -> Sequence[Item]:
        """Return the open items of the one file that an edit writes which needs no run before it."""
        items, backlog = self._parts_of(path)
        self._alone, self._before, self._listed = path, [*items, *backlog], {one.id for one in items}
        return items

    def _parts_of(self, path: str) -> tuple[Sequence[Item], Sequence[Item]]:
        try:
            return self.session.standing(path, whole(self.session.app.root / path)).parts
        except OSError:
            return (), ()

    @property
    def _standing(self) -> dict[str, Item]:
        """The items by where they stand, of the files that the edit writes at least."""
        items = [one for part in self._parts_of(self._alone) for one in part] if self._alone else self.run.items
        return {one.place: one for one in items}

    def rebuilt(self) -> None:
        """Go on with the vault as it is after the rebuild."""
        if (before := self._run) is not None:
            self._alone, self._before, self._listed = "", before.items, {one.item.id for one in before.outcomes}
        self._run = self.session.run

    def say(self, text: str) -> None:
        self.session.app.say(text)

    def name(self, items: Iterable[Item], **more: object) -> None:
        handles = self.run.handles()
        self.items += [named(one, handles[one.id]) | more for one in items]

    def wrote(self, written: Written) -> None:
        self.lines += written.lines
        self.became |= written.became
        self.failed += dict.fromkeys(reason.rstrip(".") for reason in written.failed.values())

    def close(self, receipt: Receipt) -> None:
        self.receipt = self.session.memory.write(replace(receipt, step=Step.DONE))

    def group(self, chosen: Iterable[Item]) -> list[Item]:
        """Return the items and, behind them, everything that is merged with them."""
        return [one for part in self.parts(chosen) for one in part]

    def parts(self, chosen: Iterable[Item]) -> tuple[list[Item], list[Item]]:
        """Return the items and what is merged with them by their words; and what only a verdict has joined to these."""
        self._merged = self._merged or MergedItems(self.run)  # it is asked before the rebuild alone
        return self._merged.parts(chosen)

    def leave(self, joined: Iterable[Item]) -> None:
        """Name the lines that stay as they are, because only a verdict has joined them to what was named."""
        for item in joined:
            self.say(f"left as it is, only judged to be the same: {item.place}  {item.text}")

    def tickable(self, items: Iterable[Item]) -> set[str]:
        """Return the ids of those that have a box that can be ticked: what a cell of a table says in words has none."""
        by_path: dict[str, list[Item]] = defaultdict(list)
        for item in items:
            if item.box and not item.path.startswith("../"):  # what is beside the vault is never written
                by_path[item.path].append(item)
        found: set[str] = set()
        for path, each in by_path.items():
            data = whole(self.session.app.root / path)
            lines = {one.id: stands.line for one in each if (stands := self.session.as_it_stands(one, data))}
            ticks = self.session.ticks(path, data, lines.values())
            found |= {key for key, line in lines.items() if line in ticks}
        return found

    def current(self, group: Iterable[Item]) -> tuple[list[Item], list[Item]]:
        """Return those lines of one item that an edit changes, and those in old journals, which are history.

        In lists every line is current, in journals that of today, or the newest where there is no other.
        """
        each = list(group)
        dated = [one for one in each if one.kind is Kind.JOURNAL_NEXT and one.raised is not None]
        newest = max((one.raised for one in dated if one.raised), default=None)
        since = self.run.today if len(dated) < len(each) else newest
        old = [one for one in dated if since and one.raised and one.raised < since]
        return [one for one in each if one not in old], old

    def routed_line(self, item: Item) -> Line | None:
        """Return the line that a follow-up was routed to, when it is this item: it must be found after the change."""
        lines = routed(self.session.memory.receipts).values()
        return next((one for one in lines if one.path == item.path and one.text == redact(item.text)[0]), None)

    def report(self) -> None:
        app, receipts = self.session.app, self.session.memory.receipts
        undo = next((one.id for one in receipts if one.id == self.receipt.id and one.step is Step.DONE), None)
        standing = self._standing
        carry_numbers(app, self._other_ids(standing))
        if self.verb:
            self._show_lines(standing)
            self._say_hidden()
        for reason in self.failed:
            app.warn(f"{reason}.")
        lines = [
            {"path": one.path, "line": one.number or _line_of(one, standing), "text": one.line or one.text}
            for one in self.lines
        ]
        app.answer(edit_document(self.receipt.command, undo, self.items, lines, self.failed) | self.more)
        if undo:
            app.say(f"undo: wrap undo {undo}")

    def _say_hidden(self) -> None:
        """Say what is backlog now, because only what stands below a *Next* heading is next in its file."""
        hidden = Counter(one.path for one in self.run.backlog if one.id in self._listed)
        for path, number in hidden.items():
            self.more["backlog"] = self.more.get("backlog", 0) + number
            whose = f"{count(number, 'other item')} of {path} {'is' if number == 1 else 'are'} backlog now"
            self.say(
                f"{whose}, as {'it is' if number == 1 else 'they are'} not below its Next heading: wrap list --backlog"
            )

    def _other_ids(self, standing: Mapping[str, Item]) -> dict[str, Item]:
        """Return the items that have another id since the edit, by the one that they had.

        Those are the ones that were reworded or moved, and those whose words stood beside theirs in the same file.
        """
        found = {key: standing[place] for key, place in self.became.items() if place in standing}
        now, new = {one.id for one in standing.values()}, {one.id for one in found.values()}
        were = _alike(one for one in self._before if one.id not in self.became)
        are = _alike(one for one in standing.values() if one.id not in new)
        for key, former in were.items():
            if len(former) == len(are[key]) and any(one.id not in now for one in former):
                found |= {was.id: item for was, item in zip(former, are[key], strict=True)}
        return found

    def _show_lines(self, standing: Mapping[str, Item]) -> None:
        handles = self.run.handles()
        for line in self.lines:
            place = f"{line.path}:{line.number or _line_of(line, standing)}"
            item = standing.get(place)
            if item is not None:
                self.name([item], **({} if line.number else {"already_in": place}))
            handle = f"{handles[item.id]}  " if item is not None else ""
            self.say(f"{self.verb if line.number else 'already there:'} {handle}{place}  {line.line or line.text}")


def _alike(items: Iterable[Item]) -> dict[tuple[str, str], list[Item]]:
    """Return items by their files and words, from above."""
    found: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for one in sorted(items, key=attrgetter("line")):
        found[one.path, one.text].append(one)
    return found


def _line_of(line: Line, standing: Mapping[str, Item]) -> int:
    """Return where a line stands that was there before; 0 when no open item says the same."""
    alike = [one for one in standing.values() if one.path == line.path and fold(one.text) == fold(line.text)]
    return next((one.line for one in alike if redact(one.text)[0] == line.text), alike[0].line if alike else 0)


@contextmanager
def item_edit(app: App, command: str, looked: VaultSession | None = None) -> Iterator[ItemEdit]:
    """Hold the lock, read the vault, let the command write, rebuild the dashboard and name the receipt.

    Args:
        looked: the vault as it was read before the lock was taken; what did not change since is not read again.
    """
    with open_vault(app, meet=False) as session:
        if looked is not None:
            session.take_over(looked)
        made = ItemEdit(session, begin(app, command))
        with rebuilt_after(session):
            yield made
        made.rebuilt()
    made.report()


def destination(session: VaultSession, name: str) -> Suggestion:
    """Return the list of a project, or of one of its active tasks: `PROJECT` or `PROJECT/TASK`, by name or alias."""
    places = session.index.places
    if (project := session.projects.named(name)) is not None:
        return Suggestion(Route.PROJECT, project)
    head, _, task = name.partition("/")
    project = session.projects.named(head)
    if project is None:
        with refused("cannot be read, so its projects are not known", session.app.root):
            next(session.app.root.iterdir(), None)
        raise UsageError(f"no project named {head!r}{nearest(head, places.projects)}")
    if not task:
        return Suggestion(Route.PROJECT, project)
    known = places.tasks.get(project, ())
    found = next((one for one in sorted(known, key=lambda one: one != task) if one.casefold() == task.casefold()), None)
    if found is None:
        raise UsageError(f"no active task {task!r} in project {project}{nearest(task, known)}")
    return Suggestion(Route.ACTIVE, project, found)
