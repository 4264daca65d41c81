"""`wrap init --git`: a vault that several clones share, so that neither its dashboard nor its lists conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.hosts.program import program
from wrapgen.vault import disk, gitfiles
from wrapgen.vault.checkout import Checkout
from wrapgen.vault.files import publish
from wrapgen.vault.gitfiles import ATTRIBUTES, HOOKS, IGNORE, PageInGit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.workflows.app import App

MODES: tuple[str, ...] = get_args(PageInGit)
_EXECUTABLE = 0o111


def checkout_of(root: Path) -> Checkout:
    """The checkout that contains a folder.

    Raises:
        UsageError: it is not in one.
    """
    if checkout := Checkout.of(root):
        return checkout
    step = "Run `git init` there first, or leave out --git; nothing was written."
    raise UsageError("is not in a git work tree", where=str(root), next_step=step)


def set_up(app: App, checkout: Checkout, named: str | None) -> None:
    """Tell git how the vault's files merge, and have it rebuild the dashboard after a pull.

    Args:
        named: what to do with the dashboard, one of `MODES`; None to keep the earlier decision or ask.

    Raises:
        WrapgenError: a file cannot be written.
    """
    root = checkout.root
    config = load(root / VAULT_FILE, Config)
    page = _page(named) if named else chosen(app, checkout, config)
    said = [*_told(root, config, page), *repaired(checkout, config, page)]
    for line in said or ["git is already set up; nothing was changed"]:
        app.say(line)
    for line in _left_to_you(checkout, config, page):
        app.warn(line)
    if said:
        app.say(f"commit what changed ({ATTRIBUTES}, {IGNORE}); in every other clone, run: wrap init --git")


def offer(app: App, root: Path) -> None:
    """Suggest `--git`, for a vault in a work tree without a decision yet."""
    checkout = Checkout.of(root, seconds=2)
    if checkout is not None:
        config = load(root / VAULT_FILE, Config)
        if decided(root, config) is None:
            app.say(f"this folder is in git; to keep {config.output} and the lists from conflicting: wrap init --git")


def decided(root: Path, config: Config) -> PageInGit | None:
    """The earlier decision about the dashboard, here or in another clone; None if there is none."""
    if gitfiles.page_attribute(config) in _rows(root / ATTRIBUTES):
        return "merge"
    return "ignore" if {*gitfiles.ignore_lines(config, "ignore")} <= {*_rows(root / IGNORE)} else None


def is_complete(root: Path, config: Config, page: PageInGit) -> bool:
    """Whether the git files match the configuration."""
    return all(_after(root / name, lines) is None for name, lines in _lines(config, page).items())


def chosen(app: App, checkout: Checkout, config: Config) -> PageInGit:
    """What to do with the dashboard: the earlier decision, else the user's answer.

    Without a terminal, a tracked dashboard stays committed, and any other is ignored.
    """
    if before := decided(checkout.root, config):
        return before
    fits = "merge" if checkout.tracks(config.output) else "ignore"
    if not app.at_terminal:
        return _page(fits)
    question = f"{config.output}: ignore it (each clone has its own), or commit and merge it?"
    return _page(click.prompt(question, type=click.Choice(MODES), default=fits))


def _page(mode: str) -> PageInGit:
    return "merge" if mode == "merge" else "ignore"


def _lines(config: Config, page: PageInGit) -> dict[str, list[str]]:
    """The lines of our block in each file."""
    return {ATTRIBUTES: gitfiles.attribute_lines(config, page), IGNORE: gitfiles.ignore_lines(config, page)}


def _after(file: Path, lines: list[str]) -> bytes | None:
    """A file with our lines added, None when it already has them."""
    before = _content(file) or b""
    after = gitfiles.with_block(before, lines)
    return None if after == before else after


def _rows(file: Path) -> list[str]:
    return (_content(file) or b"").decode("utf-8", "surrogateescape").splitlines()


def _content(file: Path) -> bytes | None:
    try:
        return disk.whole(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk.cannot("cannot be read", file, error) from error


def _told(root: Path, config: Config, page: PageInGit) -> Iterator[str]:
    conflict = f"; {config.output} never conflicts" if page == "merge" else ""
    says = {
        ATTRIBUTES: f"git keeps both sides' lines in lists{conflict}",
        IGNORE: f"git {'ignores' if page == 'ignore' else 'tracks'} {config.output}",
    }
    for name, lines in _lines(config, page).items():
        after = _after(root / name, lines)
        if after is None:
            continue
        if after:
            publish(root / name, after, root=root)
        else:
            (root / name).unlink()
        yield f"{name}: {says[name]}"


def repaired(checkout: Checkout, config: Config, page: PageInGit) -> Iterator[str]:
    """Give a clone what git does not clone: the merge driver, and the hooks that rebuild the dashboard.

    Args:
        page: what was decided about the dashboard.

    Yields:
        a line for each thing that was done.

    Raises:
        WrapgenError: it cannot be written.
    """
    if page == "merge" and not checkout.knows_driver:
        if not checkout.learn_driver():
            raise WrapgenError("git did not accept the merge driver in its configuration", where=str(checkout.common))
        yield f"this clone's git configuration: how to merge {config.output}"
    hooks = hooks_to_write(checkout)
    for name, text in hooks.items():
        _write_hook(checkout.hooks / name, text)
    if hooks:
        yield f"this clone's git hooks: {config.output} is rebuilt after a pull ({', '.join(hooks)})"


def hooks_to_write(checkout: Checkout) -> dict[str, str]:
    """The clone's hooks that are missing or out of date, by name; the user's own are left alone."""
    if checkout.hooks_elsewhere is not None:
        return {}
    wanted = {name: _hook(checkout, name) for name in HOOKS}
    return {name: after for name, (before, after) in wanted.items() if after is not None and after != before}


def _hook(checkout: Checkout, name: str) -> tuple[str | None, str | None]:
    """A hook as it is, and as it should be: None for the user's own."""
    data = _content(checkout.hooks / name)
    before = None if data is None else data.decode("utf-8", "surrogateescape")
    return before, gitfiles.hook(name, before, checkout.folder, program())


def _write_hook(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(exist_ok=True)
        publish(file, text.encode("utf-8", "surrogateescape"), root=file.parent)
        file.chmod(file.stat().st_mode | _EXECUTABLE)
    except OSError as error:
        raise disk.cannot("cannot be written", file, error) from error


def _left_to_you(checkout: Checkout, config: Config, page: PageInGit) -> Iterator[str]:
    """Hints about what only the repository's owner can decide."""
    line = gitfiles.hook_line(checkout.folder, program())
    if checkout.hooks_elsewhere is not None:
        yield f"hooks are kept in {checkout.hooks_elsewhere}; add to post-merge and post-rewrite there: {line}"
    for name in () if checkout.hooks_elsewhere else HOOKS:
        before, after = _hook(checkout, name)
        if after is None and line not in (before or ""):
            yield f"{checkout.hooks / name} is your own hook; add this line to it: {line}"
    if page == "ignore" and checkout.tracks(config.output):
        yield f"git still tracks {config.output}; to stop that: git rm --cached {config.output}"
