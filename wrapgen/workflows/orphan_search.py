"""Finds orphans: follow-ups in conversations that are in no note, receipt or skip."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from wrapgen.days import moved
from wrapgen.errors import PublishError, WrapgenError
from wrapgen.session.conversation import Conversation, Dismissed, Scan, attributed, scan
from wrapgen.session.discover import host_folder
from wrapgen.session.follow_up import FollowUp, orphan_id
from wrapgen.session.host_state import PLAN
from wrapgen.session.lexicon import load_cues
from wrapgen.session.memory import VANISHED, Line, Step, routed, said_again
from wrapgen.session.outcome import DONE, REPLACED
from wrapgen.vault.rewrite import rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.approved_plans import followed_up, left_plans, left_tasks, plan_id
from wrapgen.workflows.done_since import settle_completed
from wrapgen.workflows.interrupted_runs import parse_bytes, place_in
from wrapgen.workflows.vault_session import VaultSession

ALREADY_DURABLE = "already durable"
SKIPPED_BEFORE = "skipped before"


@dataclass(slots=True)
class SearchResult:
    """What the conversations hold."""

    conversations: list[Conversation] = field(default_factory=list)
    # follow-ups not written down, in the order of the conversations
    orphans: list[FollowUp] = field(default_factory=list)
    unsure: list[FollowUp] = field(default_factory=list)  # the same, of which rules are not sure: offered, not pending
    dismissed: list[Dismissed] = field(default_factory=list)  # follow-ups that are not asked about, and why
    errors: list[WrapgenError] = field(default_factory=list)  # conversations that could not be read

    @property
    def durable(self) -> int:
        return len({one.follow_up.text for one in self.dismissed if one.reason == ALREADY_DURABLE})


class Search:
    """Reads conversations and keeps what is in no file."""

    def __init__(self, session: VaultSession) -> None:
        self._session = session
        self._folders = session.app.folders
        self.found = SearchResult()

    @cached_property
    def _scan(self) -> Scan:
        """How conversations are read; made for the first one, as most runs have none."""
        session, projects = self._session, self._session.projects
        config = session.app.config.followups
        return Scan(
            load_cues(_own_cues(config.cues)),
            session.index.places,
            projects.leading_tag,
            projects.only_one_named_in,
        )

    def read(self, transcripts: Sequence[Path]) -> SearchResult:
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
        self._follow_copies()
        self._add_from_disk()
        return self.found

    def _add_from_disk(self) -> None:
        """What the host keeps beside these conversations: plans that nothing carried out, tasks of ended sessions."""
        read = self.found.conversations
        waiting = (one.orphan for one in self._session.memory.pending.values())
        plans = left_plans(read, waiting, self._session.app.day)
        for one, found in (*plans, *left_tasks(host_folder(Path.home(), os.environ), read)):
            here = self._project_of(one.header.cwd) if one.header.cwd else None
            (orphan,) = attributed([found.within(one.name)], Path(one.name), self._scan, here)
            orphan = replace(orphan, id=plan_id(orphan)) if found.cue == PLAN else orphan
            known = {other.id for other in self.found.orphans} | {done.id for two in read for done in two.completed}
            if orphan.id not in known:
                self.add([orphan])

    def keep(self) -> SearchResult:
        """Store what was found: it is pending from here on, whatever happens; the caller holds the lock."""
        app, memory = self._session.app, self._session.memory
        memory.settle(self.taken_up())
        memory.wait_for(self.found.orphans, app.day)
        self._renew_plans()
        settle_completed(self._session, self.found)
        read = {one.name for one in self.found.conversations}
        memory.offer(self.found.unsure, read, app.day, app.config.lookback_days)
        return self.found

    def _renew_plans(self) -> None:
        """A waiting plan says how far it is, and what it is since it was approved again."""
        memory = self._session.memory
        found = {one.id: one for one in self.found.orphans if one.cue == PLAN}
        waiting = [one.orphan for key, one in memory.pending.items() if key not in found]
        followed = followed_up(waiting, self.found.conversations)
        for one in (*found.values(), *(now for _, now in followed if now is not None)):
            known = memory.pending.get(one.id)
            if known is not None and (known.orphan.text, known.orphan.said_at) != (one.text, one.said_at):
                memory.reword(one)

    def _follow_copies(self) -> None:
        """What a later file says of a message counts for each copy of it, in files that were resumed or forked."""
        read = {one.name: number for number, one in enumerate(self.found.conversations)}
        settled = self._settled_messages() if len(read) > 1 else []
        later = {
            one.name: two for one in self.found.conversations for two in self.found.conversations if two.goes_on(one)
        }
        offered = [*self.found.orphans, *self.found.unsure]
        said = {(one.transcript, one.id) for one in offered}
        for one in offered:
            other = later.get(one.transcript)
            reason = next(
                (
                    why
                    for name, message, why in settled
                    if message == _message(one)
                    and (read[name] > read[one.transcript] or (other and other.name == name))
                ),
                # The host's list goes on in the file that is the same session resumed.
                DONE if other and one.by == "state" and (other.name, one.id) not in said else None,
            )
            if reason is not None:
                (self.found.orphans if one in self.found.orphans else self.found.unsure).remove(one)
                self.found.dismissed.append(Dismissed(one, reason))

    def _settled_messages(self) -> list[tuple[str, tuple[str | None, str], str]]:
        return [
            (one.follow_up.transcript, (_message(one.follow_up)[0], self._scan.tag(one.follow_up.text)[1]), one.reason)
            for one in self.found.dismissed
            if not one.reason.startswith((ALREADY_DURABLE, SKIPPED_BEFORE))
        ]

    def _add_readers(self, path: Path) -> None:
        """A reader's pending findings from a conversation are orphans too, though no rule finds them."""
        known = {one.id for one in self.found.orphans}
        transcript = os.path.realpath(path)
        self.found.orphans += [
            one.orphan
            for key, one in self._session.memory.pending.items()
            if key not in known
            and one.orphan.by == "reader"
            and os.path.realpath(one.orphan.transcript) == transcript
            and not self.found.conversations[-1].has_no_more(one.orphan)
        ]

    def taken_up(self) -> list[str]:
        """Pending follow-ups that were closed later in their conversation, or in one that goes on with a copy of it."""
        before = (ALREADY_DURABLE, SKIPPED_BEFORE, REPLACED)
        messages = {message for _, message, _ in self._settled_messages()}
        settled: dict[str, list[str]] = {}
        for one in self.found.dismissed:
            if not one.reason.startswith(before):
                said_in = settled.setdefault(one.follow_up.transcript, [])
                said_in.append(self._scan.tag(one.follow_up.text)[1])
        again = {os.path.realpath(one.name): one for one in self.found.conversations}

        def is_settled(key: str, one: FollowUp) -> bool:
            own = again.get(os.path.realpath(one.transcript))
            return (
                (own is not None and own.has_no_more(one))
                or _message(one) in messages
                or any(orphan_id(text, one.project) == key for text in settled.get(one.transcript, ()))
            )

        said = {one.id for one in self.found.orphans}
        waiting = {key: one.orphan for key, one in self._session.memory.pending.items() if key not in said}
        return [
            *(one.id for one, now in followed_up(waiting.values(), self.found.conversations) if now is None),
            *(key for key, one in waiting.items() if one.reason is None and is_settled(key, one)),
        ]

    def orphans_of(self, found: Sequence[FollowUp], path: Path, project: str | None) -> tuple[FollowUp, ...]:
        """Follow-ups found by a reader in a conversation already read, as orphans."""
        cwd = next(one.header.cwd for one in self.found.conversations if one.name == str(path))
        here = self._session.projects.named(project or "") or (self._project_of(cwd) if cwd else None)
        return attributed([one.within(str(path)) for one in found], path, self._scan, here)

    def add(self, orphans: Sequence[FollowUp]) -> None:
        for orphan in orphans:
            dismissed = _dismissal(orphan, self._session)
            if dismissed is None:
                waiting = self._session.memory.pending.get(orphan.id)
                if waiting is None and orphan.by == "cue" and not orphan.sure:
                    self.found.unsure.append(orphan)
                else:
                    self.found.orphans.append(_as_judged(orphan, waiting.orphan) if waiting else orphan)
            else:
                self.found.dismissed.append(dismissed)

    def _project_of(self, cwd: str) -> str | None:
        return self._folders.project_of(cwd)[1]


