"""What is open at the end of a conversation, of what was put off in words and of what the host keeps as data. PURE.

A find is reported done, dropped, taken up, or said again: one pass, turn by turn; what is kept grows with the number of
finds, not with the conversation. One that is repeated goes on as its last mention, and the former ones are places only.

Of the agent's to-do list no words are interpreted: an entry is open or done because the host's data says so.
Of 94 summaries of 77 public sessions every one has the sections *Pending Tasks* and *Optional Next Step*; one in eight
says that there is nothing.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from wrapgen.session.follow_up import FollowUp, Mention
from wrapgen.session.lexicon import FollowUpCues, Languages, core, same
from wrapgen.session.transcript import Kept, ListChange, ListEntry, Summary, Turn
from wrapgen.text.display import one_line
from wrapgen.text.words import Folded, content_words, fold_key, language_of, masked, tokens

DONE = "done later in the session"
DROPPED = "dropped later in the session"
TAKEN_UP = "taken up later in the session"
NOT_REPEATED = "left out when the list was repeated"
REPLACED = "a later list took its place"
WENT_ON = "the conversation went on after the compaction"
STALE_TURNS = 3
"""Typed turns of the user after which what the host keeps, untouched, is offered but not ticked."""
SURE, UNSURE = 0.8, 0.3  # confidence of what is told, and of what is only offered (measured)
_COMMON = 200  # finds. A word shared by this many says nothing and costs time.
_COVERED, _BEGUN = 0.6, 0.75
"""Share of a find's words that a report of it being done holds; and a request for it, which proves less."""

Statement = tuple[str, frozenset[str], bool]
"""A sentence or item: folded, its words, and whether it stands among what was done."""


@dataclass(slots=True)
class Find:
    """Work that was put off, as it was said, and what became of it."""

    follow_up: FollowUp
    start: int  # offset of its quote in the turn's text
    end: int
    words: frozenset[str]  # what it is about, for comparison
    group: tuple[int, int] | None = None  # the turn, and the offset of the heading, of the list that it is an item of
    steps: bool = False  # of a list of next steps
    label: bool = False  # a sentence that bears a label (`TODO:`)
    own: bool = False  # put off by a phrase of the user's own
    weak: bool = False  # of a list that may be one of open work
    doubt: bool = False  # offered, asked, reported, explained, or a step for right now
    kept: bool = False  # in the summary of a compaction
    at_once: bool = False  # what that summary calls the next step
    exchange: int = 0  # how many turns of the user had come before it ended
    also: list[Mention] = field(default_factory=list)  # other mentions, oldest first
    settled: str = ""  # why it is no follow-up any more


