"""Finds orphans: follow-ups in conversations that are in no note, receipt or skip."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Self

from wrapgen.errors import WrapgenError
from wrapgen.session.conversation import Conversation, Dismissed, Scan, attributed, scan
from wrapgen.session.discover import host_folder
from wrapgen.session.follow_up import FollowUp, orphan_id
from wrapgen.session.lexicon import load_cues
from wrapgen.session.memory import LEFT_OUT, Skip, routed, said_later
from wrapgen.session.outcome import DONE, PLAN, REPLACED
from wrapgen.text.words import content_words, fold_key
from wrapgen.workflows.approved_plans import followed_up, left_plans, left_tasks, plan_id
from wrapgen.workflows.file_writer import begin
from wrapgen.workflows.vault_session import VaultSession

ALREADY_DURABLE = "already durable"
SKIPPED_BEFORE = "skipped before"
ON_A_LIST = "completed on a later to-do list"


class Search:
    """What conversations hold that is in no file, and what became of the rest."""

    def __init__(self, session: VaultSession) -> None:
        self.session = session
        self._folders = session.app.folders
        self.conversations: list[Conversation] = []
        self.orphans: list[FollowUp] = []  # follow-ups not written down, in the order of the conversations
        self.unsure: list[FollowUp] = []  # the same, of which rules are not sure: offered, not pending
        self.dismissed: list[Dismissed] = []  # follow-ups that are not asked about, and why
        self.errors: list[WrapgenError] = []  # conversations that could not be read

    @property
    def durable(self) -> int:
        return len({one.follow_up.text for one in self.dismissed if one.reason == ALREADY_DURABLE})

    @cached_property
    def _scan(self) -> Scan:
        """How conversations are read; made for the first one, as most runs have none."""
        session, projects = self.session, self.session.projects
        # The user's own phrases head lists, and put off their own sentence.
        own: list[dict[str, object]] = [
            {"lang": lang, "headings": {"own": list(phrases)}, "sentences": {"own": list(phrases)}}
            for lang, phrases in session.app.config.followups.cues.items()
        ]
        return Scan(load_cues(own), session.index.places, projects.leading_tag, projects.only_one_named_in)

    def read(self, transcripts: Sequence[Path]) -> Self:
        for path in transcripts:
            try:
                conversation = scan(path, self._scan, self._project_of)
            except WrapgenError as error:
                self.errors.append(error)
                continue
            self.conversations.append(conversation)
            self.dismissed += conversation.dismissed
            self.add(conversation.orphans)
            self._add_readers(path)
        self._follow_copies()
        self._add_from_disk()
        return self

    def one(self, path: Path) -> Self:
        """Search one conversation, which must be readable."""
        if self.read([path]).errors:
            raise self.errors[0]
        return self

    def _add_from_disk(self) -> None:
        """What the host keeps beside these conversations: plans that nothing carried out, tasks of ended sessions."""
        read = self.conversations
        waiting = (one.orphan for one in self.session.memory.pending.values())
        plans = left_plans(read, waiting, self.session.app.day)
        for one, found in (*plans, *left_tasks(host_folder(Path.home(), os.environ), read)):
            here = self._project_of(one.header.cwd) if one.header.cwd else None
            (orphan,) = attributed([found.within(one.name)], Path(one.name), self._scan, here)
            orphan = replace(orphan, id=plan_id(orphan)) if found.cue == PLAN else orphan
            known = {other.id for other in self.orphans} | {done.id for two in read for done in two.completed}
            if orphan.id not in known:
                self.add([orphan])

    def keep(self) -> Self:
        """Store what was found: it is pending from here on, whatever happens; the caller holds the lock."""
        app, memory = self.session.app, self.session.memory
        memory.settle(self._taken_up())
        memory.wait_for(self.orphans, app.day)
        self._renew_plans()
        self._settle_completed()
        read = {one.name for one in self.conversations}
        memory.offer(self.unsure, read, app.day, app.config.lookback_days)
        return self

    def _renew_plans(self) -> None:
        """A waiting plan says how far it is, and what it is since it was approved again."""
        memory = self.session.memory
        found = {one.id: one for one in self.orphans if one.cue == PLAN}
        waiting = [one.orphan for key, one in memory.pending.items() if key not in found]
        followed = followed_up(waiting, self.conversations)
        for one in (*found.values(), *(now for _, now in followed if now is not None)):
            known = memory.pending.get(one.id)
            if known is not None and (known.orphan.text, known.orphan.said_at) != (one.text, one.said_at):
                memory.reword(one)

    def _follow_copies(self) -> None:
        """What a later file says of a message counts for each copy of it, in files that were resumed or forked."""
        read = {one.name: number for number, one in enumerate(self.conversations)}
        settled = self._settled_messages() if len(read) > 1 else []
        later = {one.name: two for one in self.conversations for two in self.conversations if two.goes_on(one)}
        offered = [*self.orphans, *self.unsure]
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
                (self.orphans if one in self.orphans else self.unsure).remove(one)
                self.dismissed.append(Dismissed(one, reason))

    def _settled_messages(self) -> list[tuple[str, tuple[str | None, str], str]]:
        return [
            (one.follow_up.transcript, (_message(one.follow_up)[0], self._scan.tag(one.follow_up.text)[1]), one.reason)
            for one in self.dismissed
            if not is_answered(one)
        ]

    def _add_readers(self, path: Path) -> None:
        """A reader's pending findings from a conversation are orphans too, though no rule finds them."""
        known = {one.id for one in self.orphans}
        transcript = os.path.realpath(path)
        self.orphans += [
            one.orphan
            for key, one in self.session.memory.pending.items()
            if key not in known
            and one.orphan.by == "reader"
            and os.path.realpath(one.orphan.transcript) == transcript
            and not self.conversations[-1].has_no_more(one.orphan)
        ]

    def _taken_up(self) -> list[str]:
        """Pending follow-ups that were closed later in their conversation, or in one that goes on with a copy of it."""
        settled = self._settled_messages()
        messages = {message for _, message, _ in settled}
        again = {os.path.realpath(one.name): one for one in self.conversations}

        def is_settled(key: str, one: FollowUp) -> bool:
            own = again.get(os.path.realpath(one.transcript))
            return (
                (own is not None and own.has_no_more(one))
                or _message(one) in messages
                or any(
                    name == one.transcript and not why.startswith(REPLACED) and orphan_id(words, one.project) == key
                    for name, (_, words), why in settled
                )
            )

        said = {one.id for one in self.orphans}
        waiting = {key: one.orphan for key, one in self.session.memory.pending.items() if key not in said}
        return [
            *(one.id for one, now in followed_up(waiting.values(), self.conversations) if now is None),
            *(key for key, one in waiting.items() if one.reason is None and is_settled(key, one)),
        ]

    def _settle_completed(self) -> None:
        """Settle what entries of the same words show as done; an open box of a note with them is probably done."""
        completed = [one for conversation in self.conversations for one in conversation.completed]
        if not completed:
            return
        done = {
            one.orphan.id: (one.orphan, f"{ON_A_LIST} ({entry.transcript}:{entry.line})")
            for entry in completed
            for one in self.session.memory.pending.values()
            if entry.project == one.orphan.project
            and entry.transcript != one.orphan.transcript
            and said_later(entry, one.orphan)
            and content_words(entry.text) == content_words(one.orphan.text)
        }
        self.settle(list(done.values()), dict(_boxes(self.session, completed)))

    def settle(self, done: Sequence[tuple[FollowUp, str]], doubted: Mapping[str, str] | None = None) -> None:
        """Take follow-ups out of pending under a receipt, each with its reason; `doubted` items are probably done."""
        app, memory = self.session.app, self.session.memory
        if not done and not doubted:
            return
        skips = tuple(Skip(memory.without_secrets(one), app.day, why) for one, why in done)
        receipt = replace(begin(app, "done since"), skips=skips, doubted=dict(doubted or {}))
        gone = {one.id for one, _ in done}
        memory.write(receipt)
        memory.skip(skips)
        memory.settle(gone)
        memory.close(receipt)
        self.orphans = [one for one in self.orphans if one.id not in gone]
        self.dismissed += [Dismissed(one, why) for one, why in done]
        for one, why in done:
            app.warn(f"done since: {one.text} ({why}); undo: wrap undo {receipt.id}")

    def orphans_of(self, found: Sequence[FollowUp], path: Path, project: str | None) -> tuple[FollowUp, ...]:
        """Follow-ups found by a reader in a conversation already read, as orphans."""
        cwd = next(one.header.cwd for one in self.conversations if one.name == str(path))
        here = self.session.projects.named(project or "") or (self._project_of(cwd) if cwd else None)
        return attributed([one.within(str(path)) for one in found], path, self._scan, here)

    def add(self, orphans: Sequence[FollowUp]) -> None:
        for orphan in orphans:
            dismissed = _dismissal(orphan, self.session)
            if dismissed is None:
                waiting = self.session.memory.pending.get(orphan.id)
                if waiting is None and orphan.by == "cue" and not orphan.sure:
                    self.unsure.append(orphan)
                else:
                    self.orphans.append(_as_judged(orphan, waiting.orphan) if waiting else orphan)
            else:
                self.dismissed.append(dismissed)

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
    if skips and not said_later(orphan, skips[-1].orphan):
        return Dismissed(orphan, said_of(skips[-1]))
    return None


def said_of(skip: Skip) -> str:
    """Why a follow-up is not asked about again."""
    if skip.why == LEFT_OUT:
        return LEFT_OUT
    return f"{SKIPPED_BEFORE}: {skip.why}" if skip.why else SKIPPED_BEFORE


def is_answered(one: Dismissed) -> bool:
    """Whether a follow-up is in a file or was answered before, and was not closed by its own conversation."""
    return one.reason == LEFT_OUT or one.reason.startswith((ALREADY_DURABLE, SKIPPED_BEFORE))


def _boxes(session: VaultSession, completed: Iterable[FollowUp]) -> Iterable[tuple[str, str]]:
    """Open items with the words of a completed entry, that were not raised after it: their ids, and where it is."""
    by_words = {fold_key(one.text): one for one in completed}
    known = session.memory.decisions().doubted
    for item in session.everything.kept:
        entry = by_words.get(fold_key(item.text))
        if entry is None or item.id in known or item.project not in (None, entry.project):
            continue
        if item.raised is None or entry.said_on is None or item.raised <= entry.said_on:
            yield item.id, f"{entry.transcript}:{entry.line}"
