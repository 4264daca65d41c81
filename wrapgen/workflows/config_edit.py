"""A change of the vault's `wrapgen.toml` under a receipt, so that `wrap undo` takes it back to the byte."""

from collections.abc import Callable
from dataclasses import replace

from wrapgen.config import VAULT_FILE, Config, load_text
from wrapgen.regular_files import whole
from wrapgen.session.memory import Change, Receipt, Step
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.vault.rewrite import rewrite
from wrapgen.workflows.line_writer import whole_lines
from wrapgen.workflows.vault_session import VaultSession


def edit_config(session: VaultSession, edit: Callable[[str], str], receipt: Receipt) -> Receipt:
    """Change the configuration, and close the receipt; the caller holds the lock and rebuilds afterwards.

    Raises:
        ConfigError: what would be written is not allowed; nothing is written.
    """
    app, memory = session.app, session.memory
    file = app.root / VAULT_FILE

    def transform(data: bytes | None) -> bytes:
        text = edit((data or b"").decode("utf-8-sig"))
        load_text(text, file, Config)
        return text.encode("utf-8")

    former = whole(file)
    memory.write(replace(receipt, step=Step.PLANNED, changes=(*receipt.changes, _change(former, transform(former)))))
    result = rewrite(file, transform, root=app.root)
    changes = (*receipt.changes, _change(result.former or b"", result.data or b"")) if result.changed else ()
    closed = replace(receipt, step=Step.DONE, changes=changes)
    memory.close(closed)
    app.reload()
    session.notes_changed()
    return closed


def _change(former: bytes, data: bytes) -> Change:
    start = _shared(former, data)
    end = _shared(former[start:][::-1], data[start:][::-1])
    old, new = former[start : len(former) - end], data[start : len(data) - end]
    return whole_lines(VAULT_FILE, Replacement(start, old, new), former)


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
