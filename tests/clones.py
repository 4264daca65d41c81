"""Clones of one vault that a team shares by git: real repositories, real merges."""

import subprocess
from pathlib import Path

from tests.support import TODAY, Vault, child_environment, wrap


class Clone(Vault):
    """One person's clone of a vault."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.answer = ""

    def tries(self, *words: str, day: str = TODAY) -> int:
        """Run git as this person, at noon of a day; gives its exit code."""
        name = self.root.name
        when = {"GIT_AUTHOR_DATE": f"{day}T12:00:00+0000", "GIT_COMMITTER_DATE": f"{day}T12:00:00+0000"}
        who = {f"GIT_{role}_{what}": name for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        done = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, env=child_environment() | when | who, check=False
        )
        self.answer = (done.stdout + done.stderr).decode("utf-8", "replace")
        return done.returncode

    def git(self, *words: str, day: str = TODAY) -> str:
        """Run git as this person; what it said."""
        assert self.tries(*words, day=day) == 0, f"git {' '.join(words)}: {self.answer}"
        return self.answer

    def commit(self, day: str = TODAY) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "notes", day=day)

    def text(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    @property
    def tree_is_clean(self) -> bool:
        return not self.git("status", "--porcelain")


def started(built: Vault, day: str = TODAY) -> Clone:
    """A vault put under git."""
    clone = opened(built.root)
    clone.git("init", "-q", "-b", "main")
    clone.commit(day)
    return clone


def cloned(first: Clone, name: str, *words: str) -> Clone:
    """Another person's clone."""
    root = first.root.parent / name
    first.git("clone", "-q", *words, first.root.as_uri() if words else str(first.root), str(root))
    return opened(root)


def opened(root: Path) -> Clone:
    """A clone that is there."""
    clone = Clone.__new__(Clone)
    clone.root, clone.answer = root, ""
    return clone


def set_up(clone: Clone) -> None:
    """Add the lines that `wrap init --git` prints to the files that it names."""
    printed = wrap("init", "--git", clone.root, "--no-default").out.splitlines()
    name = ""
    for line in printed:
        if line.startswith(".git") and line.endswith(":"):
            name = line.removesuffix(":")
            clone.write(name, "#!/bin/sh\n" if "hooks" in name else "")
        elif name and line.startswith("  "):
            clone.write(name, clone.text(name) + f"{line[2:]}\n")
        else:
            name = ""
    clone.path(".git/hooks/post-merge").chmod(0o755)


def team(built: Vault) -> tuple[Clone, Clone]:
    """Two clones, set up, that exchange their work by a third; the three can be copied together."""
    first = started(built)
    set_up(first)
    first.commit()
    people = cloned(first, "ann"), cloned(first, "bob")
    first.git("checkout", "-q", "--detach")  # so that others may push to main
    for one in people:
        one.git("remote", "set-url", "origin", f"../{first.root.name}")
        set_up(one)
    return people


def pulled(clone: Clone, how: str = "--no-rebase") -> None:
    """Take over what the others have pushed, and push the result."""
    clone.git("pull", "-q", how, "--no-edit")
    clone.git("push", "-q", "origin", "HEAD:main")


def markers(text: str) -> list[str]:
    """Conflict markers."""
    return [line for line in text.splitlines() if line.startswith(("<<<<<<<", "=======", ">>>>>>>"))]
