"""Which project a working folder belongs to. Loads nothing large: hooks ask at the start of a session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Self

from wrapgen.whereabouts import is_same_place, is_within, main_checkout, repository

if TYPE_CHECKING:
    from collections.abc import Iterable

HASHED = "sha256:"  # what a folder begins with of which the host tells only the digest of its path
FOLDER_PREFIX = "wrapgen-reader-"  # of the folders in which readers run


class Folders(NamedTuple):
    """Working folders and the projects they belong to."""

    vault: str  # the vault; a session that runs in it belongs to it
    projects: tuple[tuple[str, str], ...]  # real path of each configured working folder, with its project
    own: str | None = None  # the project that the whole vault is about

    @classmethod
    def of(cls, vault: str, configured: Iterable[tuple[str, str]], own: str = "") -> Self:
        """Of a vault whose configuration names folders, each with its project: their real paths."""
        # The longest path first: a project inside another one's folder is meant.
        pairs = sorted(configured, key=lambda pair: (-pair[0].rstrip(os.sep).count(os.sep), pair[0]))
        return cls(os.path.realpath(vault), tuple(pairs), own or None)

    def project_of(self, cwd: str) -> tuple[bool, str | None]:
        """Whether a session in this folder belongs to the vault, and its project if the folder tells."""
        if cwd.startswith(HASHED):
            from hashlib import sha256

            named = [*self.projects, (self.vault, None)]
            ours = (
                project for path, project in named if sha256(os.fsencode(path)).hexdigest() == cwd.removeprefix(HASHED)
            )
            return next(((True, project) for project in ours), (False, None))
        try:
            folder = os.path.realpath(cwd)
        except ValueError:  # a null character: a transcript can say anything
            return False, None
        if folder.rpartition(os.sep)[2].startswith(FOLDER_PREFIX):
            return False, None  # a reader's own session
        for path, project in self.projects:
            if is_within(folder, path):
                return True, project
        home = repository(folder)
        for path, project in self.projects:
            if is_same_place(home, path):
                return True, project
        for candidate in (folder, main_checkout(folder)):
            if candidate is not None and is_within(candidate, self.vault):
                top, *parts = os.path.relpath(candidate, self.vault).split(os.sep)  # noqa: PTH206 - no Path for a hook
                return True, parts[0] if parts and top == "projects" else self.own
        here = is_same_place(home, self.vault)
        return here, self.own if here else None
