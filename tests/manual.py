"""The manual page, made from the commands: `python -m tests.readme` writes it too.

click-man leaves out examples, does not escape what roff would obey and makes fifty pages of one program.
"""

from __future__ import annotations

import inspect
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from tests.commandtree import every_command
from tests.support import CHECKOUT
from wrapgen import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.commandtree import Node

PAGE = CHECKOUT / "docs" / "man" / "wrap.1"
_TITLE = re.compile(r'^\.TH WRAP 1 "([0-9-]+)"', re.MULTILINE)

_EXIT_STATUS = {
    0: "Done.",
    1: "It could not be done; the message says why, and what to do.",
    2: "The command line is wrong.",
    3: "A check found something: `--check`, `--strict`, `wrap agent check`, `wrap doctor`.",
    4: "Another run holds the lock.",
    130: "Interrupted; nothing is left half-written.",
}
_ENVIRONMENT = {
    "WRAPGEN_VAULT": "The vault, where `--vault` names none.",
    "WRAPGEN_DISABLE": "`1` silences the hooks.",
    "NO_COLOR": "No colour, as with `--no-color`.",
    "VISUAL": "The editor of `wrap open`; else that of `EDITOR`.",
}
_FILES = {
    "wrapgen.toml": "Makes its folder a vault; what it does not say is as usual.",
    "ACTIVE-STATUS.md": "The dashboard. It is written and never read.",
    ".wrapgen/": "What waits for an answer, the receipts that `wrap undo` takes back, and the cache.",
}


def page(day: str) -> str:
    """The manual page.

    Args:
        day: what it says of its date, as 2026-04-24.
    """
    root, *commands = every_command()
    lines = [
        '.\\" Made by `python -m tests.readme` from the help of the commands.',
        f'.TH WRAP 1 "{day}" "wrapgen {__version__}" "User Commands"',
        ".SH NAME",
        rf"wrap \- {_text((root.command.help or '').partition('.')[0].lower())}",
        ".SH SYNOPSIS",
        *_usage(root),
        ".SH DESCRIPTION",
        *_prose(root.command.help or ""),
        ".SH OPTIONS",
        *_options(root),
        ".SH COMMANDS",
    ]
    for node in commands:
        lines += [f".SS {_literal(node.name)}", *_usage(node), *_section(node)]
    for title, rows in (("EXIT STATUS", _EXIT_STATUS), ("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        lines.append(f".SH {title}")
        for name, words in rows.items():
            lines += [".TP", rf"\fB{_literal(str(name))}\fR", _text(words)]
    lines += [".SH EXAMPLES", *_literally(root.examples)]
    return "\n".join(lines) + "\n"


def dated(text: str) -> str:
    """The day that a page bears; today's for one without."""
    found = _TITLE.search(text)
    return found[1] if found else datetime.now(UTC).date().isoformat()


def _section(node: Node) -> Iterator[str]:
    yield ".PP"
    yield from _prose(node.command.help or "")
    yield from _options(node)
    if node.examples:
        yield ".PP"
        yield "Examples:"
        yield from _literally(node.examples)


def _usage(node: Node) -> Iterator[str]:
    pieces = " ".join(node.command.collect_usage_pieces(node.context))
    yield rf"\fB{_literal(node.name)}\fR {_literal(pieces)}"


def _options(node: Node) -> Iterator[str]:
    for param in node.command.get_params(node.context):
        record = param.get_help_record(node.context) if isinstance(param, click.Option) else None
        if record and (node.words == ("wrap",) or "--help" not in param.opts):
            yield ".TP"
            yield rf"\fB{_literal(record[0])}\fR"
            yield _text(record[1])


def _prose(text: str) -> Iterator[str]:
    r"""Paragraphs; one that begins with \b keeps its lines, as in `--help`."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(text))):
        if number:
            yield ".PP"
        if paragraph.startswith("\b"):
            yield from _literally([line.strip() for line in paragraph.splitlines()[1:]])
        else:
            yield _text(" ".join(paragraph.split()))


def _literally(lines: list[str]) -> Iterator[str]:
    yield ".RS 4"
    yield ".nf"
    yield from map(_literal, lines)
    yield ".fi"
    yield ".RE"


def _text(words: str) -> str:
    """Prose; what stands in backticks is set as one would type it."""
    parts = re.split(r"`([^`]+)`", words)
    return _begun("".join(rf"\fB{_literal(one)}\fR" if index % 2 else _escaped(one) for index, one in enumerate(parts)))


def _literal(words: str) -> str:
    """Words to be typed: their hyphens stay hyphens where somebody copies them."""
    return _begun(_escaped(words).replace("-", r"\-"))


def _escaped(words: str) -> str:
    return words.replace("\\", r"\e").replace("~", r"\(ti").replace("^", r"\(ha")


def _begun(line: str) -> str:
    """A line that roff does not take for a request."""
    return rf"\&{line}" if line.startswith((".", "'")) else line


def main() -> None:
    """Write the page, dated today if it says anything else than before."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    former = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if page(dated(former)) != former:
        PAGE.write_text(page(dated("")), encoding="utf-8")
