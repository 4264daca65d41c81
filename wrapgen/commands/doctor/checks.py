"""The table of checks, and going through it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.commands.doctor import agents, folders, hosts, lock, memory, merging, reader, sessions, setup
from wrapgen.commands.doctor.finding import Check, Needs, Visit, ok, wrong
from wrapgen.errors import WrapgenError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.doctor.finding import Finding

CHECKS = (
    Check("vault", setup.vault, Needs.NOTHING),
    Check("own file", setup.own_file, Needs.NOTHING, "valid"),
    Check("configuration", setup.configuration, Needs.VAULT),
    Check("trust", setup.trust),
    Check("lock", lock.lock, mends=True, under_lock=False),
    Check("left behind", folders.left_behind, well="nothing", mends=True),
    Check("memory", memory.state_files, well="every line can be read", mends=True),
    Check("cache", folders.cached, well="whole", mends=True),
    Check("private", folders.private, Needs.VAULT, "closed to others", mends=True, under_lock=False),
    Check("ignored", folders.ignored, Needs.VAULT, "git leaves the private folders out", mends=True, under_lock=False),
    Check("git", folders.tracked, Needs.VAULT, "nothing private is tracked"),
    Check("merging", merging.merging, well="this clone is set up", mends=True),
    Check("templates", memory.templates),
    Check("follow-ups", memory.waiting),
    Check("reader", reader.reader, well="none is named: rules and the agent in the room do"),
    Check("tracks", memory.tracks, Needs.VAULT, "no conversation failed to be folded in"),
    Check("team store", agents.server, well="none is named: each vault keeps a file", mends=True, under_lock=False),
    Check("sub-agents", agents.old, well="nothing is older than it is kept", mends=True, under_lock=False),
    Check("clock", setup.clock, well="no file is from the future"),
    Check("hooks", hosts.hooks, Needs.NOTHING, "no coding agent is set up here", mends=True, under_lock=False),
    Check("fired", hosts.fired, well="nothing is installed that could"),
    Check("hook log", hosts.troubles, Needs.VAULT, "no trouble in the last week"),
    Check("own hook log", hosts.own_troubles, Needs.NOTHING, "no trouble in the last week"),
    Check("conversations", sessions.vanishing, well="none that goes soon holds anything unsaved", mends=True),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A finding with the name of its check."""

    check: str
    finding: Finding


def examine(visit: Visit) -> list[Line]:
    """Go through the table; nothing is mended.

    Args:
        visit: the vault.

    Returns:
        at least one line for each check that can be made.
    """
    return [Line(check.name, finding) for check in _possible(visit) for finding in _findings(check, visit)]


def mend(visit: Visit) -> list[str]:
    """Mend what can be mended without a decision.

    What is found is looked for once more under the lock: a run that was under way has put its own things in order.

    Args:
        visit: the vault.

    Returns:
        a line for everything that was done, or could not be.
    """
    said: list[str] = []
    for check in _possible(visit):
        if not check.mends or not any(one.fix for one in _findings(check, visit)):
            continue
        try:
            with visit.app.locked() if check.under_lock else nullcontext():
                for finding in _findings(check, visit):
                    said += _fixed(finding)
        except WrapgenError as error:
            said.append(f"could not mend ({check.name}): {error}")
    return said


def _possible(visit: Visit) -> Iterator[Check]:
    """The checks for which there is what they need; the others would only say the same thing again."""
    met = Needs.NOTHING
    try:
        _ = visit.app.root
        met = Needs.VAULT
        _ = visit.app.config
        met = Needs.CONFIG
    except WrapgenError:
        pass
    return (check for check in CHECKS if check.needs.value <= met.value)


def _findings(check: Check, visit: Visit) -> list[Finding]:
    try:
        return list(check.look(visit)) or [ok(check.well)]
    except WrapgenError as error:
        return [wrong(error.what, error.where or "", error.next_step or "")]
    except OSError as error:
        return [wrong(f"cannot be looked at ({error.strerror or error})", str(error.filename or ""))]


def _fixed(finding: Finding) -> list[str]:
    if finding.fix is None:
        return []
    try:
        return list(finding.fix())
    except WrapgenError as error:
        return [f"could not mend {finding.where}: {error}"]
    except OSError as error:
        return [f"could not mend {finding.where}: {error.strerror or error}"]
