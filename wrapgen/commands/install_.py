"""`wrap install` and `wrap uninstall`: a coding agent that runs wrapgen by itself, and undoing that."""

import difflib
import shlex
from contextlib import suppress
from pathlib import Path

import click

from wrapgen.config import VAULT_FILE
from wrapgen.errors import ExitCode, NoVaultError, UsageError, WrapgenError
from wrapgen.hosts.host import CLAUDE, HOSTS, Scope
from wrapgen.hosts.installer import ContractNote, Guest, InstallPlan, note_contract, one_at_a_time
from wrapgen.hosts.places import FILE, found_here, places, plugin_setup, program, setups, skills, spoken
from wrapgen.hosts.settings import TASK_LIST, Wanted, foreign_status_line
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count
from wrapgen.vault import disk, headline
from wrapgen.vault.layout import is_trusted
from wrapgen.workflows import user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import rebuild
from wrapgen.workflows.user_config import reach

_ALL = "all"
_HOST = click.argument("host", type=click.Choice(list(HOSTS)), metavar="HOST", required=False)
_SCOPE = click.option(
    "--scope",
    type=click.Choice([one.value for one in Scope]),
    default=Scope.USER.value,
    show_default=True,
    help="user: all your sessions; project: everyone in this project; local: only you in this project.",
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Show what would change, but write nothing.")


@verb(
    "install",
    "wrap install claude",
    "wrap install claude --dry-run",
    "wrap install claude --scope local --status-line",
    "wrap install claude --reader",
    "wrap install claude --contract --skills-in-agents all",
    "wrap install codex",
)
@_HOST
@_SCOPE
@_DRY_RUN
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
    host = _named(host, "install")
    words = (named,) if named else program()
    there = _guest(host, scope, words if named else None, contract=contract)
    _check_contract(app, there, asked=contract)
    if task_list and HOSTS[host] is not CLAUDE:
        raise UsageError(f"{HOSTS[host].title} needs no --task-list", next_step="Leave it out.")
    events = tuple(one.name for one in HOSTS[host].events if one.on_request)
    on_request = None if prompts is None else events if prompts else ()
    wanted = Wanted(HOSTS[host], words, on_request, status_line, task_list)
    files = _agent_files(there, agents)
    if dry_run:
        _show(app, there.plan(wanted, files))
        return ExitCode.DONE
    with one_at_a_time():
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
    _warn_of_left(app, plan)
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
        _say_off(app, file, there.vaults.get(file))
        note_contract(settings, file, None)
        return
    if note := user_config.turn_contract_on(file):
        note_contract(settings, file, note)
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
            app.say("In folders that belong to no vault, `wrap` uses your default vault.")
            default = click.confirm("Make this your default vault?", default=True)
        if default:
            user_config.set_own({"default_vault": str(vault)})
            app.say("this is now your default vault; undo: `wrap init --no-default`")
        folders = [path for project in app.config.projects.values() for path in project.paths]
        more = f" and in {', '.join(folders)}" if folders else ""
        adds = f"`paths` below [projects.NAME] in {vault / VAULT_FILE} adds folders"
        app.say(f"sessions in {vault}{more} hear of it, others do not: {adds}")
    except WrapgenError as error:
        app.warn(f"the hooks are installed, but your configuration could not be saved: {error}")


@verb("uninstall", "wrap uninstall claude", "wrap uninstall claude --scope local --dry-run")
@_HOST
@_SCOPE
@_DRY_RUN
def uninstall(app: App, *, host: str | None, scope: str, dry_run: bool) -> None:
    """Undo `wrap install`.

    HOST is claude, codex, gemini or cursor. The settings are restored byte for byte if nobody has changed them
    since; otherwise only wrapgen's own entries are removed. What --contract wrote into wrapgen.toml is removed, too.
    Your notes and wrapgen's data in the vault are not touched.
    """
    host = _named(host, "uninstall")
    there = _guest(host, scope, contract=True)
    if dry_run:
        _show(app, there.farewell())
        for file in there.vaults:
            app.say(f"{file}: `contract` below [agents] would go")
        return
    with one_at_a_time():
        plan, vaults = there.farewell(), there.vaults
        there.uninstall(plan)
    app.wrote = True
    for change in plan.changes:
        app.say(f"{'removed' if change.after is None else 'restored'} {change.file}")
    if not plan.changes:
        app.say(f"{there.places.settings}: no wrapgen entries found")
    _warn_of_left(app, plan)
    for file, note in vaults.items():
        if file.exists():
            _say_off(app, file, note)
    with suppress(WrapgenError):
        if user_config.own().reader.command == host:
            user_config.set_own({"reader": {"command": ""}})
            app.say("conversations are no longer sent to a reader")
    with suppress(WrapgenError):  # a broken user configuration names no default; the uninstall itself is done
        if known := user_config.own().default_vault:
            vault = shlex.quote(str(Path(known).expanduser()))
            app.say(f"{known} is still your default vault; undo: wrap init {vault} --no-default")


def _named(host: str | None, command: str) -> str:
    """The host that a command is about."""
    if host is not None:
        return host
    here = found_here()
    titles = " and ".join(one.title for one in here) or "none that wrapgen knows"
    commands = " or ".join(f"`wrap {command} {one.name}`" for one in here or HOSTS.values())
    raise UsageError(f"no coding agent named; found here: {titles}", next_step=f"Run {commands}.")


def _guest(host: str, scope: str, words: tuple[str, ...] | None = None, *, contract: bool | None = None) -> Guest:
    """Wrapgen in a host's settings; what starts it is the program that runs now, where no words are given."""
    there = places(HOSTS[host], Scope(scope), Path.cwd())
    return Guest(there, skills(words or spoken(program())), contract=contract)


def _show(app: App, plan: InstallPlan) -> None:
    """Print what a plan would change."""
    for change in plan.changes:
        before, after = ((data or b"").decode("utf-8", "replace") for data in (change.before, change.after))
        old, new = ("/dev/null" if data is None else str(change.file) for data in (change.before, change.after))
        for line in difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm=""):
            app.say(line)
    if not plan.changes:
        app.say("nothing would change")
    _warn_of_left(app, plan)


def _warn_of_left(app: App, plan: InstallPlan) -> None:
    """Say what is kept although it is in the way."""
    for file, why in plan.left:
        app.warn(f"{file}: {why}")


def _say_off(app: App, file: Path, note: ContractNote | None) -> None:
    """Take the contract out and say so, or why not; whatever else was asked for is done already."""
    try:
        if user_config.turn_contract_off(file, note):
            app.say(f"{file}: sub-agents are no longer told the form of their answer")
        else:
            app.warn(f"{file}: `contract` below [agents] was changed by someone else, so it stays")
    except (WrapgenError, OSError) as error:
        app.warn(f"{file}: `contract` below [agents] stays: {error}")
