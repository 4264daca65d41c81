"""Where a hostile input is put: a vault, a folder beside it that must stay as it is, and the program under limits."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.followups import talks
from tests.support import TODAY, Result, Vault, finish, spawn, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# What a run may use; one that reads /dev/zero wants more, one that waits for a pipe never ends.
MEMORY = 2 << 30
PATIENCE = 120.0  # seconds

FIX = "Fix the login"
JOURNAL = f"journals/{TODAY}.md"
# Everything that drives a terminal or hides from a reader, besides the line breaks of plain output.
CONTROLS = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *"\u202e\u2066\u2028\ufeff"} - {"\n"}


@dataclass(frozen=True)
class Case:
    """One hostile input: what is done with it is asserted, and said in a few words."""

    sort: str
    name: str
    run: Callable[[Place], str]


CASES: list[Case] = []


def case(sort: str, name: str) -> Callable[[Callable[[Place], str]], Callable[[Place], str]]:
    """Add a case to the list."""

    def add(run: Callable[[Place], str]) -> Callable[[Place], str]:
        CASES.append(Case(sort, name, run))
        return run

    return add


class Place:
    """A vault with one item in today's journal, and a folder beside it with somebody's own file."""

    def __init__(self, folder: Path) -> None:
        self.vault = Vault(folder / "vault")
        self.vault.write(JOURNAL, f"## Next\n- {FIX}\n")
        self.vault.write("projects/web/todos.md", "## Next Session\n\n- [ ] Write docs\n")
        self.outside = folder / "outside"
        self.outside.mkdir()
        self.own = self.outside / "own.md"
        self.own.write_text("## Next\n- Somebody's own words\n")
        self.talk = folder / "talk.json"
        self.talk.write_bytes(talks.neutral(talks.said(talks.RETRY)))
        self._before = self._own_files()

    def path(self, name: str) -> Path:
        """A path in the vault whose folder exists."""
        path = self.vault.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def link(self, name: str, target: Path | str) -> None:
        """Put a symbolic link in the place of a file or folder."""
        path = self.path(name)
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    def pipe(self, name: str) -> None:
        path = self.path(name)
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    def wrap(self, *words: str | Path) -> Result:
        """Run the program in this process."""
        return self._sound(wrap(*words, vault=self.vault))

    def child(self, *words: str | Path) -> Result:
        """Run it under limits; a hang and hunger for memory are failures."""
        words = ("--vault", self.vault.root, "--today", TODAY, *words)
        if sys.platform == "win32":
            return self._sound(finish(spawn(*words), PATIENCE))
        from tests.forked import forked

        return self._sound(forked(*words, patience=PATIENCE, memory=MEMORY))

    def _sound(self, result: Result) -> Result:
        for text in (result.out, result.err):
            assert not CONTROLS & set(text), text
        assert "defect" not in result.err, result.err
        assert "Traceback" not in result.err, result.err
        assert self._own_files() == self._before, "something outside of the vault was changed"
        return result

    def said(self, result: Result) -> str:
        """The first message of a run that could not do what it was asked for."""
        assert result.code in (1, 2), (result.code, result.out, result.err)
        message = result.err.splitlines()[0].removeprefix("wrap: ")
        message = message.replace(f"{self.vault.root}{os.sep}", "").replace(str(self.vault.root.parent), "...")
        return f"exit {result.code}: {message}"

    def trouble(self, name: str) -> str:
        """What the audit says about a file, while everything else is still read."""
        audit = self.child("audit", "--json").json
        assert FIX in {item["text"] for item in audit["items"]} or name == JOURNAL
        found = {one["path"]: one["error"] for one in audit["unreadable"]}
        assert set(found) == {name}, found
        assert self.child("regen").code == 0
        return f"skipped and listed: {found[name]}"

    def route(self, *answers: dict[str, Any], limits: bool = True) -> Result:
        """Answer what waits; many answers that no file is opened for may go without limits, which cost a process."""
        file = self.vault.root.parent / "answers.json"
        file.write_text(talks.answers(*answers), "utf-8")
        return (self.child if limits else self.wrap)("route", "--answers", file)

    def waiting(self) -> str:
        """Let one follow-up wait, and give its id."""
        result = self.child("orphans", "--transcript", self.talk, "--json")
        assert result.code == 0, result.err
        (orphan,) = result.json["orphans"]
        return str(orphan["id"])

    def renew(self) -> None:
        """Take what is outside now for what must stay."""
        self._before = self._own_files()

    def _own_files(self) -> dict[str, object]:
        """What is outside of the vault, special files by their kind alone."""
        found: dict[str, object] = {}
        for path in sorted(self.outside.rglob("*")):
            status = path.lstat()
            regular = stat.S_ISREG(status.st_mode)
            found[path.name] = (path.read_bytes(), status.st_mtime_ns) if regular else stat.S_IFMT(status.st_mode)
        return found


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """Let new files have the modes that are asked for."""
    former = os.umask(mask)
    try:
        yield
    finally:
        os.umask(former)
