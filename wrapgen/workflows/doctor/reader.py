"""Does the configured reader work."""

from __future__ import annotations

import shlex
import shutil
from typing import TYPE_CHECKING

from wrapgen.config import user_config_path
from wrapgen.session.reading.presets import command_of
from wrapgen.workflows import user_config
from wrapgen.workflows.doctor.finding import ok, warning, wrong
from wrapgen.workflows.reader_run import calls_on, readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.workflows.doctor.finding import Finding, Visit


def reader(visit: Visit) -> Iterator[Finding]:
    """Whether the reader exists, how its last call went, and how much of its daily limit is used."""
    settings = user_config.reader()
    command = command_of(settings)
    if not command:
        return
    if shutil.which(command[0]) is None:
        yield wrong(
            f"the reader `{command[0]}` is not found", str(user_config_path()), "install it, or configure another"
        )
        return
    last = next(reversed(readings(visit.app.root)), None)
    if last is not None and last.error is not None:
        again = f"wrap orphans --read --transcript {shlex.quote(last.transcript)}"
        yield warning(f"it failed on {last.at:%Y-%m-%d %H:%M}: {last.error}", last.transcript, again)
    calls = calls_on(visit.app.root, visit.app.now)
    yield ok(f"{command[0]}, {calls} of {settings.per_day} calls today")
