"""An item's words as pieces of text with their style, for a page that is not Markdown. PURE."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from wrapgen.text.display import visible
from wrapgen.vault.markdown.safe import addresses, inline_tokens, rebased

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HARMLESS = ("http:", "https:", "mailto:")
_STYLES = ("em", "strong", "s")
# Words without any mark or address.
_BARE = re.compile(r"[\w ,;'\"()?!/-]*")


class Span(NamedTuple):
    """A piece of text."""

    text: str  # as it is read, without marks; control characters are shown as escapes
    styles: tuple[str, ...] = ()  # names of HTML's elements for it, the outermost first: `em`, `strong`, `s`, `code`
    href: str = ""  # where it leads: a web or mail address, or a path from the vault's root; empty for nowhere


def spans(text: str, source: str) -> tuple[Span, ...]:
    """Take an item's words apart."""
    if _BARE.fullmatch(text):
        return (Span(text),)
    return tuple(span for span in _spans(text, source) if span.text)


def _spans(text: str, source: str) -> Iterator[Span]:
    styles: list[str] = []
    href = ""
    for token in inline_tokens(text):
        kind, _, edge = token.type.rpartition("_")
        content = visible(token.content)  # once more: `&#10;` has become a line break by now
        if kind == "link":
            href = _target(str(token.attrs["href"]), source) if edge == "open" else ""
        elif kind in _STYLES and edge == "open":
            styles.append(kind)
        elif kind in _STYLES:
            styles.pop()
        elif token.type == "code_inline":
            yield Span(content, (*styles, "code"), href)
        elif token.type == "image":
            yield Span(content or "image", tuple(styles), href or _target(str(token.attrs["src"]), source))
        elif token.type in ("softbreak", "hardbreak"):
            yield Span(" ", tuple(styles), href)
        elif href:
            yield Span(content, tuple(styles), href)
        else:
            yield from _plain(content, tuple(styles))


def _plain(text: str, styles: tuple[str, ...]) -> Iterator[Span]:
    """Text outside links: bare addresses of pages become links."""
    done = 0
    for start, end in addresses(text):
        if text[start : start + 4].casefold() == "http":
            yield Span(text[done:start], styles)
            yield Span(text[start:end], styles, text[start:end])
            done = end
    yield Span(text[done:], styles)


def _target(href: str, source: str) -> str:
    """Where a link leads; nowhere when it would run something, or leave for another machine's files."""
    if scheme := _SCHEME.match(href):
        return href if scheme[0].casefold() in _HARMLESS else ""
    return "" if href.startswith(("/", "\\")) else rebased(href, source)
