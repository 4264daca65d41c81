"""`wrap install`: let a coding agent run wrapgen by itself."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.commands import hosting, userfile
from wrapgen.commands.help import examples
from wrapgen.commands.reach import reach
from wrapgen.config import VAULT_FILE
from wrapgen.errors import ExitCode, NoVaultError, UsageError, WrapgenError
from wrapgen.hosts import record
from wrapgen.hosts.host import CLAUDE, HOSTS, Scope
from wrapgen.hosts.program import program
from wrapgen.hosts.settings import Wanted, foreign_status_line
from wrapgen.hosts.survey import plugin_setup, setups
from wrapgen.text import count
from wrapgen.vault.trust import is_trusted

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.hosts.guest import Guest, Plan

_ALL = "all"


@click.command(
    "install",
    epilog=examples(
        "wrap install claude",
        "wrap install claude --dry-run",
        "wrap install claude --scope local --status-line",
        "wrap install claude --reader",
        "wrap install claude --skills-in-agents all",
        "wrap install codex",
    ),
)
@hosting.HOST
@hosting.SCOPE
@hosting.DRY_RUN
@click.option("--status-line/--no-status-line", default=None, help="Show wrapgen's line in the host's status line.")
@click.option("--prompts/--no-prompts", default=None, help="Also look at every prompt, for what was given up before.")
@click.option(
    "--skills-in-agents",
    "agents",
    multiple=True,
    metavar="NAME",
    help="Let a sub-agent's own file name the skill of its answers (may be repeated; `all`).",
)
@click.option("--reader/--no-reader", "reader", default=None, help="Let this host's model read what was said, too.")
@click.option("--program", "named", metavar="NAME", help="What the hooks call, instead of this program by its path.")
@click.option("--default/--no-default", "default", default=None, help="Use this vault outside of every vault.")
@click.pass_obj
def command(  # noqa: PLR0913 - the options of the command line
    app: App,
    *,
    host: str,
    scope: str,
    dry_run: bool,
    status_line: bool | None,
    prompts: bool | None,
    agents: tuple[str, ...],
    named: str | None,
    reader: bool | None,
    default: bool | None,
) -> int:
    """Let a coding agent run wrapgen by itself.

    HOST is claude, codex or gemini. Its settings get entries that call `wrap hook`, its skills folder gets
    wrapgen's skills. What others wrote there stays, byte for byte; entries of an older wrapgen are replaced. `wrap
    uninstall` takes all of it back.
    """
    words = (named,) if named else program()
    there = hosting.guest(host, scope, words if named else None)
    wanted = Wanted(HOSTS[host], words, _on_request(host, asked=prompts), status_line)
    files = _agent_files(there, agents)
    if dry_run:
        hosting.show(app, there.plan(wanted, files))
        return ExitCode.DONE
    with record.one_at_a_time():
        plan = there.plan(wanted, files)
        kept = there.install(wanted, plan)
    _report(app, there, plan, kept, words)
    _say_about_status_line(app, there, asked=status_line)
    _remember(app, host, default=default)
    _name_reader(app, host, asked=reader)
    _say_what_else(app, there, prompts=prompts)
    return ExitCode.DONE


def _on_request(host: str, *, asked: bool | None) -> tuple[str, ...] | None:
    if asked is None:
        return None
    return tuple(one.name for one in HOSTS[host].events if one.on_request) if asked else ()


def _agent_files(there: Guest, names: tuple[str, ...]) -> dict[Path, str]:
    """The files of the agents named, and the skill of each."""
    from wrapgen.agents.contract import Form

    folder = there.places.agents
    if not names:
        return {}
    if folder is None:
        raise UsageError(f"the agents of {there.places.host.title} name no skills", next_step="Leave the option out.")
    found = {file.stem: file for file in sorted(folder.glob("*.md"))}
    if unknown := [name for name in names if name not in found and name != _ALL]:
        known = ", ".join(found) or "none"
        raise UsageError(f"no agent is called {unknown[0]}", where=str(folder), next_step=f"Known are: {known}.")
    chosen = found if _ALL in names else {name: found[name] for name in names}
    return {file: f"compress-{'review' if Form.of(name) is Form.REVIEW else 'output'}" for name, file in chosen.items()}


def _report(app: App, there: Guest, plan: Plan, kept: Path, words: tuple[str, ...]) -> None:
    where = there.places
    for change in plan.changes:
        app.say(f"{'changed' if change.before is not None else 'wrote'} {change.file}")
    if not plan.changes:
        app.say(f"{where.settings}: all of it stands there already")
    elif plan.settings.before not in (None, plan.settings.after):
        app.say(f"the former settings are kept in {kept}")
    hosting.warn(app, plan)
    app.say(f"{count(len(there.skills), 'skill')} in {where.skills}")
    if where.scope is Scope.PROJECT and len(words) == 1 and Path(words[0]).is_absolute():
        app.say(f"{words[0]} is a path of this machine; --program wrapgen suits everybody in the project")
    if where.host.afterwards:
        app.say(where.host.afterwards)
    back = f"wrap uninstall {where.host.name} --scope {where.scope.value}"
    app.say(f"back with: {back}")


def _say_about_status_line(app: App, there: Guest, *, asked: bool | None) -> None:
    if not asked:
        return
    where = there.places
    if not where.host.status_line:
        app.warn(f"{where.host.title} has no status line that a program can print")
    elif foreign_status_line(where.settings.read_text(encoding="utf-8-sig"), where.host):
        app.warn(f"{where.settings}: `statusLine` shows another program's line, so it stays as it is")


def _name_reader(app: App, host: str, *, asked: bool | None) -> None:
    """Say what is sent where, and let the host's program read conversations; or nobody any more."""
    if asked is None:
        return
    known = userfile.reader()
    if asked:
        app.say(
            f"when a session ends, what you and the agent said in it is sent to `{host}`, with secrets taken out: in"
            f" pieces of at most {known.window_tokens:,} tokens, at most {known.per_day} times a day"
        )
        userfile.name_reader(host)
        app.say(f"it finds what rules miss; undo: wrap install {host} --no-reader")
    elif known.command:
        userfile.name_reader("")
        app.say("no conversation is sent to a reader any more")


def _say_what_else(app: App, there: Guest, *, prompts: bool | None) -> None:
    """Say what keeps the hooks from doing what was asked for, or makes them do it twice."""
    if prompts:
        with suppress(NoVaultError):
            if not app.config.hooks.warn_of_dead_ends:
                app.say(f"prompts are looked at once {VAULT_FILE} has `warn_of_dead_ends = true` below [hooks]")
    if there.places.host is CLAUDE and (plugin := plugin_setup(setups(Path.cwd()))):
        app.warn(f"{plugin.places.settings} switches wrapgen's plugin on too: each event starts it twice")


def _remember(app: App, host: str, *, default: bool | None) -> None:
    """See to it that the hooks find a vault, and may act for it; without one they wait for `wrap init`."""
    try:
        vault = app.root
    except NoVaultError:
        app.say("no vault is found from here; hooks do nothing until `wrap init` makes one")
        return
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        if not is_trusted(vault):
            for line in reach(vault, app.config):
                app.say(f"{vault} {line}")
            if app.vault or (asks and click.confirm(f"Let hooks act for {vault}?", default=True)):
                userfile.trust(vault)
                app.say(f"hooks act for {vault} from now on")
            else:
                app.warn(f"hooks leave {vault} alone until you run `wrap trust` there")
        known = userfile.default_vault()
        if default is None and not known and is_trusted(vault):
            default = not asks or click.confirm("Use this vault wherever no other is found?", default=True)
        if default:
            userfile.make_default(vault)
            app.say(f"sessions in every folder without a vault of its own use {vault}")
        elif not known:
            app.say(f"sessions outside of {vault} find it only with: wrap install {host} --default")
    except WrapgenError as error:
        app.warn(f"the hooks are installed, but your own file could not be written: {error}")
