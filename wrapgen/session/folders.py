"""Which project a working folder belongs to. Imports no reader: hooks ask at the start of a session."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from wrapgen.whereabouts import is_same_place, is_within, main_checkout, repository

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wrapgen.config import Project

HASHED = "sha256:"  # what a folder begins with of which the host tells only the digest of its path
FOLDER_PREFIX = "wrapgen-reader-"  # of the folders in which readers run


@dataclass(frozen=True, slots=True)
class Folders:
    """Working folders and the projects they belong to."""

    vault: Path  # the vault; a session that runs in it belongs to it
    projects: tuple[tuple[Path, str], ...]  # real path of each configured working folder, with its project
    own: str | None = None  # the project that the whole vault is about

    @classmethod
    def of(cls, vault: Path, configured: Mapping[str, Project], own: str = "") -> Self:
        pairs = [
            (Path(os.path.realpath(vault / Path(path).expanduser())), name)
            for name, project in configured.items()
            for path in project.paths
        ]
        # The longest path first: a project inside another one's folder is meant.
        pairs.sort(key=lambda pair: (-len(pair[0].parts), str(pair[0])))
        return cls(Path(os.path.realpath(vault)), tuple(pairs), own or None)

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
            folder = Path(os.path.realpath(cwd))
        except ValueError:  # a null character: a transcript can say anything
            return False, None
        if folder.name.startswith(FOLDER_PREFIX):
            return False, None  # a reader's own session
        for path, project in self.projects:
            if is_within(str(folder), str(path)):
                return True, project
        home = repository(str(folder))
        for path, project in self.projects:
            if is_same_place(home, str(path)):
                return True, project
        for candidate in (str(folder), main_checkout(str(folder))):
            if candidate is not None and is_within(candidate, str(self.vault)):
                parts = Path(candidate).relative_to(self.vault).parts
                return True, parts[1] if len(parts) > 1 and parts[0] == "projects" else self.own
        here = is_same_place(home, str(self.vault))
        return here, self.own if here else None
