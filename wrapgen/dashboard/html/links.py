"""Where the links of the page lead: a file of its own may stand anywhere, and notes are found from there. PURE."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from wrapgen.text import visible
from wrapgen.vault.markdown.safe import link_target

LinkStyle = Literal["file", "obsidian", "vscode"]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a note.

    Attributes:
        name: as short as it can be told from its neighbours, `2026-04-23.md:31` or `web/todos.md:12`.
        whole: its whole path with the line.
        href: where the link leads.
    """

    name: str
    whole: str
    href: str


@dataclass(frozen=True, slots=True)
class Links:
    """How the page links to the vault's files.

    Attributes:
        style: what opens a source: the browser, or an editor that has registered its scheme.
        base: the vault as seen from the page, as an address that ends in `/`.
        vault: its absolute path, with forward slashes.
    """

    style: LinkStyle
    base: str
    vault: str

    def place(self, path: str, line: int) -> Place:
        """Where something stands.

        Args:
            path: relative to the vault.
            line: 1-based line.
        """
        name = posixpath.basename(path)
        if not any(map(str.isdigit, name)):  # `todos.md` alone says nothing
            name = posixpath.join(posixpath.basename(posixpath.dirname(path)), name)
        return Place(visible(f"{name}:{line}"), visible(f"{path}:{line}"), self._source(path, line))

    def _source(self, path: str, line: int) -> str:
        whole = posixpath.join(self.vault, path)
        match self.style:
            case "file":
                return f"{self.base}{link_target(path)}#L{line}"
            case "vscode":
                return f"vscode://file/{quote(whole.lstrip('/'))}:{line}"
            case "obsidian":
                return f"obsidian://open?path={quote(whole, safe='')}"

    def target(self, href: str) -> str:
        """A link of an item, as `Span.href` has it, as seen from the page."""
        own = href.startswith(("http:", "https:", "mailto:")) or not href
        return href if own else self.base + href
