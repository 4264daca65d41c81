"""`wrap agent`: what sub-agents return, and what they are given."""

import os
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from wrapgen.agents import contract
from wrapgen.agents.context import StepRows, compose
from wrapgen.agents.operations import AddEntry, Stop, add_task, change_task, comment_task
from wrapgen.agents.rows import COMMENT_KINDS, COMPLETED, PENDING, TASK_STATES, Bundle, TaskRow, Who
from wrapgen.agents.store import give, outputs_of, project_named, read_bundle, rows_of, take
from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, UsageError
from wrapgen.terminal.verb import examples, verb
from wrapgen.text.display import count, one_line, shorten, visible
from wrapgen.text.tokens import conservative_tokens, utf16_length
from wrapgen.workflows.agent_store import place_of, readable_store, whole_store
from wrapgen.workflows.agent_store import record as keep_record
from wrapgen.workflows.app import App
from wrapgen.workflows.given_files import STDIN, read_bytes

TABLES = {"agents": "agents", "entries": "context_entries", "tasks": "tasks", "sessions": "sessions",
          "projects": "projects", "outputs": "outputs"}  # fmt: skip
_TEXT_LIMIT = 200  # characters of a text in a list
_RESULT = "result"
_IMPORT_BYTES = 2_000_000_000


@click.group(
    "agent",
    epilog=examples(
        "wrap agent check answer.md",
        "wrap agent context --session 5f0c --name reviewer --type reviewer",
    ),
)
def command() -> None:
    """Check and store sub-agents' answers, and choose context for the next one.

    Use it when several sub-agents work on one thing: answers stay short, and the next one knows what they decided.
    """


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
    of=command,
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
    app.answer({"schema": "wrapgen.agent-record/1", "session": session, "kind": kind, "id": number})
    app.say(f"recorded {kind} locally, not sent yet: {waits}" if waits else f"recorded {kind} {number}")


@command.group("task", epilog=examples('wrap agent task add "Review the parser"', "wrap agent list tasks"))
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
    words = _words(text)
    with whole_store(app) as store:
        comment_task(store, number, kind, words, author, app.now)
    _say_task(app, number, "commented on")


def _say_task(app: App, number: int, done: str) -> None:
    app.wrote = True
    app.answer({"schema": "wrapgen.agent-task/1", "id": number, "done": done})
    app.say(f"{done} task {number}")


@verb("import", "wrap agent import agents.json", "wrap agent export | wrap agent import -", json=True, of=command)
@click.argument("file", metavar="FILE|-")
def import_(app: App, *, file: str) -> None:
    """Import rows exported by `wrap agent export`: all of them, or none.

    Rows already in the store are skipped.
    """
    bundle, unknown = read_bundle(read_bytes(file, _IMPORT_BYTES), "standard input" if file == STDIN else file)
    if unknown:
        app.warn(f"ignored, because there are no such tables: {', '.join(unknown)}")
    with whole_store(app, long=True) as store:
        taken = take(store, bundle, app.now)
    app.wrote = True
    app.answer({"schema": "wrapgen.agent-import/1", "taken": taken})
    new = ", ".join(f"{table} {number}" for table, number in taken.items() if number)
    app.say(f"imported: {new or 'nothing new'}")


@verb("check", "wrap agent check answer.md", "pbpaste | wrap agent check --type reviewer --json", json=True, of=command)
@click.argument("file", default=STDIN, metavar="[FILE|-]")
@click.option("--type", "agent_type", metavar="T", help="The agent's type; by default, what its marker says.")
def check(app: App, *, file: str, agent_type: str | None) -> ExitCode:
    """Check a sub-agent's answer against the contract; exit 3 if it does not meet it.

    The contract: at most 10 lines, on top `[COMPRESSED] agent_type: TYPE`, then `Changed files:` and `Result:`, and
    `Decisions:` and `Blockers:` if there are any. A reviewer's: at most 20 lines, `Files reviewed:`, each finding as
    `Critical:`, `Warning:` or `Suggestion:` with file:line, and `Verdict: PASS` or `FAIL` with their counts. Files
    named in the answer must exist in the working folder.
    """
    text = read_bytes(file).decode("utf-8", "replace")
    answer = contract.check(text, agent_type, os.path.exists)
    app.answer(
        {
            "schema": "wrapgen.agent-check/1",
            "meets": answer.meets,
            "form": answer.form.name.lower(),
            "agent_type": answer.agent_type,
            "lines": answer.count,
            "limit": answer.form.limit,
            "fields": {name: answer.text(name) for name in answer.fields},
            "findings": [fields(one, "line severity rule message") for one in answer.findings],
        }
    )
    name = "-" if file == STDIN else file
    for one in answer.findings:
        app.say(f"{name}:{one.line}: {one.severity}: {one.message}")
    said = "meets the contract" if answer.meets else "does not meet the contract"
    app.say(f"{said}: {count(answer.count, 'line')} of at most {answer.form.limit}")
    return ExitCode.DONE if answer.meets else ExitCode.FOUND


