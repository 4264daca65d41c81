"""`wrap regen`: rebuild the dashboard, nothing else."""

import click

from wrapgen.errors import ExitCode
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.last_run import regenerate


@verb("regen", "wrap regen", "wrap --quiet regen", "wrap regen --check", json=True)
@click.option("--check", is_flag=True, help="Write nothing; exit 3 if a rebuild would change the dashboard.")
def command(app: App, *, check: bool) -> int:
    """Rebuild the dashboard and nothing else: for cron, git hooks and CI."""
    if app.as_json:
        from wrapgen.workflows.rebuild import preview, rebuild

        rebuilt = preview(app) if check else rebuild(app)
        app.print_json(rebuilt.as_json(app))
        return ExitCode.FOUND if check and rebuilt.changed else ExitCode.DONE
    answer = regenerate(app, check=check)
    if check:
        state = "out of date; run `wrap regen`" if answer.changed else "up to date"
    else:
        state = "rebuilt" if answer.changed else "unchanged"
    app.say(f"{app.config.output}: {state}")
    app.say(answer.line)
    return ExitCode.FOUND if check and answer.changed else ExitCode.DONE
