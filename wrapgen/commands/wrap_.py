"""`wrap`: the session-end run. Find what was only said, ask once, write it down, rebuild, account for everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.commands.finding import Search, look_after
from wrapgen.commands.knowledge import Knowledge
from wrapgen.commands.memory import Memory
from wrapgen.commands.rebuild import publish_after
from wrapgen.commands.remembering import remembering
from wrapgen.commands.returning import returning, said
from wrapgen.commands.route_ import ask, can_ask, read_answers, report
from wrapgen.commands.sessions import remember_wrap, sessions_since_last_wrap
from wrapgen.commands.settling import Settled, settle
from wrapgen.errors import ExitCode
from wrapgen.ledger import FollowUpCounts
from wrapgen.session.answers import Answers
from wrapgen.session.routing import Route
from wrapgen.text import count

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.commands.finding import Found
    from wrapgen.commands.rebuild import Rebuilt
    from wrapgen.commands.returning import Returning


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says about the run.

    Attributes:
        answers: a file with answers, - for stdin; instead of asking.
        prompt: whether somebody may be asked.
    """

    transcripts: tuple[Path, ...] = ()
    answers: str | None = None
    prompt: bool = True
    as_json: bool = False


def wrap_session(app: App, options: Options) -> int:
    """Run the end of a session.

    The lock is not held while somebody thinks about the question; everything is read again after it.

    Args:
        app: the global options.
        options: those of this command.
    """
    begun = app.now
    found, redacted = _search(app, options)
    decided = _decide(app, options)
    settled, rebuilt = _finish(app, found, decided, redacted)
    _print(app, options, settled, rebuilt, returning(app, found))
    for error in found.errors:
        app.warn(str(error))
    if not found.errors:
        with app.locked():
            remember_wrap(app, begun)
    failed = settled.refused or (options.transcripts and found.errors)
    return ExitCode.COULD_NOT if failed else ExitCode.DONE


def _search(app: App, options: Options) -> tuple[Found, int]:
    """Find what was only said; from here on it waits, whatever happens."""
    with remembering(app) as memory:
        knowledge = Knowledge.of(app)
        look_after(app, knowledge, memory)
        paths = list(options.transcripts) or sessions_since_last_wrap(app)
        search = Search(app, knowledge, memory)
        found = search.read(paths)
        memory.settle(search.taken_up())
        memory.wait_for(found.orphans, app.day)
        return found, memory.redacted


def _decide(app: App, options: Options) -> Answers:
    if options.answers:
        return read_answers(app, options.answers)
    if options.prompt and not options.as_json and Memory.read(app.root).pending and can_ask():
        return ask(app) or Answers()
    return Answers()


def _finish(app: App, found: Found, decided: Answers, redacted: int) -> tuple[Settled, Rebuilt]:
    """Carry out the answers and rebuild, under one lock."""
    with remembering(app) as memory:
        settled = Settled(refused=list(decided.refused))
        if decided.answers:
            settled = settle(app, Knowledge.of(app), memory, decided)
        counts = FollowUpCounts(
            durable=found.durable,
            journal=settled.routed_to(Route.JOURNAL),
            project=settled.routed_to(Route.PROJECT),
            active=settled.routed_to(Route.ACTIVE),
            skipped=len(settled.skipped),
            redacted=redacted + memory.redacted,
        )
        return settled, publish_after(app, counts)


def _print(app: App, options: Options, settled: Settled, rebuilt: Rebuilt, warnings: list[Returning]) -> None:
    if options.as_json:
        app.print_json(rebuilt.as_json(app) | {"tried_before": [one.as_json() for one in warnings]})
        return
    news = report(app, settled) + said(warnings)
    if secrets := rebuilt.run.follow_ups.redacted:
        news.append(f"{count(secrets, 'secret')} {'was' if secrets == 1 else 'were'} taken out of what is stored")
    if waiting := rebuilt.run.follow_ups.pending:
        news.append(f"{count(waiting, 'follow-up')} {'waits' if waiting == 1 else 'wait'}; say where with: wrap route")
    if app.quiet:
        return
    if app.console.is_terminal:
        from wrapgen.commands.screen import print_screen

        print_screen(app, rebuilt.run, changed=rebuilt.changed, news=news)
        return
    from wrapgen.commands.report import print_audit

    app.say(f"{app.config.output}: {'rebuilt' if rebuilt.changed else 'unchanged'}")
    app.say("")
    print_audit(app, rebuilt.run, news)
