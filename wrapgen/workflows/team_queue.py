"""A vault whose pending follow-ups are in the team's queue: decisions here are sent there, and the other way round.

Every command still reads the files of `.wrapgen/state/`, which mirror the queue as of the last contact.
Changes go to the spool first (see `wrapgen.agents.spool`), so they arrive once, in order, despite crashes and outages.
While the server is down, routing goes on with the local state.
"""

import getpass
import os
import secrets
import socket
from collections.abc import Collection, Iterable
from datetime import date, timedelta
from functools import cached_property
from hashlib import blake2b
from typing import Self, TypeVar

import msgspec

from wrapgen.agents.operations import Queue, QueueState, Settle, Wait
from wrapgen.agents.spool import Spool
from wrapgen.agents.store import KEEP_DAYS, Store
from wrapgen.config import VAULT_FILE, user_config_path
from wrapgen.errors import ConfigError, UnavailableError, WrapgenError
from wrapgen.notes import Trouble
from wrapgen.session.follow_up import wording_trouble
from wrapgen.session.memory import CLONE_FILE, Elsewhere, Pending, Skip
from wrapgen.vault import state
from wrapgen.vault.layout import is_trusted
from wrapgen.workflows.agent_store import PATIENCE, own_store, team_store
from wrapgen.workflows.app import App
from wrapgen.workflows.memory import Memory

T = TypeVar("T")
_encode = msgspec.json.encode


