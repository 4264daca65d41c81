"""Checks a reader's answer against the conversation: what its quotes prove is accepted, the rest refused. PURE.

A reader is trusted only as far as its quotes prove it. White space, Markdown marks, case and the forms that
NFKC makes one are ignored: a quote copied from a rendered page still matches.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import structs

from wrapgen.days import moment
from wrapgen.errors import Refusal
from wrapgen.session import reading
from wrapgen.session.follow_up import FollowUp, wording_trouble
from wrapgen.session.lexicon import alike, same
from wrapgen.session.reading import ReviewCandidate, Reviewed
from wrapgen.session.transcript import Kept, Summary, Turn
from wrapgen.text.blocks import blocks
from wrapgen.text.display import one_line, shorten
from wrapgen.text.words import UNSEEN, Folded, content_words, language_of, quote_form, too_short

_BESIDE = 600  # characters of the end of the turn before, and of the beginning of the turn after
BACKED = 0.5  # share of a text's content words that its quote and the blocks beside it must hold


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """The position of a quote."""

    index: int  # 0-based index of the turn
    turn: Turn  # the turn
    start: int  # offset of the quote in its text
    end: int  # offset behind it

    @property
    def words(self) -> str:
        return self.turn.text[self.start : self.end]


class Quotes:
    """Quotes that are looked up together, in one pass over what was said and what the agent summed up for the host."""

    def __init__(self, quotes: Iterable[str], events: Iterable[Turn | Kept]) -> None:
        folded = {quote: quote_form(quote) for quote in quotes}
        # Those too short to prove anything are left out.
        self.wanted = {quote: form for quote, form in folded.items() if not too_short(form)}
        self._found: dict[str, list[QuotePlace]] = {}
        self._summed_up: dict[str, QuotePlace] = {}  # where only a compaction's summary holds it
        self._beside: dict[int, str] = {}  # what was said just before and after a turn with a quote
        before, index = "", -1
        for event in events if self.wanted else ():
            if isinstance(event, Summary):
                said = Turn("assistant", event.text, event.line, event.uuid, event.timestamp)
                self._summed_up |= self._places(event.turn, said)
            elif isinstance(event, Turn):
                index += 1
                if index - 1 in self._beside:
                    self._beside[index - 1] += f"\n{event.text[:_BESIDE]}"
                for quote, place in self._places(index, event).items():
                    self._found.setdefault(quote, []).append(place)
                    self._beside[index] = before
                before = event.text[-_BESIDE:]

    def _places(self, index: int, turn: Turn) -> dict[str, QuotePlace]:
        text = quote_form(turn.text)
        hits = [quote for quote, form in self.wanted.items() if form in text]
        folded = Folded(turn.text if hits else "")
        # The offsets whose characters count.
        edges = [0, *(at for gap in UNSEEN.finditer(folded.text) for at in gap.span()), len(folded.text)]
        visible = [at for start, end in zip(edges[::2], edges[1::2], strict=True) for at in range(start, end)]
        return {quote: _place(index, turn, self.wanted[quote], folded, visible) for quote in hits}

    def place(self, quote: str, at: int = -1) -> QuotePlace | None:
        """Where a quote stands last, or `at` another of its places in what was said."""
        return self._found[quote][at] if quote in self._found else self._summed_up.get(quote)

    def beside(self, *places: QuotePlace) -> str:
        """What was said just before and after the turns of some places."""
        return "\n".join(self._beside.get(place.index, "") for place in places)

    def why_not(self, quote: str) -> str:
        """Why a quote proves nothing, as a message for the reader."""
        return "its quote is not in this conversation" if quote in self.wanted else "its quote is too short"


def is_backed(text: str, *places: QuotePlace, beside: str = "") -> bool:
    """Whether half of a text's content words are in the quotes, the blocks beside them or more that was said."""
    words = content_words(text)
    if not words:
        return False
    said = content_words(beside).union(*(content_words(around(place)) for place in places))
    return len(words & said) >= BACKED * len(words)