def _message(one: FollowUp) -> tuple[str | None, str]:
    """What is the same in every copy of a message: its id, and the words that it puts off."""
    return one.uuid or one.said_at, one.text


def _as_judged(orphan: FollowUp, waiting: FollowUp) -> FollowUp:
    """A finding with the values from when it was found before: rules do not override a reader."""
    if orphan.by == "cue" and waiting.by == "reader":
        return replace(orphan, by="reader", sure=waiting.sure, confidence=waiting.confidence)
    return replace(orphan, sure=False) if orphan.by == waiting.by and not waiting.sure else orphan


def search_in(session: VaultSession, path: Path) -> Search:
    """Search one conversation; the caller holds the lock."""
    search = Search(session)
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


def _dismissal(orphan: FollowUp, session: VaultSession) -> Dismissed | None:
    index, memory = session.index, session.memory
    line = routed(memory.receipts).get(orphan.id)
    place = index.place_of(line, orphan.said_on or index.day) if line is not None else None
    if place is not None:
        return Dismissed(orphan, ALREADY_DURABLE, place)
    holder = session.index.holder_of(orphan)
    if holder is not None:
        return Dismissed(orphan, ALREADY_DURABLE, f"{holder.path}:{holder.line}")
    elsewhere = memory.elsewhere.get(orphan.id)
    skips = [skip for skip in memory.skips if skip.orphan.id == orphan.id]
    if elsewhere and not skips and orphan.said_on is not None and orphan.said_on <= elsewhere.on:
        return Dismissed(orphan, ALREADY_DURABLE, f"{elsewhere.who} on {elsewhere.on}")
    if skips and not said_again(orphan, skips[-1]):
        return Dismissed(orphan, f"{SKIPPED_BEFORE}: {skips[-1].why}" if skips[-1].why else SKIPPED_BEFORE)
    return None


