"""`wrap completion`: the script by which a shell completes the words of `wrap`."""

import os

import click
from click.shell_completion import get_completion_class

from wrapgen.commands.help import examples
from wrapgen.errors import UsageError

SHELLS = ("bash", "zsh", "fish")
_PROGRAM = "wrap"


@click.command(
    "completion",
    epilog=examples('eval "$(wrap completion bash)"', "wrap completion zsh > ~/.zfunc/_wrap"),
)
@click.argument("shell", required=False, type=click.Choice(SHELLS), metavar="[bash|zsh|fish]")
@click.pass_context
def command(ctx: click.Context, *, shell: str | None) -> None:
    """Print the script by which your shell completes commands, options, projects and numbers.

    By default for the shell that $SHELL names. Put it where your shell looks for it once, and open a new one:

    \b
      bash  ~/.local/share/bash-completion/completions/wrap
      zsh   ~/.zfunc/_wrap, with `fpath+=~/.zfunc` above `compinit` in ~/.zshrc
      fish  ~/.config/fish/completions/wrap.fish
    """  # noqa: D301 - click knows \b as a mark
    chosen = shell or os.environ.get("SHELL", "").rpartition("/")[2]
    kind = get_completion_class(chosen) if chosen in SHELLS else None
    if kind is None:
        raise UsageError("$SHELL names none of bash, zsh and fish", next_step="Say which: wrap completion bash.")
    click.echo(kind(ctx.find_root().command, {}, _PROGRAM, f"_{_PROGRAM}_COMPLETE".upper()).source())
