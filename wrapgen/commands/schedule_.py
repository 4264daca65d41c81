"""`wrap schedule`: rebuild the dashboard on a schedule."""

import sys

import click

from wrapgen.hosts.places import program
from wrapgen.terminal.verb import verb
from wrapgen.text.display import visible
from wrapgen.timers import BACKENDS, Job, minutes, needed, present, usual
from wrapgen.workflows.app import App


@verb(
    "schedule",
    "wrap schedule",
    "wrap schedule --every 1h --backend cron",
    "wrap schedule --print",
    "wrap schedule --remove",
)
@click.option("--every", default="15m", show_default=True, metavar="TIME", help="How often: 15m, 2h, 1d.")
@click.option(
    "--backend", type=click.Choice(list(BACKENDS)), help="The scheduler; by default, whatever this machine has."
)
@click.option("--print", "show", is_flag=True, help="Show what would be written, but write nothing.")
@click.option("--remove", is_flag=True, help="Remove the schedule.")
def command(app: App, *, every: str, backend: str | None, show: bool, remove: bool) -> None:
    """Rebuild the dashboard on a schedule.

    A systemd or launchd timer, or a block in your crontab, runs `wrap --quiet regen` for this vault. Other lines
    of your crontab stay as they are.
    """
    if show and remove:
        raise click.UsageError("--print and --remove cannot be combined.")
    # A job outlives its vault, so one that is named can be removed even if the folder is gone.
    vault = app.vault.absolute() if remove and app.vault else app.root
    job = Job(program(), str(vault), minutes(every))
    if remove:
        _remove(app, job, backend)
        return
    named = BACKENDS[backend] if backend else None
    if show:
        chosen = named or present() or usual()
        for line in chosen.shown(job).splitlines():
            sys.stdout.write("\t".join(map(visible, line.split("\t"))) + "\n")
    else:
        chosen = named or needed()
        changed = chosen.install(job)
        app.wrote = True
        app.say(f"{chosen.name}: {vault} is rebuilt every {every}{'' if changed else ', as before'}")


def _remove(app: App, job: Job, backend: str | None) -> None:
    """Remove the job from the named backend, or from all: the machine may have gained another since."""
    gone = [one.name for one in BACKENDS.values() if backend in (None, one.name) and one.is_here() and one.remove(job)]
    app.wrote = True
    where = f"{', '.join(gone)}: " if gone else ""
    app.say(f"{where}{job.vault} is {'no longer rebuilt' if gone else 'not on a schedule'}")
