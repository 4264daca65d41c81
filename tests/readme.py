"""The parts of the README that the program makes: `python -m tests.readme` writes them, a test holds them true."""

import contextlib
import io
import re
import tempfile
from datetime import date
from pathlib import Path

from wrapgen import cli
from wrapgen.commands.demo import copy_demo

CHECKOUT = Path(__file__).parents[1]
README = CHECKOUT / "README.md"
SAMPLE_DAY = date(2026, 4, 24)
_PRIORITIES_SHOWN = 6


def rendered(readme: str) -> str:
    """The README with every made part as it should be."""
    page, audit = _sample_run()
    priorities = page.partition("## Priorities\n\n")[2].splitlines()[:_PRIORITIES_SHOWN]
    readme = _with_block(readme, "after", "## Priorities\n\n" + "\n".join(priorities) + "\n")
    readme = _with_block(readme, "audit", audit.splitlines()[-1] + "\n")
    rows = [f"| `wrap {name}` | {line} |" for name, line in cli.COMMANDS.items()]
    bare = (
        "| `wrap` | The session end: find what was only said, ask once, write it down, rebuild, account for it all. |"
    )
    table = "| Command | What it does |\n| --- | --- |\n" + "\n".join([bare, *rows]) + "\n"
    return re.sub(r"\| Command \| What it does \|\n(?:\|.*\n)+", lambda _: table, readme)


def block(readme: str, name: str) -> str:
    """The content of the fenced block of this name."""
    found = re.search(_fence(name), readme, re.MULTILINE)
    assert found, f"the README has no block {name!r}"
    return found[2]


def _with_block(readme: str, name: str, content: str) -> str:
    return re.sub(_fence(name), lambda found: f"{found[1]}{content}{found[3]}", readme, flags=re.MULTILINE)


def _fence(name: str) -> str:
    return rf"(^```\w+ {name}\n)((?:(?!```).*\n)*)(^```$)"


def _sample_run() -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        copy_demo(Path(folder), SAMPLE_DAY)
        assert cli.run(["--vault", folder, "--today", SAMPLE_DAY.isoformat()]) == 0
        page = (Path(folder) / "ACTIVE-STATUS.md").read_text(encoding="utf-8")
    return page, out.getvalue()


if __name__ == "__main__":
    README.write_text(rendered(README.read_text(encoding="utf-8")), encoding="utf-8")
