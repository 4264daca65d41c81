"""`wrap list`, the open items, ranked and numbered; `wrap open`, the source of one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrapgen.dashboard.balance import UNTAGGED, not_read, nothing_shown, unreadable
from wrapgen.dashboard.document import backlog_record, item_record
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.ledger import Outcome, Run
from wrapgen.model import Fate, Item
from wrapgen.regular_files import as_named
from wrapgen.terminal.completions import item_names, project_names
from wrapgen.terminal.item_list import hidden_until, picked, print_items
from wrapgen.terminal.verb import verb
from wrapgen.workflows.last_run import gist_of
from wrapgen.workflows.listed import numbered, remember_list

if TYPE_CHECKING:
    from wrapgen.pipeline.projects import Projects
    from wrapgen.workflows.app import App
    from wrapgen.workflows.vault_session import VaultSession

_Rows = list[tuple[int, "Item"]]


@dataclass(frozen=True, slots=True)
class _Asked:
    words: tuple[str, ...]
    beyond_cap: bool
    expired: bool
    backlog: bool
    snoozed: bool
    due: bool
    project: str | None

    @property
    def whole(self) -> bool:
        """Whether nothing is left out that fits: who looks for something means all of it."""
        return self.beyond_cap or self.expired or self.backlog or self.snoozed or self.due or bool(self.words)


class _Known:
    """What a list needs to know, of the last rebuild where nothing has changed since: then no note is read."""

    def __init__(self, app: App, *, whole: bool) -> None:
        self._app, self._glance = app, app.glance()
        self._gist = None if whole else gist_of(app, self._glance)

    @cached_property
    def _session(self) -> VaultSession:
        from wrapgen.workflows.vault_session import VaultSession

        return VaultSession.look(self._app, self._glance)

    @cached_property
    def run(self) -> Run:
        return Run.of_gist(self._gist) if self._gist else self._session.run

    @property
    def snoozed(self) -> Mapping[str, date]:
        return self._gist.snoozed if self._gist else self._session.hidden

    @property
    def projects(self) -> Projects:
        return self._session.projects

    def old(self) -> list[str]:
        """What to say of the lists that are old."""
        if self._gist and not self._gist.has_lists:
            return []
        from wrapgen.workflows.next_list import NextList

        return NextList(self._session).old()


@verb(
    "list",
    "wrap list",
    "wrap list certificates",
    "wrap list --all --project web",
    "wrap list --due",
    "wrap list --snoozed",
    "wrap list --expired",
    "wrap list --backlog",
    json=True,
)
@click.argument("words", nargs=-1)
@click.option("--all", "beyond_cap", is_flag=True, help="Also items not shown on the dashboard.")
@click.option("--expired", is_flag=True, help="Items older than the look-back, newest first.")
@click.option("--backlog", is_flag=True, help="Open boxes that are not next in their files.")
@click.option("--snoozed", is_flag=True, help="Items hidden until a later day, with that day.")
@click.option("--due", is_flag=True, help="Only items with a due day, the earliest first.")
@click.option(
    "--project",
    "-p",
    metavar="NAME",
    shell_complete=project_names,
    help="Only this project; `untagged` for items without one.",
)
def command(app: App, /, **options: Any) -> None:  # noqa: ANN401 - what click makes of them
    """Show the open items in the order of the dashboard.

    WORDS narrow it to the items that have all of them in text, context, project or path, shown or not. Numbers stay
    the same with --all and --project; other commands accept those of the list that was printed last, and handles
    always.
    """
    asked = _Asked(**options)
    if asked.expired + asked.backlog + asked.snoozed > 1:
        raise UsageError("--expired, --backlog and --snoozed do not go together", next_step="Ask for one at a time.")
    known = _Known(app, whole=asked.whole)
    run, snoozed = known.run, known.snoozed
    rows = _narrowed(_of_kind(run, asked, snoozed), asked, known)
    more = 0
    if not asked.whole:
        rows = rows[: sum(row[0] <= len(run.of(Fate.SHOWN)) for row in rows)]
        cut = run.per_project(Fate.OVERFLOW)
        more = cut[_project(asked.project, known)] if asked.project is not None else cut.total()
    if app.as_json:
        among = run.of(Fate.EXPIRED) if asked.expired else run.decided
        app.print_json({"schema": "wrapgen.list/1", "today": run.today, "items": _records(run, rows, snoozed, among)})
        remember_list(app, run, rows, program=True)
    elif not app.quiet:
        _print(app, rows, asked, known, more)


def _of_kind(run: Run, asked: _Asked, snoozed: Mapping[str, date]) -> _Rows:
    if asked.backlog:
        return list(enumerate(run.backlog, 1))
    rows = [(number, one.item) for number, one in numbered(run, expired=asked.expired)]
    if asked.snoozed:
        return [row for row in rows if hidden_until(row[1], run.today, snoozed)]
    return rows


def _narrowed(rows: _Rows, asked: _Asked, known: _Known) -> _Rows:
    if asked.project is not None:
        wanted = _project(asked.project, known)
        rows = [row for row in rows if row[1].project == wanted]
    words = [part for word in asked.words for part in word.split()]
    if words:
        from wrapgen.workflows.item_picker import fits

        rows = [row for row in rows if fits(row[1], words)]
    if asked.due:
        return sorted(((number, item) for number, item in rows if item.due), key=lambda row: str(row[1].due))
    return rows


def _project(name: str, known: _Known) -> str | None:
    found = known.projects.named(name)
    if found is None and name != UNTAGGED:
        names = ", ".join(sorted(set(known.projects.names.values()))) or "none yet"
        raise UsageError(f"no project named {name!r}", next_step=f"Known are: {names}; or `{UNTAGGED}`.")
    return found


def _records(run: Run, rows: _Rows, snoozed: Mapping[str, date], among: Sequence[Outcome]) -> list[dict[str, Any]]:
    handles = run.handles()
    outcomes = {one.item.id: one for one in among}
    return [
        {
            "number": number,
            **(item_record(outcomes[item.id], handles) if item.id in outcomes else backlog_record(item, handles)),
            "snoozed": snoozed.get(item.id),
        }
        for number, item in rows
    ]


def _print(app: App, rows: _Rows, asked: _Asked, known: _Known, more: int) -> None:
    run = known.run
    if rows:
        print_items(app, run, rows, known.snoozed)
    elif not more:
        app.say(_nothing(run, asked, known))
    if more:
        app.say(f"{more} more: wrap list --all{_same_project(asked)}")
    for line in [] if asked.whole else known.old():
        app.say(line)
    if rows and (left := unreadable(run.troubles)):
        app.say(left)
    if rows and app.on_screen:
        app.say("`wrap open N` opens the note, `wrap done N` finishes the item")


_NONE = {
    "expired": "nothing has expired",
    "backlog": "there is no backlog here",
    "snoozed": "nothing is snoozed",
    "due": "nothing has a due day",
}


def _same_project(asked: _Asked) -> str:
    if not asked.project:
        return ""
    import shlex

    return f" -p {shlex.quote(asked.project)}"


def _nothing(run: Run, asked: _Asked, known: _Known) -> str:
    if asked.words:
        return f"nothing open fits {' '.join(asked.words)!r}"
    if said := next((words for name, words in _NONE.items() if getattr(asked, name)), ""):
        return said
    if asked.project is None:
        return nothing_shown(run)
    if aside := run.backlog.projects.get(_project(asked.project, known)):
        return f"nothing to show now: {aside} in the backlog"
    return not_read(run.not_read) or unreadable(run.troubles) or "nothing is open here"


_STDERR = 2  # takes what an editor prints where stdout is for JSON
# Editors that take the line behind the file's name; all others get `+LINE FILE`, as vi, nano and emacs accept it.
_COLON_EDITORS = ("code", "code-insiders", "codium", "cursor", "windsurf", "subl", "zed", "hx", "helix")


@verb("open", "wrap open 1", json=True)
@click.argument("items", nargs=-1, required=True, metavar="N", shell_complete=item_names)
def open_(app: App, *, items: tuple[str, ...]) -> None:
    """Open an item's source in your editor.

    N: a number of the list that was printed last, a handle, path:line, or the item's words. The editor is $VISUAL or
    $EDITOR.
    """
    import shlex
    import subprocess

    from wrapgen.workflows.item_edit import edit_document, named  # `list` edits nothing
    from wrapgen.workflows.vault_session import VaultSession

    session = VaultSession.look(app)
    chosen, *more = picked(session, items)
    if more:
        raise UsageError("an editor opens one item at a time", next_step="Name one.")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        program = shlex.split(editor)
    except ValueError as error:
        raise WrapgenError(f"$VISUAL or $EDITOR cannot be read: {error}", next_step="Fix its quotes.") from error
    if not program:
        raise WrapgenError(
            "neither $VISUAL nor $EDITOR is set",
            next_step=f"Set one, or open {chosen.place} yourself.",
        )
    words = editor_command(program, Path(as_named(str(app.root / chosen.path))), chosen.line)
    try:
        code = subprocess.run(words, stdout=_STDERR if app.as_json else None, check=False).returncode
    except OSError as error:
        raise WrapgenError(
            f"the editor `{editor}` cannot be started: {error.strerror}", next_step="Check $VISUAL and $EDITOR."
        ) from error
    if code:
        raise WrapgenError(f"the editor `{editor}` ended with exit code {code}", next_step="Check $VISUAL and $EDITOR.")
    app.answer(edit_document("open", None, [named(chosen, session.run.handles()[chosen.id])], [], []))


def editor_command(editor: list[str], file: Path, line: int) -> list[str]:
    """The command line that opens a file at a line."""
    program = os.path.basename(editor[0]).removesuffix(".exe")  # noqa: PTH119 - a program's name, not a path of ours
    if program in _COLON_EDITORS:
        goto = ["--goto"] if program.startswith(("code", "cursor", "windsurf")) else []
        return [*editor, *goto, f"{file}:{line}"]
    return [*editor, f"+{line}", str(file)]
