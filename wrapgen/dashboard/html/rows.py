"""Items and remarks as rows of the page for eyes, with their evidence. PURE."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from wrapgen.dashboard.balance import UNTAGGED
from wrapgen.dashboard.html.records import Mark, Proof, Row, Words
from wrapgen.dashboard.view import TEXT_LIMIT, age
from wrapgen.model import Fate
from wrapgen.text import language_of, shorten, visible
from wrapgen.vault.markdown.spans import Span, spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wrapgen.dashboard.html.links import Links
    from wrapgen.ledger import Outcome, Remark, Run
    from wrapgen.model import Because, Item

_PROOFS = 3  # of one item that are listed
_PROOF_LIMIT = 120  # characters
_CERTAIN = 100  # percent


@dataclass
class Rows:
    """Makes the rows of one page.

    Attributes:
        run: what is shown.
        links: how to link to sources.
        texts: what stands at the places that evidence names, by path and line.
        due_soon: within so many days something counts as due soon.
    """

    run: Run
    links: Links
    texts: Mapping[tuple[str, int], str]
    due_soon: int

    @cached_property
    def _merged(self) -> Mapping[str, list[Outcome]]:
        """What was merged into each item, by its id."""
        merged: dict[str, list[Outcome]] = defaultdict(list)
        for one in self.run.of(Fate.DUPLICATE):
            if one.because and one.because.item:
                merged[one.because.item].append(one)
        return merged

    def outcome(self, one: Outcome, number: int | None = None) -> Row:
        """A collected item.

        Args:
            one: the item with its fate.
            number: its number in `wrap list`.
        """
        item = one.item
        proofs = [self._because(item, one.fate, one.because)] if one.because else []
        merged = self._merged.get(item.id, [])
        proofs += [self._twin(item, twin.item, twin.because) for twin in merged[:_PROOFS]]
        return Row(
            words=self.words(item.text, item.path),
            project=visible(item.project or UNTAGGED),
            number=number,
            marks=tuple(self._marks(item, open_still=one.fate in (Fate.SHOWN, Fate.OVERFLOW))),
            place=self.links.place(item.path, item.line),
            facts=tuple(_facts(item)),
            proofs=tuple(proofs),
            more=max(0, len(merged) - _PROOFS),
        )

    def remark(self, remark: Remark) -> Row:
        """Something to look at."""
        item = remark.item
        return Row(
            words=self.words(item.text, item.path),
            project=visible(item.project or UNTAGGED),
            place=self.links.place(item.path, item.line),
            note=f"Candidates: {', '.join(map(visible, item.candidates))}" if item.candidates else "",
            proofs=(self._because(item, Fate.RESOLVED, remark.because),) if remark.because else (),
        )

    def words(self, text: str, source: str = "", limit: int = TEXT_LIMIT) -> Words:
        """Somebody's words, as long as they are shown.

        Args:
            text: inline Markdown on one line.
            source: the note that they come from.
            limit: how many characters are shown.
        """
        text = shorten(text, limit)
        lang = language_of(text)
        taken = (span._replace(href=self.links.target(span.href)) for span in spans(text, source))
        return Words("" if lang == "en" else lang, tuple(taken))

    def _marks(self, item: Item, *, open_still: bool) -> Iterator[Mark]:
        today = self.run.today
        if item.due is not None and open_still:
            days = (item.due - today).days
            kind = "overdue" if days < 0 else "soon" if days <= self.due_soon else "due"
            yield Mark(kind, f"{'overdue since' if days < 0 else 'due'} {item.due}")
        if item.priority is not None and open_still:
            name = item.priority.name.lower()
            yield Mark(name, f"{name} priority")
        if item.recurrence is not None:
            yield Mark("recurrence", visible(shorten(item.recurrence, TEXT_LIMIT)))
        if item.raised is not None:
            yield Mark("age", age(item.raised, today))

    def _because(self, item: Item, fate: Fate, because: Because) -> Proof:
        what = "one with" if fate is Fate.DUPLICATE else "done in"
        return self._proof(what, because.path, because.line, because.score, item.text)

    def _twin(self, item: Item, twin: Item, because: Because | None) -> Proof:
        return self._proof("also said in", twin.path, twin.line, because.score if because else _CERTAIN, item.text)

    def _proof(self, what: str, path: str, line: int, score: float, known: str) -> Proof:
        """Evidence; its words are left out where they are those of the item itself."""
        text = self.texts.get((path, line))
        words = self.words(text, path, _PROOF_LIMIT) if text is not None and text != known else None
        alike = "the same words" if score >= _CERTAIN else f"{score:g}\u00a0% alike"
        return Proof(what, words, self.links.place(path, line), alike)


def plain(text: str) -> Words:
    """Words that are no Markdown."""
    return Words("", (Span(visible(text)),))


def _facts(item: Item) -> Iterator[tuple[str, str]]:
    if item.raised:
        yield "raised", item.raised.isoformat()
    if item.last_seen and item.last_seen != item.raised:
        yield "last seen", item.last_seen.isoformat()
    yield "source", item.kind.value
    yield "id", item.id
