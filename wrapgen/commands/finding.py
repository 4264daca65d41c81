"""What was said and stands nowhere: conversations read, compared with the vault, the receipts and the skips."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wrapgen.commands.writing import parse_bytes, place_in
from wrapgen.days import moved
from wrapgen.errors import PublishError, WrapgenError
from wrapgen.session.conversation import LOW_CONFIDENCE, Conversation, Dismissed, Scan, scan, to_orphans
from wrapgen.session.discover import Folders
from wrapgen.session.follow_ups import orphan_id
from wrapgen.session.load_cues import load_cues
from wrapgen.session.memory import VANISHED, Step, routed, said_again
from wrapgen.vault.rewrite import rewrite

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory
    from wrapgen.model import Document
    from wrapgen.session.follow_ups import FollowUp
    from wrapgen.session.memory import Line
    from wrapgen.session.routing import Orphan

ALREADY_DURABLE = "already durable"
SKIPPED_BEFORE = "skipped before"


@dataclass(slots=True)
class Found:
    """What the conversations hold.

    Attributes:
        orphans: what stands nowhere, in the order in which it was said, conversation by conversation.
        dismissed: what is not asked about, and why.
        errors: conversations that could not be read.
    """

    conversations: list[Conversation] = field(default_factory=list)
    orphans: list[Orphan] = field(default_factory=list)
    dismissed: list[Dismissed] = field(default_factory=list)
    errors: list[WrapgenError] = field(default_factory=list)

    @property
    def durable(self) -> int:
        """How many follow-ups a durable source holds already."""
        return len({one.text for one in self.dismissed if one.reason == ALREADY_DURABLE})


class Search:
    """Reads conversations and keeps what stands nowhere.

    Args:
        app: the vault.
        knowledge: what it holds.
        memory: receipts and skips.
        skipped_too: also keep what was skipped before.
    """

    def __init__(self, app: App, knowledge: Knowledge, memory: Memory, *, skipped_too: bool = False) -> None:
        config = app.config.followups
        projects = knowledge.projects
        self._knowledge = knowledge
        self._memory = memory
        self._skipped_too = skipped_too
        self._folders = Folders.of(app.root, app.config.projects)
        self._scan = Scan(
            load_cues(_own_cues(config.cues)),
            config.min_confidence,
            knowledge.places,
            projects.leading_tag,
            projects.only_one_named_in,
        )
        self.found = Found()

    def read(self, transcripts: Sequence[Path]) -> Found:
        """Read conversations; one that cannot be read is noted, the others are read all the same."""
        for path in transcripts:
            try:
                conversation = scan(path, self._scan, self._project_of)
            except WrapgenError as error:
                self.found.errors.append(error)
                continue
            self.found.conversations.append(conversation)
            self.found.dismissed += conversation.dismissed
            self.add(conversation.orphans)
            self._add_readers(path)
        return self.found

    def _add_readers(self, path: Path) -> None:
        """What waits of a conversation by a reader's word stands nowhere either, though no rule finds it."""
        known = {one.id for one in self.found.orphans}
        transcript = os.path.realpath(path)
        self.found.orphans += [
            one.orphan
            for key, one in self._memory.pending.items()
            if key not in known and one.orphan.by == "reader" and os.path.realpath(one.orphan.transcript) == transcript
        ]

    def taken_up(self) -> list[str]:
        """What waits and was settled later in its own conversation: it was read once before that had ended."""
        before = (ALREADY_DURABLE, SKIPPED_BEFORE, LOW_CONFIDENCE)
        settled: dict[str, list[str]] = {}
        for one in self.found.dismissed:
            if not one.reason.startswith(before):
                settled.setdefault(one.transcript, []).append(self._scan.tag(one.text)[1])
        said = {one.id for one in self.found.orphans}
        return [
            key
            for key, waiting in self._memory.pending.items()
            if key not in said
            and waiting.orphan.reason is None
            and any(
                orphan_id(text, waiting.orphan.project) == key for text in settled.get(waiting.orphan.transcript, ())
            )
        ]

    def orphans_of(self, found: Sequence[FollowUp], path: Path, project: str | None) -> tuple[Orphan, ...]:
        """Follow-ups that somebody else has found in a conversation that was read, as orphans.

        Args:
            found: the follow-ups.
            path: the conversation.
            project: the project that they are said to belong to; one that nobody knows says nothing.
        """
        cwd = next(one.header.cwd for one in self.found.conversations if one.name == str(path))
        here = self._knowledge.projects.named(project or "") or (self._project_of(cwd) if cwd else None)
        return to_orphans(found, path, self._scan, here)

    def add(self, orphans: Sequence[Orphan]) -> None:
        """Keep those that stand nowhere; the others are dismissed with the reason."""
        for orphan in orphans:
            dismissed = _dismissal(orphan, self._knowledge, self._memory, skipped_too=self._skipped_too)
            if dismissed is None:
                waiting = self._memory.pending.get(orphan.id)
                self.found.orphans.append(_as_judged(orphan, waiting.orphan) if waiting else orphan)
            else:
                self.found.dismissed.append(dismissed)

    def _project_of(self, cwd: str) -> str | None:
        return self._folders.project_of(cwd)[1]


