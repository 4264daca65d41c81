"""The vault, the conversations and the answers of a run; nothing of what is noted about it lies inside the vault."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.followups import talks
from tests.support import CHECKOUT, TODAY, Vault, wrap
from tests.torture.plan import FILES, MOVED_TO, REWORDED, Verb

if TYPE_CHECKING:
    from pathlib import Path

    from tests.torture.plan import Plan, Session, Task

LOCK_TIMEOUT = 300  # seconds; those who still wait then end with exit code 4 and come again


@dataclass(frozen=True, slots=True)
class Ground:
    """Where everything is.

    Attributes:
        talks: the conversations and the answers.
        logs: what the actors note.
    """

    vault: Vault
    talks: Path
    logs: Path
    home: Path

    @property
    def waits(self) -> Path:
        """How long each run waited for the lock and held it, a line each."""
        return self.logs / "waits"

    def editor_log(self, name: str) -> Path:
        """What an editor has saved, a mark a line."""
        return self.logs / f"{name}.saved"

    def words(self, verb: Verb, session: Session | None, item: Task | None = None) -> list[str]:
        """The command line of a run, without the program."""
        start = ["--vault", str(self.vault.root), "--today", TODAY]
        if item is not None:
            more = {Verb.EDIT: [f"{REWORDED} {item.mark}"], Verb.MOVE: [MOVED_TO.project or ""]}.get(verb, [])
            return [*start, verb.removeprefix("wrap "), item.text, *more]
        if session is None:
            return [*start, "regen"]
        said = ["--transcript", str(self.talks / f"{session.name}.json")]
        answers = ["--answers", str(self.talks / f"{session.name}.answers.json")]
        return {
            Verb.WRAP: [*start, *said, *answers],
            Verb.NO_PROMPT: [*start, *said, "--no-prompt"],
            Verb.ROUTE: [*start, "route", *answers],
        }[verb]

    def environment(self) -> dict[str, str]:
        """Of every process: an empty home, and the checkout's package."""
        homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME")
        return {**os.environ, **dict.fromkeys(homes, str(self.home)), "PYTHONPATH": str(CHECKOUT)}


def lay(folder: Path, plan: Plan) -> Ground:
    """Make the vault with its first dashboard, and write down what will be said and answered."""
    ground = Ground(Vault(folder / "vault"), folder / "talks", folder / "logs", folder / "home")
    for made in (ground.talks, ground.logs, ground.home):
        made.mkdir()
    ground.vault.write("wrapgen.toml", f"lock_timeout = {LOCK_TIMEOUT}\n")
    for file in FILES:
        standing = "".join(f"- [ ] {item.text}\n" for _, item in plan.items if item.to is file)
        ground.vault.write(file.path, file.text.replace("\n\n## Log", f"\n{standing}\n## Log"))
    ids = _ids(ground, plan)
    for session in plan.sessions:
        said = talks.neutral(talks.said(*(task.text for task in session.tasks)))
        (ground.talks / f"{session.name}.json").write_bytes(said)
        given = [_answer(task, ids[task.text]) for task in session.tasks]
        (ground.talks / f"{session.name}.answers.json").write_text(talks.answers(*given), "utf-8")
    first = wrap("regen", vault=ground.vault)
    assert first.code == 0, first.err
    return ground


def _ids(ground: Ground, plan: Plan) -> dict[str, str]:
    """The ids that answers are given to, by the words."""
    everything = ground.talks / "all.json"
    texts = [task.text for _, task in plan.tasks]
    everything.write_bytes(talks.neutral(talks.said(*texts)))
    found = talks.orphans(ground.vault, everything, options=["--dry-run"]).json["orphans"]
    assert [one["text"] for one in found] == texts, json.dumps(found, indent=1)
    return {one["text"]: one["id"] for one in found}


def _answer(task: Task, key: str) -> dict[str, str]:
    if task.to is None:
        return talks.answer(key, "skip")
    named = {"project": task.to.project, "task": task.to.task}
    return talks.answer(key, task.to.route, **{name: value for name, value in named.items() if value})
