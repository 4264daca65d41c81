"""What a shell offers behind a word of the command line, read from the vault; where that fails, nothing."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from wrapgen.commands.app import App
from wrapgen.errors import WrapgenError
from wrapgen.text import shorten, visible

if TYPE_CHECKING:
    import click

_MOST_FILES = 1_000  # nobody waits for a key; above, reading the vault takes longer
_TEXT_LIMIT = 60  # characters of an item beside its number
# Shells insert a value as it is: one that they would expand or split is not offered.
_PLAIN = re.compile(r"[\w.@%+:/-]+")


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


def item_numbers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The numbers of `wrap list` that begin so, each with its item."""
    from wrapgen.commands.picking import numbered
    from wrapgen.commands.rebuild import collect
    from wrapgen.commands.report import tagged

    del param
    with suppress(WrapgenError, OSError):
        app = _app(ctx)
        glance = app.glance()
        if len(glance.listing.found) <= _MOST_FILES:
            rows = numbered(collect(app, glance.read()).run)
            return [
                CompletionItem(str(number), help=visible(tagged(one.item.project, shorten(one.item.text, _TEXT_LIMIT))))
                for number, one in rows
                if str(number).startswith(incomplete)
            ]
    return []


def _app(ctx: click.Context) -> App:
    """The vault that the words so far name; quiet, as the line that somebody types must stay as it is."""
    given = ctx.find_root().params
    return App(vault=given.get("vault"), today=given.get("today"), quiet=True)