def _as_judged(orphan: Orphan, waiting: Orphan) -> Orphan:
    """A find with what was made of it when it was found before: rules do not know better than a reader."""
    if orphan.by == "cue" and waiting.by == "reader":
        return replace(orphan, by="reader", sure=waiting.sure, confidence=waiting.confidence)
    return replace(orphan, sure=False) if orphan.by == waiting.by and not waiting.sure else orphan


def search_in(app: App, memory: Memory, knowledge: Knowledge, path: Path) -> Search:
    """Look through one conversation; the caller holds the lock.

    Raises:
        WrapgenError: the conversation cannot be read.
    """
    search = Search(app, knowledge, memory)
    if search.read([path]).errors:
        raise search.found.errors[0]
    return search


def _own_cues(cues: dict[str, tuple[str, ...]]) -> list[dict[str, object]]:
    """The user's own phrases in the form of the cue files: they head lists, and they put off their own sentence."""
    return [
        {
            "lang": lang,
            "headings": {"own": list(phrases)},
            "sentences": {"own": list(phrases)},
        }
        for lang, phrases in cues.items()
    ]


def _dismissal(orphan: Orphan, knowledge: Knowledge, memory: Memory, *, skipped_too: bool) -> Dismissed | None:
    line = routed(memory.receipts).get(orphan.id)
    place = knowledge.place_of(line, orphan.said_on or knowledge.app.day) if line is not None else None
    if place is not None:
        return _dismissed(orphan, ALREADY_DURABLE, place)
    holder = knowledge.holder_of(orphan)
    if holder is not None:
        return _dismissed(orphan, ALREADY_DURABLE, f"{holder.path}:{holder.line}")
    elsewhere = memory.elsewhere.get(orphan.id)
    skips = [skip for skip in memory.skips if skip.orphan.id == orphan.id]
    if elsewhere and not skips and orphan.said_on is not None and orphan.said_on <= elsewhere.on:
        return _dismissed(orphan, ALREADY_DURABLE, f"{elsewhere.who} on {elsewhere.on}")
    if skips and not skipped_too and not said_again(orphan, skips[-1]):
        return _dismissed(orphan, f"{SKIPPED_BEFORE}: {skips[-1].why}" if skips[-1].why else SKIPPED_BEFORE, None)
    return None


def _dismissed(orphan: Orphan, reason: str, held_by: str | None) -> Dismissed:
    return Dismissed(orphan.text, reason, orphan.line, orphan.transcript, held_by)


def look_after(app: App, knowledge: Knowledge, memory: Memory) -> list[Orphan]:
    """Look whether the lines of the receipts inside the look-back still stand, or were done since.

    What stands nowhere (an editor saved a stale copy over it) waits again, with that reason; what waits and was written
    down by hand meanwhile, or came back with another copy, waits no more: in the latter case its receipt holds again.
    What a receipt holds that could not be closed yet is not touched. The caller holds the lock.

    Returns:
        the follow-ups that wait again.
    """
    oldest = moved(app.day, -app.config.lookback_days)
    recent = [one for one in memory.receipts if one.step is Step.DONE and one.at.date() >= oldest]
    newest = {line.id: receipt.id for receipt in recent for line in receipt.lines if line.orphan is not None}
    quiet = _Quiet(app)
    back: list[Orphan] = []
    standing: set[str] = set()
    for receipt in recent:
        gone = set(receipt.vanished)
        for line in receipt.lines:
            if line.orphan is None or newest[line.id] != receipt.id:
                continue
            if knowledge.place_of(line, receipt.at.date()) is not None or quiet.holds(line):
                standing.add(line.id)
                gone.discard(line.id)
            elif line.id not in gone and not knowledge.is_unread(line.path):
                gone.add(line.id)
                back.append(replace(line.orphan, reason=VANISHED))
        if gone != set(receipt.vanished):
            memory.wait_for(back, app.day)
            memory.write(replace(receipt, vanished=tuple(line.id for line in receipt.lines if line.id in gone)))
    unfinished = {line.id for one in memory.receipts if one.step is Step.PLANNED for line in one.lines}
    memory.settle(
        key
        for key, one in memory.pending.items()
        if key in standing or (key not in unfinished and knowledge.holder_of(one.orphan) is not None)
    )
    return back


class _Quiet:
    """Notes as they stand while nobody writes to them: the vault may have been read while an editor saved one."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._documents: dict[str, Document] = {}

    def holds(self, line: Line) -> bool:
        """Whether a line that was not found stands in its file after all."""
        if line.path not in self._documents:
            try:
                data = rewrite(self._app.root / line.path, lambda _: None, root=self._app.root).data
            except PublishError:
                data = None
            self._documents[line.path] = parse_bytes(data)
        return place_in(self._documents[line.path], line, self._app.config.sections) is not None
