"""Sends events to the hook, as a host does and as functions, and waits for what it does in the background."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.followups import talks
from tests.support import Result, Vault, child_environment
from wrapgen.hooks.detach import requests_folder
from wrapgen.hooks.events import Moment
from wrapgen.workflows import user_config

SESSION = "5e551011"
PATIENCE = 60  # seconds; a busy machine is slow


def trusted(vault: Vault) -> Vault:
    """A vault that hooks act for, and that is the user's default."""
    user_config.trust(vault.root)
    user_config.set_own({"default_vault": str(vault.root)})
    return vault


def moment(event: str, vault: Vault, cwd: Path | None = None, **fields: Any) -> Moment:
    """An event as handlers are given it."""
    return Moment(event, "claude", str(vault.root), str(cwd or vault.root), {"session_id": SESSION, **fields})


def start_hook(*words: str, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    """A hook that waits for its event."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-m", "wrapgen", *words]
    return subprocess.Popen(command, env={**child_environment(), **(environment or {})}, **pipes)


def hook(
    event: str, fields: object = None, *words: str, environment: dict[str, str] | None = None, raw: bytes | None = None
) -> Result:
    """Send an event to a process of its own."""
    data = json.dumps(fields).encode() if raw is None else raw
    child = start_hook("hook", *([event] if event else []), *words, environment=environment)
    out, err = child.communicate(data, timeout=PATIENCE)
    return Result(child.returncode, out.decode("utf-8"), err.decode("utf-8"))


def fired(result: Result) -> str:
    """What a session was given; nothing else may have been printed."""
    assert (result.code, result.err) == (0, ""), result
    return result.json["hookSpecificOutput"]["additionalContext"] if result.out else ""


def settle(vault: Vault) -> None:
    """Wait until what hooks handed over is done."""
    folder = Path(requests_folder(str(vault.root)))
    deadline = time.monotonic() + PATIENCE
    while waiting := list(folder.glob("*.json")):
        assert time.monotonic() < deadline, f"{waiting} {log_of(vault)}"
        time.sleep(0.05)


def log_of(vault: Vault) -> str:
    """The hooks' log of a vault; "" when there is none."""
    file = vault.path(".wrapgen/state/hooks.log")
    return file.read_text(encoding="utf-8") if file.exists() else ""


def pending_in(vault: Vault) -> list[str]:
    """What waits, by the file that keeps it."""
    file = vault.path(f"{talks.STATE}/pending.jsonl")
    lines = file.read_bytes().splitlines() if file.exists() else []
    return [json.loads(line)["orphan"]["text"] for line in lines]
