"""The table of checks, and running it."""

from collections.abc import Iterator
from contextlib import nullcontext, suppress

from wrapgen.errors import WrapgenError
from wrapgen.workflows.doctor import files, hosts, vault
from wrapgen.workflows.doctor.finding import Check, Finding, Visit, ok, wrong

CHECKS = (
    Check("vault", vault.vault, ""),
    Check("own file", vault.own_file, "", "valid"),
    Check("configuration", vault.configuration, "root"),
    Check("trust", vault.trust),
    Check("sources", vault.sources, well="every open box of the notes is read"),
    Check("templates", vault.templates),
    Check("follow-ups", vault.waiting, well="nothing pending, nothing expired"),
    Check("lock", files.lock, mends=True, under_lock=False),
    Check("left behind", files.left_behind, well="nothing", mends=True),
    Check("memory", files.state_files, well="every line can be read", mends=True),
    Check("private", files.private, "root", "private to you", mends=True, under_lock=False),
    Check("store", vault.store, well="nothing waits for it", mends=True, under_lock=False),
    Check("hooks", hosts.hooks, "", "no coding agent is set up here", mends=True, under_lock=False),
    Check("fired", hosts.fired, well="no agent is set up"),
    Check("hook log", hosts.troubles, "", "no trouble in the last week"),
    Check("reader", hosts.reader, well="none configured: rules and the session's own agent find follow-ups"),
    Check("conversations", hosts.unread, well="none is about to be deleted unsaved", mends=True),
)


def examine(visit: Visit) -> list[tuple[str, Finding]]:
    """Run the checks without fixing anything; what each finds, with its name."""
    return [(check.name, finding) for check in _possible(visit) for finding in _findings(check, visit)]


def mend(visit: Visit) -> list[str]:
    """Fix what can be fixed without a decision.

    Each check runs again under the lock, since a concurrent run may have cleaned up after itself.
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
            said.append(f"could not fix ({check.name}): {error}")
    return said


def _possible(visit: Visit) -> Iterator[Check]:
    """The checks whose requirements are met; the others would only repeat the same error."""
    met = {""}
    with suppress(WrapgenError):
        for name in ("root", "config"):
            getattr(visit.app, name)
            met.add(name)
    return (check for check in CHECKS if check.needs in met)


def _findings(check: Check, visit: Visit) -> list[Finding]:
    try:
        return list(check.look(visit)) or [ok(check.well)]
    except WrapgenError as error:
        return [wrong(error.what, error.where or "", error.next_step or "")]
    except OSError as error:
        return [wrong(f"cannot be checked ({error.strerror or error})", str(error.filename or ""))]


def _fixed(finding: Finding) -> list[str]:
    if finding.fix is None:
        return []
    try:
        return list(finding.fix())
    except WrapgenError as error:
        return [f"could not fix {finding.where}: {error}"]
    except OSError as error:
        return [f"could not fix {finding.where}: {error.strerror or error}"]