def around(place: QuotePlace) -> str:
    """The block of a quote, the ones beside it, and the heading above them."""
    text = place.turn.text
    listed = list(blocks(text))
    inside = [at for at, block in enumerate(listed) if block.start < place.end and place.start < block.end]
    if not inside:
        return text[max(0, place.start - 200) : place.end + 200]
    first, last = max(0, inside[0] - 1), min(len(listed), inside[-1] + 2)
    heading = next((block for block in reversed(listed[: inside[0]]) if block.shape == "heading"), None)
    chosen = [*([heading] if heading else []), *listed[first:last]]
    return "\n".join([place.words, *(text[block.start : block.end] for block in chosen)])


def _place(index: int, turn: Turn, form: str, folded: Folded, visible: list[int]) -> QuotePlace:
    """The last occurrence in a turn, in offsets of its raw text."""
    text = "".join(folded.text[offset] for offset in visible)
    start = text.rfind(form)
    last = behind = visible[start + len(form) - 1]
    while behind < len(folded.text) and folded.origin(behind) == folded.origin(last):
        behind += 1  # one character of the raw text may fold to several
    return QuotePlace(index, turn, folded.origin(visible[start]), folded.origin(behind))


SURE, UNSURE = 0.9, 0.55  # confidence of what a reader is sure of, and of what it only offers (measured)
NAME_LENGTH, REASON_LENGTH = 120, 50  # characters of a dead end's name, and of its reason
STATE_LENGTH = 30  # characters of the state of a part of the work: `done`, `half done`, `waits for review`
_SHOWN = 60
_SAME_AS = re.compile(r"same as #?(\d{1,6})")
_NEEDS_QUOTE = frozenset({"done", "dropped"})
# What makes a line a heading, a quotation, a cell or an item of a list; and bold type, which a quote may cut in two.
_LEAD = re.compile(r"(?:[\s|]|[-*+•–—>](?=\s)|#{1,6}(?=\s)|\[[ xX]?\](?=\s))*+")
_BOLD = re.compile(r"(?<![A-Za-z0-9_])\*\*|\*\*(?![A-Za-z0-9_])")  # `2**3` is none


@dataclass(frozen=True, slots=True)
class Claimed:
    """Open work, verified."""

    found: FollowUp  # the follow-up
    project: str | None  # the project that the reader names
    covers: tuple[ReviewCandidate, ...]  # the candidates that say the same


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """A dead end, verified."""

    name: str
    reason: str
    tried: QuotePlace
    failed: QuotePlace


@dataclass(frozen=True, slots=True)
class ProvedStatement:
    """A decision, a goal or a blocker, verified."""

    text: str
    place: QuotePlace


@dataclass(slots=True)
class Judgement:
    """The verified part of an answer."""

    follow_ups: list[Claimed] = field(default_factory=list)
    # candidates that are no open work, with the reason
    dropped: list[tuple[ReviewCandidate, str]] = field(default_factory=list)
    settled: list[tuple[FollowUp, str]] = field(default_factory=list)  # what waited from before, likewise
    dead_ends: list[DeadEnd] = field(default_factory=list)
    decisions: list[ProvedStatement] = field(default_factory=list)
    goal: ProvedStatement | None = None
    progress: list[reading.ProgressClaim] = field(default_factory=list)
    blockers: list[ProvedStatement] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)  # what is not taken

    @property
    def for_tracks(self) -> bool:
        """Whether something of it is kept for the next context."""
        return bool(self.dead_ends or self.decisions or self.goal or self.progress or self.blockers)


def judge(
    said: Reviewed,
    shown: Iterable[ReviewCandidate],
    events: Iterable[Turn | Kept],
    waiting: Iterable[FollowUp] = (),
) -> Judgement:
    """Check an answer about the candidates that were shown against the conversation, which is read once."""
    told: tuple[Any, ...] = (*said.follow_ups, *said.drop, *said.decisions, *said.goal, *said.progress, *said.blockers)
    quotes = [one.quote for one in told] + [quote for one in said.dead_ends for quote in (one.tried, one.failed)]
    return _Judge(Quotes(quotes, events), {one.n: one for one in shown}, tuple(waiting)).judge(said)


