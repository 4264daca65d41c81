"""`wrap install`: set up a coding agent to run wrapgen automatically."""

from contextlib import suppress
from pathlib import Path

import click

from wrapgen.config import VAULT_FILE
from wrapgen.errors import ExitCode, NoVaultError, UsageError, WrapgenError
from wrapgen.hosts import record
from wrapgen.hosts.host import CLAUDE, HOSTS, Scope
from wrapgen.hosts.installed import plugin_setup, setups
from wrapgen.hosts.installer import Guest, InstallPlan
from wrapgen.hosts.places import FILE, program
from wrapgen.hosts.settings import TASK_LIST, Wanted, foreign_status_line
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count
from wrapgen.vault import disk, headline
from wrapgen.vault.layout import is_trusted
from wrapgen.workflows import host_setup, user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import rebuild
from wrapgen.workflows.user_config import reach

_ALL = "all"


@verb(
    "install",
    "wrap install claude",
    "wrap install claude --dry-run",
    "wrap install claude --scope local --status-line",
    "wrap install claude --reader",
    "wrap install claude --contract --skills-in-agents all",
    "wrap install codex",
)
@host_setup.HOST
@host_setup.SCOPE
@host_setup.DRY_RUN
@click.option("--status-line/--no-status-line", default=None, help="Show wrapgen's line in the host's status line.")
@click.option(
    "--prompts/--no-prompts", default=None, help="Also check every prompt for approaches that were tried and given up."
)
@click.option(
    "--contract/--no-contract",
    default=None,
    help="Also tell this vault's sub-agents to answer in a short form, and warn when one does not.",
)
@click.option(
    "--skills-in-agents",
    "agents",
    multiple=True,
    metavar="NAME",
    help="With --contract: name its skill in this sub-agent's own file (repeatable; `all`).",
)
@click.option(
    "--task-list/--no-task-list",
    default=None,
    help="Also let newer models of Claude Code keep a to-do list, which is read without interpreting words.",
)
@click.option("--reader/--no-reader", "reader", default=None, help="Also let this agent's model read conversations.")
@click.option("--program", "named", metavar="NAME", help="What the hooks call; by default, the path of this program.")
@click.option("--default/--no-default", "default", default=None, help="Make this your default vault.")
def command(  # noqa: PLR0913 - the options of the command line
    app: App,
    *,
    host: str | None,
    scope: str,
    dry_run: bool,
    status_line: bool | None,
    prompts: bool | None,
    contract: bool | None,
    agents: tuple[str, ...],
    named: str | None,
    task_list: bool | None,
    reader: bool | None,
    default: bool | None,
) -> int:
    """Set up a coding agent to run wrapgen automatically.

    HOST is claude, codex, gemini or cursor; without it, wrapgen says which of them are here. Adds entries that call
    `wrap hook` to its settings, and wrapgen's skills to its skills folder. Everything else there stays byte for
    byte; entries of an older wrapgen are replaced. `wrap uninstall` undoes all of it.
    """
    host = host_setup.named(host, "install")
    words = (named,) if named else program()
    there = host_setup.guest(host, scope, words if named else None, contract=contract)
    _check_contract(app, there, asked=contract)
    if task_list and HOSTS[host] is not CLAUDE:
        raise UsageError(f"{HOSTS[host].title} needs no --task-list", next_step="Leave it out.")
    events = tuple(one.name for one in HOSTS[host].events if one.on_request)
    on_request = None if prompts is None else events if prompts else ()
    wanted = Wanted(HOSTS[host], words, on_request, status_line, task_list)
    files = _agent_files(there, agents)
    if dry_run:
        host_setup.show(app, there.plan(wanted, files))
        return ExitCode.DONE
    with record.one_at_a_time():
        plan = there.plan(wanted, files)
        kept = there.install(wanted, plan)
    app.wrote = True
    _report(app, there, plan, kept, words)
    _say_about_status_line(app, there, asked=status_line)
    if task_list:
        app.say(f"{there.places.settings}: {TASK_LIST}=1 gives the model its list; each call of it costs some tokens")
    _remember(app, default=default)
    _build_page(app)
    _set_contract(app, there, asked=contract)
    _name_reader(app, host, asked=reader)
    if there.places.host is CLAUDE and (plugin := plugin_setup(setups(Path.cwd()))):
        app.warn(f"{plugin.places.settings} also enables wrapgen's plugin: each event starts it twice")
    return ExitCode.DONE


def _agent_files(there: Guest, names: tuple[str, ...]) -> dict[Path, str]:
    from wrapgen.agents.contract import AnswerForm

    folder = there.places.agents
    if not names:
        return {}
    if folder is None:
        raise UsageError(f"{there.places.host.title}'s agents cannot name skills", next_step="Leave the option out.")
    if not there.contract:
        raise UsageError("the skills for sub-agents come with --contract", next_step="Add --contract.")
    found = {file.stem: file for file in sorted(folder.glob("*.md"))}
    if unknown := [name for name in names if name not in found and name != _ALL]:
        known = ", ".join(found) or "none"
        raise UsageError(f"no agent named {unknown[0]}", where=str(folder), next_step=f"Known are: {known}.")
    chosen = found if _ALL in names else {name: found[name] for name in names}
    return {
        file: f"compress-{'review' if AnswerForm.of(name) is AnswerForm.REVIEW else 'output'}"
        for name, file in chosen.items()
    }


