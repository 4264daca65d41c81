"""The parts of the pages that the program makes: `python -m tests.readme` writes them, a test holds them true."""

from __future__ import annotations

import inspect
import json
import re
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tests import manual, pictures, sample_history
from tests.commandtree import every_command
from tests.support import wrap
from wrapgen import cli
from wrapgen.commands.demo_ import copy_demo
from wrapgen.config import Config, UserConfig
from wrapgen.config.schema import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msgspec

    from tests.commandtree import Node

CHECKOUT = Path(__file__).parents[1]
README = CHECKOUT / "README.md"
DOCS = CHECKOUT / "docs"
PAGES = (README, *sorted(DOCS.glob("*.md")))
SAMPLE_DAY = date(2026, 4, 24)


def made() -> dict[Path, str]:
    """Every page that holds made parts, and the manual, as they should be."""
    pages = {
        README: _front_page(README.read_text(encoding="utf-8")),
        DOCS / "commands.md": _with_part(DOCS / "commands.md", "commands", _commands()),
        DOCS / "configuration.md": _with_part(DOCS / "configuration.md", "wrapgen.toml", _keys(Config)),
    }
    pages[DOCS / "configuration.md"] = _with_part(pages[DOCS / "configuration.md"], "config.toml", _keys(UserConfig))
    former = manual.PAGE.read_text(encoding="utf-8")
    pages |= {manual.PAGE: manual.page(manual.dated(former)), sample_history.FILE: sample_history.made()}
    return pages | (pictures.made(SAMPLE_DAY) if sys.platform != "win32" else {})


def block(readme: str, name: str) -> str:
    """The content of the fenced block of this name."""
    found = re.search(_fence(name), readme, re.MULTILINE)
    assert found, f"the README has no block {name!r}"
    return found[2]


def _front_page(readme: str) -> str:
    filed, audit = _sample_run()
    return _with_block(_with_block(readme, "after", filed), "audit", audit.splitlines()[-1] + "\n")


def _with_block(readme: str, name: str, content: str) -> str:
    return re.sub(_fence(name), lambda found: f"{found[1]}{content}{found[3]}", readme, flags=re.MULTILINE)


def _fence(name: str) -> str:
    return rf"(^```\w+ {name}\n)((?:(?!```).*\n)*)(^```$)"


def _with_part(page: Path | str, name: str, content: str) -> str:
    """A page with what stands between `<!-- made: NAME -->` and `<!-- end -->` made anew."""
    text = page if isinstance(page, str) else page.read_text(encoding="utf-8")
    begin, end = f"<!-- made: {name} -->\n", "<!-- end -->\n"
    head, _, rest = text.partition(begin)
    assert end in rest, f"no part {name!r}"
    return f"{head}{begin}\n{content}\n{end}{rest.partition(end)[2]}"


def _commands() -> str:
    root, *nodes = every_command()
    index: list[str] = []
    for title, names in cli.GROUPS.items():
        listed = [f"- [`wrap {name}`](#wrap-{name}): {cli.COMMANDS[name]}" for name in names]
        index += ["", f"**{title}**", "", *listed]
    sections = ["\n".join(part) for node in (root, *nodes) for part in [list(_command(node))]]
    return "\n".join(index[1:]) + "\n\n" + "\n\n".join(sections) + "\n"


def _command(node: Node) -> Iterator[str]:
    yield f"{'#' * (len(node.words) + (node.words == ('wrap',)))} {node.name}"
    yield ""
    yield "```text"
    yield " ".join([node.name, *node.command.collect_usage_pieces(node.context)])
    yield "```"
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(node.command.help or "")):
        yield ""
        yield from _paragraph(paragraph)
    if options := list(_options(node)):
        yield ""
        yield from options
    yield ""
    yield from _fenced("sh", node.examples)


def _paragraph(text: str) -> list[str]:
    if text.startswith("\b"):
        return _fenced("text", [line.strip() for line in text.splitlines()[1:]])
    return [_prose(" ".join(text.split()))]


def _fenced(language: str, lines: list[str]) -> list[str]:
    return [f"```{language}", *lines, "```"]


def _options(node: Node) -> Iterator[str]:
    for param in node.command.get_params(node.context):
        if (
            isinstance(param, click.Option)
            and "--help" not in param.opts
            and (record := param.get_help_record(node.context))
        ):
            yield f"- `{record[0]}`: {_prose(record[1])}"


def _prose(text: str) -> str:
    """Words in which nothing is taken for HTML; what stands in backticks is left as it is."""
    return re.sub("`[^`]*`|<", lambda found: r"\<" if found[0] == "<" else found[0], text)


def _keys(kind: type[msgspec.Struct]) -> str:
    lines = []
    for key in describe(kind):
        default = " ".join(key.default.split())
        lines.append(f"- `{key.name}` ({key.allowed}; default `{default}`): {_prose(key.description)}")
    return "\n".join(lines) + "\n"


def _sample_run() -> tuple[str, str]:
    """The lines that are added where every follow-up goes where it is suggested, and what that run prints."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder)
        copy_demo(vault, SAMPLE_DAY)
        before = _notes(vault)
        found = wrap("orphans", "--json", vault=vault, today=SAMPLE_DAY.isoformat()).json["orphans"]
        given = [{"id": one["id"], **one["suggested"]} for one in found]
        answers = vault / "answers.json"
        answers.write_text(json.dumps({"schema": "wrapgen.answers/1", "answers": given}), encoding="utf-8")
        out = wrap("--answers", answers, vault=vault, today=SAMPLE_DAY.isoformat()).out
        after = _notes(vault)
    filed = []
    for path, lines in after.items():
        if added := [line for line in lines if line not in before[path]]:
            filed += ["", f"# {path}", *(f"+{line}" for line in added)]
    return "\n".join(filed[1:]) + "\n", out


def _notes(vault: Path) -> dict[str, list[str]]:
    return {
        path.relative_to(vault).as_posix(): path.read_text(encoding="utf-8").splitlines()
        for path in sorted((vault / "projects").rglob("*.md"))
    }


if __name__ == "__main__":
    manual.main()
    for file, text in made().items():
        file.write_text(text, encoding="utf-8")
