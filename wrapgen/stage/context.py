"""Where a snapshot was taken: branch, commit and working folder, kept beside the snapshots and not in them.

A record belongs to one content of a snapshot, by its digest: a snapshot that came from elsewhere has none, and a run
that dies between the two leaves a record that nothing refers to.
"""

from pathlib import Path

import msgspec

from wrapgen.vault import state
from wrapgen.vault.git import Git

STATE_FILE = "stage.jsonl"
# Bytes from which the older half of the records goes: they are of no use once their snapshots are gone.
_LARGE = 1 << 20
_GIT_SECONDS = 2.0


class CommandContext(msgspec.Struct, frozen=True, kw_only=True):
    """Where a command ran."""

    cwd: str | None = None  # the working folder, None when it is gone
    branch: str | None = None  # the branch of git, None outside of git or on none
    commit: str | None = None  # the commit, None before the first one
    repository: str | None = None  # git's own folder, the same for all worktrees of a repository

    def leads_away_from(self, captured: "CommandContext") -> bool:
        """Whether this is another branch of the repository that a snapshot was taken in."""
        known = captured.repository is not None and captured.branch is not None
        return known and self.repository == captured.repository and self.branch != captured.branch


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """Where a snapshot was taken, by the digest of its bytes."""

    task: str
    digest: str
    context: CommandContext


def here() -> CommandContext:
    """Where this command runs. Never raises: unknown values are None."""
    try:
        folder = Path.cwd()
    except OSError:
        return CommandContext()
    git = Git(folder, timeout=_GIT_SECONDS)
    common = _line(git.ask("rev-parse", "--git-common-dir"))
    if common is None:
        return CommandContext(cwd=str(folder))
    return CommandContext(
        cwd=str(folder),
        branch=_line(git.ask("symbolic-ref", "--quiet", "--short", "HEAD")),
        commit=_line(git.ask("rev-parse", "--quiet", "--verify", "HEAD")),
        repository=str((folder / common).resolve()),
    )


def _line(said: bytes | None) -> str | None:
    return said.decode("utf-8", "replace").removesuffix("\n") or None if said else None


def remember(root: Path, taken: Taken) -> None:
    """Record where a snapshot was taken; raises `WrapgenError`.

    Without a lock or waiting for the disk: it is only informative, and writers of many tasks would block one another.
    """
    state.add_record(root, STATE_FILE, taken, durable=False)
    if state.state_file(root, STATE_FILE).stat().st_size > _LARGE:
        records = state.load(root, STATE_FILE, Taken).records
        state.save(root, STATE_FILE, records[len(records) // 2 :])


def contexts(root: Path) -> dict[str, CommandContext]:
    """Where snapshots were taken, by digest; raises `WrapgenError` when the file cannot be read."""
    return {one.digest: one.context for one in state.load(root, STATE_FILE, Taken).records}
