"""Timers that are files (systemd's units, launchd's property list), and which timer the machine has."""

import os
import plistlib
import shutil
import sys
from abc import ABC, abstractmethod
from pathlib import Path

from wrapgen.errors import WrapgenError
from wrapgen.timers.cron import Cron, Job, run, said
from wrapgen.vault import disk, files

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
            changed |= files.publish(file, data, root=file.parent)
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
