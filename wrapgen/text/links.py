"""What a text's links lead to: two links with one label are two things. PURE."""

from __future__ import annotations

import re
from urllib.parse import unquote

# No bracket inside a bracket, or a row of unfinished ones would cost the square of its length.
_LINK = re.compile(r"!?\[\[(?:([^\[\]|]*)\|)?([^\[\]|]+)\]\]|!?\[([^\[\]]*)\]\(([^()]*)\)")
_TITLE = re.compile(r"""(?<!\s)\s++["'].*$""", re.S)
# What says how to get there, not where to: copies of a line stand in folders of different depths.
_WAY = re.compile(r"(?:https?://(?:www\.)?|(?:\.{0,2}/)+)")


def without_targets(text: str) -> tuple[str, tuple[str, ...]]:
    """Put their labels in the place of a text's links."""
    targets: dict[str, None] = {}

    def label(found: re.Match[str]) -> str:
        note, name, said, address = found.groups()
        if target := _level(address if note is None and name is None else note or name):
            targets[target] = None
        return name or said or ""

    return _LINK.sub(label, text), tuple(targets)


def _level(written: str) -> str:
    """A target without what two people would write differently."""
    address = unquote(_TITLE.sub("", written.strip())).strip("<>").casefold()
    return _WAY.sub("", address, count=1).rstrip("/").removesuffix(".md")


def swapped_targets(one: tuple[str, ...], other: tuple[str, ...]) -> str | None:
    """Refuse links of which each text has one that the other lacks; one without links may be a copy that lost them."""
    if one == other or not one or not other:
        return None
    only_one = [target for target in one if not any(_same(target, their) for their in other)]
    only_other = [target for target in other if not any(_same(target, mine) for mine in one)]
    return f"swapped link: {only_one[0]} / {only_other[0]}" if only_one and only_other else None


def _same(one: str, other: str) -> bool:
    """Whether two targets are one: a path may begin at any folder."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
