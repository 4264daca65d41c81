"""Looks up quotes: where they are in a conversation, and what surrounds them. PURE.

A reader is trusted only as far as its quotes prove it (spec 3.6). White space, Markdown marks, case and the forms that
NFKC makes one are ignored: a quote copied from a rendered page still matches.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from wrapgen.session.transcript import Kept, Summary, Turn
from wrapgen.text.blocks import blocks
from wrapgen.text.words import UNSEEN, Folded, content_words, quote_form, too_short

_BESIDE = 600  # characters of the end of the turn before, and of the beginning of the turn after
BACKED = 0.5  # share of a text's content words that its quote and the blocks beside it must hold (spec 3.6)


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
        folded = Folded(turn.text) if hits else Folded("")
        visible = _visible(folded)
        return {quote: _place(index, turn, self.wanted[quote], folded, visible) for quote in hits}

    def first(self, quote: str) -> QuotePlace | None:
        return self._found[quote][0] if quote in self._found else self._summed_up.get(quote)

    def last(self, quote: str) -> QuotePlace | None:
        return self._found[quote][-1] if quote in self._found else self._summed_up.get(quote)

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


def _visible(folded: Folded) -> list[int]:
    """The offsets of a folded text whose characters count."""
    hidden = [(gap.start(), gap.end()) for gap in UNSEEN.finditer(folded.text)]
    edges = [0, *(at for gap in hidden for at in gap), len(folded.text)]
    return [offset for start, end in zip(edges[::2], edges[1::2], strict=True) for offset in range(start, end)]


def _place(index: int, turn: Turn, form: str, folded: Folded, visible: list[int]) -> QuotePlace:
    """The last occurrence in a turn, in offsets of its raw text."""
    text = "".join(folded.text[offset] for offset in visible)
    start = text.rfind(form)
    last = behind = visible[start + len(form) - 1]
    while behind < len(folded.text) and folded.origin(behind) == folded.origin(last):
        behind += 1  # one character of the raw text may fold to several
    return QuotePlace(index, turn, folded.origin(visible[start]), folded.origin(behind))
