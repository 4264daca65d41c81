"""Makes `wrapgen/redact/prefixes.tsv` of Betterleaks' rules: `python -m tests.secret_formats betterleaks.toml`.

Betterleaks is what gitleaks' author keeps now (MIT). Of its rules only those come along that know a secret by how it
begins, and of those only the beginning: one pattern for all of them is quick, and linear where theirs are not all.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from re import _constants as kind  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

TABLE = Path(__file__).parents[1] / "wrapgen" / "redact" / "prefixes.tsv"
SOURCE = "https://github.com/betterleaks/betterleaks, config/betterleaks.toml"
# Kinds that are no secret, or that nothing but a name in front of them tells from other text.
NO_SECRET = re.compile(r"(?:-(?:id|url|host|name|address)(?:\.\d)?|curl|jwt|kubernetes|private-key|public|pub-key)\b")
ASSIGNED = r"""(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)"""


def beginnings(pattern: list[tuple[object, object]]) -> list[tuple[str, bool]]:
    """The letters that matches begin with, each with whether nothing but letters came so far."""
    found = [("", True)]
    for op, value in pattern:
        if op is kind.AT or not any(whole for _, whole in found):
            continue
        match op:
            case kind.LITERAL:
                more = [(chr(value), True)]
            case kind.SUBPATTERN:
                more = beginnings(value[3])
            case kind.BRANCH:
                more = [one for branch in value[1] for one in beginnings(branch)]
            case kind.IN if len(value) <= 3 and all(one[0] is kind.LITERAL for one in value):
                more = [(chr(one[1]), True) for one in value]
            case _:
                more = [("", False)]
        found = [
            (begun + letters, whole) for begun, open_ in found for letters, whole in (more if open_ else [("", False)])
        ]
    return found


def tells(prefix: str) -> bool:
    """Whether somebody who reads it knows that a secret follows."""
    if not prefix.isascii() or re.search(r"[\s\"'{}<>=]|//", prefix) or prefix.lower().isalpha():
        return prefix in ("AIza", "AKCp", "cmVmd", "ABSK", "EZAK", "EZTK", "EAAM", "EAAC", "EAAA", "LTAI", "dapi")
    return len(prefix) >= 3 and (not prefix[-1].isalnum() or len(prefix) >= 6)


def main(toml: str) -> None:
    """Write the table."""
    rules = tomllib.loads(Path(toml).read_text("utf-8"))["rules"]
    table: dict[str, str] = {}
    for rule in rules:
        text = rule.get("regex", "").replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z").replace("(?i)", "")
        if not text or rule.get("skipReport") or NO_SECRET.search(rule["id"]):
            continue
        branches = text.split("|\\b(") if ASSIGNED in text else [text]
        for branch in branches[1:] if ASSIGNED in text else branches:
            try:
                tree = parser.parse(branch if branch is text else f"({branch}")
            except re.error:
                continue
            for prefix, _ in beginnings(list(tree)):
                if tells(prefix):
                    table.setdefault(prefix, re.sub(r"\.\d$", "", rule["id"]).replace("-", " "))
    TABLE.write_text(
        head() + "".join(f"{prefix}\t{name}\n" for prefix, name in sorted(table.items())), encoding="utf-8"
    )


def head() -> str:
    """Where the table comes from, and under which licence: what stands above it already."""
    return "".join(line for line in TABLE.read_text("utf-8").splitlines(keepends=True) if line.startswith("#"))


if __name__ == "__main__":
    main(sys.argv[1])
