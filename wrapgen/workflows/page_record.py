"""What surrounds the page: foreign text in its place is kept first, then history and headline are written beside it."""

import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import PurePosixPath
from typing import Any

import msgspec

from wrapgen.config import KEPT_OUTPUT
from wrapgen.dashboard.balance import fates
from wrapgen.dashboard.standing import standing_of, tally
from wrapgen.days import moved
from wrapgen.errors import WrapgenError
from wrapgen.late_pattern import late
from wrapgen.ledger import Run
from wrapgen.model import Fate, Item
from wrapgen.redact import MARK, redact
from wrapgen.regular_files import put, whole
from wrapgen.session.memory import routed
from wrapgen.text.display import shorten
from wrapgen.text.folding import fold
from wrapgen.vault import disk, headline, run_history, state
from wrapgen.vault.disk import make_private_folder, publish
from wrapgen.vault.entry_index import EntryIndex
from wrapgen.vault.git import Git
from wrapgen.vault.held import held, inside
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.run_history import Standing
from wrapgen.workflows.app import App
from wrapgen.workflows.last_run import LastRun, last_run
from wrapgen.workflows.memory import Memory

# The front matter of the built-in template.
_OURS = late(rb"---\r?\ndate: \d{4}-\d{2}-\d{2}\r?\ncollected: \d+\r?\n")
_GIT_SECONDS = 5.0
_PUBLISHED_FILE = "published.json"  # no `.jsonl`: no page depends on it
_PUBLISHED = 20  # pages; one that comes back (another branch, a restored backup) is known, too


@dataclass(frozen=True, slots=True)
class Published:
    """The pages that were published last."""

    digests: tuple[str, ...] = ()  # of each, the oldest first; none in a fresh clone


def keep_foreign_output(app: App, page: bytes) -> None:
    """Copy what stands in the dashboard's place to `NAME.before-wrapgen.md` and say so; the lock is held."""
    last = _published(app)
    stands = _standing(app)
    if (
        stands.strip()
        and stands != page
        and _digest(stands) not in last.digests
        # Else a page of ours that came with a clone or a pull.
        and (not _OURS.match(stands) or (last.digests and not _is_in_git(app)))
    ):
        _keep(app, stands)
    now = Published(tuple(dict.fromkeys((*last.digests, _digest(page))))[-_PUBLISHED:])
    if now != last:
        # Before the page itself: a run that is killed between the two must not take its own page for somebody's.
        with suppress(WrapgenError, OSError):
            state.save(app.root, _PUBLISHED_FILE, [now])


def _keep(app: App, data: bytes) -> None:
    """Copy a text to the first name that is free, or has it already."""
    name = PurePosixPath(app.config.output)
    for number in count(1):
        copy = name.with_name(f"{name.stem}{KEPT_OUTPUT}{f'-{number}' if number > 1 else ''}{name.suffix}")
        file = app.root / copy
        if os.path.lexists(file):
            with suppress(OSError):
                if whole(file) == data:
                    return
            continue
        publish(file, data, root=app.root)
        app.warn(f"{app.config.output} was not written by wrapgen as it stood; its former content is in {copy}")
        return


def _standing(app: App) -> bytes:
    try:
        return whole(inside(app.root / app.config.output, app.root))
    except OSError:
        return b""


def _published(app: App) -> Published:
    with suppress(WrapgenError):
        for record in state.load(app.root, _PUBLISHED_FILE, Published).records:
            return record
    return Published()


def _digest(page: bytes) -> str:
    """The same however an editor, git or another system ends the lines and spaces the words."""
    return disk.digest(b" ".join(page.split()))


def _is_in_git(app: App) -> bool:
    """Whether git keeps the dashboard as it stands."""
    named = f":(literal){app.config.output}"
    said = Git(app.root, timeout=_GIT_SECONDS).ask("ls-files", "-z", "-t", "-c", "-m", "--", named)
    return {row[:1] for row in (said or b"").split(b"\0") if row} == {b"H"}


_AHEAD = 31  # days that a pinned day may be ahead of the newest note


def write_history(app: App, run: Run, memory: Memory, index: EntryIndex) -> bool:
    """Add a rebuild to the history; a failure is reported in one line and is not fatal."""
    if _is_made_up(app, run):
        app.note(f"{run.today} is not kept in the history: --today made it up")
        return True
    file = last_run(index)
    last = file.load() or LastRun()
    before, now = msgspec.msgpack.decode(last.standing, type=Standing | None), standing_of(run)
    if before is not None and before.day > run.today:
        before = None  # a back-fill: what is open later says nothing about what was new then
    try:
        run_history.add(app.root, tally(run, before, now, _promised(memory)))
    except WrapgenError as error:
        app.warn(f"the dashboard is rebuilt, but not its history: {error}")
        return False
    if now != before:
        file.save(msgspec.structs.replace(last, standing=msgspec.Raw(msgspec.msgpack.encode(now))))
    return True


def _is_made_up(app: App, run: Run) -> bool:
    """Whether `--today` names a day that is still to come, and of which the notes know nothing."""
    if app.today is None or app.today <= datetime.now().astimezone().date():
        return False
    written = [one.item.raised for one in run.decided if one.item.raised]
    return not written or max(written) < moved(app.today, -_AHEAD)


def _promised(memory: Memory) -> list[str]:
    """The folded text of follow-ups that are in a file; those that contained a secret are unknown."""
    texts = [line.text for line in routed(memory.receipts).values() if MARK not in line.text]
    entries = (read_item(text, line=1, section=-1) for text in texts)
    return [fold(entry.text).text for entry in entries if entry is not None]


_LONGEST = 300  # characters of an item


def write_headline(app: App, run: Run) -> None:
    """Write the dashboard's summary: its counts, and its own lines in their order; failures are ignored."""
    counts = fates(run)
    is_open = (Fate.SHOWN, Fate.OVERFLOW)  # what is beyond these has no day
    due = Counter(one.item.due.isoformat() for one in run.decided if one.item.due and one.fate in is_open)
    named = (_record(one.item) for one in run.of(Fate.SHOWN))
    data = headline.document(counts[Fate.SHOWN] + counts[Fate.OVERFLOW], dict(due), named)
    file = app.root / headline.FILE
    with suppress(OSError, WrapgenError):
        make_private_folder(file.parent, app.root)
        with held(file, app.root) as target:
            put(target.at, data, folder=target.folder)


def _record(item: Item) -> dict[str, Any]:
    return {
        "project": item.project,
        "text": redact(shorten(item.words, _LONGEST))[0],
        "due": item.due and item.due.isoformat(),
        "priority": None if item.priority is None else item.priority.name.lower(),
        "raised": item.raised and item.raised.isoformat(),
    }
