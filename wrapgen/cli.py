"""The command line: the commands, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen import __version__, streams
from wrapgen.errors import ExitCode, WrapgenError, remedy
from wrapgen.terminal.verb import TRANSCRIPT, examples
from wrapgen.text.display import one_line, visible
from wrapgen.workflows.app import App

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

# One line of help each, so that `wrap --help` need not import them all.
COMMANDS = {
    "demo": "Make a sample vault and run wrap in it.",
    "init": "Set up wrapgen in a folder.",
    "regen": "Rebuild the dashboard and nothing else: for cron, git hooks and CI.",
    "audit": "Account for every item, writing nothing: when you miss one, or in CI.",
    "list": "Show the open items in the order of the dashboard.",
    "page": "Write the vault as one HTML page to read in a browser.",
    "sources": "Show what is read and what is not, and change it.",
    "projects": "Show the projects and their folders, and change them.",
    "explain": "Show what became of a line, and why.",
    "trend": "Show how the number of open items has changed, by week.",
    "serve": "Show the page in the browser, act on it, and see changes at once.",
    "mcp": "Serve list, next, add, done, orphans, route, triage, audit and the page to other programs.",
    "orphans": "Find follow-ups mentioned in chat but never written down.",
    "route": "File pending follow-ups in your notes.",
    "next": "Show what is said to be next, or put items first.",
    "triage": "Say what is next and what is not: done, no work, put off, the same.",
    "undo": "Undo the last route, add, done, edit, move, snooze, keep, next or triage.",
    "add": "Add an item to a project's list, or to today's journal.",
    "done": "Finish items: tick the box, or add a line to today's Done.",
    "edit": "Reword an item, or give it a due day and a priority.",
    "move": "Put items into the list of another project or task.",
    "snooze": "Hide items until a day.",
    "keep": "Reopen or un-merge items.",
    "open": "Open an item's source in your editor.",
    "stage": "Save where a task stands after each stage, and resume it from there.",
    "brief": "Tell a sub-agent what the session is doing, within a token budget.",
    "agent": "Check and store sub-agents' answers, and choose context for the next one.",
    "track": "Keep what must survive a compaction, and search earlier conversations.",
    "match": "Say whether two texts are one item, and why: when two were merged, or were not.",
    "install": "Set up a coding agent to run wrapgen automatically.",
    "uninstall": "Undo `wrap install`.",
    "plugin": "Build wrapgen as a Claude Code plugin.",
    "schedule": "Rebuild the dashboard on a schedule.",
    "trust": "Allow hooks to act on a vault, and it to read outside itself.",
    "hook": "Handle a hook event from a coding agent.",
    "statusline": "Print the vault's status in one line, for a coding agent's status line.",
    "doctor": "Find problems with a vault and its setup, and fix them.",
    "help": "Show what a command does; `wrap help all` lists every command.",
    "completion": "Print a shell completion script for commands, options, projects and items.",
}

# What does nothing but show something.
_SHOWING = frozenset(("audit", "completion", "explain", "list", "match", "trend"))
# The commands of a week, which `wrap --help` shows.
_WEEK = (
    "demo", "init", "install", "list", "next", "add", "done", "edit", "snooze", "undo", "route", "triage",
    "serve", "explain",
)  # fmt: skip
GROUPS = {
    "Every day": ("list", "add", "done", "edit", "move", "snooze", "keep", "open", "next", "triage", "undo"),
    "Follow-ups from chat": ("orphans", "route"),
    "Looking": ("page", "serve", "trend", "explain", "audit", "regen", "sources", "projects", "match"),
    "Around sessions": ("stage", "brief", "track", "agent"),
    "Set-up": (
        "demo", "init", "install", "uninstall", "doctor", "schedule", "trust", "completion", "help", "mcp", "plugin",
        "statusline", "hook",
    ),
}  # fmt: skip

# Where commands are that have no file of their own in `commands`: those of one family share one.
_PLACES = {
    "add": "commands.edit_:add", "demo": "commands.demo_:demo", "hook": "hooks.hook_:command",
    "keep": "commands.done_:keep",
    "match": "commands.explain_:match_", "mcp": "mcp.mcp_:command", "move": "commands.edit_:move",
    "open": "commands.list_:open_", "projects": "commands.sources_:projects_", "regen": "commands.audit_:regen",
    "route": "commands.orphans_:route_", "serve": "serving.server:serve", "snooze": "commands.done_:snooze",
    "statusline": "hooks.hook_:statusline", "trust": "commands.init_:trust", "undo": "commands.done_:undo_last",
    "uninstall": "commands.install_:uninstall",
}  # fmt: skip


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date; write it as 2026-04-24.") from None


class _LazyGroup(click.Group):
    """Imports a command's modules only when it is chosen."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name == _help.name:
            return _help
        if cmd_name not in COMMANDS:
            return None
        module, _, name = _PLACES.get(cmd_name, f"commands.{cmd_name}_:command").partition(":")
        command = getattr(import_module(f"wrapgen.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like the base class, but an unknown command names the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            if not near:
                raise
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean `wrap {near[0]}`?", ctx) from error

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Like the base class, but without importing every command for its help line."""
        from click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=line) for name, line in COMMANDS.items() if name.startswith(incomplete)]
        return named + click.Command.shell_complete(self, ctx, incomplete)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Commands come first: what one does every day stands on the first screen."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups = GROUPS if ctx.meta.get(_ALL) else {"Commands of a week": _WEEK}
        width = max(len(name) for names in groups.values() for name in names)
        for title, names in groups.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), COMMANDS[name]) for name in names])
        if len(groups) == 1:
            formatter.write_paragraph()
            formatter.write_text("The others: wrap help all")


_ALL = "wrapgen.help.all"


@click.command("help", epilog=examples("wrap help", "wrap help all", "wrap help stage write"))
@click.argument("words", nargs=-1, metavar="[all | COMMAND...]")
@click.pass_context
def _help(ctx: click.Context, *, words: tuple[str, ...]) -> None:
    """Show what a command does; `wrap help all` lists every command."""
    context = ctx.find_root()
    if words == ("all",):
        context.meta[_ALL] = True
        words = ()
    for word in words:
        group = context.command
        name, command, _ = group.resolve_command(context, [word]) if isinstance(group, click.Group) else ("", None, [])
        if command is None:
            raise click.UsageError(f"`{context.command_path}` has no command {word!r}.", context)
        context = click.Context(command, context, name, **command.context_settings)
    click.echo(context.get_help())


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    epilog=examples("wrap", "wrap --no-prompt --json", "wrap --vault ~/notes list"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--vault", type=click.Path(path_type=Path), metavar="DIR", help="The vault to work on.")
@click.option("--today", callback=_day, metavar="YYYY-MM-DD", help="Use this date as today (for tests and back-fills).")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only.")
@click.option("--verbose", "-v", is_flag=True, help="Print details, and tracebacks of errors.")
@click.option("--no-color", is_flag=True, help="No colour; the same as NO_COLOR in the environment.")
@TRANSCRIPT
@click.option("--answers", metavar="FILE", help="Read the answers from a file (- for stdin) instead of asking.")
@click.option("--no-prompt", is_flag=True, help="Do not ask; follow-ups stay pending until `wrap route`.")
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

    Without a command: the session-end run. It finds follow-ups mentioned in chat but never written down, asks once
    where they belong, writes them there, rebuilds ACTIVE-STATUS.md from journals and project lists, and prints the
    audit, which accounts for every item.
    """
    ctx.obj = App(vault=vault, today=today, quiet=quiet, verbose=verbose, color=not no_color, as_json=as_json)
    ctx.call_on_close(ctx.obj.flush)
    if ctx.invoked_subcommand is None:
        from wrapgen.commands.wrap_ import wrap as end

        return end(ctx.obj, transcripts=transcripts, answers=answers, prompt=not no_prompt)
    for given, name in ((as_json, "--json"), (transcripts, "--transcript"), (answers, "--answers")):
        if given:
            raise click.UsageError(f"Write {name} after the command: wrap {ctx.invoked_subcommand} {name}", ctx)
    if "stdout" in streams.closed and ctx.invoked_subcommand in _SHOWING:
        raise WrapgenError(
            "standard output is closed, so nothing can be shown", next_step="Leave it open, or send it to a file."
        )
    return ExitCode.DONE


def run(arguments: Sequence[str]) -> int:
    """Run the command line, without the program's name, and give the exit code."""
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
        _complain("interrupted; no file was left half-written.")
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        return _misused(error)
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough.
        for stream in (sys.stdout, sys.stderr):
            streams.drop(stream)
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
            f"unexpected {type(error).__name__}: {error}. This is a bug in wrapgen: "
            "run again with --verbose and report what it prints."
        )
        return ExitCode.COULD_NOT


def _misused(error: click.ClickException) -> int:
    """Say what a command line lacks; a group without a command is a question for its help."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message())
        return ExitCode.DONE
    context = getattr(error, "ctx", None)
    tip = f" See `{context.command_path} --help`." if context else ""
    message = one_line(error.format_message())
    _complain(f"{message}{'' if message.endswith(('.', '?')) else '.'}{tip}")
    return error.exit_code


def _refused(error: OSError) -> WrapgenError:
    """An operating system error that no caller turned into a message of its own."""
    if _is_here_gone():
        what = "the current folder is no longer there; it was deleted or moved"
        return WrapgenError(what, next_step="Change to another one (`cd`) and run again.")
    named = isinstance(error.filename, (str, bytes, os.PathLike))
    return WrapgenError(
        error.strerror or str(error),
        where=os.fsdecode(error.filename) if named else None,
        next_step=remedy(error),
    )


def _is_here_gone() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    except OSError:
        pass
    return False


def _trace() -> None:
    import traceback

    for line in traceback.format_exc().splitlines():
        _to_stderr(visible(line))


def _complain(message: str) -> None:
    _to_stderr(f"wrap: {visible(message)}")


def _to_stderr(line: str) -> None:
    """Where nobody takes it, the exit code has to do."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        streams.drop(sys.stderr)
