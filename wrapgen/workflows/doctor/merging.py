"""Does a clone have what git does not clone: the merge driver and the hooks that rebuild the dashboard."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

from wrapgen.vault.checkout import Checkout
from wrapgen.vault.gitfiles import ATTRIBUTES
from wrapgen.workflows import git_setup
from wrapgen.workflows.doctor.finding import note, ok, warning, wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.workflows.doctor.finding import Finding, Visit


def merging(visit: Visit) -> Iterator[Finding]:
    """A vault shared through git: is this clone set up like the others."""
    root, config = visit.app.root, visit.app.config
    checkout = Checkout.of(root)
    if checkout is None:
        yield ok("not in git")
        return
    page = git_setup.decided(root, config)
    command = f"wrap init {shlex.quote(str(root))} --git"
    if page == "merge" and not checkout.knows_driver:
        what = f"this clone is not set up to merge {config.output}, so it will conflict"
        yield wrong(what, ATTRIBUTES, command, partial(git_setup.repaired, checkout, config, page))
    elif page is None:
        yield note(f"{config.output} and the lists can conflict when others share this vault", command)
    elif not git_setup.is_complete(root, config, page):
        yield warning("the git settings do not match the configuration", ATTRIBUTES, command)
    elif git_setup.hooks_to_write(checkout):
        yield warning(f"a pull does not rebuild {config.output} here", str(checkout.hooks), command)
    if checkout.shallow:
        yield warning("this is a shallow clone, so older ticks have no date here", "", "git fetch --unshallow")
