"""What waits for the store: one file, a line an operation, which whoever comes next with time drains.

Hooks append and never open a database, so they wait for nobody and lose nothing. Who drains renames the file, does each
line in the vault's own database and on the team's server if there is one, and removes it. Each line has an id that a
database notes with what it did: a line that is met twice, after a crash or because its writer could not know whether it
was still read, is done once. While the server is away its lines stay, in their order, and are known here.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wrapgen.agents.operations import Operation, Settle, Wait, read, written
from wrapgen.agents.store import Store
from wrapgen.errors import StoreError, UnavailableError
from wrapgen.regular_files import opened, put, take, whole
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.state import state_file

FILE = "agents-spool.jsonl"
_TAKEN = "agents-spool.taken.jsonl"  # what is being drained, or waits for the server
_REFUSED = "agents-spool.refused.jsonl"  # what no database takes, with the reason
_POLL_SECONDS = 0.01


class Spool:
    """What waits in a vault, for a `team`'s server too. Every method raises `OSError` and `PublishError`."""

    def __init__(self, root: Path, *, team: bool = False) -> None:
        self._root, self._team = root, team
        self.file, self.taken = state_file(root, FILE), state_file(root, _TAKEN)

    def append(self, operation: Operation) -> str:
        """Keep an operation, without the secrets that are recognised; returns its id."""
        key = os.urandom(12).hex()
        make_private_folder(self.file.parent, self._root)
        fields = {"id": key, "since": round(time.time()), "team": self._team}
        # Behind a line that a killed writer left incomplete it begins a new one.
        self._append(self.file, f'\n{json.dumps(fields)[:-1]}, "do": {written(operation)}}}\n')
        return key

    def _append(self, file: Path, line: str) -> None:
        data = line.encode()
        while True:
            with opened(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, follow=False) as descriptor:
                if os.write(descriptor, data) != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), os.fspath(file))
                # Taken away in the middle of this: it may have been read before the line was in it.
                with suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(descriptor), file.stat()):
                        return

    def waiting(self) -> int:
        return sum(1 for file in (self.taken, self.file) for _ in _lines(file))

    def refused(self) -> list[str]:
        """Why operations were put aside, oldest first."""
        return [str(json.loads(line)["why"]) for line in _lines(state_file(self._root, _REFUSED))]

    def is_empty(self) -> bool:
        return not (self.file.exists() or self.taken.exists())

    def drain(
        self,
        own: Store,
        server: Store | UnavailableError | None = None,
        *,
        patience: float = 0.0,
        seconds: float = float("inf"),
    ) -> Drained:
        """Do what waits, in its order; what is left after `seconds` waits on.

        `server` is the team's store, or why it cannot be used now, None without a team; `patience` are seconds to wait
        for another process that is at it.
        """
        drained = Drained(self, own, server, trouble=server if isinstance(server, UnavailableError) else None)
        if self.is_empty():
            return drained
        begun = time.monotonic()
        while (claim := take(os.fspath(self.file))) is None:
            if time.monotonic() - begun >= patience:
                drained.trouble = UnavailableError("another process drains what waits for the store of sub-agents")
                return drained
            time.sleep(_POLL_SECONDS)
        try:
            drained.run(time.monotonic() + seconds)
        finally:
            os.close(claim)
        return drained

    def refuse(self, line: str, error: StoreError) -> None:
        """Put a line aside that no database takes, so that it does not keep the others waiting."""
        self._append(state_file(self._root, _REFUSED), "\n" + json.dumps({"why": error.what, "line": line}) + "\n")


@dataclass(slots=True)
class Drained:
    """A drain, and what came of it."""

    spool: Spool
    own: Store
    server: Store | UnavailableError | None
    done: dict[str, object] = field(default_factory=dict)  # results by id; those of the server where there is one
    trouble: UnavailableError | None = None  # why something waits on

    def run(self, deadline: float) -> None:
        file, taken = self.spool.file, self.spool.taken
        while True:
            if not taken.exists():
                try:
                    file.rename(taken)
                except FileNotFoundError:
                    return
            if left := list(self._left(taken, deadline)):
                put(os.fspath(taken), *(f"{line}\n".encode() for line in left))
                break
            taken.unlink()
        for _ in self._left(file, deadline):  # what came since stays behind what waits, but is known here
            pass

    def _left(self, file: Path, deadline: float) -> Iterator[str]:
        """Do the lines of a file; gives those that wait on."""
        stopped = False
        for line in _lines(file):
            stopped = stopped or time.monotonic() > deadline
            try:
                left = line if stopped else self._do(line)
            except UnavailableError as error:  # the vault's own database
                self.trouble, stopped, left = error, True, line
            except StoreError as error:
                self.spool.refuse(line, error)
                left = None
            if left is not None:
                yield left

    def _do(self, line: str) -> str | None:
        """Do a line; gives what of it waits on, None when it is done for good."""
        fields = _fields(line)
        operation = read(fields["do"])
        key, result = fields["id"], None
        if not (fields.get("here") or isinstance(operation, (Settle, Wait))):
            result = self.own.do_once(key, operation)
        if isinstance(self.server, Store):
            try:
                result = self.server.do_once(key, operation)
            except UnavailableError as error:
                self.server = self.trouble = error
        if isinstance(self.server, Store) or not (self.server or fields.get("team")):
            self.done[key] = result
            return None
        return json.dumps({**fields, "here": True})


def _fields(line: str) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = json.loads(line)
        if isinstance(fields["id"], str) and fields["do"]:
            return fields
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    raise StoreError("a line of what waits for the store of sub-agents cannot be read")


def _lines(file: Path) -> Iterator[str]:
    """The complete lines of a file; what its writer has not finished is none."""
    try:
        data = whole(file)
    except FileNotFoundError:
        return
    for line in data[: data.rfind(b"\n") + 1].decode("utf-8", "replace").split("\n"):
        if line.strip():
            yield line
