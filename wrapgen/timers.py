"""What starts a rebuild every quarter of an hour: cron, systemd or launchd, whichever the machine has.

Of a crontab one block is our own, all other lines stay as they are; the others are told by files of our own.
"""

import hashlib
import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from wrapgen.errors import UsageError, WrapgenError
from wrapgen.late_pattern import late
from wrapgen.text.display import one_line, shorten, visible
from wrapgen.vault import disk

_UNITS = {"m": 1, "h": 60, "d": 24 * 60}
_EVERY = late(r"([1-9]\d{0,4})([mhd])")
_WEEK = 7 * 24 * 60
_SHORT = 12


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
        return f"wrapgen-{hashlib.sha256(self.vault.encode('utf-8', 'surrogateescape')).hexdigest()[:_SHORT]}"


def minutes(every: str) -> int:
    """The minutes of an interval such as `15m`, `2h` or `1d`, a week at most; raises `UsageError`."""
    found = _EVERY.fullmatch(every)
    number = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 1 <= number <= _WEEK:
        raise UsageError(f"{every!r} is not an interval", next_step="Write it as 15m, 2h or 1d, a week at most.")
    return number


_PATIENCE = 30  # seconds
_LONGEST = 300  # characters


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    """What a program that failed answered, on one line."""
    words = one_line((done.stderr or done.stdout).decode("utf-8", "replace"))
    return shorten(visible(words), _LONGEST) or f"exit code {done.returncode}"