def check_receipts(session: VaultSession) -> list[FollowUp]:
    """Check whether the lines of receipts within the look-back still exist, or were done since.

    A line that is gone (an editor saved a stale copy over it) is pending again, with that reason; a pending one that
    was written by hand meanwhile, or came back with another copy, is no longer pending; in the latter case its receipt
    is valid again. Receipts that could not be closed yet are not touched. The caller holds the lock.
    """
    app, memory = session.app, session.memory
    oldest = moved(app.day, -app.config.lookback_days)
    recent = [one for one in memory.receipts if one.step is Step.DONE and one.at.date() >= oldest]
    newest = {line.id: receipt.id for receipt in recent for line in receipt.lines if line.orphan is not None}
    back: list[FollowUp] = []
    standing: set[str] = set()
    for receipt in recent:
        gone = set(receipt.vanished)
        for line in receipt.lines:
            if line.orphan is None or newest[line.id] != receipt.id:
                continue
            if session.index.place_of(line, receipt.at.date()) is not None or _holds(app, line):
                standing.add(line.id)
                gone.discard(line.id)
            elif line.id not in gone and not session.index.is_unread(line.path):
                gone.add(line.id)
                back.append(replace(line.orphan, reason=VANISHED))
        if gone != set(receipt.vanished):
            memory.wait_for(back, app.day)
            memory.write(replace(receipt, vanished=tuple(line.id for line in receipt.lines if line.id in gone)))
    unfinished = {line.id for one in memory.receipts if one.step is Step.PLANNED for line in one.lines}
    memory.settle(
        key
        for key, one in memory.pending.items()
        if key in standing or (key not in unfinished and session.index.holder_of(one.orphan) is not None)
    )
    return back


def _holds(app: App, line: Line) -> bool:
    """Whether a line that was not found is in its file after all: the vault may be read while an editor saves it."""
    try:
        data = rewrite(app.root / line.path, lambda _: None, root=app.root).data
    except PublishError:
        return False
    return place_in(parse_bytes(data), line, app.config.sections) is not None
