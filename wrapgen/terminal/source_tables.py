"""What is read and what is not, as a table for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.dashboard.balance import place_of
from wrapgen.text.display import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from wrapgen.notes import UnreadBoxes
    from wrapgen.workflows.sources import SourceRow

_NAMED = 10  # places of unread boxes


def source_rows(rows: Sequence[SourceRow]) -> Table:
    """Globs with what they are, their files and what these hold."""
    from rich.table import Table

    table = Table("as", box=None, pad_edge=False)
    table.add_column("glob", overflow="fold")
    table.add_column("what")
    table.add_column("files", justify="right")
    table.add_column("open", justify="right")
    for row in rows:
        table.add_row(row.key, visible(row.glob), visible(row.why), str(row.files), str(row.items))
    return table


def unread_rows(found: UnreadBoxes) -> Table:
    """Where boxes are that nothing reads; the last row sums up the rest."""
    from rich.table import Table

    table = Table("not read", box=None, pad_edge=False)
    table.add_column("boxes", justify="right")
    for group in found.by[:_NAMED]:
        table.add_row(visible(place_of(group)), str(group.boxes))
    if rest := found.boxes - sum(group.boxes for group in found.by[:_NAMED]):
        table.add_row("elsewhere", str(rest))
    return table