def run(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end; raises `WrapgenError` when it is not there, cannot be started, or does not end."""
    try:
        return subprocess.run(
            words,
            input=given,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            env={**os.environ, "LC_ALL": "C"},  # what it says is compared with English words
        )
    except FileNotFoundError:
        raise WrapgenError(
            f"the program {words[0]} is not installed",
            next_step="Install it, choose another --backend, or see what it would run: `wrap schedule --print`.",
        ) from None
    except subprocess.TimeoutExpired:
        raise WrapgenError(f"{words[0]} did not end within {_PATIENCE} seconds", next_step="Run again later.") from None
    except OSError as error:
        raise WrapgenError(f"{words[0]} cannot be started ({error.strerror or error})") from error


_HOUR, _DAY = 60, 24 * 60
_NOBODYS = b"no crontab"


def schedule(minutes: int) -> str:
    """The five fields of an interval; raises `UsageError` when cron has no words for it."""
    if minutes < _HOUR and _HOUR % minutes == 0:
        return f"*/{minutes} * * * *" if minutes > 1 else "* * * * *"
    if minutes % _HOUR == 0 and minutes <= _DAY and _DAY % minutes == 0:
        hours = minutes // _HOUR
        return "0 0 * * *" if hours == 24 else f"0 */{hours} * * *" if hours > 1 else "0 * * * *"
    raise UsageError(
        f"cron cannot run every {minutes} minutes",
        next_step="Use 5m, 10m, 15m, 20m, 30m, 1h, 2h, 3h, 4h, 6h, 8h, 12h or 1d; or --backend systemd.",
    )


def block(job: Job) -> bytes:
    """The lines of a job, between a line that opens them and one that closes them; raises `UsageError`."""
    if not job.vault.isprintable():
        step = "Move it to a path without line breaks."
        raise UsageError(f"cron cannot name the vault {job.vault!r}", next_step=step)
    opening = f"{_mark(job, '>>>')}: the dashboard of {job.vault}, made by `wrap schedule`"
    lines = (opening, f"{schedule(job.minutes)} {_escaped(job.words)}", _mark(job, "<<<"))
    return b"".join(os.fsencode(line) + b"\n" for line in lines)


def _escaped(words: list[str]) -> str:
    """Words for cron, to which an unescaped % is a line break, in quotes too."""
    return shlex.join(words).replace("%", r"\%")


def _mark(job: Job, arrows: str) -> str:
    return f"# {arrows} {job.name}"


def without(table: bytes, job: Job) -> bytes:
    """A crontab without the block of a job; of one that somebody has cut into only our own lines go."""
    lines = table.splitlines(keepends=True)
    opening, closing = (_mark(job, arrows).encode() for arrows in (">>>", "<<<"))
    begins = [number for number, line in enumerate(lines) if line.startswith(opening + b":")]
    ends = [number for number, line in enumerate(lines) if line.rstrip() == closing]
    if len(begins) == len(ends) == 1 and begins[0] < ends[0] <= begins[0] + 2:
        return b"".join(lines[: begins[0]] + lines[ends[0] + 1 :])
    command = os.fsencode(_escaped(job.words[-4:]))  # the program may have moved
    ours = {*begins, *ends, *(number for number, line in enumerate(lines) if line.rstrip().endswith(b" " + command))}
    return b"".join(line for number, line in enumerate(lines) if number not in ours)


def merged(table: bytes, job: Job) -> bytes:
    """A crontab with the block of a job, in the place of the one that it has of it."""
    ours = block(job)
    if ours in table:
        return table
    rest = without(table, job)
    return rest + (b"" if not rest or rest.endswith(b"\n") else b"\n") + ours


class Cron:
    """The user's crontab."""

    name = "cron"

    def is_here(self) -> bool:
        return shutil.which("crontab") is not None

    def shown(self, job: Job) -> str:
        return os.fsdecode(block(job))

    def install(self, job: Job) -> bool:
        return self._replace(before := self._table(), merged(before, job))

    def remove(self, job: Job) -> bool:
        return self._replace(before := self._table(), without(before, job))

    def _table(self) -> bytes:
        answer = run("crontab", "-l")
        if answer.returncode == 0:
            return answer.stdout
        if _NOBODYS in answer.stderr.lower() or not answer.stderr.strip():
            return b""
        raise WrapgenError(
            f"the crontab cannot be read ({said(answer)})",
            next_step="Nothing was changed; see `wrap schedule --print`.",
        )

    def _replace(self, before: bytes, after: bytes) -> bool:
        if after == before:
            return False
        answer = run("crontab", "-", given=after) if after else run("crontab", "-r")
        if answer.returncode != 0:
            raise WrapgenError(
                f"the crontab cannot be written ({said(answer)}); it is unchanged",
                next_step="See `wrap schedule --print`.",
            )
        return True


_SECONDS = 60


class _Files(ABC):
    """A timer that is files of the user's own, and a program that is told of them."""

    name: str
    program: str
    reload: tuple[str, ...] = ()  # what says to it that files are other ones now

    def is_here(self) -> bool:
        return shutil.which(self.program) is not None

    def shown(self, job: Job) -> str:
        return "\n".join(f"# {file}\n{os.fsdecode(data)}" for file, data in self.texts(job).items())

    def install(self, job: Job) -> bool:
        changed = False
        for file, data in self.texts(job).items():
            with disk.refused("the folder cannot be made", file.parent):
                file.parent.mkdir(parents=True, exist_ok=True)
            changed |= disk.publish(file, data, root=file.parent)
        self.begin(job)
        return changed

    def remove(self, job: Job) -> bool:
        found = [file for file in self.texts(job) if file.exists()]
        if found:
            self.end(job)
        for file in found:
            with disk.refused("cannot be removed", file):
                file.unlink()
        if found and self.reload:
            _ask(*self.reload)
        return bool(found)

    @abstractmethod
    def texts(self, job: Job) -> dict[Path, bytes]: ...

    @abstractmethod
    def begin(self, job: Job) -> None: ...

    @abstractmethod
    def end(self, job: Job) -> None: ...  # which may be gone, or never have run


class Systemd(_Files):
    """A timer and its service, of the user's own systemd."""

    name, program = "systemd", "systemctl"
    reload = ("systemctl", "--user", "daemon-reload")

    def begin(self, job: Job) -> None:
        _ask(*self.reload)
        _ask("systemctl", "--user", "enable", "--now", f"{job.name}.timer")

    def end(self, job: Job) -> None:
        run("systemctl", "--user", "disable", "--now", f"{job.name}.timer")

    def texts(self, job: Job) -> dict[Path, bytes]:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "systemd" / "user"
        what = f"Description=The wrapgen dashboard of {_plain(job.vault)}"
        program, *words = job.words
        command = " ".join([_quoted(program), *(_quoted(word.replace("$", "$$")) for word in words)])
        service = f"[Unit]\n{what}\n\n[Service]\nType=oneshot\nExecStart={command}\n"
        often = f"[Timer]\nOnActiveSec=1min\nOnUnitActiveSec={job.minutes}min\n"
        timer = f"[Unit]\n{what}\n\n{often}\n[Install]\nWantedBy=timers.target\n"
        texts = {f"{job.name}.service": service, f"{job.name}.timer": timer}
        return {folder / name: os.fsencode(text) for name, text in texts.items()}


def _plain(text: str) -> str:
    """A text on one line of a unit, without what systemd would put something in the place of."""
    return "".join(one if one.isprintable() else "?" for one in text).replace("\\", "\\\\").replace("%", "%%")


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("\n", "\\n")
    return f'"{escaped}"'


class Launchd(_Files):
    """An agent of the user's own launchd."""

    name, program = "launchd", "launchctl"

    def begin(self, job: Job) -> None:
        self.end(job)  # an older one
        _ask("launchctl", "bootstrap", _domain(), *map(str, self.texts(job)))

    def end(self, job: Job) -> None:
        run("launchctl", "bootout", f"{_domain()}/{job.name}")

    def texts(self, job: Job) -> dict[Path, bytes]:
        file = Path("~/Library/LaunchAgents").expanduser() / f"{job.name}.plist"
        wanted = {
            "Label": job.name,
            "ProgramArguments": job.words,
            "StartInterval": job.minutes * _SECONDS,
            "RunAtLoad": True,
            "ProcessType": "Background",
        }
        return {file: plistlib.dumps(wanted, sort_keys=False)}


def _domain() -> str:
    return f"gui/{os.getuid()}"


def _ask(*words: str) -> None:
    answer = run(*words)
    if answer.returncode != 0:
        raise WrapgenError(
            f"`{' '.join(words)}` failed ({said(answer)})",
            next_step="Its files are written: run it yourself, or choose another --backend.",
        )


Backend = Cron | Systemd | Launchd
BACKENDS: dict[str, Backend] = {one.name: one for one in (Cron(), Systemd(), Launchd())}


def present() -> Backend | None:
    """The backend of this machine; None when it has none that is known."""
    if sys.platform == "darwin" and BACKENDS["launchd"].is_here():
        return BACKENDS["launchd"]
    # A machine may have systemd but no manager for this user, as in containers.
    if BACKENDS["systemd"].is_here() and run("systemctl", "--user", "show-environment").returncode == 0:
        return BACKENDS["systemd"]
    if BACKENDS["cron"].is_here():
        return BACKENDS["cron"]
    return None


def usual() -> Backend:
    """The backend that machines of this kind have, for showing what it would be given."""
    return BACKENDS["launchd" if sys.platform == "darwin" else "cron"]


def needed() -> Backend:
    """The backend of this machine; raises `WrapgenError` when it has none that is known."""
    if found := present():
        return found
    raise WrapgenError(
        "no scheduler found here: no crontab, no systemd user session, no launchd",
        next_step="Install cron, or let something else run what `wrap schedule --print` shows.",
    )
