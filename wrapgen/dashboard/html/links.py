"""Where the links of the page lead: a file of its own may be anywhere, and notes are found from there. PURE."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from wrapgen.text.display import visible
from wrapgen.vault.markdown.safe import link_target

if TYPE_CHECKING:
    from wrapgen.config import LinkStyle


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A line of a note."""

    name: str  # that of the note, with the line
    whole: str  # its whole path with the line
    href: str  # where the link leads


class NoteFile(NamedTuple):
    """A note."""

    name: str  # as short as it can be told from its neighbours, `2026-04-23.md` or `web/todos.md`
    href: str  # where the link leads, as far as the line
    has_lines: bool = True  # whether the line follows


@dataclass(frozen=True, slots=True)
class Links:
    """How the page links to the vault's files."""

    style: LinkStyle  # what opens a source: the browser, or an editor that has registered its scheme
    base: str  # the vault as seen from the page, as an address that ends in `/`
    vault: str  # its absolute path, with forward slashes

    def place(self, path: str, line: int) -> NoteLine:
        note = self.note(path)
        return NoteLine(
            f"{note.name}:{line}", visible(f"{path}:{line}"), f"{note.href}{line if note.has_lines else ''}"
        )

    def note(self, path: str) -> NoteFile:
        name = posixpath.basename(path)
        if not any(map(str.isdigit, name)):  # `todos.md` alone says nothing
            name = posixpath.join(posixpath.basename(posixpath.dirname(path)), name)
        whole = posixpath.join(self.vault, path)
        match self.style:
            case "markdown":
                return NoteFile(visible(name), f"{self.base}{link_target(path)}#L")
            case "vscode":
                return NoteFile(visible(name), f"vscode://file/{quote(whole.lstrip('/'))}:")
            case "obsidian":
                return NoteFile(visible(name), f"obsidian://open?path={quote(whole, safe='')}", has_lines=False)

    def target(self, href: str) -> str:
        own = href.startswith(("http:", "https:", "mailto:")) or not href
        return href if own else self.base + href
