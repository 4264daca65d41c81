"""Does a clone know what git does not clone: how the dashboard merges, and that a pull changes it."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

from wrapgen.commands import in_git
from wrapgen.commands.doctor.finding import note, ok, warning, wrong
from wrapgen.vault.checkout import Checkout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.doctor.finding import Finding, Visit


def merging(visit: Visit) -> Iterator[Finding]:
    """A vault that is shared by git: is this clone set up as the others are."""
    root, config = visit.app.root, visit.app.config
    checkout = Checkout.of(root, seconds=5)
    if checkout is None:
        yield ok("not in git")
        return
    page = in_git.decided(root, config)
    command = f"wrap init {shlex.quote(str(root))} --git"
    if page == "merge" and not checkout.knows_driver:
        what = f"this clone does not know how {config.output} merges, so that it will conflict"
        yield wrong(what, in_git.ATTRIBUTES, command, partial(in_git.repaired, checkout, config, page))
    elif page is None:
        yield note(f"{config.output} and the lists can conflict when others share this vault", command)
    elif not in_git.is_complete(root, config, page):
        yield warning("the lines for git are not those of the configuration", in_git.ATTRIBUTES, command)
    elif in_git.hooks_to_write(checkout):
        yield warning(f"a pull does not rebuild {config.output} here", str(checkout.hooks), command)
    if config.dates == "git" and checkout.shallow:
        yield warning(
            "the history was cut off, so that ticks have other days than elsewhere", "", "git fetch --unshallow"
        )
