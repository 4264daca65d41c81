"""What stands afterwards, looked up in the files themselves: every mark once, and nothing that must not be there."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.followups.talks import STATE
from tests.torture.page import collected, faults
from tests.torture.plan import MOVED_TO, REWORDED, Verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tests.support import Vault
    from tests.torture.plan import Session, Task

VANISHED = "line vanished after routing"
_MARK = re.compile(r"\b(?:job\d+|e\d+n\d+)x\b")
_OPEN = re.compile(r"^- \[ \] ", re.MULTILINE)
_LEFTOVER = re.compile(r"\.wrapgen-(tmp|both)$|\.holder$")


@dataclass(frozen=True, slots=True)
class Standing:
    """The vault as it stands.

    Attributes:
        marks: how often each stands in the person's own files.
        pending: the reasons with which each waits, None for none.
        skipped: how often each was skipped.
        rescued: the marks in files that were put aside because their words could not be put back.
        boxes: open boxes in the person's own files.
        torn: lines of state files that cannot be read.
    """

    marks: Mapping[str, int]
    pending: Mapping[str, list[str | None]]
    skipped: Mapping[str, int]
    rescued: frozenset[str]
    boxes: int
    torn: tuple[str, ...]

    @classmethod
    def of(cls, vault: Vault) -> Standing:
        """Read the vault."""
        notes = [path.read_text("utf-8") for path in _notes(vault.root)]
        records: dict[str, list[Any]] = {}
        torn: list[str] = []
        for path in sorted(vault.path(STATE).glob("*.jsonl")):
            records[path.name], bad = _records(path)
            torn += bad
        pending: dict[str, list[str | None]] = {}
        for one in records.get("pending.jsonl", []):
            pending.setdefault(_mark(one), []).append(one["orphan"]["reason"])
        rescued = [path.read_text("utf-8") for path in vault.path(STATE).glob("rescued/*")]
        return cls(
            Counter(mark for text in notes for mark in _MARK.findall(text)),
            pending,
            Counter(_mark(one) for one in records.get("skipped.jsonl", [])),
            frozenset(mark for text in rescued for mark in _MARK.findall(text)),
            sum(len(_OPEN.findall(text)) for text in notes),
            tuple(torn),
        )


def _notes(root: Path) -> list[Path]:
    return [
        path
        for path in sorted(root.rglob("*.md"))
        if path.name != "ACTIVE-STATUS.md" and not any(part.startswith(".") for part in path.relative_to(root).parts)
    ]


def _records(path: Path) -> tuple[list[Any], list[str]]:
    found, torn = [], []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            found.append(json.loads(line))
        except ValueError:
            torn.append(f"{path.name}:{number}: {line[:80]!r}")
    return found, torn


def _mark(record: Mapping[str, Any]) -> str:
    found = _MARK.search(record["orphan"]["text"])
    assert found, record
    return found[0]


@dataclass(slots=True)
class Verdict:
    """What became of every line; each list but the counts must be empty.

    Attributes:
        noticed: routed lines that an editor put a stale copy over, and that wait again with that reason.
        lost: marks that stand nowhere, with what is known of them.
        twice: marks that stand or wait more than once.
        rescued: an editor's marks that stand in a file that was put aside.
    """

    standing: int = 0
    noticed: int = 0
    skipped: int = 0
    waiting: int = 0
    editors: int = 0
    rescued: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)


def judge(now: Standing, tasks: Iterable[tuple[Session, Task]], saved: Iterable[str]) -> Verdict:
    """Account for every mark.

    Args:
        now: what stands.
        tasks: the tasks of all sessions that were carried through.
        saved: the marks that editors noted as saved.
    """
    verdict = Verdict()
    for session, task in tasks:
        _judge_task(verdict, now, session, task)
    for mark in saved:
        verdict.editors += 1
        if now.marks.get(mark, 0) > 1:
            verdict.twice.append(f"{mark} of an editor stands {now.marks[mark]} times")
        elif mark not in now.marks:
            (verdict.rescued if mark in now.rescued else verdict.lost).append(f"{mark} of an editor")
    return verdict


def _judge_task(verdict: Verdict, now: Standing, session: Session, task: Task) -> None:
    stands, waits, skips = now.marks.get(task.mark, 0), now.pending.get(task.mark, []), now.skipped.get(task.mark, 0)
    about = f"{task.mark} of {session.name}, to go to {task.to.path if task.to else 'nowhere'}"
    if stands + len(waits) + skips > 1:
        verdict.twice.append(f"{about}: stands {stands} times, waits {len(waits)} times, skipped {skips} times")
    elif not session.answered and waits == [None]:
        verdict.waiting += 1
    elif session.answered and task.to is None and skips:
        verdict.skipped += 1
    elif session.answered and task.to is not None and stands:
        verdict.standing += 1
    elif session.answered and task.to is not None and task.to.may_lose and waits == [VANISHED]:
        verdict.noticed += 1
    else:
        verdict.lost.append(f"{about}: stands {stands} times, waits {waits}, skipped {skips} times")


def changed_wrongly(vault: Vault, changed: Iterable[tuple[Verb, Task]]) -> list[str]:
    """The items that do not stand once, as what was done about them says."""
    lines = [(path, line) for path in _notes(vault.root) for line in path.read_text("utf-8").splitlines()]
    found: list[str] = []
    for verb, item in changed:
        stand = [(path.relative_to(vault.root).as_posix(), line) for path, line in lines if item.mark in line]
        told = {Verb.DONE: f"- [x] {item.text}", Verb.EDIT: f"- [ ] {REWORDED} {item.mark}", Verb.MOVE: item.text}[verb]
        if len(stand) != 1 or stand[0][0] != MOVED_TO.path or told not in stand[0][1]:
            found.append(f"{verb} {item.mark}: {stand}")
    return found


def leftovers(root: Path) -> list[str]:
    """Temporary files that the last run should have removed."""
    return [str(path.relative_to(root)) for path in sorted(root.rglob("*")) if _LEFTOVER.search(path.name)]


def page_faults(page: bytes, now: Standing) -> list[str]:
    """What is wrong with the last dashboard: torn, or not made of every open box that stands in the notes."""
    found = faults(page)
    if not found and collected(page) != now.boxes:
        found.append(f"is made of {collected(page)} items where {now.boxes} boxes are open")
    return found
