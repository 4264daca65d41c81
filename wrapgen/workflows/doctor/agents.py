"""The store of sub-agents: is the team's server reachable, what is queued for it, and what is too old."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from wrapgen.agents.spool import FOLDER
from wrapgen.agents.sqlite import DATABASE_FILE, open_sqlite
from wrapgen.agents.store import KEEP_DAYS, Store
from wrapgen.agents.timeouts import OF_AN_OVERHAUL
from wrapgen.config import shown_address
from wrapgen.errors import UnavailableError
from wrapgen.text.display import count
from wrapgen.vault.state import STATE_FOLDER, state_file
from wrapgen.workflows.agent_store import send_waiting, spool_of, waiting
from wrapgen.workflows.doctor.finding import Finding, Level, ok, warning, wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wrapgen.agents.database import Database
    from wrapgen.workflows.app import App
    from wrapgen.workflows.doctor.finding import Visit

_FIX = "wrap doctor --fix"
_INSTALL = "pip install 'wrapgen[postgres]'"


def server(visit: Visit) -> Iterator[Finding]:
    """The team's server, and what is queued for it."""
    app = visit.app
    if spooled := len(spool_of(app).waiting()):
        what = f"{count(spooled, 'change')} of sub-agents {'waits' if spooled == 1 else 'wait'}: the store was locked"
        yield wrong(what, f"{STATE_FOLDER}/{FOLDER}", _FIX, partial(_take_up, app, spooled))
    number, refused = waiting(app)
    waits = f"{count(number, 'change')} of sub-agents {'waits' if number == 1 else 'wait'} here" if number else ""
    if app.store_address is None:
        if waits:
            yield warning(
                f"{waits} for a server that is no longer configured", mend="set agents.store or WRAPGEN_STORE again"
            )
        return
    where = shown_address(app.store_address)
    if find_spec("psycopg") is None:
        yield wrong("; ".join(filter(None, ("psycopg is not installed", waits))), where, _INSTALL)
    elif trouble := _away(app):
        mend = f"{trouble.next_step or ''} Then {_FIX} sends what is waiting.".strip()
        yield wrong("; ".join(filter(None, (trouble.what, waits))), where, mend)
    elif waits:
        yield wrong(waits, where, _FIX, partial(_send, app))
    else:
        yield ok("answers", where)
    if refused:
        what = f"{count(len(refused), 'change')} rejected by the server, kept only here: {refused[-1]}"
        yield warning(what, where, "wrap agent list, with WRAPGEN_STORE set to nothing")


def _away(app: App) -> UnavailableError | None:
    """Why the server cannot be used."""
    from wrapgen.agents.postgres import open_postgres

    try:
        open_postgres(app.store_address or "").close()
    except UnavailableError as error:
        return error
    return None


def _take_up(app: App, number: int) -> Iterator[str]:
    send_waiting(app)
    yield f"stored {count(number - len(spool_of(app).waiting()), 'change')} of sub-agents"


def _send(app: App) -> Iterator[str]:
    yield f"sent {count(send_waiting(app), 'change')} of sub-agents to the team's server"


def old(visit: Visit) -> Iterator[Finding]:
    """Records of sub-agents past their retention, in the vault and on the team's server."""
    for opened, where in _databases(visit.app):
        with Store(opened()) as store:
            number = store.old(visit.app.now)
        if number:
            what = f"{count(number, 'row')} about sub-agents older than {KEEP_DAYS} days"
            yield Finding(Level.NOTE, what, where, _FIX, partial(_forget, visit.app, opened, where))


def _databases(app: App) -> Iterator[tuple[Callable[[], Database], str]]:
    """The available stores, with their names."""
    if state_file(app.root, DATABASE_FILE).exists():
        yield partial(open_sqlite, app.root, shared=app.config.is_shared), f"{STATE_FOLDER}/{DATABASE_FILE}"
    if app.store_address is not None and find_spec("psycopg") is not None and _away(app) is None:
        from wrapgen.agents.postgres import open_postgres

        yield partial(open_postgres, app.store_address, OF_AN_OVERHAUL), shown_address(app.store_address)


def _forget(app: App, opened: Callable[[], Database], where: str) -> Iterator[str]:
    with Store(opened()) as store:
        gone = store.expire(app.now)
    yield f"forgot {count(sum(gone.values()), 'row')} about sub-agents from {where}: too old"
