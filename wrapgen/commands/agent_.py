"""`wrap agent`: what sub-agents return, and what they are given."""

from pathlib import Path

import click

from wrapgen.agents.rows import COMMENT_KINDS, COMPLETED, PENDING, TASK_STATES, TaskRow
from wrapgen.commands.agent_reading import check, context, export, listed
from wrapgen.errors import UsageError
from wrapgen.terminal.verb import examples, verb
from wrapgen.workflows.agent_store import place_of, whole_store
from wrapgen.workflows.agent_store import record as keep_record
from wrapgen.workflows.app import App
from wrapgen.workflows.given_files import STDIN, read_bytes

RECORD_SCHEMA = "wrapgen.agent-record/1"
TASK_SCHEMA = "wrapgen.agent-task/1"
IMPORT_SCHEMA = "wrapgen.agent-import/1"

_RESULT = "result"
_IMPORT_BYTES = 2_000_000_000

CWD = click.option(
    "--cwd",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="The working folder, which determines the project; by default, the current folder.",
)


def _words(text: str) -> str:
    words = read_bytes(STDIN).decode("utf-8", "replace") if text == STDIN else text
    if not words.strip():
        raise UsageError("nothing to record", next_step="Pass the words, or - to read them from stdin.")
    return words


@verb(
    "record",
    'wrap agent record --session 5f0c --kind decision --tag all "Keep UTF-8 everywhere"',
    "wrap agent record --session 5f0c --kind result --agent a1 --name worker - < answer.md",
    json=True,
)
@click.argument("text", metavar="TEXT|-")
@click.option("--session", required=True, metavar="S", help="The leader's session.")
@click.option(
    "--kind",
    default="note",
    show_default=True,
    metavar="K",
    help="decision, blocker, handoff, note or any other word; result for an agent's answer.",
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="An agent's name or type, or all (repeatable).")
@click.option("--agent", metavar="ID", help="The agent it comes from; required for a result.")
@click.option("--name", metavar="N", help="The agent's name, for a result; by default, its type.")
@click.option("--type", "agent_type", metavar="T", help="The agent's type, for a result.")
@click.option("--parent", metavar="P", help="The agent that started it, for a result.")
@CWD
def record(  # noqa: PLR0913 - the options of the command
    app: App,
    *,
    text: str,
    session: str,
    kind: str,
    tags: tuple[str, ...],
    agent: str | None,
    name: str | None,
    agent_type: str | None,
    parent: str | None,
    cwd: Path,
) -> None:
    """Record what later agents should know, or what an agent returned.

    Detected secrets are removed first.
    """
    from wrapgen.agents.operations import AddEntry, Stop, Who

    words = _words(text)
    place = place_of(app, cwd)
    if kind == _RESULT:
        if not agent or not (name or agent_type):
            raise UsageError(
                "a result needs its agent", next_step="Give --agent ID, and --name or --type, or record another --kind."
            )
        who = Who(agent, session, name or agent_type or "", agent_type, parent)
        operation: AddEntry | Stop = Stop(
            who=who, text=words, place=place, accepted=True, finished=COMPLETED, now=app.now
        )
    else:
        operation = AddEntry(session=session, kind=kind, text=words, place=place, agent=agent, tags=tags, now=app.now)
    entry, waits = keep_record(app, operation)
    app.wrote = True
    number = agent if kind == _RESULT else None if entry is None else str(entry)
    app.answer({"schema": RECORD_SCHEMA, "session": session, "kind": kind, "id": number})
    app.say(f"recorded {kind} locally, not sent yet: {waits}" if waits else f"recorded {kind} {number}")


@click.group("task", epilog=examples('wrap agent task add "Review the parser"', "wrap agent list tasks"))
def task() -> None:
    """Add, change and comment on tasks for agents."""


