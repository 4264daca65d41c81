"""Code blocks of a message, and the files that they say they are. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"^([ \t]*)(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$", re.MULTILINE)
_SUFFIXES = (
    "astro bat c cc cfg cjs clj cpp cs css csv cts dart env ex exs fish gd go gradle graphql h hpp hs html ini ipynb "
    "java jl js json jsonc jsx kt kts less lock lua m md mdx mjs ml mod mts nix php pl prisma proto ps1 py pyi pyw r "
    "rb rs rst sass scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml zig zsh"
)
# A path has no blanks here: words before it in a sentence would be taken for its folders.
_PATH = r"(?:[A-Za-z]:)?[\w@~.+()\[\]$/\\-]*[\w)\]]\.(?:" + "|".join(_SUFFIXES.split()) + ")"
_ONLY_PATH = re.compile(_PATH)
_IN_INFO = re.compile(
    rf"(?:(?:title|file|filename|path|name|src)\s*[=:]\s*|\d+:\d+:|(?<=\w):(?!//)|(?<![\w/\\:.]))"
    rf"[\"'{{`]*({_PATH})(?![\w/\\.])"
)
_LABEL = r"(?:(?:new |updated )?(?:file(?:name|path)?|path|文件|路径|파일|경로)\s*+[:：]?\s*+)?"
_MARKS = "*_`#>:：\"'()[]-–—•→ \t"
# Marks are never given back to the path, but for the one letter that a name like `_.md` consists of.
_LEAD = re.compile(
    rf"(?:[*`#>\s-]|_(?!\.))*+(?:\d+[.)]\s*+)?(?:[*`\s-]|_(?!\.))*+{_LABEL}(?:[*`\"'(\[]|_(?!\.))*+({_PATH})"
    r"(?![^\W_])",  # `.tsx` is not `.ts`
    re.IGNORECASE,
)
_QUOTED = re.compile(rf"`({_PATH})`")
_COMMENT = re.compile(rf"\s*(?:#|//|--|;|/\*+|<!--)\s*{_LABEL}({_PATH})\s*+(?:\*/|-->)?\s*+$", re.IGNORECASE)
# Characters. A line that says more is no title; and the patterns' time grows by the square of its length.
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block of a message."""

    tag: str  # the language that its fence names, lower case; empty without one
    name: str  # the file that it says it is, empty when it does not
    text: str  # the code


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """The fenced blocks of a message in order; one that is not closed ends with the message."""
    opening: re.Match[str] | None = None
    above = 0
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[2].startswith(opening[2]) and not fence[3].strip():
            yield _block(opening, text[above : opening.start()], text[opening.end() + 1 : fence.start()])
            opening, above = None, fence.end()
    if opening is not None:
        yield _block(opening, text[above : opening.start()], text[opening.end() + 1 :])


def _block(opening: re.Match[str], above: str, code: str) -> CodeBlock:
    info = opening[3][:_LONGEST].strip()
    if opening[1]:  # the fence, and so the code, is indented: a block may stand in a list item
        code = re.sub(rf"^[ \t]{{1,{len(opening[1])}}}", "", code, flags=re.MULTILINE)
    first = re.match(r"[\w+#.-]*", info)
    tag = first[0].lower() if first else ""
    if _ONLY_PATH.fullmatch(info):
        tag = ""
    in_info, in_comment = _IN_INFO.search(info), _COMMENT.match(code[: 2 * _LONGEST].lstrip().partition("\n")[0])
    name = in_info[1] if in_info else _above(above) or (in_comment[1] if in_comment else "")
    return CodeBlock(tag, name, code)


def _above(text: str) -> str:
    """The file that the last line above a block names: all of the line, or the only quoted one of a lead-in."""
    lines = text[-2 * _LONGEST :].rstrip().splitlines()
    line = lines[-1].strip() if lines else ""
    if len(line) > _LONGEST:
        return ""
    lead = _LEAD.match(line)
    if lead and not line[lead.end() :].strip(_MARKS):
        return lead[1]
    quoted = set(_QUOTED.findall(line)) if line.endswith((":", "：")) else set()
    return quoted.pop() if len(quoted) == 1 else ""
