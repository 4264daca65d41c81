"""What is done to the store, as records: they can be done here, or written down and done elsewhere later."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from wrapgen.agents.actor import NO_USAGE, Usage, Who, WorkFolder
from wrapgen.agents.queue import Settle, Wait
from wrapgen.agents.store import kept
from wrapgen.errors import StoreError

if TYPE_CHECKING:
    from wrapgen.agents.store import Store


class Start(msgspec.Struct, frozen=True, tag="start"):
    """See `Store.start`."""

    who: Who
    place: WorkFolder | None
    now: datetime

    def do(self, store: Store) -> int | None:
        """Do it."""
        return store.start(self.who, self.place, self.now)


class Stop(msgspec.Struct, frozen=True, tag="stop", kw_only=True):
    """See `Store.stop`."""

    who: Who
    text: str | None
    place: WorkFolder | None
    usage: Usage = NO_USAGE
    accepted: bool
    finished: str
    now: datetime

    def do(self, store: Store) -> None:
        """Do it."""
        store.stop(
            self.who,
            self.text,
            place=self.place,
            usage=self.usage,
            accepted=self.accepted,
            finished=self.finished,
            now=self.now,
        )


class KeepOutput(msgspec.Struct, frozen=True, tag="output"):
    """See `Store.keep_output`."""

    session: str
    agent: str
    text: str
    place: WorkFolder | None
    now: datetime

    def do(self, store: Store) -> None:
        """Do it."""
        store.keep_output(self.session, self.agent, self.text, self.place, self.now)


class AddEntry(msgspec.Struct, frozen=True, tag="entry", kw_only=True):
    """See `Store.add_entry`."""

    session: str
    kind: str
    text: str
    place: WorkFolder | None
    agent: str | None
    tags: tuple[str, ...]
    now: datetime

    def do(self, store: Store) -> int:
        """Do it."""
        return store.add_entry(
            self.session, self.kind, self.text, place=self.place, agent=self.agent, tags=self.tags, now=self.now
        )


class AddFileChange(msgspec.Struct, frozen=True, tag="file"):
    """See `Store.add_file_change`."""

    session: str
    agent: str | None
    path: str
    change: str
    now: datetime

    def do(self, store: Store) -> None:
        """Do it."""
        store.add_file_change(self.session, self.agent, self.path, self.change, self.now)


Operation = Start | Stop | KeepOutput | AddEntry | AddFileChange | Settle | Wait


def written(operation: Operation) -> str:
    """An operation as text, without the secrets that are recognised."""
    if isinstance(operation, (Stop, KeepOutput, AddEntry)):
        operation = msgspec.structs.replace(operation, text=kept(operation.text) or "")
    # ASCII, so that lone surrogates come back as they were, and numbers of any size.
    return json.dumps(msgspec.to_builtins(operation))


def read(text: str) -> Operation:
    """An operation that was written down.

    Args:
        text: what `written` gave.

    Raises:
        StoreError: it is none, or one of a newer wrapgen.
    """
    try:
        operation: Operation = msgspec.convert(json.loads(text), Operation)
    except (ValueError, RecursionError) as error:  # msgspec's ValidationError is one
        raise StoreError(f"what waits for the team's server cannot be read ({error})") from error
    return operation
