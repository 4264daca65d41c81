"""`wrap`: the session-end run. Options in, `wrapgen.workflows.session_end`, the screen or JSON out."""

from collections.abc import Sequence
from pathlib import Path

from wrapgen.errors import ExitCode
from wrapgen.session.answers import Answers
from wrapgen.text.display import count
from wrapgen.workflows.app import App
from wrapgen.workflows.session_end import SessionEnd, ask, can_ask, end_session, read_answers
from wrapgen.workflows.vault_session import VaultSession


def wrap(app: App, *, transcripts: Sequence[Path], answers: str | None, prompt: bool) -> int:
    """Run the end of a session, and print it."""

    def decide(session: VaultSession) -> Answers:
        if answers:
            return read_answers(session, answers)
        if prompt and not app.as_json and (session.memory.pending or session.memory.unsure) and can_ask():
            return ask(session) or Answers()
        return Answers()

    ended = end_session(app, transcripts, decide)
    for error in ended.errors:
        app.warn(str(error))
    if ended.older and not transcripts:
        days = app.config.lookback_days
        left = f"{count(ended.older, 'conversation')} older than {count(days, 'day')} (`lookback_days`) left unread"
        app.warn(f"{left}; to read one: wrap --transcript FILE")
    _print(app, ended)
    return ExitCode.COULD_NOT if ended.applied.refused or (transcripts and ended.errors) else ExitCode.DONE


def _print(app: App, ended: SessionEnd) -> None:
    run = ended.rebuilt.run
    for trouble in ended.applied.refusals():
        app.warn(trouble)
    if app.as_json:
        app.print_json(ended.rebuilt.as_json(app) | {"tried_before": [one.as_json() for one in ended.warnings]})
        return
    news = ended.applied.told() + [f"tried before: {one}" for one in ended.warnings]
    if secrets := run.follow_ups.redacted:
        news.append(f"{count(secrets, 'secret')} {'was' if secrets == 1 else 'were'} removed from what is stored")
    if pending := run.follow_ups.pending:
        news.append(f"{count(pending, 'follow-up')} pending; file them: `wrap route`")
    if app.quiet:
        return
    if not app.console.is_terminal:
        from wrapgen.terminal.audit_tables import Audit

        app.say(f"{app.config.output}: {'rebuilt' if ended.rebuilt.changed else 'unchanged'}")
        app.show("", *Audit(run).printed(news, whole=app.verbose))
        return
    from wrapgen.terminal.screen import print_screen

    print_screen(app, run, changed=ended.rebuilt.changed, news=news)
