"""Files and sections that a judge says are no work: left out by a line of `wrapgen.toml` that says why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wrapgen.config import VAULT_FILE, Config, load_text
from wrapgen.regular_files import whole
from wrapgen.session.memory import Change, Receipt, Step
from wrapgen.text.display import one_line, shorten
from wrapgen.vault.detect.proposal import literal
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.vault.rewrite import rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.line_writer import whole_lines
from wrapgen.workflows.memory import Memory

_LONGEST_REASON = 160


@dataclass(frozen=True, slots=True)
class Ignored:
    """A file, or one of its sections, that is left out."""

    path: str
    section: str  # the heading as written; "" for the whole file
    reason: str

    @property
    def name(self) -> str:
        return f"source {self.path}" + (f" › {self.section}" if self.section else "")

    @property
    def value(self) -> str:
        """The entry of `[sections] ignore`, or the glob of `[sources] ignore`."""
        return f"{self.path}#{self.section}" if self.section else literal(self.path)


def ignore_in_config(app: App, ignored: Sequence[Ignored], receipt: Receipt, memory: Memory) -> Receipt:
    """Write what is left out, under a closed receipt, which is opened for it; the caller holds the lock."""
    file = app.root / VAULT_FILE

    def transform(data: bytes | None) -> bytes:
        text = with_ignored((data or b"").decode("utf-8"), ignored)
        load_text(text, file, Config)
        return text.encode("utf-8")

    former = whole(file)
    planned = replace(receipt, step=Step.PLANNED, changes=(*receipt.changes, _change(former, transform(former))))
    memory.write(planned)
    result = rewrite(file, transform, root=app.root)
    changes = (*receipt.changes, _change(result.former or b"", result.data or b""))
    closed = replace(receipt, step=Step.DONE, changes=changes)
    memory.close(closed)
    return closed


def with_ignored(text: str, ignored: Sequence[Ignored]) -> str:
    """A configuration that leaves more out; comments and everything else stay as they are."""
    import tomlkit
    from tomlkit.items import Array

    document = tomlkit.parse(text)
    for one in ignored:
        table = document.setdefault("sections" if one.section else "sources", tomlkit.table())
        present = table.get("ignore")
        if not isinstance(present, Array):
            table["ignore"] = present = tomlkit.array()
            present = table["ignore"]
        if one.value not in present:
            present.add_line(one.value, comment=shorten(one_line(one.reason), _LONGEST_REASON))
    for name in ("sections", "sources"):
        listed = document.get(name, {}).get("ignore")
        if isinstance(listed, Array) and listed and not listed.as_string().rstrip("]").endswith("\n"):
            listed.add_line(indent="", newline=True)
    return tomlkit.dumps(document)


def _change(former: bytes, data: bytes) -> Change:
    start = _shared(former, data)
    end = _shared(former[start:][::-1], data[start:][::-1])
    old, new = former[start : len(former) - end], data[start : len(data) - end]
    return whole_lines(VAULT_FILE, Replacement(start, old, new), former)


def _shared(one: bytes, other: bytes) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
