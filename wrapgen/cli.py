"""The commands, wired; and the one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen import __version__
from wrapgen.commands.app import App
from wrapgen.commands.help import examples
from wrapgen.errors import ExitCode, WrapgenError, remedy
from wrapgen.text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

# One line of help each, so that `wrap --help` need not import them all.
COMMANDS = {
    "init": "Make a folder a vault.",
    "regen": "Rebuild the dashboard under the lock, for cron and scripts.",
    "audit": "Account for every item without writing anything.",
    "list": "Show the open items in the order of the dashboard.",
    "page": "Write the vault as one HTML file, to look at.",
    "explain": "Say what became of an item, and by which evidence.",
    "trend": "Show how the open items have come and gone, by week.",
    "serve": "Show the page in the browser, and again whenever the vault changes.",
    "orphans": "Find follow-ups that were only said.",
    "route": "Write pending follow-ups where they belong.",
    "undo": "Take the last routing, add, done, snooze or keep back.",
    "add": "Write a follow-up down: into a project's list, or into today's journal.",
    "done": "Finish items: tick the box, or write a line into today's Done.",
    "snooze": "Hide an item for some days.",
    "keep": "Keep an item that was taken for done, or for another one.",
    "open": "Open an item's source in your editor.",
    "stage": "Keep where a task stands after each stage, and resume it from there.",
    "brief": "Tell a sub-agent what the session is doing, within a budget of tokens.",
    "agent": "Check what sub-agents answer, keep it, and choose what the next one is given.",
    "track": "Keep what a conversation must not lose when it is folded, and search what was said before.",
    "match": "Say whether two items would be merged, and which rule refuses.",
    "install": "Let a coding agent run wrapgen by itself.",
    "uninstall": "Take back what `wrap install` did.",
    "plugin": "Build wrapgen as a plugin of Claude Code.",
    "schedule": "Rebuild the dashboard by the clock.",
    "trust": "Let hooks act for a vault.",
    "hook": "Answer an event of a coding agent's host.",
    "statusline": "Print the vault in one line, for the status line of a host.",
    "doctor": "Look for what is wrong with a vault and its set-up, and mend it.",
    "completion": "Print the script by which your shell completes commands, options, projects and numbers.",
}

# The rooms of the commands that are not in `commands`.
_ROOMS = {"hook": "hooks", "statusline": "hooks"}


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a day; write it as 2026-04-24.") from None


class _LazyGroup(click.Group):
    """Imports a command's modules only when it is chosen."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"wrapgen.{_ROOMS.get(cmd_name, 'commands')}.{cmd_name}_").command
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """As a group does, but without importing every command for its line of help."""
        from click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=line) for name, line in COMMANDS.items() if name.startswith(incomplete)]
        return named + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    epilog=examples("wrap", "wrap --no-prompt --json", "wrap --vault ~/notes list"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--vault", type=click.Path(path_type=Path), metavar="DIR", help="The vault to work on.")
@click.option("--today", callback=_day, metavar="YYYY-MM-DD", help="Pretend that it is this day (tests, back-fills).")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only.")
@click.option("--verbose", "-v", is_flag=True, help="Print details, and tracebacks of errors.")
@click.option("--no-color", is_flag=True, help="No colour, as with NO_COLOR in the environment.")
@click.option(
    "--transcript",
    "transcripts",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read this conversation (may be repeated); else those of this vault since the last wrap.",
)
@click.option("--answers", metavar="FILE", help="Take the answers from a file (- for stdin) instead of asking.")
@click.option("--no-prompt", is_flag=True, help="Ask nothing: follow-ups wait until `wrap route`.")
@click.option("--json", "as_json", is_flag=True, help="Print the audit as one JSON document.")
@click.version_option(__version__, message="wrap %(version)s")
@click.pass_context
def wrap(  # noqa: PLR0913 - the options of the command line
    ctx: click.Context,
    *,
    vault: Path | None,
    today: date | None,
    quiet: bool,
    verbose: bool,
    no_color: bool,
    transcripts: tuple[Path, ...],
    answers: str | None,
    no_prompt: bool,
    as_json: bool,
) -> int:
    """Keep the follow-ups of your sessions in plain Markdown notes.

    Without a command: the session-end run. It finds the follow-ups that were only said in the conversation, asks once
    where they belong, writes them there, rebuilds ACTIVE-STATUS.md from journals and project lists, and prints the
    audit, in which every item has its fate.
    """
    ctx.obj = App(vault=vault, today=today, quiet=quiet, verbose=verbose, color=not no_color)
    if ctx.invoked_subcommand is None:
        from wrapgen.commands.wrap_ import Options, wrap_session

        return wrap_session(ctx.obj, Options(transcripts, answers, not no_prompt, as_json))
    for given, name in ((as_json, "--json"), (transcripts, "--transcript"), (answers, "--answers")):
        if given:
            raise click.UsageError(f"Write {name} after the command: wrap {ctx.invoked_subcommand} {name}", ctx)
    return ExitCode.DONE


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Args:
        arguments: the words after the program's name.

    Returns:
        the exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    verbose = any(word in ("-v", "--verbose") for word in arguments)
    try:
        code = wrap.main(args=list(arguments), prog_name="wrap", standalone_mode=False)
        sys.stdout.flush()
        return int(code or ExitCode.DONE)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted; nothing was left half-written.")
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        tip = f" See `{context.command_path} --help`." if context else ""
        _complain(f"{error.format_message().rstrip('.')}.{tip}")
        return error.exit_code
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough; Python would complain once more while it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except (WrapgenError, OSError) as error:
        if verbose:
            _trace()
        known = _refused(error) if isinstance(error, OSError) else error
        _complain(str(known))
        return known.exit_code
    except Exception as error:
        if verbose:
            _trace()
        _complain(
            f"unexpected {type(error).__name__}: {error}. This is a defect of wrapgen: "
            "run again with --verbose and report what it prints."
        )
        return ExitCode.COULD_NOT


def _refused(error: OSError) -> WrapgenError:
    """What the system refused where nobody could say more about it."""
    named = isinstance(error.filename, (str, bytes, os.PathLike))
    return WrapgenError(
        error.strerror or str(error),
        where=os.fsdecode(error.filename) if named else None,
        next_step=remedy(error),
    )


def _trace() -> None:
    for line in traceback.format_exc().splitlines():
        sys.stderr.write(f"{visible(line)}\n")


def _complain(message: str) -> None:
    sys.stderr.write(f"wrap: {visible(message)}\n")
