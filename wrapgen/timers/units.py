"""Timers that are files (systemd's units, launchd's property list), and which timer the machine has."""

import os
import plistlib
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from wrapgen.errors import WrapgenError
from wrapgen.timers.cron import Cron, Job, run
from wrapgen.vault import disk, files

_SECONDS = 60


class Systemd:
    """A timer and its service, of the user's own systemd."""

    name = "systemd"

    def is_here(self) -> bool:
        return shutil.which("systemctl") is not None

    def shown(self, job: Job) -> str:
        return _shown(self._texts(job))

    def install(self, job: Job) -> bool:
        changed = _write(self._texts(job))
        _ask("systemctl", "--user", "daemon-reload")
        _ask("systemctl", "--user", "enable", "--now", f"{job.name}.timer")
        return changed

    def remove(self, job: Job) -> bool:
        found = [file for file in self._texts(job) if file.exists()]
        if found:
            run("systemctl", "--user", "disable", "--now", f"{job.name}.timer")  # it may be gone, or never have run
            _delete(found)
            _ask("systemctl", "--user", "daemon-reload")
        return bool(found)

    def _texts(self, job: Job) -> dict[Path, bytes]:
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


class Launchd:
    """An agent of the user's own launchd."""

    name = "launchd"

    def is_here(self) -> bool:
        return shutil.which("launchctl") is not None

    def shown(self, job: Job) -> str:
        return _shown(self._texts(job))

    def install(self, job: Job) -> bool:
        texts = self._texts(job)
        changed = _write(texts)
        run("launchctl", "bootout", f"{_domain()}/{job.name}")  # an older one; there may be none
        _ask("launchctl", "bootstrap", _domain(), str(next(iter(texts))))
        return changed

    def remove(self, job: Job) -> bool:
        found = [file for file in self._texts(job) if file.exists()]
        if found:
            run("launchctl", "bootout", f"{_domain()}/{job.name}")  # it may not run
            _delete(found)
        return bool(found)

    def _texts(self, job: Job) -> dict[Path, bytes]:
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


def _shown(texts: Mapping[Path, bytes]) -> str:
    return "\n".join(f"# {file}\n{os.fsdecode(data)}" for file, data in texts.items())


def _write(texts: Mapping[Path, bytes]) -> bool:
    changed = False
    for file, data in texts.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise disk.cannot("the folder cannot be made", file.parent, error) from error
        changed |= files.publish(file, data, root=file.parent)
    return changed


def _delete(found: list[Path]) -> None:
    for file in found:
        try:
            file.unlink()
        except OSError as error:
            raise disk.cannot("cannot be removed", file, error) from error


def _ask(*words: str) -> None:
    answer = run(*words)
    if answer.code != 0:
        raise WrapgenError(
            f"`{' '.join(words)}` failed ({answer.said})",
            next_step="Its files are written: run it yourself, or choose another --backend.",
        )


class Backend(Protocol):
    """Something that starts programs by the clock."""

    name: str

    def is_here(self) -> bool:
        """Whether the machine has the program that it is asked by."""

    def shown(self, job: Job) -> str:
        """What would be written, for people."""

    def install(self, job: Job) -> bool:
        """Put a job in, in the place of the one that it has for the vault; whether anything changed."""

    def remove(self, job: Job) -> bool:
        """Take a job out; whether it was there."""


BACKENDS: dict[str, Backend] = {one.name: one for one in (Cron(), Systemd(), Launchd())}


def present() -> Backend | None:
    """The backend of this machine; None when it has none that is known."""
    if sys.platform == "darwin" and BACKENDS["launchd"].is_here():
        return BACKENDS["launchd"]
    # A machine may have systemd but no manager for this user, as in containers.
    if BACKENDS["systemd"].is_here() and run("systemctl", "--user", "show-environment").code == 0:
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
