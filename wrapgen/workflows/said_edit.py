"""What is said of items goes into `.wrapgen/said.jsonl` under the receipt of the run that says it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from wrapgen.errors import EditError
from wrapgen.model import Item, TriageVerdict
from wrapgen.redact import redact
from wrapgen.session.memory import Receipt
from wrapgen.triage.said import ItemBecame, Record, VerdictSaid, decoded, encoded, named_again
from wrapgen.vault.disk import let_through, make_private_folder
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.workflows.file_writer import Computed, write_files
from wrapgen.workflows.said_file import SAID_FILE
from wrapgen.workflows.vault_session import VaultSession

Says = Callable[[Collection[str]], Sequence[Record]]
"""What is said of items, given the ids of the edits that could not be made."""


@dataclass(frozen=True, slots=True)
class SaidEdit:
    """Records added to the end of the file."""

    root: Path
    says: Says
    path: str = SAID_FILE
    ids: Collection[str] = (SAID_FILE,)

    def compute(self, data: bytes | None, failed: Collection[str]) -> Computed:
        """Compute what is added to what stands there."""
        records = self.says(failed)
        if not records:
            return Computed(None)
        folder = (self.root / SAID_FILE).parent
        if not folder.is_dir():  # in one that is there may be somebody's own files
            make_private_folder(folder, self.root)
        let_through(folder, self.root)
        former = data or b""
        records = [*named_again(decoded(former)[0], records), *records]
        gap = b"" if not former or former.endswith(b"\n") else b"\n"
        return Computed.of(self.path, data, [[Replacement(len(former), b"", gap + encoded(records))]])


def verdict_of_person(now: datetime, item: Item, verdict: TriageVerdict, other: str = "") -> Record:
    """Return what is remembered of an item that a person judges; `other` is the id of what it is the same as."""
    return VerdictSaid(
        said=now, id=item.id, verdict=verdict, by="person", seen=item.digest, text=redact(item.text)[0], other=other
    )


def became(now: datetime, was: Iterable[Item], item: Item) -> Iterator[Record]:
    """Yield what lets all that hangs on items go on to mean the one that stands in their place."""
    for one in was:
        if one.id != item.id:
            yield ItemBecame(
                said=now, was=one.id, id=item.id, path=item.path, line=item.line, quote=redact(item.text)[0],
                seen=item.digest,
            )  # fmt: skip


def remember(session: VaultSession, receipt: Receipt, records: Sequence[Record]) -> Receipt:
    """Add what was said to a receipt that is new, or closed already; the caller holds the vault's lock.

    Raises:
        EditError: the file cannot be written.
    """
    written = write_files(session, [SaidEdit(session.app.root, lambda _: records)], receipt)
    session.memory.close(written.receipt)
    session.notes_changed()
    if why := written.failed.get(SAID_FILE):
        raise EditError(why)
    return session.memory.receipt(receipt.id)
