"""The vault's memory, held: locked, put in order after a run that died, and in step with the team's queue."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from wrapgen.commands.memory import Memory
from wrapgen.commands.writing import recover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.app import App


@contextmanager
def remembering(app: App, *, strict: bool = False, meet: bool = True) -> Iterator[Memory]:
    """Hold the vault's lock and its memory, in which every follow-up waits or stands.

    Args:
        app: the vault.
        strict: raise where a run that died cannot be finished now.
        meet: take over what waits in the team's queue, and tell it what is decided; else that is told by the next run.

    Raises:
        LockHeldError: another run holds the lock.
        WrapgenError: the memory cannot be read, or the team's queue has no address.
    """
    with app.locked():
        memory = Memory.read(app.root)
        if app.config.pending == "local":
            recover(app, memory, strict=strict)
            yield memory
            return
        from wrapgen.commands.sharing import Sharing

        with Sharing(app) as memory.sharing:
            recover(app, memory, strict=strict)
            if meet:
                memory.sharing.meet(memory)
            yield memory
