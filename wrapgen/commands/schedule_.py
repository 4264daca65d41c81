"""`wrap schedule`: rebuild the dashboard on a schedule."""

import click

from wrapgen.hosts.places import program
from wrapgen.terminal.verb import verb
from wrapgen.timers import Job, crontab_line, install, launchd_list, minutes, remove, systemd_units
from wrapgen.workflows.app import App


@verb("schedule", "wrap schedule", "wrap schedule --every 1h --install", "wrap schedule --remove")
@click.option("--every", default="15m", show_default=True, metavar="TIME", help="How often: 15m, 2h, 1d.")
@click.option("--install", "put", is_flag=True, help="Write the line into your crontab.")
@click.option("--remove", "take", is_flag=True, help="Take the line out of your crontab.")
def command(app: App, *, every: str, put: bool, take: bool) -> None:
    """Rebuild the dashboard on a schedule.

    Prints a line for cron, two units for systemd and a property list for launchd, each of which runs
    `wrap --quiet regen` for this vault. --install writes the crontab line; your other lines stay as they are.
    """
    if put and take:
        raise click.UsageError("--install and --remove cannot be combined.")
    # A job outlives its vault, so the job of a vault that is named can be removed even if the folder is gone.
    vault = app.vault.absolute() if take and app.vault else app.root
    job = Job(program(), str(vault), minutes(every))
    if not put and not take:
        agent = {f"~/Library/LaunchAgents/{job.name}.plist": launchd_list(job)}
        for file, text in {"crontab": crontab_line(job) + "\n", **systemd_units(job), **agent}.items():
            click.echo(f"# {file}\n{text}")
        return
    app.wrote = True
    if take:
        app.say(f"{vault} is {'no longer rebuilt' if remove(job) else 'not on a schedule'}")
    else:
        app.say(f"{vault} is rebuilt every {every}{'' if install(job) else ', as before'}")