class Conclusion:
    """Follows finds through a conversation: feed it turn by turn, then take what is left."""

    def __init__(self, cues: FollowUpCues) -> None:
        self._cues = cues
        self._finds: dict[int, Find] = {}
        self._by_word: dict[str, set[int]] = defaultdict(set)  # those that are not settled
        self._taken: list[tuple[Find, int]] = []
        self._number = self._turns = self._exchanges = self._last_reply = self._last_list = self._summary = 0

    def feed(self, index: int, turn: Turn, finds: Iterable[Find], statements: Iterable[Statement]) -> None:
        self._turns = index + 1
        self._exchanges += turn.role == "user"
        if turn.role == "assistant":
            self._last_reply = index
        languages = self._cues.of(turn.text)
        for statement in statements:
            self._hear(index, turn, statement, languages)
        for find in finds:
            self._add(find)

    def summary(self, finds: Iterable[Find], line: int) -> None:
        """Take in what the summary of a compaction, at a line of the transcript, calls open."""
        self._summary = line
        for find in finds:
            self._add(find)

    def finish(self) -> list[tuple[FollowUp, str]]:
        """All finds in their order, each with why it is no follow-up any more."""
        for find, index in self._taken:
            # Taken up in the very last words: there was no time to do it.
            if not find.settled and self._last_reply > index:
                find.settled = TAKEN_UP
        told = (one for one in self._finds.values() if self._may_be_open(one))
        found = sorted(told, key=lambda one: (one.follow_up.turn, one.start))
        return [self._ended(one) for one in found]

    def _ended(self, find: Find) -> tuple[FollowUp, str]:
        said = replace(find.follow_up, also=tuple(find.also))
        if find.kept:
            goes_on = self._turns > said.turn + 1
            return replace(said, by="state", sure=not goes_on, confidence=SURE), self._why_not_kept(
                find, goes_on=goes_on
            )
        sure = find.own or (not find.doubt and (find.label or (find.group is not None and self._in_time(find))))
        # Of next steps with another list of open work after them 3 were right and 29 wrong.
        gone = find.settled or (REPLACED if find.steps and said.turn < self._last_list else "")
        return replace(said, sure=sure, confidence=SURE if sure else UNSURE), gone

    def _may_be_open(self, find: Find) -> bool:
        """Whether an item of an agent's list that asks, reports or is only maybe work stands where it counts."""
        counts = find.group is None or not find.doubt or find.follow_up.role == "user"
        return counts or self._in_time(find)

    def _in_time(self, find: Find) -> bool:
        """Whether a list item was said near the end, with no open work listed after it.

        Of items in earlier lists 9 were right and 27 wrong, of later ones 20 and 1.
        """
        near = self._exchanges - find.exchange <= 1
        late = (find.follow_up.turn + 1) * 3 >= self._turns * 2
        return find.follow_up.turn >= self._last_list and (near and late if find.steps or find.weak else near or late)

    def _why_not_kept(self, find: Find, *, goes_on: bool) -> str:
        """Why what a summary calls open is no follow-up.

        Of 53 such items in public sessions that went on after it, 11 of 31 were still open within three turns of the
        user, and 3 of 22 later; the next step is mostly what comes next.
        """
        if find.follow_up.line != self._summary:
            return find.settled or NOT_REPEATED
        stale = self._exchanges - find.exchange > STALE_TURNS
        return find.settled or (WENT_ON if stale or (find.at_once and goes_on) else "")

    def _add(self, find: Find) -> None:
        find.exchange = self._exchanges
        said = find.follow_up
        for number, hits in self._counts(find.words).items():
            if hits < min(2, len(find.words)):
                continue
            older = self._finds[number]
            beside = older.follow_up.turn == said.turn and (
                (older.start < find.end and find.start < older.end)
                or (older.group is not None and older.group == find.group and older.words != find.words)
            )
            if not beside and same(older.words, find.words):
                self._close(number)
                del self._finds[number]
                if find.weak:  # it was put off in clearer words before
                    find.weak, find.steps, find.doubt = older.weak, older.steps, older.doubt
                # Taken over, not copied: of thousands of mentions each would hold all before it.
                older.also.append(older.follow_up.mention)
                find.also = [*find.also, *older.also] if find.also else older.also
        if find.group is not None and not find.kept and not find.weak:
            self._last_list = max(self._last_list, said.turn)
        self._finds[self._number] = find
        for word in find.words:
            self._by_word[word].add(self._number)
        self._number += 1

    def _counts(self, words: Iterable[str]) -> Counter[int]:
        """How many of the words each open find contains."""
        listed = (self._by_word.get(word, ()) for word in words)
        return Counter(number for numbers in listed if len(numbers) <= _COMMON for number in numbers)

    def _close(self, number: int, reason: str = "") -> None:
        find = self._finds[number]
        find.settled = reason
        for word in find.words:
            self._by_word[word].discard(number)

    def _hear(self, index: int, turn: Turn, statement: Statement, languages: Languages) -> None:
        """A sentence that covers a find's words and says that it is done, begun or dropped."""
        folded, words, done = statement
        counts = self._counts(words)
        verdict = _verdict(turn, folded, languages, done=done) if counts else ""
        for number, hits in counts.items() if verdict else ():
            find = self._finds[number]
            if find.follow_up.turn >= index:
                continue
            covered = hits / len(find.words)
            if hits >= min(2, len(find.words)) and covered >= _COVERED:
                if verdict != TAKEN_UP:
                    self._close(number, verdict)
                elif covered >= _BEGUN:
                    self._taken.append((find, index))
            elif verdict == DROPPED and turn.role == "user" and covered >= 0.5:
                self._close(number, DROPPED)


def _verdict(turn: Turn, folded: str, languages: Languages, *, done: bool) -> str:
    plain = masked(folded)
    if turn.role == "user" and languages.says("outcome.dropped", plain):
        return DROPPED
    if languages.says("outcome.undone", plain):
        return ""
    if turn.role == "user":
        return TAKEN_UP
    return DONE if done or languages.says("outcome.done", plain) else ""


SHARED = "on a list that several agents share"
"""Entries are closed in other sessions: of 12 such entries in public sessions none was open."""
TO_DO_LIST, PLAN, TASK = KEPT_AS_DATA = "to-do list", "approved plan", "task of an ended session"
CONFIDENCE = 0.95
"""Of 37 public sessions that kept a list 7 ended with 39 open entries, nearly all of them open work."""
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
        text = one_line(languages.task_text(raw, []))
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
