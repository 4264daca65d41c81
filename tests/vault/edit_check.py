"""An edited file held against the former one, from its bytes on: what every insertion must pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.vault.markdown.blocks import Blocks, decode, others_stand, read_blocks
from wrapgen.vault.markdown.parse import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.vault.markdown.item_writer import NewItem


def note(data: bytes | None) -> Blocks | None:
    """A file as edits take it."""
    return None if data is None else read_blocks(data)


def check(old: bytes, new: bytes, items: Sequence[NewItem], *, done: bool = False) -> None:
    """Fail unless the new file is the old one plus one run of bytes, and reads as that plus exactly the items."""
    added = len(new) - len(old)
    if added < 0 or not any(new[:at] + new[at + added :] == old for at in range(len(old) + 1)):
        raise EditError("the edit would change what stands in the file")
    before, after = parse(decode(old)), parse(decode(new))
    for first in range(len(before.entries) + 1):
        come = range(first, first + len(items))
        if others_stand(before, after, came=come) and all(
            item.reads_as(after.entries[at], done=done) for item, at in zip(items, come, strict=True)
        ):
            return
    raise EditError("the edit would make the file read otherwise")
