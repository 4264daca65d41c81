"""What a shell offers behind a word of the command line, read from the vault; where that fails, nothing."""

from contextlib import suppress

import click
from click.shell_completion import CompletionItem

from wrapgen.errors import WrapgenError
from wrapgen.late_pattern import late
from wrapgen.text.display import shorten, visible
from wrapgen.workflows.app import App

_MOST_FILES = 1_000  # nobody waits for a key; above, reading the vault takes longer
_TEXT_LIMIT = 60  # characters of an item beside its number
# Shells insert a value as it is: one that they would expand or split is not offered.
_PLAIN = late(r"[\w.@%+:/-]+")


def project_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The projects whose names begin so."""
    del param
    with suppress(WrapgenError, OSError):
        app = _app(ctx)
        names = {*app.glance().listing.projects, *app.config.projects}
        return [
            CompletionItem(name) for name in sorted(names) if name.startswith(incomplete) and _PLAIN.fullmatch(name)
        ]
    return []


def destinations(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The projects, and the active tasks behind a project's name and a slash."""
    from wrapgen.vault.targets import active_tasks

    found = project_names(ctx, param, incomplete)
    with suppress(WrapgenError, OSError):
        app = _app(ctx)
        project = incomplete.partition("/")[0]
        tasks = active_tasks(app.root, app.config.sources, [project]) if "/" in incomplete else {}
        names = [f"{project}/{task}" for task in tasks.get(project, ())]
        found += [CompletionItem(name) for name in names if name.startswith(incomplete) and _PLAIN.fullmatch(name)]
    return found


def item_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The handles of open items that begin so, each with its item; for digits, the numbers of the last list too."""
    from wrapgen.terminal.item_list import tagged
    from wrapgen.workflows.listed import last_list, numbered
    from wrapgen.workflows.vault_session import VaultSession

    del param
    with suppress(WrapgenError, OSError):
        app = _app(ctx)
        session = VaultSession.look(app)
        if len(session.glance.listing.found) > _MOST_FILES:
            return []
        run, listed = session.run, last_list(app)
        handles = run.handles()
        names = [(handles[one.item.id], tagged(one.item.project, one.item.text)) for _, one in numbered(run)]
        if incomplete.isdigit() and listed and not listed.is_old(app.now):
            names = [(str(row.number), row.text) for row in listed.items] + names
        return [
            CompletionItem(name, help=visible(shorten(words, _TEXT_LIMIT)))
            for name, words in names
            if name.startswith(incomplete.lower())
        ]
    return []


def items_or_destinations(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Items, and behind the first of them where to put them: click takes all words but the last for items."""
    found = item_names(ctx, param, incomplete)
    return found + destinations(ctx, param, incomplete) if ctx.params.get("to") else found


def _app(ctx: click.Context) -> App:
    """The vault that the words so far name; quiet, as the line that somebody types must stay as it is."""
    given = ctx.find_root().params
    return App(vault=given.get("vault"), today=given.get("today"), quiet=True)