class _Judge:
    def __init__(self, quotes: Quotes, shown: Mapping[int, ReviewCandidate], waiting: tuple[FollowUp, ...]) -> None:
        self._quotes = quotes
        self._shown = shown
        self._waiting = waiting
        self._result = Judgement()

    def judge(self, said: Reviewed) -> Judgement:
        self._result.refused += said.refused
        for claim in said.follow_ups:
            self._follow_up(claim)
        listed = {one.n for claimed in self._result.follow_ups for one in claimed.covers}
        merged = {one.n for one in said.drop if _SAME_AS.fullmatch(_plain(one.why))}
        for drop in said.drop:
            if drop.handle:
                self._settle(drop)
            elif why := self._why_not(drop, listed, merged):
                self._refuse(f"drop {drop.n}", why)
            elif drop.n not in listed:  # else the entry replaces both
                self._result.dropped.append((self._shown[drop.n], self._reason(drop)))
        for dead_end in said.dead_ends:
            self._dead_end(dead_end)
        self._result.decisions = list(self._statements(said.decisions))
        self._result.goal = next(self._statements(said.goal), None)
        self._result.blockers = list(self._statements(said.blockers))
        for progress in said.progress:
            self._progress(progress)
        return self._result

    def _settle(self, drop: reading.DropClaim) -> None:
        """What waits from before and later words show as done or dropped."""
        found = [one for one in self._waiting if one.id.startswith(drop.handle.strip().casefold())]
        why = _plain(drop.why)
        if len(found) != 1:
            self._refuse(f"drop {drop.handle}", "no pending follow-up has this handle")
        elif why not in _NEEDS_QUOTE:
            self._refuse(f"drop {drop.handle}", "`why` is one of: done, dropped")
        elif place := self._proof(drop.quote, f"drop {drop.handle}"):
            said, shown = moment(found[0].said_at), moment(place.turn.timestamp)
            if said and shown and shown <= said:
                self._refuse(f"drop {drop.handle}", "its quote is not from later words")
            else:
                self._result.settled.append((found[0], f"{why} in a later conversation"))

    def _reason(self, drop: reading.DropClaim) -> str:
        """Why a candidate is dropped, in words that make sense without the numbered list."""
        why = _plain(drop.why)
        same_as = _SAME_AS.fullmatch(why)
        return f"same as {shorten(self._shown[int(same_as[1])].text, _SHOWN)}" if same_as else why

    def _refuse(self, what: str, why: str) -> None:
        self._result.refused.append(Refusal(shorten(one_line(what), _SHOWN), why))

    def _proof(self, quote: str, what: str) -> QuotePlace | None:
        """Where a quote stands last; None when it proves nothing, which is refused by `what` it is about."""
        place = self._quotes.place(quote)
        if place is None:
            self._refuse(what or quote, self._quotes.why_not(quote))
        return place

    def _follow_up(self, claim: reading.FollowUpClaim) -> None:
        if place := self._proof(claim.quote, claim.text):
            text, lang = _wording(claim.text, place), language_of(place.turn.text)
            found = FollowUp.said_in(place.turn, place.index, text, place.words, lang=lang)
            found = replace(found, confidence=SURE if claim.sure else UNSURE, by="reader", sure=claim.sure)
            covers = tuple(one for one in self._shown.values() if says_the_same(found, one))
            self._result.follow_ups.append(Claimed(found, claim.project, covers))

    def _why_not(self, drop: reading.DropClaim, listed: set[int], merged: set[int]) -> str:
        """Why a candidate is not dropped; "" when it is."""
        candidate = self._shown.get(drop.n)
        why = _plain(drop.why)
        same_as = _SAME_AS.fullmatch(why)
        if candidate is None:
            return "no candidate has this number"
        if same_as is None and why not in (*_NEEDS_QUOTE, "no work"):
            return "`why` is one of: done, dropped, no work, same as N"
        if same_as:
            other = int(same_as[1])
            if other == drop.n or other not in self._shown:
                return f"{other} is no other candidate"
            if other in merged:
                return f"{other} is dropped as the same as another one; name the one that stays"
        elif drop.n in listed:
            return "the same answer lists it as open work"
        if why in _NEEDS_QUOTE or candidate.by == "state":
            place = self._quotes.place(drop.quote)
            if place is None:
                return self._quotes.why_not(drop.quote)
            # The host's own list changes between two things that are said, often within one turn.
            if place.index <= candidate.turn and (candidate.by != "state" or place.turn.line <= candidate.line):
                return "its quote is not from a later turn"
        return ""

    def _dead_end(self, claim: reading.DeadEndClaim) -> None:
        tried, failed = self._quotes.place(claim.tried, 0), self._quotes.place(claim.failed)
        what = claim.name or claim.tried
        if tried is None or failed is None:
            missing = claim.tried if tried is None else claim.failed
            self._refuse(what, self._quotes.why_not(missing))
        elif (failed.index, failed.start) < (tried.index, tried.start):
            self._refuse(what, "it failed before it was tried")
        elif claim.name.strip() and not is_backed(claim.name, tried, failed, beside=self._quotes.beside(tried, failed)):
            self._refuse(what, "nothing that was said near its quotes backs its name")
        else:
            beside = self._quotes.beside(tried, failed)
            name = _within(_wording(claim.name, tried, failed, beside=beside), NAME_LENGTH)
            reason = _within(_wording(claim.reason, failed, tried, beside=beside), REASON_LENGTH)
            self._result.dead_ends.append(DeadEnd(name, reason, tried, failed))

    def _statements(self, claims: Iterable[reading.StatementClaim]) -> Iterator[ProvedStatement]:
        for claim in claims:
            if place := self._proof(claim.quote, claim.text):
                yield ProvedStatement(_wording(claim.text, place, beside=self._quotes.beside(place)), place)

    def _progress(self, claim: reading.ProgressClaim) -> None:
        place = self._proof(claim.quote, claim.part)
        state, note = one_line(claim.state)[:STATE_LENGTH], one_line(claim.note)
        if place and not (state or note):
            self._refuse(claim.part, "progress needs a state or a note")
        elif place:
            note = note if is_backed(note, place) else ""
            part = _wording(claim.part, place)
            self._result.progress.append(structs.replace(claim, part=part, state=state, note=note))


