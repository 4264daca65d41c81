"""What a person decides about single items: the frame that `add`, `done`, `snooze` and `keep` share."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wrapgen.commands.rebuild import collect, rebuilt_after
from wrapgen.commands.remembering import remembering
from wrapgen.commands.writing import begin
from wrapgen.session.memory import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.app import App
    from wrapgen.commands.memory import Memory
    from wrapgen.ledger import Run
    from wrapgen.session.memory import Receipt


@dataclass(slots=True)
class Decision:
    """A decision in the making.

    Attributes:
        receipt: what is written down about it.
        run: the vault as it stands, for commands that name items; once it was rebuilt, as it stands then.
    """

    memory: Memory
    receipt: Receipt
    run: Run

    def see(self, run: Run) -> None:
        """Take the vault as it stands after the change."""
        self.run = run

    def close(self, receipt: Receipt) -> None:
        """Write the receipt of a decision that changes no file."""
        self.receipt = self.memory.write(replace(receipt, step=Step.DONE))


@contextmanager
def decision(app: App, command: str) -> Iterator[Decision]:
    """Hold the lock, read the vault, let the command write, rebuild the dashboard and name the receipt.

    Args:
        app: the vault.
        command: the command's name, for the receipt.
    """
    with remembering(app, meet=False) as memory:
        made = Decision(memory, begin(app, command), collect(app).run)
        with rebuilt_after(app, made.see):
            yield made
    app.say(f"take it back with: wrap undo {made.receipt.id}")
