"""Items and remarks as rows of the HTML page, with their evidence. PURE."""

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from wrapgen.dashboard.balance import UNTAGGED
from wrapgen.dashboard.html.records import Links, Mark, Proof, Row, Words
from wrapgen.dashboard.view import TEXT_LIMIT, age
from wrapgen.ledger import Concern, Outcome, Remark, Run, WaitingFollowUp
from wrapgen.model import Because, Fate, Item
from wrapgen.text.display import shorten, visible
from wrapgen.text.words import language_of
from wrapgen.vault.markdown.safe import Span, spans

_PROOFS = 10  # of one item that are listed
_PROOF_LIMIT = 120  # characters
_CERTAIN = 100  # percent


@dataclass
class Rows:
    """Makes the rows of one page."""

    run: Run  # what is shown
    links: Links  # how to link to sources
    texts: Mapping[tuple[str, int], str]  # what is at the places that evidence names, by path and line
    due_soon: int  # within so many days something counts as due soon

    @cached_property
    def handles(self) -> Mapping[str, str]:
        return self.run.handles()

    @cached_property
    def _merged(self) -> Mapping[str, list[Outcome]]:
        merged: dict[str, list[Outcome]] = defaultdict(list)
        for one in self.run.of(Fate.DUPLICATE):
            if one.because and one.because.item:
                merged[one.because.item].append(one)
        return merged

    def outcome(self, one: Outcome, number: int | None = None) -> Row:
        item = one.item
        doubted = self._probably_done.get(item.id) if one.fate in (Fate.SHOWN, Fate.OVERFLOW) else None
        what = "one with" if one.fate is Fate.DUPLICATE else "done in"
        proofs = [self._because(item, because, what) for because in (one.because, doubted) if because]
        merged = self._merged.get(item.id, [])
        for twin in merged[:_PROOFS]:
            score = twin.because.score if twin.because else _CERTAIN
            proofs.append(self._proof("also in", twin.item.path, twin.item.line, score, item.text))
        return Row(
            words=self.words(item.words, item.path),
            project=visible(item.project or UNTAGGED),
            number=number,
            handle=self.handles.get(item.id, ""),
            id=item.id,
            marks=(
                *self._marks(item, open_still=one.fate in (Fate.SHOWN, Fate.OVERFLOW)),
                *([Mark("doubted", "probably done")] if doubted else []),
            ),
            place=self.links.place(item.path, item.line),
            facts=((("stands here", one.why),) if one.why else ()) + tuple(_facts(item)),
            proofs=tuple(proofs),
            more=max(0, len(merged) - _PROOFS),
            command=f"wrap explain {item.id}",
        )

    def remark(self, remark: Remark) -> Row:
        item, because = remark.item, remark.because
        doubt = because.doubt if because else None
        proof = because and self._because(item, because, "done in")
        candidates = f"Candidates: {', '.join(map(visible, item.candidates))}" if item.candidates else ""
        return Row(
            words=self.words(item.words, item.path),
            project=visible(item.project or UNTAGGED),
            handle=self.handles.get(item.id, ""),
            id=item.id,
            place=self.links.place(item.path, item.line),
            note=f"not certain: {visible(doubt)}" if doubt else candidates,
            proofs=(proof,) if proof else (),
        )

    def waiting(self, one: WaitingFollowUp) -> Row:
        """A follow-up that is in no file yet, with the conversation that it comes from."""
        source, _, line = one.source.rpartition(":")
        said = f"said by the {one.role}{f' on {one.said_on}' if one.said_on else ''}"
        facts = [("said as", one.quote)] if one.quote != one.text else []
        facts += [("conversation", f"{source}, line {line}")]
        return Row(
            words=self.words(one.text),
            project=visible(one.project or UNTAGGED),
            handle=one.handle,
            id=one.handle,
            filing=(one.text, one.route, one.task or ""),
            note=visible(f"{said}, {posixpath.basename(source.replace(chr(92), '/'))}:{line}"),
            facts=tuple((name, visible(shorten(text, TEXT_LIMIT))) for name, text in facts),
        )

    def words(self, text: str, source: str = "", limit: int = TEXT_LIMIT) -> Words:
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
        if item.not_before is not None and item.not_before > today and open_still:
            yield Mark("later", f"not before {item.not_before}")
        if item.blocked_by and open_still:
            yield Mark("blocked", "blocked")
        if item.raised is not None:
            yield Mark("age", age(item.raised, today))

    @cached_property
    def _probably_done(self) -> Mapping[str, Because]:
        remarks = self.run.about(Concern.PROBABLY_DONE)
        return {one.item.id: one.because for one in remarks if one.because}

    def _because(self, item: Item, because: Because, what: str) -> Proof:
        what = "probably done in" if because.doubt else what
        proof = self._proof(what, because.path, because.line, because.score, item.text)
        return replace(proof, doubt=visible(because.doubt or ""))

    def _proof(self, what: str, path: str, line: int, score: float, known: str) -> Proof:
        """Evidence; its words are left out where they are those of the item itself."""
        text = self.texts.get((path, line))
        words = self.words(text, path, _PROOF_LIMIT) if text is not None and text != known else None
        alike = "the same words" if score >= _CERTAIN else f"{score:g}\u00a0% match"
        return Proof(what, words, self.links.place(path, line), alike)


def plain(text: str) -> Words:
    """Text that is not Markdown."""
    return Words("", (Span(visible(text)),))


def _facts(item: Item) -> Iterator[tuple[str, str]]:
    if item.raised:
        yield "raised", item.raised.isoformat()
    if item.last_seen and item.last_seen != item.raised:
        yield "last seen", item.last_seen.isoformat()
    yield "source", item.kind.value
    yield "id", item.id