def _wording(text: str, quote: QuotePlace, *others: QuotePlace, beside: str = "") -> str:
    """The reader's words if the conversation backs them, else the quote."""
    words = one_line(text)
    backed = is_backed(words, quote, *others, beside=beside)
    return words if backed and not wording_trouble(words) else _bare(quote.words)


def _within(text: str, limit: int) -> str:
    return text if len(text) <= limit else shorten(text, limit - 1)


def _bare(quote: str) -> str:
    """A quote without the marks of its line, and without those of which it holds but one, or that enclose it."""
    text = _BOLD.sub("", _LEAD.sub("", one_line(quote), count=1)).rstrip(" |")
    for mark in "`*_~":
        if text.count(mark) % 2 or (text.count(mark) == 2 and text[0] == text[-1] == mark):
            text = text.strip(mark)
    return text.strip() or one_line(quote)


def says_the_same(found: FollowUp, other: ReviewCandidate | FollowUp) -> bool:
    """Whether a reader's finding is about the same work as another one of its conversation."""
    mine, theirs = content_words(found.text), content_words(other.text)
    if found.turn == other.turn:
        if found.quote in other.quote and not mine.isdisjoint(theirs):
            return True
        if other.quote in found.quote and alike(mine, theirs):  # a quote may hold a whole list
            return True
    return same(mine, theirs)


def _plain(why: str) -> str:
    return one_line(why).casefold().rstrip(".")
