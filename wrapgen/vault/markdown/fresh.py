"""Lines that begin anew where CommonMark reads on. PURE.

To CommonMark, a line right below a list item, a table or a quote may still belong to it. Who writes `**Next:**` there
means a heading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.vault.markdown.outline import bold_title

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock


def begins_anew(state: StateBlock, line: int, _: int, silent: bool) -> bool:
    """Whether a line ends the paragraph, quote or table above it: a rule of markdown-it's that makes no block itself.

    Args:
        state: the file as far as it is parsed.
        line: the line, from 0.
        silent: whether a block is open above.
    """
    start = state.bMarks[line]
    if not silent or not state.src.startswith(("**", "__"), start):
        return False
    return bold_title(state.src[start : state.eMarks[line]]) is not None
