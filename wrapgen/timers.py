"""The rebuild of a vault for cron, systemd and launchd: their texts, and one line in the user's own crontab."""

import os
import plistlib
import re
import shlex
import subprocess
from dataclasses import dataclass

from wrapgen.errors import UsageError, WrapgenError
from wrapgen.text.display import one_line, shorten, visible
from wrapgen.vault import disk

_UNITS = {"m": 1, "h": 60, "d": 24 * 60}
_EVERY = re.compile(r"([1-9]\d{0,4})([mhd])")
_HOUR, _DAY = 60, 24 * 60
_SHORT = 12
_PATIENCE = 30  # seconds
_LONGEST = 300  # characters
_NO_TABLE = b"no crontab"


@dataclass(frozen=True, slots=True)
class Job:
    """The rebuild of one vault."""

    program: tuple[str, ...]  # the words that start wrapgen
    vault: str  # the vault, absolute
    minutes: int  # from one rebuild to the next

    @property
    def words(self) -> list[str]:
        return [*self.program, "--vault", self.vault, "--quiet", "regen"]

    @property
    def name(self) -> str:
        return f"wrapgen-{disk.digest(os.fsencode(self.vault))[:_SHORT]}"


def minutes(every: str) -> int:
    """Return the minutes of an interval such as `15m`, `2h` or `1d`; raises `UsageError`."""
    found = _EVERY.fullmatch(every)
    if not found:
        raise UsageError(f"{every!r} is not an interval", next_step="Write it as 15m, 2h or 1d.")
    return int(found[1]) * _UNITS[found[2]]


def schedule(minutes: int) -> str:
    """Return cron's five fields for an interval; raises `UsageError` when cron cannot say it."""
    if minutes < _HOUR and _HOUR % minutes == 0:
        return f"*/{minutes} * * * *" if minutes > 1 else "* * * * *"
    if minutes % _HOUR == 0 and minutes <= _DAY and _DAY % minutes == 0:
        hours = minutes // _HOUR
        return "0 0 * * *" if hours == 24 else f"0 */{hours} * * *" if hours > 1 else "0 * * * *"
    step = "Use 5m, 10m, 15m, 20m, 30m, 1h, 2h, 3h, 4h, 6h, 8h, 12h or 1d."
    raise UsageError(f"cron cannot run every {minutes} minutes", next_step=step)


def crontab_line(job: Job) -> str:
    """Return the line of a job, marked by a comment for the shell; raises `UsageError`."""
    if not job.vault.isprintable():
        step = "Move it to a path without line breaks."
        raise UsageError(f"no scheduler can name the vault {job.vault!r}", next_step=step)
    # To cron an unescaped % is a line break, in quotes too.
    command = shlex.join(job.words).replace("%", r"\%")
    return f"{schedule(job.minutes)} {command} # {job.name}"


def systemd_units(job: Job) -> dict[str, str]:
    """Return a service and its timer by their paths."""
    what = "[Unit]\nDescription=The wrapgen dashboard of " + job.vault.replace("\\", "\\\\").replace("%", "%%")
    program, *words = job.words
    command = " ".join([_quoted(program), *(_quoted(word.replace("$", "$$")) for word in words)])
    often = f"OnActiveSec=1min\nOnUnitActiveSec={job.minutes}min"
    folder = "~/.config/systemd/user"
    return {
        f"{folder}/{job.name}.service": f"{what}\n\n[Service]\nType=oneshot\nExecStart={command}\n",
        f"{folder}/{job.name}.timer": f"{what}\n\n[Timer]\n{often}\n\n[Install]\nWantedBy=timers.target\n",
    }


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def launchd_list(job: Job) -> str:
    """Return the property list of an agent of the user's own launchd."""
    wanted = {"Label": job.name, "ProgramArguments": job.words, "StartInterval": job.minutes * 60, "RunAtLoad": True}
    return plistlib.dumps(wanted, sort_keys=False).decode()


def without(table: bytes, job: Job) -> bytes:
    """Return a crontab without the line of a job."""
    mark = f" # {job.name}".encode()
    return b"".join(line for line in table.splitlines(keepends=True) if not line.rstrip().endswith(mark))


def merged(table: bytes, job: Job) -> bytes:
    """Return a crontab with the line of a job, at its end; unchanged where it has the same line."""
    line = crontab_line(job).encode()
    if line in table.splitlines():
        return table
    rest = without(table, job)
    return rest + (b"" if not rest or rest.endswith(b"\n") else b"\n") + line + b"\n"


def install(job: Job) -> bool:
    """Put a job into the user's crontab; whether that changed it."""
    return _replace(before := _crontab("-l"), merged(before, job))


def remove(job: Job) -> bool:
    """Take a job out of the user's crontab; whether it was there."""
    return _replace(before := _crontab("-l"), without(before, job))


def _replace(before: bytes, after: bytes) -> bool:
    if after != before:
        _crontab("-", given=after) if after else _crontab("-r")
    return after != before


def _crontab(word: str, given: bytes = b"") -> bytes:
    environment = {**os.environ, "LC_ALL": "C"}  # its complaint is compared with English words
    try:
        done = subprocess.run(
            ("crontab", word), input=given, capture_output=True, timeout=_PATIENCE, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        step = "Use systemd or launchd: `wrap schedule` prints their files."
        raise WrapgenError(f"the program crontab cannot be run ({error})", next_step=step) from error
    is_missing = word == "-l" and (_NO_TABLE in done.stderr.lower() or not done.stderr.strip())
    if done.returncode and not is_missing:
        words = one_line((done.stderr or done.stdout).decode("utf-8", "replace"))
        said = shorten(visible(words), _LONGEST) or f"exit code {done.returncode}"
        step = "Nothing was changed; put the line that `wrap schedule` prints there yourself."
        raise WrapgenError(f"`crontab {word}` failed ({said})", next_step=step)
    return done.stdout
