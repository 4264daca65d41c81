"""The host's own data about open work: the agent's to-do list, and what a compaction's summary calls pending. PURE.

Of the list no words are interpreted: an entry is open or done because the host's data says so (spec 3.2). Of 94
summaries of 77 public sessions every one has the sections *Pending Tasks* and *Optional Next Step*; one in eight says
that there is nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from wrapgen.session.follow_up import FollowUp, Mention
from wrapgen.session.lexicon import FollowUpCues, core, same, task_text
from wrapgen.session.outcome import DONE, STALE_TURNS, Find
from wrapgen.session.transcript import Kept, ListChange, ListEntry, Summary, Turn
from wrapgen.text.display import one_line
from wrapgen.text.words import Folded, content_words, fold_key, language_of, tokens

SHARED = "on a list that several agents share"
"""Entries are closed in other sessions: of 12 such entries in public sessions none was open."""
TO_DO_LIST, PLAN, TASK = KEPT_AS_DATA = "to-do list", "approved plan", "task of an ended session"
CONFIDENCE = 0.95
"""Of 37 public sessions that kept a list 7 ended with 39 open entries, nearly all of them open work (spec 3.2)."""
_OPEN = frozenset({"pending", "in_progress"})
_DONE = "completed"
_DELETED = "deleted"
_Changed = tuple[ListEntry, ListChange]


class HostState:
    """Follows the host's list through a conversation: feed it every event, then ask what is left."""

    def __init__(self) -> None:
        # By key, and by words: entries with the change in which each became what it is.
        self._entries: dict[str, _Changed] = {}
        self._finished: dict[str, _Changed] = {}
        self._changed = 0
        self._turns = 0
        self._since = 0
        self._shared = False

    def feed(self, event: Turn | Kept) -> None:
        if isinstance(event, Turn):
            self._since += event.role == "user" and self._turns > self._changed
            self._turns += 1
        elif isinstance(event, ListChange):
            self._change(event)

    def open(self) -> list[FollowUp]:
        """The entries that are open at the end, in the order of the list, each once."""
        found: dict[str, FollowUp] = {}
        for entry, change in self._entries.values():
            if entry.status in _OPEN and entry.text:
                found.setdefault(fold_key(entry.text), self._detected(entry, change))
        return list(found.values())

    def completed(self) -> list[FollowUp]:
        """The entries that were completed and not opened again: what a later look may find to be done."""
        still_open = {fold_key(entry.text) for entry, _ in self._entries.values() if entry.status in _OPEN}
        return [self._detected(*entry) for key, entry in self._finished.items() if key not in still_open]

    def following(self, events: Iterable[Turn | Kept]) -> Iterator[Turn | Summary]:
        for event in events:
            self.feed(event)
            if not isinstance(event, ListChange):
                yield event

    def joined(self, said: Iterable[tuple[FollowUp, str]]) -> list[tuple[FollowUp, str]]:
        """What was said and what the host's list has, each piece of work once, with why it is none any more.

        A sentence that says what an open entry says is a mention of it; what a completed entry says is done.
        """
        still_open = [(one, _words(one.text)) for one in self.open()]
        finished = [(one, _words(one.text)) for one in self.completed()]
        also: dict[str, list[Mention]] = {one.text: [] for one, _ in still_open}
        found: list[tuple[FollowUp, str]] = []
        for one, settled in said:
            words = _words(one.text)
            entry = next((entry.text for entry, theirs in still_open if same(words, theirs)), None)
            if not settled and entry is not None:
                also[entry] += [*one.also, one.mention]
                continue
            done = any(done.turn >= one.turn and same(words, theirs) for done, theirs in finished)
            found.append((one, settled or (DONE if done else "")))
        shared = SHARED if self._shared else ""
        found += [(replace(one, also=tuple(also[one.text])), shared) for one, _ in still_open]
        return sorted(found, key=lambda pair: pair[0].turn)

    def _change(self, change: ListChange) -> None:
        self._changed, self._since = change.turn, 0
        self._shared = self._shared or change.shared
        former = self._entries
        by_words = {(entry.text, entry.status): (entry, at) for entry, at in former.values()}
        self._entries = {} if change.whole else former
        for one in change.entries:
            known = by_words.get((one_line(one.text), one.status)) if change.whole else former.get(one.key)
            if one.status == _DELETED:
                self._entries.pop(one.key, None)
            elif change.whole or one.text or known:
                before = known[0] if known else ListEntry(one.key)
                entry = ListEntry(one.key, one_line(one.text) or before.text, one.status or before.status)
                same_words = (entry.text, entry.status) == (before.text, before.status)
                self._entries[one.key] = known if known and same_words else (entry, change)
        for entry, at in self._entries.values():
            if entry.status == _DONE and entry.text:
                self._finished[fold_key(entry.text)] = entry, at

    def _detected(self, entry: ListEntry, change: ListChange) -> FollowUp:
        turn = Turn("assistant", entry.text, change.line, timestamp=change.timestamp)
        lang = language_of(entry.text)
        found = FollowUp.said_in(turn, change.turn, entry.text, entry.text, lang=lang, cue=TO_DO_LIST)
        return replace(found, confidence=CONFIDENCE, by="state", sure=self._since <= STALE_TURNS)


