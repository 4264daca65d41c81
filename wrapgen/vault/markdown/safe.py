"""An item's text in another page: as Markdown that is safe there, or as pieces with their style. PURE.

The words keep their emphasis, code and links; everything that would mean something else at a new place (HTML, bare
addresses, unfinished marks, links relative to the source) is written so that it shows what the source shows, and so
that markdownlint's default rules pass.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.late_pattern import late
from wrapgen.text.display import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_ADDRESS = late(r"https?://[^\s<>`\\]+|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|\bwww\.(?=\w)", re.IGNORECASE)
_ENDING = ".,:;!?'\"*_~)]"
# Words without any special meaning in Markdown.
_BARE = late(r"[^\W_](?:[^\W_]|[ ,'-](?! ))*(?<![ ,'-])")
_WIKILINK = late(r"\[\[[^\[\]\n]+\]\]")
_SPECIAL = late(r"[`*\[\]<]|~~|\\(?=[!-/:-@\[-`{-~])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)|\$(?=\$)")
_BLOCK_START = late(
    r"^(?P<number>\d{1,9}(?=[.)](?:\s|$)))?(?P<mark>(?(number)[.)]|(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|~~~|[-=]+$)))"
)
_SCHEME = late(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HARMLESS = ("http:", "https:", "mailto:")
_STYLES = ("em", "strong", "s")
# Words without any mark or address.
_UNMARKED = late(r"[\w ,;'\"()?!/-]*")
# markdownlint MD059: words that do not say where a link leads.
_EMPTY_WORDS = frozenset(("click here", "here", "link", "more"))
_MARKUP = {
    "em_open": "*", "em_close": "*", "strong_open": "**", "strong_close": "**", "s_open": "~~", "s_close": "~~",
    "softbreak": " ", "hardbreak": " ",
}  # fmt: skip


def safe_inline(text: str, source: str, folder: str = "") -> str:
    """Write an item's words for another page of the vault."""
    return text if _BARE.fullmatch(text) else _parsed(text, source, folder)


def _parsed(text: str, source: str, folder: str) -> str:
    words = "".join(_render(_inline_tokens(text), lambda href: _rebased(href, source, folder))).strip()
    # The words may come first in a list item, where these would open a block.
    return _BLOCK_START.sub(lambda found: f"{found['number'] or ''}\\{found['mark']}", words, count=1)


def _inline_tokens(text: str) -> list[Token]:
    """What a text consists of."""
    return _markdown().parseInline(visible(text))[0].children or []


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt  # late: many pages need none of it

    return MarkdownIt("commonmark", {"maxNesting": 50}).enable("strikethrough")


def _render(tokens: list[Token], target_of: Callable[[str], str]) -> Iterable[str]:
    link: list[str] | None = None
    target = ""
    for token in tokens:
        content = visible(token.content)  # once more: `&#10;` has become a line break by now
        match token.type:
            case "link_open":
                link, target = [], target_of(str(token.attrs["href"]))
                continue
            case "link_close":
                piece = _link("".join(link or []), target)
                link = None
            case "text" if link is not None:
                piece = _escaped(content)
            case "text":
                piece = _plain(content)
            case "code_inline":
                piece = code(content)
            case "image" if link is not None:
                piece = _escaped(content) or "image"  # a link holds no other one
            case "image":
                piece = _link(_escaped(content) or "image", target_of(str(token.attrs["src"])))
            case "html_inline":
                piece = _escaped(content)
            case _:
                piece = _MARKUP.get(token.type, "")
        if link is None:
            yield piece
        else:
            link.append(piece)


def _addresses(text: str) -> Iterable[tuple[int, int]]:
    """Where bare addresses stand, as (start, end): of pages, of people, and a `www.` alone."""
    for match in _ADDRESS.finditer(text):
        address = match[0] if match[0].casefold() == "www." else match[0].rstrip(_ENDING)
        yield match.start(), match.start() + len(address)


def _plain(text: str) -> str:
    """Text outside links: bare addresses become links of their own."""
    out, done = [], 0
    for start, end in _addresses(text):
        address = text[start:end]
        out.append(_escaped(text[done:start]))
        out.append("www\\." if address.casefold() == "www." else f"<{address}>")
        done = end
    return "".join(out) + _escaped(text[done:])


def _escaped(text: str) -> str:
    out, end = [], 0
    for wiki in _WIKILINK.finditer(text):
        out += [_SPECIAL.sub(r"\\\g<0>", text[end : wiki.start()]), wiki[0]]
        end = wiki.end()
    return "".join(out) + _SPECIAL.sub(r"\\\g<0>", text[end:])


def code(content: str) -> str:
    """Write a text as inline code, whatever backticks it holds."""
    content = visible(content).strip()
    longest = max((len(run) for run in re.findall("`+", content)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if content.startswith("`") or content.endswith("`") else ""
    return f"{fence}{pad}{content}{pad}{fence}" if content else ""


def _link(words: str, target: str) -> str:
    words = words.strip()
    if not target:
        return words
    if not words or words.casefold() in _EMPTY_WORDS:
        words = f"{words}: {_escaped(target)}".lstrip(": ")
    return f"[{words}]({target})"


def _rebased(href: str, source: str, folder: str = "") -> str:
    """A link of a note as seen from a page of the vault."""
    if not href or _SCHEME.match(href) or href.startswith("/"):
        pass
    elif href.startswith("#"):
        href = link_target(source, folder) + href
    else:
        path, mark, rest = href.partition("#")
        href = posixpath.normpath(posixpath.join(posixpath.dirname(link_target(source, folder)), path)) + mark + rest
    return _encoded(href, "()<> ")


def link_target(path: str, folder: str = "") -> str:
    """A path as the target of a link: what Markdown or an address would read otherwise is percent-encoded."""
    if folder:
        path = posixpath.relpath(path, folder)
    return _encoded(path, '%#?()<>[]\\`|" ')


def _encoded(text: str, special: str) -> str:
    return "".join(
        "".join(f"%{byte:02X}" for byte in char.encode()) if char in special or not char.isprintable() else char
        for char in text
    )


class Span(NamedTuple):
    """A piece of text."""

    text: str  # as it is read, without marks; control characters are shown as escapes
    styles: tuple[str, ...] = ()  # names of HTML's elements for it, the outermost first: `em`, `strong`, `s`, `code`
    href: str = ""  # where it leads: a web or mail address, or a path from the vault's root; empty for nowhere


def spans(text: str, source: str) -> tuple[Span, ...]:
    """Take an item's words apart."""
    if _UNMARKED.fullmatch(text):
        return (Span(text),)
    return tuple(span for span in _spans(text, source) if span.text)


def _spans(text: str, source: str) -> Iterator[Span]:
    styles: list[str] = []
    href = ""
    for token in _inline_tokens(text):
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
            yield from _plain_spans(content, tuple(styles))


def _plain_spans(text: str, styles: tuple[str, ...]) -> Iterator[Span]:
    """Text outside links: bare addresses of pages become links."""
    done = 0
    for start, end in _addresses(text):
        if text[start : start + 4].casefold() == "http":
            yield Span(text[done:start], styles)
            yield Span(text[start:end], styles, text[start:end])
            done = end
    yield Span(text[done:], styles)


def _target(href: str, source: str) -> str:
    """Where a link leads; nowhere when it would run something, or leave for another machine's files."""
    if scheme := _SCHEME.match(href):
        return href if scheme[0].casefold() in _HARMLESS else ""
    return "" if href.startswith(("/", "\\")) else _rebased(href, source)
