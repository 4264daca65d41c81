"""What git leaves out of a work tree, by its `.gitignore` files: a rebuild has no time to ask git."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.vault import disk

if TYPE_CHECKING:
    from pathlib import Path

GITIGNORE = ".gitignore"
# A line beyond this is passed over: what it would have left out is counted, which does no harm.
_LONGEST = 300
_MOST_STARS = 6
_PIECES = re.compile(r"\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|.")


class Rule(NamedTuple):
    """One line."""

    fits: re.Pattern[str]  # compares a path relative to the file's folder; a folder ends in a slash
    back: bool  # takes paths back that an earlier line leaves out


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The lines of one file."""

    folder: str  # where it stands, relative to the vault with a slash at its end; "" for the vault itself
    rules: tuple[Rule, ...]  # its lines, in order
    above: str = ""  # the way from the file's folder down to the vault, for a file above it
    _any: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        joined = "|".join(rule.fits.pattern for rule in self.rules if not rule.back)
        object.__setattr__(self, "_any", re.compile(joined or "(?!)"))

    def says(self, path: str) -> bool | None:
        """Whether a path is left out; None when no line is about it.

        Args:
            path: relative to the vault; a folder ends in a slash.
        """
        own = self.above + path[len(self.folder) :]
        if self._any.fullmatch(own) is None and not any(rule.back and rule.fits.fullmatch(own) for rule in self.rules):
            return None
        return next((not rule.back for rule in reversed(self.rules) if rule.fits.fullmatch(own)), None)


def ignored(path: str, stack: tuple[IgnoreRules, ...]) -> bool:
    """Whether git leaves a path out; its folders are not.

    Args:
        path: relative to the vault; a folder ends in a slash.
        stack: the rules that are about it, from the top of the work tree down.
    """
    return next((said for rules in reversed(stack) if (said := rules.says(path)) is not None), False)


def above(root: Path) -> tuple[IgnoreRules, ...] | None:
    """The rules from the top of the work tree down to a vault, its own file excepted; None outside of git."""
    here = os.path.abspath(root)
    folders = [here]
    while not os.path.lexists(os.path.join(folders[-1], ".git")):  # noqa: PTH118 - on every run
        parent = os.path.dirname(folders[-1])  # noqa: PTH120
        if parent == folders[-1]:
            return None
        folders.append(parent)
    top = folders[-1]
    files = [(top, os.path.join(top, ".git", "info", "exclude"))]  # noqa: PTH118
    files += [(folder, os.path.join(folder, GITIGNORE)) for folder in reversed(folders[1:])]  # noqa: PTH118
    found: list[IgnoreRules] = []
    for folder, file in files:
        if rules := _rules(file):
            way = os.path.relpath(here, folder).replace(os.sep, "/")
            found.append(IgnoreRules("", rules, "" if way == "." else f"{way}/"))
    return tuple(found)


def rules_of(file: str, folder: str) -> tuple[IgnoreRules, ...]:
    """The rules of one `.gitignore`; none when it cannot be read.

    Args:
        folder: its folder, relative to the vault; "" for the vault itself.
    """
    rules = _rules(file)
    return (IgnoreRules(f"{folder}/" if folder else "", rules),) if rules else ()


def _rules(file: str) -> tuple[Rule, ...]:
    try:
        text = disk.whole(file).decode("utf-8", "replace")
    except OSError:
        return ()
    return tuple(rule for line in text.splitlines() if (rule := _rule(line)))


def _rule(line: str) -> Rule | None:
    text = _content(line)
    if not text or text.startswith("#") or len(text) > _LONGEST or text.count("*") > _MOST_STARS:
        return None
    back = text.startswith("!")
    text = text.removeprefix("!") if back else text
    folders_only = text.endswith("/")
    anchored = "/" in text.rstrip("/")
    text = text.strip("/")
    if not text:
        return None
    start = "" if anchored else "(?:.*/)?"
    end = "/" if folders_only else "/?"
    try:
        return Rule(re.compile(f"{start}{_regex(text)}{end}"), back)
    except re.error:
        return None


def _content(line: str) -> str:
    """A line without the blanks at its end; one behind a backslash belongs to the name."""
    text = line.rstrip()
    return line[: len(text) + 1] if text.endswith("\\") else text


def _regex(text: str) -> str:
    parts = ["(?:ANY)" if part == "**" else "".join(map(_piece, _PIECES.findall(part))) for part in text.split("/")]
    return "/".join(parts).replace("(?:ANY)/", "(?:.*/)?").replace("(?:ANY)", ".+")


def _piece(piece: str) -> str:
    if piece.startswith("*"):
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if piece.startswith("[") and len(piece) > 1:
        return "[" + piece[1:-1].replace("!", "^", 1 if piece[1] == "!" else 0).replace("\\", "\\\\") + "]"
    return re.escape(piece[-1])