@verb("add", 'wrap agent task add "Review the parser" --for reviewer --plan "Begin with lists"', json=True, of=task)
@click.argument("title")
@click.option("--for", "assigned_to", metavar="NAME", help="The agent's name or type.")
@click.option("--description", metavar="TEXT", help="More words.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Repeatable.")
@click.option("--status", type=click.Choice(TASK_STATES), default=PENDING, show_default=True)
@click.option("--plan", metavar="TEXT", help="How to go about it.")
@CWD
def add(
    app: App,
    *,
    title: str,
    assigned_to: str | None,
    description: str | None,
    tags: tuple[str, ...],
    status: str,
    plan: str | None,
    cwd: Path,
) -> None:
    """Add a task to the project of the working folder."""
    from wrapgen.agents.operations import add_task, comment_task

    new = TaskRow(title=_words(title), description=description, status=status, assigned_to=assigned_to, tags=tags)
    with whole_store(app) as store:
        number = add_task(store, new, place_of(app, cwd), app.now)
        if plan is not None:
            comment_task(store, number, "plan", plan, None, app.now)
    _say_task(app, number, "added")


@verb("set", "wrap agent task set 3 --status completed", json=True, of=task)
@click.argument("number", type=int, metavar="ID")
@click.option("--status", type=click.Choice(TASK_STATES))
@click.option("--for", "assigned_to", metavar="NAME", help="The agent's name or type.")
def set_(app: App, *, number: int, status: str | None, assigned_to: str | None) -> None:
    """Change a task's status or assignee."""
    from wrapgen.agents.operations import change_task

    if status is None and assigned_to is None:
        raise click.UsageError("Name what to change: --status or --for.")
    with whole_store(app) as store:
        change_task(store, number, app.now, status=status, assigned_to=assigned_to)
    _say_task(app, number, "changed")


@verb("comment", 'wrap agent task comment 3 --kind plan "Begin with the lists"', json=True, of=task)
@click.argument("number", type=int, metavar="ID")
@click.argument("text", metavar="TEXT|-")
@click.option("--kind", type=click.Choice(COMMENT_KINDS), default="note", show_default=True)
@click.option("--author", metavar="NAME", help="Who wrote it.")
def comment(app: App, *, number: int, text: str, kind: str, author: str | None) -> None:
    """Comment on a task; its agent is shown the newest plan."""
    from wrapgen.agents.operations import comment_task

    words = _words(text)
    with whole_store(app) as store:
        comment_task(store, number, kind, words, author, app.now)
    _say_task(app, number, "commented on")


def _say_task(app: App, number: int, done: str) -> None:
    app.wrote = True
    app.answer({"schema": TASK_SCHEMA, "id": number, "done": done})
    app.say(f"{done} task {number}")


@verb("import", "wrap agent import agents.json", "wrap agent export | wrap agent import -", json=True)
@click.argument("file", metavar="FILE|-")
def import_(app: App, *, file: str) -> None:
    """Import rows exported by `wrap agent export`: all of them, or none.

    Rows already in the store are skipped.
    """
    from wrapgen.agents.bundle import read_bundle, take

    bundle, unknown = read_bundle(read_bytes(file, _IMPORT_BYTES), "standard input" if file == STDIN else file)
    if unknown:
        app.warn(f"ignored, because there are no such tables: {', '.join(unknown)}")
    with whole_store(app, long=True) as store:
        taken = take(store, bundle, app.now)
    app.wrote = True
    app.answer({"schema": IMPORT_SCHEMA, "taken": taken})
    new = ", ".join(f"{table} {number}" for table, number in taken.items() if number)
    app.say(f"imported: {new or 'nothing new'}")


@click.group(
    "agent",
    epilog=examples(
        "wrap agent check answer.md",
        "wrap agent context --session 5f0c --name reviewer --type reviewer",
    ),
)
def command() -> None:
    """Check and store sub-agents' answers, and choose context for the next one."""


for one in (check, record, task, context, listed, import_, export):
    command.add_command(one)
