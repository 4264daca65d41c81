"""`wrap route`: say where pending follow-ups belong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.documents import read_bytes
from wrapgen.commands.finding import look_after
from wrapgen.commands.help import examples
from wrapgen.commands.knowledge import Knowledge
from wrapgen.commands.memory import Memory
from wrapgen.commands.rebuild import rebuilt_after
from wrapgen.commands.remembering import remembering
from wrapgen.commands.settling import Settled, settle
from wrapgen.errors import AnswersError, ExitCode, NoTerminalError
from wrapgen.session.answers import Answers, decode_answers
from wrapgen.text import count

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command(
    "route",
    epilog=examples(
        "wrap route", "wrap route --answers answers.json", "wrap route --answers - --dry-run < answers.json"
    ),
)
@click.option("--answers", metavar="FILE", help="Take the answers from a file (- for stdin) instead of asking.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def command(app: App, *, answers: str | None, dry_run: bool, as_json: bool) -> int:
    """Write pending follow-ups where they belong.

    On a terminal it asks once; answers can also come from a file: `wrapgen.answers/1`, or the result of the question
    that `wrap orphans --ask` prints.
    """
    decided = read_answers(app, answers) if answers else ask(app)
    if decided is None:
        app.say("nothing was written; everything still waits")
        return ExitCode.DONE
    settled, pending = carry_out(app, decided, dry_run=dry_run)
    if as_json:
        app.print_json(settled.as_json(pending))
    else:
        for line in [*report(app, settled, dry_run=dry_run), f"{count(pending, 'follow-up')} pending"]:
            app.say(line)
    return ExitCode.COULD_NOT if settled.refused else ExitCode.DONE


def read_answers(app: App, source: str) -> Answers:
    """Answers from a file or standard input.

    Raises:
        WrapgenError: they cannot be read, or hold none.
    """
    import msgspec

    from wrapgen.session.answers import Asked
    from wrapgen.session.memory import ASKED_FILE
    from wrapgen.vault import state

    data = read_bytes(source)
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise AnswersError(
            f"the answers are not JSON ({error})", where=source, next_step="Write one JSON document in UTF-8."
        ) from error
    return decode_answers(document, state.load(app.root, ASKED_FILE, Asked).records)


def ask(app: App) -> Answers | None:
    """Ask about everything that waits; None when the form was left.

    Raises:
        NoTerminalError: something waits, and there is nobody to ask.
    """
    from wrapgen.session.prompt import prompt

    with remembering(app) as memory:
        knowledge = Knowledge.of(app)
        look_after(app, knowledge, memory)
    orphans = [one.orphan for one in memory.pending.values()]
    if not orphans:
        return Answers()
    given = prompt(orphans, knowledge.places, color=app.color)
    return None if given is None else Answers(given)


def carry_out(app: App, decided: Answers, *, dry_run: bool = False) -> tuple[Settled, int]:
    """Carry out answers under the lock.

    Returns:
        what came of them, and how many follow-ups still wait.
    """
    if dry_run:
        memory = Memory.read(app.root)
        return settle(app, Knowledge.of(app), memory, decided, dry_run=True), len(memory.pending)
    with remembering(app) as memory:
        knowledge = Knowledge.of(app)
        look_after(app, knowledge, memory)
        with rebuilt_after(app):
            settled = settle(app, knowledge, memory, decided)
        return settled, len(memory.pending)


def can_ask() -> bool:
    """Whether somebody is at a terminal to be asked."""
    from wrapgen.session.prompt import require_terminal

    try:
        require_terminal()
    except NoTerminalError:
        return False
    return True


def report(app: App, settled: Settled, *, dry_run: bool = False) -> list[str]:
    """What was written where, a line each; what could not be is told on stderr."""
    for refused in settled.refused:
        app.warn(f"{refused.about}: {refused.reason}; it stays pending.")
    news = [
        f"{'would write' if dry_run else 'wrote'} {line.path}{f':{line.number}' if line.number else ''}  "
        f"{line.line or line.text}"
        for line in settled.lines
    ]
    news += [f"{key}: already routed" for key in settled.already]
    news += [f"skipped: {orphan.text}" for orphan in settled.skipped]
    if settled.lines and settled.receipt:
        news.append(f"take it back with: wrap undo {settled.receipt}")
    return news
