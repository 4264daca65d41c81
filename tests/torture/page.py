"""Whether a dashboard is whole: what a reader may rely on at any moment."""

from __future__ import annotations

import re

FATES = ("shown", "resolved", "duplicate", "overflow", "expired")
_TITLES = ("\n# Active status\n", "\n## Priorities\n", "\n## Audit\n")
_FRONT = re.compile(r"\A---\n((?:\w+: \S+\n)+)---\n")
_LAST = re.compile(r"^\| pending follow-ups \| \| (\d+) \|\n\Z", re.MULTILINE)
_ROW = re.compile(r"^\| \**([\w ]+?)\** \| \| \**(\d+)\** \|$", re.MULTILINE)
_IN_WORDS = {"duplicate": "merged", "overflow": "not shown"}  # what the table calls a fate


def faults(data: bytes) -> list[str]:
    """What is wrong with a page; empty when it is whole.

    Args:
        data: the bytes as they were read.
    """
    if not data:
        return ["empty"]
    text = data.decode("utf-8", "replace")
    front = _FRONT.match(text)
    if front is None:
        return ["begins without front matter"]
    counts = {key: int(value) for key, value in re.findall(r"(\w+): (\d+)\n", front[1])}
    found = [f"no number of {key}" for key in ("collected", *FATES) if key not in counts]
    if found:
        return found
    if _LAST.search(text) is None:
        found.append("ends before its last line")
    if counts["collected"] != sum(counts[fate] for fate in FATES):
        found.append("does not balance")
    rows = {name: int(number) for name, number in _ROW.findall(text)}
    found += [
        f"says {name} in two ways"
        for name in ("collected", *FATES)
        if rows.get(_IN_WORDS.get(name, name)) != counts[name]
    ]
    found += [f"has {text.count(title)} of `{title.strip()}`" for title in _TITLES if text.count(title) != 1]
    shown = sum(_section(text, title).count("\n- (") for title in ("Priorities", "Also open"))
    if shown != counts["shown"]:
        found.append("lists another number of open items than it says")
    return found


def _section(text: str, title: str) -> str:
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def collected(data: bytes) -> int:
    """How many items a page says that it was made of."""
    found = re.search(rb"^collected: (\d+)$", data, re.MULTILINE)
    assert found, "no page"
    return int(found[1])
