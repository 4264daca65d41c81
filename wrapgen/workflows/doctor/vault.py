"""The vault: is it there, valid and trusted, is everything read, does its page render; and the store of sub-agents."""

import os
import shlex
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from wrapgen.agents.databases import DATABASE_FILE
from wrapgen.agents.spool import FILE
from wrapgen.agents.store import KEEP_DAYS, Store
from wrapgen.config import KEYS, VAULT_FILE, Config, Sources, UserConfig, load, shown_address, user_config_path
from wrapgen.dashboard.balance import not_read
from wrapgen.dashboard.render import USER_TEMPLATES
from wrapgen.errors import UnavailableError
from wrapgen.model import Fate
from wrapgen.text.display import count
from wrapgen.text.patterns import Pattern
from wrapgen.vault.near_names import near_names
from wrapgen.vault.state import STATE_FOLDER, state_file
from wrapgen.workflows.agent_store import drain, own_store, spool_of, team_store
from wrapgen.workflows.app import App
from wrapgen.workflows.doctor.finding import Finding, Visit, note, ok, warning, wrong
from wrapgen.workflows.rebuild import page

_NAMED = 20


def vault(visit: Visit) -> Iterator[Finding]:
    """The vault; where there is none, the error says so."""
    yield ok(f"found at {visit.app.root}")


def own_file(_: Visit) -> Iterator[Finding]:
    """The user's configuration, and whether what it names still exists."""
    path, gone = user_config_path(), list[str]()
    own = load(path, UserConfig, gone.append)
    yield from map(warning, gone)
    default = own.default_vault
    if default and not _is_vault(default):
        mend = f"wrap init --default {shlex.quote(default)}"
        yield wrong(f"`default_vault` is {default}, which is not a vault", str(path), mend)
    for one in own.trusted_vaults:
        if not _is_vault(one):
            mend = f"wrap trust --remove {shlex.quote(one)}"
            yield warning(f"{one} is trusted but no longer a vault", str(path), mend)


def _is_vault(folder: str) -> bool:
    return (Path(folder).expanduser() / VAULT_FILE).is_file()


def configuration(visit: Visit) -> Iterator[Finding]:
    """The vault's configuration; a broken one raises the error that names its line."""
    gone = list[str]()
    load(visit.app.root / VAULT_FILE, Config, gone.append)
    yield from map(warning, gone)
    yield ok("valid", VAULT_FILE)


def trust(visit: Visit) -> Iterator[Finding]:
    """Whether hooks may act on the vault, and what it contains besides notes."""
    from wrapgen.vault.layout import is_trusted
    from wrapgen.workflows.user_config import reach

    if is_trusted(visit.app.root):
        yield ok("hooks act on this vault")
        return
    yield warning("hooks ignore this vault until it is trusted", mend="wrap trust")
    for line in reach(visit.app.root):
        yield note(f"before you trust it: it {line}")


def sources(visit: Visit) -> Iterator[Finding]:
    """Open boxes that no source reads, patterns of the user that no file fits, and files that nearly fit one."""
    glance = visit.app.glance()
    sentence, _, command = not_read(glance.unread_boxes).rpartition(": ")
    if sentence:
        yield warning(sentence, mend=command)
    for trouble in glance.unread.troubles[:_NAMED]:
        yield warning(f"nobody knows what is open in it: {trouble.error}", trouble.path)
    usual = Sources()
    for kind, key in KEYS.items():
        paths = [one.path for one in glance.listing.found if one.kind is kind]
        for glob in getattr(visit.app.config.sources, key):
            if glob not in getattr(usual, key) and not any(map(Pattern(glob).match, paths)):
                yield warning(f"`{glob}` of `sources.{key}` fits no file", mend="wrap sources")
    for copy in glance.listing.copies[:_NAMED]:
        mend = f"bring what differs into {copy.original}, then delete the copy"
        yield warning(f"a conflict copy of {copy.original}, not read", copy.path, mend)
    near = near_names(visit.app.root, visit.app.config, glance.listing.copies)
    for one in near[:_NAMED]:
        yield warning("not read, though nearly named like a source", one.path, f"rename it if you mean {one.meant}")
    if more := near[_NAMED:]:
        yield warning(f"{count(len(more), 'more file')} nearly named like a source", mend="wrap sources --json")


def templates(visit: Visit) -> Iterator[Finding]:
    """Whether the dashboard can be rendered; a template that cannot raises the error that names its line."""
    page(visit.session)
    own = os.path.lexists(visit.app.root / USER_TEMPLATES)
    yield ok("the vault's own templates render" if own else "the built-in template renders")


def waiting(visit: Visit) -> Iterator[Finding]:
    """Pending follow-ups and expired items."""
    if visit.app.config.pending == "store":
        from wrapgen.workflows.team_queue import team_address

        team_address(visit.app)
    if pending := len(visit.session.memory.pending):
        yield note(f"{count(pending, 'follow-up')} pending", mend="wrap route")
    if expired := len(visit.session.run.of(Fate.EXPIRED)):
        yield note(f"{count(expired, 'item')} expired", mend="wrap list --expired")


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
    spool = spool_of(app)
    drained = drain(app, spool)
    if left := spool.waiting():
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
