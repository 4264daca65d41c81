"""The pictures of the front page, taken of the program in its demo.

`python -m tests.readme` writes that of the terminal, and a test holds it true. The page's is a photograph, which no two
browsers take alike: `python -m tests.pictures` takes it anew.
"""

from __future__ import annotations

import html
import io
import re
import tempfile
import time
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from tests.support import CHECKOUT, wrap
from wrapgen.commands.demo_ import copy_demo

if TYPE_CHECKING:
    from datetime import date

    from tests.terminal import Terminal

FOLDER = CHECKOUT / "docs" / "images"
QUESTION, PAGE = FOLDER / "question.svg", FOLDER / "page.png"
_COLUMNS, _LINES = 80, 24
_QUIET = 1.0  # seconds without output after which a screen is taken for complete
_COLOURS = {"brown": "yellow", "brightbrown": "bright_yellow"}  # as pyte calls them


def made(day: date) -> dict[Path, str]:
    """What `wrap` asks in the demo."""
    from tests.terminal import ESC, Wrap

    with tempfile.TemporaryDirectory() as folder:
        copy_demo(Path(folder), day)
        with Wrap("--vault", folder, "--today", day.isoformat(), columns=_COLUMNS, lines=_LINES) as terminal:
            terminal.see("endpoint", "아침에")
            question = _drawn(_settled(terminal), "wrap")
            terminal.press(ESC).finish()
            return {QUESTION: question}


def _settled(terminal: Terminal) -> Terminal:
    since, raw = time.monotonic(), terminal.raw
    while time.monotonic() - since < _QUIET:
        assert terminal._read(), terminal.text
        if terminal.raw != raw:
            since, raw = time.monotonic(), terminal.raw
    return terminal


def _drawn(terminal: Terminal, title: str) -> str:
    lines = [_line(terminal, y) for y in range(len(terminal.lines))]
    while lines and not lines[-1].plain.strip():
        lines.pop()
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text("\n").join(lines), soft_wrap=True)
    svg = console.export_svg(title=title, unique_id="wrap")
    svg = re.sub(r'textLength="([\d.]+)"([^>]*>)([^<]*)', _measured, svg)
    svg = re.sub(r"\s*@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)  # a picture fetches nothing
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines() if line.strip())


def _measured(text: re.Match[str]) -> str:
    """A text's length by its cells: rich counts letters, so that Korean would be pressed together."""
    shown = html.unescape(text[3])
    return f'textLength="{float(text[1]) / len(shown) * cell_len(shown):g}"{text[2]}{text[3]}'


def _line(terminal: Terminal, y: int) -> Text:
    cells = (terminal.buffer[y][x] for x in range(_COLUMNS))
    runs = groupby(cells, key=lambda cell: Style(bold=cell.bold, reverse=cell.reverse, color=_colour(cell.fg)))
    line = Text.assemble(*(("".join(cell.data for cell in run), style) for style, run in runs))
    line.rstrip()
    return line


def _colour(name: str) -> str | None:
    if re.fullmatch("[0-9a-f]{6}", name):
        return f"#{name}"
    return None if name == "default" else _COLOURS.get(name, name.replace("bright", "bright_"))


def photograph(day: date) -> None:
    """Take the picture of the page with the system's Chromium."""
    from tests.page.browser import running

    with tempfile.TemporaryDirectory() as folder, running() as browser:
        vault, out = Path(folder) / "demo", Path(folder) / "page.html"
        copy_demo(vault, day)
        for words in (("--no-prompt",), ("page", "--out", out)):
            assert wrap(*words, vault=vault, today=day.isoformat()).code == 0
        page = browser.new_page(viewport={"width": 900, "height": 560})
        page.goto(out.as_uri())
        page.screenshot(path=PAGE)


if __name__ == "__main__":
    from tests.readme import SAMPLE_DAY

    photograph(SAMPLE_DAY)
