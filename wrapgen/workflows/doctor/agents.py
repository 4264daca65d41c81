"""The store of sub-agents: is the team's server reachable, what is queued for it, and what is too old."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

from wrapgen.agents.spool import FILE
from wrapgen.agents.sqlite import DATABASE_FILE
from wrapgen.agents.store import KEEP_DAYS, Store
from wrapgen.config import shown_address
from wrapgen.errors import UnavailableError
from wrapgen.text.display import count
from wrapgen.vault.state import STATE_FOLDER, state_file
from wrapgen.workflows.agent_store import drain, own_store, spool_of, team_store
from wrapgen.workflows.app import App
from wrapgen.workflows.doctor.finding import Finding, Visit, note, ok, warning, wrong

_FIX = "wrap doctor --fix"
_INSTALL = "pip install 'wrapgen[postgres]'"


def store(visit: Visit) -> Iterator[Finding]:
    """The store of sub-agents: the team's server, what is queued for it, and what is past its retention."""
    yield from _server(visit.app)
    for opened, where in _databases(visit.app):
        with opened() as one:
            number = one.old(visit.app.now)
        if number:
            what = f"{count(number, 'row')} about sub-agents older than {KEEP_DAYS} days"
            yield note(what, where, _FIX, partial(_forget, visit.app, opened, where))


def _server(app: App) -> Iterator[Finding]:
    spool = spool_of(app)
    own = f"{STATE_FOLDER}/{FILE}"
    if refused := spool.refused():
        yield warning(f"{count(len(refused), 'change')} rejected by the store, kept only here: {refused[-1]}", own)
    number = spool.waiting()
    waits = f"{count(number, 'change')} of sub-agents {'waits' if number == 1 else 'wait'} here" if number else ""
    if app.store_address is None:
        if waits:
            yield note(waits, own, _FIX, partial(_send, app, number))
        return
    where = shown_address(app.store_address)
    if find_spec("psycopg") is None:
        yield wrong("; ".join(filter(None, ("psycopg is not installed", waits))), where, _INSTALL)
    elif trouble := _away(app):
        mend = f"{trouble.next_step or ''} Then {_FIX} sends what is waiting.".strip()
        yield wrong("; ".join(filter(None, (trouble.what, waits))), where, mend)
    elif waits:
        yield wrong(waits, where, _FIX, partial(_send, app, number))
    else:
        yield ok("answers", where)


def _away(app: App) -> UnavailableError | None:
    try:
        team_store(app).close()
    except UnavailableError as error:
        return error
    return None


def _send(app: App, number: int) -> Iterator[str]:
    drained = drain(app)
    if left := spool_of(app).waiting():
        why = f" ({drained.trouble.what})" if drained.trouble else ": set agents.store or WRAPGEN_STORE again"
        app.warn(f"{count(left, 'change')} of sub-agents {'waits' if left == 1 else 'wait'} on{why}")
    yield f"stored {count(number - left, 'change')} of sub-agents"


def _databases(app: App) -> Iterator[tuple[Callable[[], Store], str]]:
    if state_file(app.root, DATABASE_FILE).exists():
        yield partial(own_store, app), f"{STATE_FOLDER}/{DATABASE_FILE}"
    if app.store_address is not None and find_spec("psycopg") is not None and _away(app) is None:
        yield partial(team_store, app, long=True), shown_address(app.store_address)


def _forget(app: App, opened: Callable[[], Store], where: str) -> Iterator[str]:
    with opened() as store:
        gone = store.expire(app.now)
    yield f"forgot {count(sum(gone.values()), 'row')} about sub-agents from {where}: too old"
