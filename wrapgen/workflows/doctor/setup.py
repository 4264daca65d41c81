"""Is there a vault, is its configuration valid, is it trusted, does the clock make sense."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.config import VAULT_FILE, Config, UserConfig, load, user_config_path
from wrapgen.text.display import count
from wrapgen.workflows.doctor.finding import note, ok, warning, wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.workflows.doctor.finding import Finding, Visit

_DAY = timedelta(days=1)


def vault(visit: Visit) -> Iterator[Finding]:
    """The vault; where there is none, the error says so."""
    yield ok(f"found at {visit.app.root}")


def own_file(_: Visit) -> Iterator[Finding]:
    """The user's configuration, and whether what it names still exists."""
    path = user_config_path()
    gone: list[str] = []
    own = load(path, UserConfig, gone.append)
    for one in gone:
        yield warning(one)
    default = own.default_vault
    if default and not (Path(default).expanduser() / VAULT_FILE).is_file():
        yield wrong(
            f"`default_vault` is {default}, which is not a vault",
            str(path),
            f"wrap init --default {shlex.quote(default)}",
        )
    for one in own.trusted_vaults:
        if not (Path(one).expanduser() / VAULT_FILE).is_file():
            yield warning(
                f"{one} is trusted but no longer a vault", str(path), f"wrap trust --remove {shlex.quote(one)}"
            )


def configuration(visit: Visit) -> Iterator[Finding]:
    """The vault's configuration; a broken one raises the error that names its line."""
    _ = visit.app.config
    gone: list[str] = []
    load(visit.app.root / VAULT_FILE, Config, gone.append)
    yield from map(warning, gone)
    yield ok("valid", VAULT_FILE)


def trust(visit: Visit) -> Iterator[Finding]:
    """Whether hooks may act on the vault, and what it contains besides notes."""
    from wrapgen.vault.trust import is_trusted
    from wrapgen.workflows.trust_report import reach

    if is_trusted(visit.app.root):
        yield ok("hooks act on this vault")
        return
    yield warning("hooks ignore this vault until it is trusted", mend="wrap trust")
    for line in reach(visit.app.root):
        yield note(f"before you trust it: it {line}")


def clock(visit: Visit) -> Iterator[Finding]:
    """The time zone, and files dated in the future."""
    zone = os.environ.get("TZ", "").removeprefix(":")
    if "/" in zone and sys.platform != "win32" and not _known(zone):
        yield wrong(f"the time zone TZ={zone} is unknown, so UTC is used", mend="export TZ=Region/City")
    now = datetime.now().astimezone()
    listing = visit.app.glance().listing
    latest = visit.app.day + _DAY
    ahead = [one for one in listing.found if one.place.day and one.place.day > latest]
    if ahead:
        what = f"{count(len(ahead), 'journal')} dated after tomorrow, counted from {visit.app.day}"
        yield warning(what, ahead[0].path, "date")
    limit = (now + _DAY).timestamp() * 1e9
    changed = [one for one in listing.found if one.stamp.mtime_ns > limit]
    if changed:
        what = f"{count(len(changed), 'file')} modified in the future: ticks in them get a future date"
        yield warning(what, changed[0].path, f"touch {shlex.quote(changed[0].path)}")


def _known(zone: str) -> bool:
    if zone.startswith("/"):
        return Path(zone).is_file()
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(zone)
    except (OSError, ValueError):  # ZoneInfoNotFoundError is a KeyError
        return False
    except KeyError:
        return False
    return True
