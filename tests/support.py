"""What every test uses: a vault on disk, and the program run in this process or as a child."""

from __future__ import annotations

import io
import itertools
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import wrapgen
from wrapgen.cli import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TODAY = "2026-04-24"
# `gate`, as `.ci/run` sets it: all the examples. `thorough`, for every night: what the gate samples is tried whole, and
# ten times the examples. Else a tenth of them, for whoever waits for the answer.
MANNER = os.environ.get("WRAPGEN_TESTS", "quick")
THOROUGH = MANNER == "thorough"
FATES = ("shown", "resolved", "duplicate", "overflow", "expired")
MEMORY = "/dev/shm"  # a file system without a disk, where there is one
CHECKOUT = Path(wrapgen.__file__).resolve().parent.parent


@dataclass(frozen=True)
class Result:
    """What a run of the program left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)

    @property
    def items(self) -> dict[str, dict[str, Any]]:
        """The items of a JSON document by their text (texts must differ)."""
        items = self.json["items"]
        by_text = {item["text"]: item for item in items}
        assert len(by_text) == len(items), f"texts repeat: {[item['text'] for item in items]}"
        return by_text

    @property
    def fates(self) -> dict[str, str]:
        """Fate by text."""
        return {text: item["fate"] for text, item in self.items.items()}

    @property
    def shown(self) -> list[str]:
        """The texts that are shown, by rank."""
        ranked = [item for item in self.json["items"] if item["rank"] is not None]
        return [item["text"] for item in sorted(ranked, key=lambda item: item["rank"])]


class Vault:
    """A vault on disk. Unless told otherwise every file bears the day that tests stand for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.write("wrapgen.toml", "")

    def path(self, name: str) -> Path:
        return self.root / name

    def write(self, name: str, text: str | bytes, changed: str = TODAY) -> Path:
        file = self.path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        self.touch(name, changed)
        return file

    def touch(self, name: str, changed: str) -> None:
        """Make a file look last changed at noon of a day."""
        noon = datetime.fromisoformat(f"{changed}T12:00:00").astimezone().timestamp()
        os.utime(self.path(name), (noon, noon))

    @property
    def dashboard(self) -> Path:
        return self.path("ACTIVE-STATUS.md")

    @property
    def page(self) -> str:
        return self.dashboard.read_text(encoding="utf-8")

    def section(self, title: str) -> list[str]:
        """The lines below a `## title` of the dashboard that are not blank; [] when there is no such heading."""
        lines = iter(self.page.splitlines())
        if not any(line == f"## {title}" for line in lines):
            return []
        found = []
        for line in lines:
            if line.startswith("## "):
                break
            if line:
                found.append(line)
        return found

    @property
    def priorities(self) -> list[str]:
        """The priorities without age, marks and links: `- (project) text`."""
        return self._lines("Priorities")

    @property
    def also_open(self) -> list[str]:
        """What fills the page below them, likewise."""
        return self._lines("Also open")

    def _lines(self, title: str) -> list[str]:
        return [line.split(" · ")[0] for line in self.section(title) if line.startswith("- (")]

    def snapshot(self) -> dict[str, tuple[bytes, int]]:
        """Every file with its bytes and time of change, every folder with nothing; not the cache, which may vary."""
        return {
            str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mtime_ns)
            if path.is_file()
            else (b"", 0)
            for path in self.root.rglob("*")
            if "cache" not in path.parts
        }


def wrap(*words: str | Path, vault: Vault | Path | None = None, today: str | None = TODAY) -> Result:
    """Run the program in this process."""
    arguments = [str(word) for word in words]
    if vault is not None:
        arguments = ["--vault", str(vault.root if isinstance(vault, Vault) else vault), *arguments]
    if today is not None:
        arguments = ["--today", today, *arguments]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
    return Result(int(code), *texts)


def audit(vault: Vault, today: str = TODAY) -> Result:
    """The audit as JSON; whatever is in the vault, it must come."""
    result = wrap("audit", "--json", vault=vault, today=today)
    assert result.code == 0, result.err
    return result


def spawn(*words: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start the program as a child, the checkout's package and not an installed one."""
    command = [sys.executable, "-m", "wrapgen", *(str(word) for word in words)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=child_environment(),
        **options,
    )


def child_environment() -> dict[str, str]:
    """That of a child, which finds the checkout's package, and need not compile it each time."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(CHECKOUT)}


def examples(number: int) -> int:
    """How many examples a property is tried with.

    Args:
        number: of every ten of them the gate takes six.
    """
    gate = number * 6 // 10
    return {"thorough": number * 10, "gate": gate}.get(MANNER, max(5, gate // 10))


def each(*tables: Iterable[object]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """One test of a whole table: every row is tried (of several tables: every combination), all that fail are named.

    Thousands of tests of a millisecond each take longer to collect than to run.
    """

    def made(test: Callable[..., None]) -> Callable[[], None]:
        def whole() -> None:
            failed = []
            for row in itertools.product(*tables) if len(tables) > 1 else tables[0]:
                try:
                    test(*row) if isinstance(row, tuple) else test(row)
                except Exception as error:  # what a test of its own would have ended with
                    failed.append(f"{row!r}: {type(error).__name__}: {error}")
            assert not failed, f"{len(failed)} of the table:\n" + "\n".join(failed)

        whole.__name__, whole.__doc__, whole.__module__ = test.__name__, test.__doc__, test.__module__
        return whole

    return made


def finish(child: subprocess.Popen[bytes], timeout: float = 60) -> Result:
    """Wait for a child; a hang is a failure."""
    try:
        out, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise
    return Result(child.returncode, out.decode("utf-8"), err.decode("utf-8"))


def journal(day: str, text: str) -> dict[str, str]:
    """A journal at its usual place."""
    return {f"journals/{day[:4]}/{day[5:7]}/{day}.md": text}


def next_list(*items: str, heading: str = "## Next") -> str:
    """A *Next* section with one bullet an item."""
    return "\n".join([heading, "", *(f"- {item}" for item in items), ""])
