"""`wrap init --git`: the lines by which clones of one vault keep each other's work, for their owner to add."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wrapgen.config import pattern_of
from wrapgen.errors import UsageError
from wrapgen.regular_files import text_of
from wrapgen.text.patterns import ANY_DEPTH, Pattern
from wrapgen.vault.git import is_below_git
from wrapgen.whereabouts import VAULT_FILE
from wrapgen.workflows.said_file import SAID_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.config import Config
    from wrapgen.session.follow_up import Places

IGNORE, ATTRIBUTES, HOOK, CONFIG = ".gitignore", ".gitattributes", ".git/hooks/post-merge", "to run in each clone"
PAGES = ("ignore", "merge")
_HOOK_LINE: Final = "wrap --quiet regen || :"


def require_git(root: Path) -> None:
    """Refuse a folder that git knows nothing of."""
    if not is_below_git(root):
        step = "Run `git init` there first, or leave out --git; nothing was written."
        raise UsageError("is not in a git work tree", where=str(root), next_step=step)


def lines(root: Path, config: Config, places: Places, page: str = "ignore") -> Iterator[tuple[str, str]]:
    """Each line with the file that it belongs into: lists to which `wrap` adds lines keep both sides'."""
    if page == "ignore":
        yield IGNORE, ignore_line(config)
    else:
        # Git for Windows would else write it with CRLF into each clone, and nothing that is written anew is the same.
        yield ATTRIBUTES, f"{ignore_line(config)} merge=ours -text"
        yield CONFIG, "git config merge.ours.driver true"
    for glob in dict.fromkeys(one for pattern in _written(root, config, places) for one in _globs(pattern)):
        yield ATTRIBUTES, f'"{glob}" merge=union' if re.search(r"\s", glob) else f"{glob} merge=union"
    for name in (VAULT_FILE, SAID_FILE):  # a verdict on a whole list is a line of the configuration
        yield ATTRIBUTES, f"/{name} merge=union"
    yield HOOK, _HOOK_LINE


def _written(root: Path, config: Config, places: Places) -> Iterator[str]:
    """The patterns of the files to which lines are added: today's journal, and the projects' lists."""
    sources, there = config.sources, places.sections or {}
    files = [path for path in places.files.values() if path in there]
    usual = (*sources.project_todos, *sources.active_todos)
    for glob in (*sources.journals, *usual, *sources.progress, *sources.hand_overs, *sources.lists):
        pattern = pattern_of(glob)
        is_journal = glob in sources.journals and not places.home
        to_come = glob in usual and (root / glob.partition("/")[0]).is_dir()
        if is_journal or to_come or any(map(pattern.match, files)):
            yield pattern.text


def ignore_line(config: Config) -> str:
    """The line of `.gitignore` for the page."""
    return "/" + _escaped(config.output)


def is_wanting(root: Path, config: Config) -> bool:
    """Whether the vault is in git, and neither its page is ignored nor committed on purpose."""
    ignored = {ignore_line(config), config.output} & set(text_of(root / IGNORE).splitlines())
    return is_below_git(root) and not ignored and not is_committed(root, config)


def is_committed(root: Path, config: Config) -> bool:
    """Whether `.gitattributes` says how the page merges: then it shows nothing that only this clone knows."""
    return any(line.startswith(f"{ignore_line(config)} merge=") for line in text_of(root / ATTRIBUTES).splitlines())


def _globs(pattern: str) -> Iterator[str]:
    """A source pattern as git spells it, from the vault down, one for each choice of its braces; names are wider."""
    for chosen in Pattern(pattern).choices:
        yield "/" + "/".join(
            segment
            if segment == ANY_DEPTH
            else "".join("*" if special else _escaped(piece) for piece, special in chosen.pieces(segment))
            for segment in chosen.segments
        )


def _escaped(text: str) -> str:
    return re.sub(r"[\\*?\[\]]", r"\\\g<0>", text)
