"""Git settings of a vault: how its lists merge, which files are ignored, what happens after a merge. PURE."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final, Literal

from wrapgen.text.patterns import ANY_DEPTH, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.config import Config

ATTRIBUTES, IGNORE = ".gitattributes", ".gitignore"
PageInGit = Literal["ignore", "merge"]
"""What to do with the dashboard: ignore it, or commit it without conflicts."""

DRIVER: Final = "wrapgen"
"""The merge driver that a committed dashboard names in `.gitattributes`."""

# While git merges the page, the notes are not merged yet: keep it, and let the hooks rebuild it.
DRIVER_COMMAND: Final = "true"
HOOKS: Final = ("post-merge", "post-rewrite")
"""The hooks that run after `git pull`, the second after one that rebases."""

_OPENING, _CLOSING = b"# >>> wrapgen: written by `wrap init --git`", b"# <<< wrapgen"
_DIGIT = "[0-9]"
_DIGITS = {"YYYY": _DIGIT * 4, "MM": _DIGIT * 2, "DD": _DIGIT * 2}
_HOOK_HEAD = (
    "#!/bin/sh",
    "# Written by `wrap init --git`: a pull changes notes, so the dashboard is rebuilt. A line for each vault.",
)
_ONLY_AFTER_REBASE = '[ "$1" = rebase ] || exit 0'


def attribute_lines(config: Config, page: PageInGit) -> list[str]:
    """The lines of `.gitattributes`: lists that wrapgen writes keep the lines of both sides.

    Args:
        config: says where the lists and the dashboard are.
        page: what becomes of the dashboard.
    """
    sources = config.sources
    lists = (*sources.journals, *sources.project_todos, *sources.active_todos)
    lines = [f"{_quoted(one)} merge=union" for pattern in dict.fromkeys(lists) for one in globs(pattern)]
    return [*lines, page_attribute(config)] if page == "merge" else lines


def page_attribute(config: Config) -> str:
    """The line that keeps a committed dashboard from conflicting."""
    return f"{_quoted(_plain(config.output))} merge={DRIVER}"


def ignore_lines(config: Config, page: PageInGit) -> list[str]:
    """The lines of `.gitignore`."""
    return [_plain(config.output)] if page == "ignore" else []


def _plain(path: str) -> str:
    return "/" + _escaped(path.replace("\\", "/"))


def globs(pattern: str) -> list[str]:
    """A source pattern as git spells it, from the vault down, one for each choice of its braces.

    Dates and names are wider there, and `?`, a byte, is `*`.

    Args:
        pattern: `journals/**/YYYY-MM-DD*.md`.
    """
    return [
        "/" + "/".join(_segment(chosen, segment) for segment in chosen.segments) for chosen in Pattern(pattern).choices
    ]


def _segment(pattern: Pattern, text: str) -> str:
    if text == ANY_DEPTH:
        return text
    return "".join(_DIGITS.get(piece, "*") if special else _escaped(piece) for piece, special in pattern.pieces(text))


def _escaped(text: str) -> str:
    return re.sub(r"[\\*?\[\]]", r"\\\g<0>", text)


def _quoted(pattern: str) -> str:
    """A pattern for `.gitattributes`, where white space would end it."""
    if not re.search(r'[\s"]', pattern):
        return pattern
    return '"' + pattern.replace("\\", "\\\\").replace('"', '\\"') + '"'


def with_block(data: bytes, lines: Iterable[str]) -> bytes:
    """A file with our lines in one block, in its old place or at the end; all other lines stay byte for byte.

    Args:
        lines: what the block is to hold; without any, it goes.
    """
    ours = [line.encode("utf-8", "surrogateescape") for line in lines]
    block = [_OPENING, *ours, _CLOSING] if ours else []
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    text = b"".join(line + newline for line in block)
    rows = data.splitlines(keepends=True)
    begins = [at for at, row in enumerate(rows) if row.rstrip() == _OPENING]
    ends = [at for at, row in enumerate(rows) if row.rstrip() == _CLOSING]
    if len(begins) == len(ends) == 1 and begins[0] < ends[0]:
        return b"".join(rows[: begins[0]]) + text + b"".join(rows[ends[0] + 1 :])
    # The block was edited: remove what is left of it, and nothing else.
    known = {_OPENING, _CLOSING, *ours}
    rest = b"".join(row for row in rows if row.rstrip() not in known) if begins or ends else data
    return rest + (newline if text and rest and not rest.endswith(b"\n") else b"") + text


def hook(name: str, before: str | None, folder: str, program: Sequence[str]) -> str | None:
    """A git hook that rebuilds the dashboard; those of other vaults in the same repository stay in it.

    Args:
        name: one of `HOOKS`.
        before: the hook that is there, None for none.
        folder: the vault, relative to the top of the work tree, where git runs hooks.
        program: the words that start this program.

    Returns:
        None when the hook that is there is somebody's own.
    """
    head = [*_HOOK_HEAD, *([_ONLY_AFTER_REBASE] if name == "post-rewrite" else [])]
    rows = before.splitlines() if before else []
    if rows and not runs_wrapgen(before):
        return None
    vault = shlex.quote(folder)
    others = [row for row in rows if row not in head and f" --vault {vault} " not in row]
    return "\n".join([*head, *others, hook_line(folder, program)]) + "\n"


def runs_wrapgen(hook_text: str | None) -> bool:
    """Whether a hook is one that `wrap init --git` wrote."""
    return _HOOK_HEAD[1] in (hook_text or "").splitlines()


def hook_line(folder: str, program: Sequence[str]) -> str:
    """The line of a hook for a vault; it never fails, since git has already merged.

    Args:
        folder: the vault, relative to the top of the work tree.
        program: the words that start this program.
    """
    toml = shlex.quote(f"{folder}/wrapgen.toml")
    there = f"[ -f {toml} ] && command -v {shlex.quote(program[0])} >/dev/null 2>&1"
    return f"if {there}; then {shlex.join([*program, '--quiet', '--vault', folder, 'regen'])} || :; fi"