@verb("context", "wrap agent context --session 5f0c --name reviewer --type reviewer", json=True, of=command)
@click.option("--session", required=True, metavar="S", help="The leader's session.")
@click.option("--name", required=True, metavar="N", help="The agent's name.")
@click.option("--type", "agent_type", metavar="T", help="Its type.")
@click.option("--parent", metavar="P", help="The agent that starts it.")
def context(app: App, *, session: str, name: str, agent_type: str | None, parent: str | None) -> None:
    """Print what an agent should know about others' work, if anything.

    A session that the store does not know is taken to work in the current folder.
    """
    asking = Who("", session, name, agent_type or None, parent or None)
    with readable_store(app) as store:
        found = store.find(asking, place_of(app, Path.cwd()).id) if store is not None else StepRows()
    chosen = compose(asking, found)
    app.answer(
        {
            "schema": "wrapgen.agent-context/1",
            "session": session,
            "text": chosen.text,
            "tokens": conservative_tokens(chosen.text),
            "characters": utf16_length(chosen.text),
            "dropped": chosen.dropped,
            "sections": [
                fields(one, "step heading") | {"entries": [fields(entry, "id text") for entry in one.entries]}
                for one in chosen.sections
            ],
        }
    )
    if chosen.text and not app.as_json:
        # Tabs stay: the text goes to an agent, whose source lines may begin with them.
        for line in chosen.text.split("\n"):
            sys.stdout.write("\t".join(map(visible, line.split("\t"))) + "\n")


@verb(
    "list", "wrap agent list", "wrap agent list tasks", "wrap agent list outputs --agent a81f3c", json=True, of=command
)
@click.argument("what", type=click.Choice(list(TABLES)), default="agents")
@click.option("--session", metavar="S", help="Only this session.")
@click.option("--project", metavar="P", help="Only this project: its id, name or folder.")
@click.option("--agent", metavar="A", help="The agent whose full texts to show.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Maximum number of rows.")
def listed(app: App, *, what: str, session: str | None, project: str | None, agent: str | None, limit: int) -> None:
    """Show what the store holds, newest first.

    Outputs are the full texts an agent returned, oldest first.
    """
    if (what == "outputs") != (agent is not None):
        raise click.UsageError("Name the agent: wrap agent list outputs --agent ID.")
    rows: list[dict[str, Any]] = []
    with readable_store(app) as store:
        if store is not None and agent is not None:
            rows = outputs_of(store, agent)
        elif store is not None:
            wanted = project_named(store, project) if project is not None else None
            rows = rows_of(store, TABLES[what], session=session, project=wanted, limit=limit)
    app.answer({"schema": "wrapgen.agent-list/1", "what": what, "rows": rows})
    if what == "outputs":
        for row in rows:
            app.say(f"--- {row['created_at']} UTC")
            for line in str(row["content"]).split("\n"):
                app.say(line)
    else:
        for row in rows:
            app.say(_line(what, row))
        app.say(f"{what}: {len(rows)}")


def _line(what: str, row: dict[str, Any]) -> str:
    def words(name: str) -> str:
        return shorten(one_line(row.get(name) or ""), _TEXT_LIMIT)

    match what:
        case "agents":
            kind = f" ({row['agent_type']})" if row["agent_type"] and row["agent_type"] != row["agent_name"] else ""
            return f"{row['id']}  [{row['status']}] {row['agent_name']}{kind}  {words('context_summary')}".rstrip()
        case "entries":
            return f"{row['id']}  [{row['entry_type']}] {words('content')}"
        case "tasks":
            whom = f" → {row['assigned_to']}" if row["assigned_to"] else ""
            return f"{row['id']}  [{row['status']}] {words('title')}{whom}"
        case "sessions":
            return f"{row['id']}  [{row['status']}] {row['project_id'] or ''}".rstrip()
        case _:
            return f"{row['id']}  {row['path']}"


@verb("export", "wrap agent export > agents.json", of=command)
def export(app: App) -> None:
    """Print every row of the store as one JSON object for `wrap agent import`."""
    bundle = Bundle()
    if app.store_address is not None:
        with whole_store(app) as store:
            bundle = give(store)
    else:
        with readable_store(app) as own:
            bundle = give(own) if own else bundle
    app.print_json({"schema": "wrapgen.agents/1", **msgspec.to_builtins(bundle)})