class Sharing:
    """The queue, as a run sees it, in a `with` block. The vault's lock is held all the time."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._server: Store | None = None
        self._fresh = False
        self._told: set[str] = set()

    @cached_property
    def queue(self) -> Queue:
        return Queue(self._app.config.vault, _clone(self._app), _who())

    @cached_property
    def _spool(self) -> Spool:
        return Spool(self._app.root, team=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if self._server is not None:
                self._send(self._server)
            if self._server is not None and kind is None:  # else claims may stand for lines that are half written
                self.queue.release(self._server)
        except UnavailableError as error:
            self._lost(error)
        finally:
            if self._server is not None:
                self._server.close()

    def wait(self, new: Iterable[Pending], *, again: bool) -> None:
        for one in new:
            self.say(one, again=again or self._fresh or one.orphan.reason is not None)

    def say(self, one: Pending, *, again: bool = False) -> None:
        """Report a pending follow-up, also one mentioned again, which an earlier answer does not cover."""
        orphan, vault = one.orphan, self.queue.vault
        said = orphan.said_on.isoformat() if orphan.said_on else ""
        record, day = _encode(one).decode(), one.since.isoformat()
        self._spool.append(Wait(vault=vault, id=orphan.id, record=record, day=day, said=said, again=again))

    def settle(self, gone: Iterable[Pending]) -> None:
        for one in gone:
            if one.orphan.id not in self._told:
                self._settle(one, QueueState.SETTLED, _encode(one))

    def skip(self, one: Pending, skip: Skip) -> None:
        self._told.add(one.orphan.id)
        self._settle(one, QueueState.SKIPPED, _encode(skip))

    def _settle(self, one: Pending, what: QueueState, record: bytes) -> None:
        vault, clone, who = self.queue.vault, self.queue.clone, self.queue.who
        day, text = self._app.day.isoformat(), record.decode()
        settled = Settle(vault=vault, id=one.orphan.id, state=what, record=text, day=day, who=who, clone=clone)
        self._spool.append(settled)

    def not_claimed(self, ids: Collection[str]) -> dict[str, str | None]:
        """Claim follow-ups; of those that are not ours, who is routing it, None for what is answered."""
        if self._server is None or not ids:
            return {}
        try:
            states = self.queue.states(self._server, set(ids) - self.queue.claim(self._server, ids))
        except UnavailableError as error:
            self._lost(error)
            return {}
        busy = {QueueState.WAITING, QueueState.CLAIMED}
        return {key: (who or "somebody else") if one in busy else None for key, (one, who) in states.items()}

    def meet(self, memory: Memory) -> None:
        """Send what is queued for the server, and adopt what is pending there."""
        self._server = self._reached()
        if self._server is None:
            return
        try:
            self._send(self._server)
            self.queue.release(self._server)
            known = self.queue.states(self._server, memory.pending)
            for key, one in memory.pending.items():
                if key not in known:
                    self.say(one)
            self._send(self._server)
            self._take_over(self._server, memory)
            self._fresh = True
        except UnavailableError as error:
            self._lost(error)

    def _take_over(self, server: Store, memory: Memory) -> None:
        app = self._app
        kept = app.day - timedelta(days=min(max(app.config.lookback_days, KEEP_DAYS), 36_500))
        with server.reading():
            waiting = self.queue.waiting(server)
            settled = self.queue.settled(server, kept.isoformat())
        self.queue.forget(server, kept.isoformat())
        records = {key: one for key, text in waiting.items() if (one := self._waiting(key, text, memory))}
        skips = [self._read(one.id, one.record, Skip, memory) for one in settled if one.state is QueueState.SKIPPED]
        elsewhere = (Elsewhere(one.id, date.fromisoformat(one.day), one.who or "") for one in settled)
        memory.take_over(records, filter(None, skips), elsewhere)

    def _waiting(self, key: str, text: str, memory: Memory) -> Pending | None:
        """A pending record; text that no note could contain is ignored."""
        one = self._read(key, text, Pending, memory)
        if one is None or (one.orphan.id == key and not wording_trouble(one.orphan.text)):
            return one
        memory.troubles.append(Trouble(f"the team's queue, {key}", "is not a follow-up; it stays there"))
        return None

    def _read(self, key: str, text: str, kind: type[T], memory: Memory) -> T | None:
        try:
            return msgspec.json.decode(text, type=kind)
        except (msgspec.DecodeError, RecursionError) as error:
            where = f"the team's queue, {key}"
            memory.troubles.append(Trouble(where, f"cannot be read ({error}); it stays there"))
            return None

    def _send(self, server: Store) -> None:
        if self._spool.is_empty():
            return
        with own_store(self._app) as own:
            trouble = self._spool.drain(own, server, patience=PATIENCE).trouble
        if trouble is not None:
            raise trouble

    def _reached(self) -> Store | None:
        team_address(self._app)
        if self._app.away:
            return None
        try:
            return team_store(self._app)
        except UnavailableError as error:
            self._lost(error)
            return None

    def _lost(self, error: UnavailableError) -> None:
        """Go without the server for the rest of the run, with one message."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if not self._app.away:
            self._app.away = error.what
            self._app.warn(f"the team's queue is unreachable: {error.what}; using the local copy, which is sent later.")


def team_address(app: App) -> str:
    """Where the queue of a vault is, for whose file says that there is one."""
    if not is_trusted(app.root):
        raise WrapgenError(
            'says `pending = "store"`, but you have not trusted this vault with the team store',
            where=str(app.root / VAULT_FILE),
            next_step="Run `wrap trust` there if it is yours.",
        )
    if app.store_address is None:
        raise ConfigError(
            '`pending = "store"` needs a store, but none is configured',
            where=str(app.root / VAULT_FILE),
            next_step=f"Set your team's PostgreSQL: `[agents] store` in {user_config_path()}, or $WRAPGEN_STORE.",
        )
    return app.store_address


def _clone(app: App) -> str:
    """Identifies this clone, also against a copy of its folder."""
    named = state.load(app.root, CLONE_FILE, str).records or (secrets.token_hex(8),)
    if not state.state_file(app.root, CLONE_FILE).exists():
        state.save(app.root, CLONE_FILE, named)
    parts = (named[0], socket.gethostname(), os.path.realpath(app.root))
    return blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def _who() -> str:
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container whose user has no name
        user = "somebody"
    return f"{user}@{socket.gethostname()}"
