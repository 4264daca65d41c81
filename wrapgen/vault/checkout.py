"""A vault in a git work tree: where its repository keeps things, and what it says about the dashboard."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.regular_files import whole
from wrapgen.vault.git import Git
from wrapgen.vault.gitfiles import ATTRIBUTES, DRIVER, DRIVER_COMMAND, page_attribute

if TYPE_CHECKING:
    from typing import Self

    from wrapgen.config import Config

_DRIVER_KEY = f"merge.{DRIVER}.driver"
_NAME_KEY = f"merge.{DRIVER}.name"
_NAME = "keep the dashboard, a hook rebuilds it"


@dataclass(frozen=True)
class Checkout:
    """A vault in a work tree."""

    root: Path  # the vault
    folder: str  # the vault relative to the top of the work tree, `.` for the top itself
    common: Path  # the repository's own folder, which all its work trees share
    shallow: bool  # whether the history was cut off when it was cloned
    git: Git = field(repr=False)

    @classmethod
    def of(cls, root: Path, seconds: float = 5.0) -> Self | None:
        """The checkout that a vault lies in, None outside of git.

        Args:
            seconds: how long to wait for each answer of git.
        """
        git = Git(root, timeout=seconds)
        wanted = ("--is-inside-work-tree", "--is-shallow-repository", "--git-common-dir", "--show-prefix")
        said = os.fsdecode(git.ask("rev-parse", *wanted) or b"").split("\n")
        if said[0] != "true" or len(said) < len(wanted):
            return None
        _, shallow, common, prefix, *_ = said
        return cls(root, prefix.rstrip("/") or ".", Path(os.path.abspath(root / common)), shallow == "true", git)

    @property
    def hooks(self) -> Path:
        """The folder of the repository's hooks."""
        return self.common / "hooks"

    @cached_property
    def hooks_elsewhere(self) -> str | None:
        """The hooks folder that another tool configured in git, or None."""
        listed = self.git.ask("config", "--show-scope", "--get-all", "core.hooksPath")
        rows = [os.fsdecode(row).partition("\t") for row in (listed or b"").splitlines()]
        named = [path for scope, _, path in rows if scope != "command"]  # set by our own safety options
        return named[-1] if named else None

    def tracks(self, path: str) -> bool:
        """Whether git tracks a file.

        Args:
            path: relative to the vault.
        """
        return bool(self.git.ask("ls-files", "-z", "--", f":(literal){path}"))

    @property
    def knows_driver(self) -> bool:
        """Whether this clone knows the merge driver: git clones attributes, but no configuration."""
        return bool(self.git.ask("config", "--get", _DRIVER_KEY))

    def learn_driver(self) -> bool:
        """Write the merge driver into the clone's configuration; returns whether git succeeded."""
        settings = ((_NAME_KEY, _NAME), (_DRIVER_KEY, DRIVER_COMMAND))
        return all(self.git.tell("config", "--local", key, value) for key, value in settings)


def is_committed(root: Path, config: Config) -> bool:
    """Whether `wrap init --git` has every clone commit the dashboard."""
    try:
        rows = whole(root / ATTRIBUTES).decode("utf-8", "surrogateescape").splitlines()
    except OSError:
        return False
    return page_attribute(config) in rows
