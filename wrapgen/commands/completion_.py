"""`wrap completion`: the script by which a shell completes the words of `wrap`."""

import os

import click
from click.shell_completion import get_completion_class

from wrapgen.errors import UsageError
from wrapgen.terminal.verb import examples

SHELLS = ("bash", "zsh", "fish")
_PROGRAM = "wrap"


@click.command("completion", epilog=examples('eval "$(wrap completion bash)"', "wrap completion zsh > ~/.zfunc/_wrap"))
@click.argument("shell", required=False, type=click.Choice(SHELLS), metavar="[bash|zsh|fish]")
@click.pass_context
def command(ctx: click.Context, *, shell: str | None) -> None:
    """Print a shell completion script for commands, options, projects and items.

    By default for the shell in $SHELL. Save it where your shell looks for completions, and open a new shell:

    \b
      bash  ~/.local/share/bash-completion/completions/wrap
      zsh   ~/.zfunc/_wrap, with `fpath+=~/.zfunc` above `compinit` in ~/.zshrc
      fish  ~/.config/fish/completions/wrap.fish
    """  # noqa: D301 - click knows \b as a mark
    chosen = shell or os.environ.get("SHELL", "").rpartition("/")[2]
    kind = get_completion_class(chosen) if chosen in SHELLS else None
    if kind is None:
        raise UsageError("$SHELL is not bash, zsh or fish", next_step="Name the shell: wrap completion bash.")
    click.echo(kind(ctx.find_root().command, {}, _PROGRAM, f"_{_PROGRAM}_COMPLETE".upper()).source())
