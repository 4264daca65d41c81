"""What a compaction's summary calls open: the model's own list at that point (spec 3.2). PURE.

Measured on 94 summaries of 77 public sessions: every one has the sections *Pending Tasks* and *Optional Next Step*; one
in eight says that there is nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.session.follow_up import FollowUp
from wrapgen.session.outcome import Find
from wrapgen.session.transcript import Turn
from wrapgen.session.wording import core, task_text
from wrapgen.text.display import one_line
from wrapgen.text.scripts import language_of
from wrapgen.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.session.lexicon import FollowUpCues
    from wrapgen.session.transcript import Summary

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
    """The open work that a summary names.

    Args:
        cues: for the filler of each language.
    """
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