def _words(text: str) -> frozenset[str]:
    return tokens(Folded(text).text, frozenset())


CUE = "compaction summary"
_SECTION = re.compile(r"^(?:#{1,4} )?(?:\*\*)?\d{1,2}\. ?(?:\*\*)?([A-Z][^\n]{2,80})$", re.MULTILINE)
_PENDING, _NEXT = "Pending Tasks", "Optional Next Step"
_ITEM = re.compile(r"^([ \t]*)(?:[-*•]|\d{1,2}[.)])[ \t]+(\S[^\n]*)$", re.MULTILINE)
_NO_WORK = re.compile(
    r"^\W*(?:no|none|nothing|n/a)\b|\bnot (?:been |yet )?(?:explicitly |specifically )?(?:requested|asked|confirmed)\b"
    r"|\b(?:if|unless|until|once|when|wait(?:ing)? for|awaiting|await|only) (?:the )?user\b"
    r"|\buser (?:may|might|could)\b"
    r"|\b(?:open )?offer(?:ed)?\b|\boptional(?:ly)?\b|\b(?:completed|already done|is done|resolved)\b|✅",
    re.IGNORECASE,
)
"""An offer, something not asked for, something that waits for others, or that is done by its own words."""
_SENTENCE = re.compile(r"[^\n]*?(?:[.!?。](?=\s|$)|$)")


def summarised(summary: Summary, cues: FollowUpCues) -> list[Find]:
    """The open work that a summary names."""
    said = Turn("assistant", summary.text, summary.line, summary.uuid, summary.timestamp)
    languages = cues.of(summary.text)
    found: dict[str, Find] = {}
    for start, end, at_once in _items(summary.text):
        raw = said.text[start:end]
        text = one_line(task_text(raw, [], languages))
        words = content_words(core(raw))
        if text and words:
            follow_up = FollowUp.said_in(said, summary.turn, text, raw, lang=language_of(raw), cue=CUE)
            of = None if at_once else (summary.turn, -1)
            found.setdefault(text, Find(follow_up, start, end, words, of, kept=True, at_once=at_once))
    return list(found.values())


def _items(text: str) -> Iterator[tuple[int, int, bool]]:
    """The position of each piece of open work, and whether it is the next step; doubtful ones are left out."""
    # The analysis before the summary has sections of its own.
    begin = max(0, text.rfind("\nSummary:"))
    sections = list(_SECTION.finditer(text, begin))
    ends = [*(one.start() for one in sections[1:]), len(text)]
    for section, end in zip(sections, ends, strict=False):  # a summary may have no section
        if section[1].startswith(_PENDING):
            items = list(_ITEM.finditer(text, section.end(), end))
            outer = min((len(one[1]) for one in items), default=0)
            for one in items:
                if len(one[1]) == outer and not _NO_WORK.search(one[2]):
                    yield one.start(2), one.end(2), False
        elif section[1].startswith(_NEXT) and not _NO_WORK.search(text[section.end() : end]):
            first = re.compile(r"\S").search(text, section.end(), end)
            sentence = _SENTENCE.match(text, first.start(), end) if first else None
            if sentence and not _ITEM.match(text, section.end() + 1, end):
                yield sentence.start(), sentence.end(), True
