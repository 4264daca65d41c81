"""How a command is declared, and the options that several commands have."""

from collections.abc import Callable
from pathlib import Path

import click


def _for_programs(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and ctx.obj is not None:  # there is none while a shell completes
        ctx.obj.as_json = True


JSON = click.option("--json", is_flag=True, expose_value=False, callback=_for_programs, help="Print one JSON document.")
TRANSCRIPT = click.option(
    "--transcript",
    "transcripts",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read this conversation (repeatable); by default, what is new in this vault's.",
)


def examples(*lines: str) -> str:
    """The closing part of a command's help: commands as one would type them."""
    # \b alone on a line tells click to leave the line breaks of the paragraph as they are.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def verb(
    name: str, *shown: str, json: bool = False, of: click.Group | None = None, **more: str | type[click.Command]
) -> Callable[[Callable[..., object]], click.Command]:
    """Declare a command, of a group where one is named, that is called with the `App`; `shown` are its examples."""

    def made(function: Callable[..., object]) -> click.Command:
        command: click.Command = (of or click).command(name, epilog=examples(*shown), **more)(click.pass_obj(function))
        return JSON(command) if json else command

    return made
