"""Markdown text to a document: headings, list items, table rows, with their lines. PURE.

markdown-it's block rules alone find all of them (inline rules would cost half the time again). Nothing in code,
quotes, HTML or front matter is an entry.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wrapgen.vault.markdown.boxes import begins_anew, with_ignored
from wrapgen.vault.markdown.lines import read_nested, read_plain
from wrapgen.vault.markdown.note import front_matter, with_own_status
from wrapgen.vault.markdown.token_reader import OBSIDIAN_COMMENT, TokenReader

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from wrapgen.notes import Document

# A list takes two levels an indentation. markdown-it's presets stop at 20 and drop the rest in silence; Python's
# own limit of 1,000 frames allows some 300.
_MAX_LEVEL = 200
# So many lists on one line are that deep; the parser would go over the rest of the line for each of them.
_DEEP_LINE = re.compile(
    rf"^(?:[ \t]*(?:[-*+]|\d{{1,9}}[.)])(?=[ \t])){{{_MAX_LEVEL // 2}}}(?=[^\r\n]*[^-*+_ \t\r\n])", re.MULTILINE
)


def parse(text: str) -> Document:
    """Parse a file; the document's `trouble` says so when it nests too deeply and was read by lines."""
    plain = read_plain(text)
    if plain is not None:
        return with_own_status(with_ignored(plain, text), text)
    tokens = tokenize(text)
    if tokens is None:
        return with_own_status(with_ignored(read_nested(text), text), text)
    return read_tokens(tokens, text)


def tokenize(text: str) -> list[Token] | None:
    """The blocks of a file, or None when it is nested too deeply."""
    if _DEEP_LINE.search(text):
        return None
    if "%%" in text:
        text = OBSIDIAN_COMMENT.sub(_blanked, text)
    try:
        tokens = _markdown(front_matter=front_matter(text) is not None).parse(text)
    except RecursionError:
        return None
    return None if any(token.level >= _MAX_LEVEL - 1 for token in tokens) else tokens


def read_tokens(tokens: list[Token], text: str) -> Document:
    """The headings and entries among the blocks of a file, and whatever else shows a box."""
    return with_own_status(TokenReader(text).read(tokens), text)


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