def _report(app: App, there: Guest, plan: InstallPlan, kept: Path, words: tuple[str, ...]) -> None:
    where = there.places
    for change in plan.changes:
        done = "wrote" if change.before is None else "changed" if change.after is not None else "removed"
        app.say(f"{done} {change.file}")
    if not plan.changes:
        app.say(f"{where.settings}: already up to date")
    elif plan.settings.before not in (None, plan.settings.after):
        app.say(f"the previous settings are saved in {kept}")
    host_setup.warn(app, plan)
    own = {where.skills / name / FILE for name in there.skills}.difference(file for file, _ in plan.left)
    app.say(f"{count(len(own), 'skill')} in {where.skills}")
    if where.scope is Scope.PROJECT and len(words) == 1 and Path(words[0]).is_absolute():
        app.say(f"{words[0]} is a path on this machine; --program wrapgen works for everyone in the project")
    if where.host.afterwards:
        app.say(where.host.afterwards)
    back = f"wrap uninstall {where.host.name} --scope {where.scope.value}"
    app.say(f"undo: `{back}`")


def _say_about_status_line(app: App, there: Guest, *, asked: bool | None) -> None:
    if not asked:
        return
    where = there.places
    if not where.host.status_line:
        app.warn(f"{where.host.title} does not support status lines from a program")
    elif foreign_status_line(disk.whole(where.settings).decode("utf-8-sig"), where.host):
        app.warn(f"{where.settings}: `statusLine` shows another program's line, so it stays as it is")


def _check_contract(app: App, there: Guest, *, asked: bool | None) -> None:
    """Refuse a contract that could not be kept, before anything is written."""
    host = there.places.host
    if asked and not any(event.word == "subagent-stop" for event in host.events):
        raise UsageError(f"{host.title} does not tell wrapgen about sub-agents", next_step="Leave --contract out.")
    if asked is not None:
        app.config  # noqa: B018 - a missing vault or a broken configuration is reported here


def _set_contract(app: App, there: Guest, *, asked: bool | None) -> None:
    if asked is None:
        return
    file, settings = app.root / VAULT_FILE, there.places.settings
    if not asked:
        host_setup.say_off(app, file, there.vaults.get(file))
        record.note_contract(settings, file, None)
        return
    if note := host_setup.turn_on(file):
        record.note_contract(settings, file, note)
    app.say(f"{file}: `contract` below [agents] tells sub-agents the form of their answer")
    app.say(f"undo: wrap install {there.places.host.name} --no-contract")


def _name_reader(app: App, host: str, *, asked: bool | None) -> None:
    """Say what is sent where, and turn the host's program on or off as a reader of conversations."""
    if asked is None:
        return
    known = user_config.own().reader
    if asked:
        from wrapgen.workflows.reader_run import WINDOW_TOKENS

        app.say(
            f"when a session ends, what you and the agent said is sent to `{host}`, with secrets removed, in"
            f" pieces of at most {WINDOW_TOKENS:,} tokens, at most {known.per_day} times a day"
        )
        user_config.set_own({"reader": {"command": host}})
        app.say(f"it finds follow-ups that rules miss; undo: wrap install {host} --no-reader")
    elif known.command:
        user_config.set_own({"reader": {"command": ""}})
        app.say("conversations are no longer sent to a reader")


def _build_page(app: App) -> None:
    """Build the page of a vault that has none yet: the first session begins with what is open."""
    with suppress(WrapgenError):  # that session's background run tries again
        if is_trusted(app.root) and headline.counts(str(app.root)) is None:
            rebuild(app)
            app.say(f"built {app.root / app.config.output}")


def _hearing(app: App, vault: Path) -> str:
    folders = [path for project in app.config.projects.values() for path in project.paths]
    more = f" and in {', '.join(folders)}" if folders else ""
    where = vault / VAULT_FILE
    return f"sessions in {vault}{more} hear of it, others do not: `paths` below [projects.NAME] in {where} adds folders"


def _remember(app: App, *, default: bool | None) -> None:
    """Make sure that the hooks find a vault and may act on it; without one they do nothing until `wrap init`."""
    try:
        vault = app.root
    except NoVaultError:
        app.say("no vault found from here; hooks do nothing until you run `wrap init`")
        return
    asks = app.at_terminal
    try:
        if not is_trusted(vault):
            for line in reach(vault):
                app.say(f"{vault} {line}")
            if app.vault or (asks and click.confirm(f"Allow hooks to act on {vault}?", default=True)):
                user_config.trust(vault)
                app.say(f"hooks now act on {vault}")
            else:
                app.warn(f"hooks ignore {vault} until you run `wrap trust` there")
        if default is None and asks and not user_config.own().default_vault and is_trusted(vault):
            default = click.confirm("Make this your default vault?", default=True)
        if default:
            user_config.set_own({"default_vault": str(vault)})
            app.say("this is now your default vault: commands use it in folders without one")
        app.say(_hearing(app, vault))
    except WrapgenError as error:
        app.warn(f"the hooks are installed, but your configuration could not be saved: {error}")
