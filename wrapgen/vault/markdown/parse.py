"""Markdown text to a document: headings, list items, table rows, with their lines. PURE.

markdown-it's block rules alone find all of them (inline rules would cost half the time again). Nothing in code,
quotes, HTML or front matter is an entry.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from wrapgen.vault.markdown.boxes import begins_anew
from wrapgen.vault.markdown.lines import read_plain
from wrapgen.vault.markdown.note import front_matter, with_own_status
from wrapgen.vault.markdown.token_reader import OBSIDIAN_COMMENT, TokenReader

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from wrapgen.notes import Document

NESTED_TOO_DEEPLY = "nested too deeply"

# A list takes two levels an indentation. markdown-it's presets stop at 20 and drop the rest in silence; Python's
# own limit of 1,000 frames allows some 300.
_MAX_LEVEL = 200
_SIGN = r"(?:[-*+>]|\d{1,9}[.)])(?=[ \t])"
# So many lists on one line are that deep; the parser would go over the rest of the line for each of them.
_DEEP_LINE = re.compile(rf"^(?:[ \t]*{_SIGN}){{{_MAX_LEVEL // 2}}}(?=[^\r\n]*[^-*+_ \t\r\n])", re.MULTILINE)
# What is too much in front of a line's words: all behind forty blanks and signs but the last sign.
_TOO_DEEP = re.compile(rf"^((?:[ \t]|{_SIGN}){{40}})[ \t]*+(?:{_SIGN}[ \t]++(?={_SIGN}))*+", re.MULTILINE)


class Tokens(NamedTuple):
    """The blocks of a file."""

    found: list[Token]
    trouble: str | None = None  # `NESTED_TOO_DEEPLY` when the deepest were read as less deep


def parse(text: str) -> Document:
    """Parse a file."""
    plain = read_plain(text)
    return read_tokens(tokenize(text), text) if plain is None else with_own_status(plain, text)


def tokenize(text: str) -> Tokens:
    """The blocks of a file; one that nests too deeply is read as if it were less deep, so that no line is lost."""
    if "%%" in text:
        text = OBSIDIAN_COMMENT.sub(_blanked, text)
    markdown = _markdown(front_matter=front_matter(text) is not None)
    if not _DEEP_LINE.search(text):
        with suppress(RecursionError):
            tokens = markdown.parse(text)
            if all(token.level < _MAX_LEVEL - 1 for token in tokens):
                return Tokens(tokens)
    return Tokens(markdown.parse(_TOO_DEEP.sub(r"\1", text)), NESTED_TOO_DEEPLY)


def read_tokens(tokens: Tokens, text: str) -> Document:
    """The headings and entries among the blocks of a file, and whatever else shows a box."""
    return with_own_status(replace(TokenReader(text).read(tokens.found), trouble=tokens.trouble), text)


def _blanked(comment: re.Match[str]) -> str:
    """The line breaks of a comment: what stands below keeps its lines."""
    return "\n" * comment[0].count("\n")


@lru_cache(maxsize=2)
def _markdown(*, front_matter: bool) -> MarkdownIt:
    # Plain notes need neither, and their import takes longer than reading some hundred of them.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    markdown = MarkdownIt("commonmark", {"maxNesting": _MAX_LEVEL}).enable("table")
    if front_matter:  # the plugin finds some in a list item on the first line, too
        markdown.use(front_matter_plugin)
    markdown.block.ruler.before("paragraph", "begins_anew", begins_anew, {"alt": ["paragraph", "blockquote"]})
    markdown.core.ruler.enableOnly(["normalize", "block"])
    return markdown
