"""Facts about a candidate from its own words and from its cue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.session.confidence import Fact
from wrapgen.session.lexicon import plain_of, says
from wrapgen.session.sections import meaning_of
from wrapgen.session.tasks import starts_with_verb, task_text
from wrapgen.text.words import Folded

if TYPE_CHECKING:
    from wrapgen.session.lexicon import FollowUpCues, Languages
    from wrapgen.session.sections import TurnHeading
    from wrapgen.session.sentence import Hit
    from wrapgen.session.transcript import Turn

_HEADED = {"own": Fact.OWN, "later": Fact.LATER, "next": Fact.NEXT}
_PASTED_LENGTH = 1_500
"""Characters. Users type less than this; longer texts are pasted plans, logs and documents."""
_PASTED_HEADINGS = 3
_REQUEST = 200
"""Characters. A longer request asks for more than a text."""
_LABEL = 24
"""Maximum characters of a label; longer ones name work themselves."""


def item_facts(raw: str, section: TurnHeading, languages: Languages) -> frozenset[Fact]:
    """The facts of a list item under a heading that puts it off."""
    found = {_HEADED[section.meaning], *_against(plain_of(Folded(raw).text, languages), languages)}
    if section.meaning != "own" and _is_no_task(raw, languages, strict=section.meaning == "next"):
        found.add(Fact.NO_TASK)
    return frozenset(found)


def _is_no_task(raw: str, languages: Languages, *, strict: bool) -> bool:
    """Whether an item reports how things are.

    Next steps often say how to use or check what exists, so `strict` also looks for what is done at once (run, test,
    commit, log in) and for offers.
    """
    folded = Folded(raw).text
    if says(languages, "work.report", folded):
        return True
    words = Folded(task_text(raw, [], languages)).text
    return strict and (says(languages, "work.now", words) or says(languages, "work.offer", folded))


def sentence_facts(raw: str, hit: Hit, section: TurnHeading, languages: Languages) -> frozenset[Fact]:
    """The facts of a sentence that puts its own work off."""
    plain = plain_of(Folded(raw).text, languages)
    found = {Fact.OWN if hit.own else Fact.TITLED if hit.titled else Fact.SAID, *_against(plain, languages)}
    if section.meaning == "other" or any(says(languages, group, plain) for group in ("work.offer", "work.doubt")):
        found.add(Fact.DOUBT)
    return frozenset(found)


def is_pasted(turn: Turn) -> bool:
    """Whether a user's text was pasted (a plan, a log, a skill) rather than typed."""
    if turn.role != "user":
        return False
    headings = sum(line.startswith("#") for line in turn.text[:_PASTED_LENGTH].split("\n"))
    return len(turn.text) > _PASTED_LENGTH or headings >= _PASTED_HEADINGS


def turn_facts(turn: Turn, asked: str, cues: FollowUpCues) -> frozenset[Fact]:
    """The facts that all candidates of a turn share: it may be a text (an e-mail, a spec) that the user asked for.

    Args:
        asked: what the user said last before it.
    """
    if turn.role == "user" or not asked or len(asked) > _REQUEST:
        return frozenset()
    writes = says(cues.of(asked), "work.document", Folded(asked).text)
    return frozenset({Fact.DOCUMENT}) if writes else frozenset()


def heads_items(raw: str, languages: Languages) -> bool:
    """Whether an item that ends in a colon only names what the items below it are: "Backend:", "Next steps:"."""
    words = task_text(raw, [], languages)
    short = len(words) <= _LABEL and not starts_with_verb(words, languages)
    return short or meaning_of(raw, languages)[0] in {"later", "next"}


def _against(plain: str, languages: Languages) -> set[Fact]:
    found = {Fact.QUESTION} if plain.rstrip(" *").endswith(("?", "？")) else set()
    return found | {Fact.DROPPED} if says(languages, "work.dropped", plain) else found
