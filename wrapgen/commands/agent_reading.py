"""`wrap agent check`, `context`, `list` and `export`: nothing is written."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from wrapgen.agents.check import Checked
from wrapgen.agents.context import Chosen
from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count, one_line, shorten, visible
from wrapgen.workflows.agent_store import place_of, readable_store, whole_store
from wrapgen.workflows.app import App
from wrapgen.workflows.given_files import STDIN, read_bytes

CHECK_SCHEMA = "wrapgen.agent-check/1"
CONTEXT_SCHEMA = "wrapgen.agent-context/1"
LIST_SCHEMA = "wrapgen.agent-list/1"
EXPORT_SCHEMA = "wrapgen.agents/1"

TABLES = {"agents": "agents", "entries": "context_entries", "tasks": "tasks", "sessions": "sessions",
          "projects": "projects", "outputs": "outputs"}  # fmt: skip
_TEXT_LIMIT = 200  # characters of a text in a list


@verb("check", "wrap agent check answer.md", "pbpaste | wrap agent check --type reviewer --json", json=True)
@click.argument("file", default=STDIN, metavar="[FILE|-]")
@click.option("--type", "agent_type", metavar="T", help="The agent's type; by default, what its marker says.")
def check(app: App, *, file: str, agent_type: str | None) -> ExitCode:
    """Check a sub-agent's answer against the contract; exit 3 if it does not meet it.

    Files named in the answer must exist in the working folder.
    """
    from wrapgen.agents.check import check as check_answer

    text = read_bytes(file).decode("utf-8", "replace")
    checked = check_answer(text, agent_type, os.path.exists)
    app.answer(_check_document(checked))
    name = "-" if file == STDIN else file
    for one in checked.findings:
        app.say(f"{name}:{one.line}: {one.severity}: {one.message}")
    answer = checked.answer
    said = "meets the contract" if checked.meets else "does not meet the contract"
    app.say(f"{said}: {count(answer.count, 'line')} of at most {answer.form.limit}")
    return ExitCode.DONE if checked.meets else ExitCode.FOUND


def _check_document(checked: Checked) -> dict[str, Any]:
    answer = checked.answer
    return {
        "schema": CHECK_SCHEMA,
        "meets": checked.meets,
        "form": answer.form.name.lower(),
        "agent_type": answer.agent_type,
        "lines": answer.count,
        "limit": answer.form.limit,
        "fields": {name: answer.text(name) for name in answer.fields},
        "findings": [fields(one, "line severity rule message") for one in checked.findings],
    }


@verb("context", "wrap agent context --session 5f0c --name reviewer --type reviewer", json=True)
@click.option("--session", required=True, metavar="S", help="The leader's session.")
@click.option("--name", required=True, metavar="N", help="The agent's name.")
@click.option("--type", "agent_type", metavar="T", help="Its type.")
@click.option("--parent", metavar="P", help="The agent that starts it.")
def context(app: App, *, session: str, name: str, agent_type: str | None, parent: str | None) -> None:
    """Print what an agent should know about others' work, if anything.

    A session that the store does not know is taken to work in the current folder.
    """
    from wrapgen.agents.context import Asking, StepRows, compose

    asking = Asking(session, name, agent_type or None, parent or None)
    with readable_store(app) as store:
        found = store.find(asking, place_of(app, Path.cwd()).id) if store is not None else StepRows()
    chosen = compose(asking, found)
    app.answer(_context_document(asking.session, chosen))
    if chosen.text and not app.as_json:
        # Tabs stay: the text goes to an agent, whose source lines may begin with them.
        for line in chosen.text.split("\n"):
            sys.stdout.write("\t".join(map(visible, line.split("\t"))) + "\n")


def _context_document(session: str, chosen: Chosen) -> dict[str, Any]:
    from wrapgen.text.tokens import conservative_tokens, utf16_length

    return {
        "schema": CONTEXT_SCHEMA,
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


@verb("list", "wrap agent list", "wrap agent list tasks", "wrap agent list outputs --agent a81f3c", json=True)
@click.argument("what", type=click.Choice(list(TABLES)), default="agents")
@click.option("--session", metavar="S", help="Only this session.")
@click.option("--project", metavar="P", help="Only this project: its id, name or folder.")
@click.option("--agent", metavar="A", help="The agent whose full texts to show.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Maximum number of rows.")
def listed(app: App, *, what: str, session: str | None, project: str | None, agent: str | None, limit: int) -> None:
    """Show what the store holds, newest first.

    Outputs are the full texts an agent returned, oldest first.
    """
    from wrapgen.agents.bundle import outputs_of, project_named, rows_of

    if (what == "outputs") != (agent is not None):
        raise click.UsageError("Name the agent: wrap agent list outputs --agent ID.")
    rows: list[dict[str, Any]] = []
    with readable_store(app) as store:
        if store is not None and agent is not None:
            rows = outputs_of(store, agent)
        elif store is not None:
            wanted = project_named(store, project) if project is not None else None
            rows = rows_of(store, TABLES[what], session=session, project=wanted, limit=limit)
    app.answer({"schema": LIST_SCHEMA, "what": what, "rows": rows})
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


@verb("export", "wrap agent export > agents.json")
def export(app: App) -> None:
    """Print every row of the store as one JSON object for `wrap agent import`."""
    import msgspec

    from wrapgen.agents.bundle import give
    from wrapgen.agents.rows import Bundle

    bundle = Bundle()
    if app.store_address is not None:
        with whole_store(app) as store:
            bundle = give(store)
    else:
        with readable_store(app) as own:
            bundle = give(own) if own else bundle
    app.print_json({"schema": EXPORT_SCHEMA, **msgspec.to_builtins(bundle)})
