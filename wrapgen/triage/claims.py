"""What a judge says is next and what is not, as far as it can be read (`wrapgen.triaged/1`). PURE.

Nothing here is believed yet: `workflows/triage_proof.py` looks every quote up.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import msgspec

from wrapgen.answer_json import convert_each, decode_answer
from wrapgen.errors import Refusal
from wrapgen.model import TriageVerdict
from wrapgen.text.display import one_line

TRIAGE_SCHEMA = "wrapgen.triage/1"
TRIAGED_SCHEMA = "wrapgen.triaged/1"
FORM = (
    '{"next": [{"at", "quote", "text"}], "items": [{"handle", "verdict", "quote", "at"}], '
    '"sources": [{"path", "section", "verdict", "quote", "at"}]}.'
)


class NextClaim(msgspec.Struct, frozen=True):
    """A piece of work that is said to be next."""

    at: str  # `path:line`
    quote: str  # words of that line
    text: str = ""  # the work in one plain line
    you: bool = False  # whether only the person can do it

    @property
    def name(self) -> str:
        return f"next {one_line(self.at)}"


class ItemClaim(msgspec.Struct, frozen=True):
    """A verdict on one item."""

    handle: str
    verdict: TriageVerdict
    quote: str = ""
    at: str = ""  # `path:line`, or `commit:` and a hash
    other: str = ""  # for `same_as`: the handle of the item that stays
    until: date | None = None  # for `parked`

    @property
    def name(self) -> str:
        return f"item {one_line(self.handle)}"


class SourceClaim(msgspec.Struct, frozen=True):
    """A verdict on a whole file, or on one section of it."""

    path: str
    verdict: Literal["not_work", "done", "parked"]
    section: str = ""
    lines: str = ""  # `33-80`, where no heading of their own says which are meant
    quote: str = ""
    at: str = ""

    @property
    def name(self) -> str:
        return one_line(f"source {self.path}" + (f" › {self.section}" if self.section else ""))


@dataclass(slots=True)
class Triaged:
    """A judge's answer, as far as it can be read."""

    next: list[NextClaim] | None = None  # None where nothing is said of it; empty: nothing is to be put first
    first: list[str] = field(default_factory=list)  # the ids of items that a person puts first, in this order
    project: str | None = None  # whose list it is; None: that of the folder in which the session runs
    items: list[ItemClaim] = field(default_factory=list)
    sources: list[SourceClaim] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


def decode_triaged(data: bytes, source: str) -> Triaged:
    """Parse an answer from `source`; entries that are no verdicts are refused by position, the rest is accepted."""
    document = decode_answer(data, "verdicts are", TRIAGED_SCHEMA, where=source, form=FORM)
    said = Triaged()

    def refuse(what: str, why: str) -> None:
        said.refused.append(Refusal(what, why))

    if document.get("next") is not None:
        said.next = convert_each(document["next"], "next", NextClaim, refuse)
        if not isinstance(document["next"], list) or (document["next"] and not said.next):
            said.next = None  # what cannot be read says nothing
    project = document.get("project")
    if project is None or isinstance(project, str):
        said.project = project or None
    else:
        refuse("project", "a text is needed")
        said.next = None
    said.items = convert_each(document.get("items"), "items", ItemClaim, refuse)
    said.sources = convert_each(document.get("sources"), "sources", SourceClaim, refuse)
    return said
