"""The commands as `--help` shows them, and the examples in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from wrapgen import cli

if TYPE_CHECKING:
    from collections.abc import Iterator


class Node(NamedTuple):
    """A command, its words on the command line, and the context that its help is written in."""

    words: tuple[str, ...]
    command: click.Command
    context: click.Context

    @property
    def name(self) -> str:
        return " ".join(self.words)

    @property
    def examples(self) -> list[str]:
        """The example lines of its help, as one would type them."""
        title, *lines = (self.command.epilog or "\b\nExamples:").removeprefix("\b\n").splitlines()
        assert title == "Examples:", f"{self.name} ends in something else: {title}"
        return [line.strip() for line in lines]


def every_command(command: click.Command = cli.wrap, words: tuple[str, ...] = ("wrap",), parent=None) -> Iterator[Node]:
    """The program itself, then each command below it in the order of its help."""
    context = click.Context(command, parent, words[-1], **command.context_settings)
    yield Node(words, command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from every_command(below, (*words, name), context)
