"""A change of the vault's `wrapgen.toml` under a receipt, so that `wrap undo` takes it back to the byte."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from wrapgen.config import VAULT_FILE, Config, load_text
from wrapgen.regular_files import whole
from wrapgen.session.memory import Receipt
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.workflows.file_writer import Computed, write_files
from wrapgen.workflows.vault_session import VaultSession

_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class ConfigEdit:
    """What a run changes in the configuration: `edit` gives its text without byte order mark."""

    root: Path
    edit: Callable[[str], str]
    path: str = VAULT_FILE
    ids: Collection[str] = (VAULT_FILE,)

    def compute(self, data: bytes | None, failed: Collection[str]) -> Computed:
        """Compute the change; raises ConfigError when what would be written is not allowed."""
        del failed
        former = data or b""
        text = former.decode("utf-8")
        mark = _MARK if text.startswith(_MARK) else ""
        new_text = self.edit(text.removeprefix(mark))
        load_text(new_text, self.root / VAULT_FILE, Config)
        new = f"{mark}{new_text}".encode()
        start = _shared(former, new)
        end = _shared(former[start:][::-1], new[start:][::-1])
        splice = Replacement(start, former[start : len(former) - end], new[start : len(new) - end])
        return Computed.of(self.path, data, [[splice]])


def edit_config(session: VaultSession, edit: Callable[[str], str], receipt: Receipt) -> Receipt:
    """Change the configuration, and close the receipt; the caller holds the lock and rebuilds afterwards.

    Raises:
        ConfigError: what would be written is not allowed; nothing is written.
    """
    change = ConfigEdit(session.app.root, edit)
    change.compute(whole(session.app.root / VAULT_FILE), ())
    written = write_files(session, [change], receipt)
    session.memory.close(written.receipt)
    session.app.reload()
    session.notes_changed()
    return session.memory.receipt(receipt.id)


def _shared(one: bytes, other: bytes) -> int:
    """Return how many bytes two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
