"""What speaks for and against a candidate, judged on its own words.

The weights are few and round; they were set by looking at every error on labelled conversations by hand, not fitted.
"""

import re

from wrapgen.session.candidate import Candidate
from wrapgen.session.inline import Hit
from wrapgen.session.lexicon import Language
from wrapgen.session.sections import LIKELY, Section
from wrapgen.session.tasks import starts_with_verb
from wrapgen.session.transcript import Role
from wrapgen.words import Folded, masked

_AGAINST = (
    ("offers", -0.3),
    ("reported", -0.35),
    ("cancelled", -0.45),
    ("advice", -0.2),
    ("past", -0.3),
    ("pointing", -0.35),
    ("conditional", -0.2),
)
"""Groups of the cue files' `negatives` that are looked for around a sentence's cue."""
_AGAINST_ITEM = (("offers", -0.2), ("cancelled", -0.45), ("conditional", -0.4), ("pointing", -0.35))
_LABEL = re.compile(r"[^\w*]{0,6}\*{0,2}([^*:：\n]{1,24})(?:[:：]\*\*|\*\*\s?[:：]|[:：]\s)")
_AROUND = 60
"""Characters on either side of a cue in which other words say something about it."""
_NAMES_ITSELF = 3
"""Words of content; a task of more needs no "this" to be understood."""
_STATE = 0.58
"""Cues of a lower weight report a state ("not implemented yet") rather than a decision."""


class Judge:
    """Judges the candidates of one turn.

    Args:
        languages: whose cues apply to the turn.
        role: who said it.
    """

    def __init__(self, languages: tuple[Language, ...], role: Role) -> None:
        self._languages = languages
        self._role = role

    def says(self, name: str, plain: str) -> bool:
        """Whether folded text holds a phrase of one of the cue files' `negatives`."""
        return any(language.negatives[name].found(plain) for language in self._languages)

    def item(self, candidate: Candidate, raw: str, *, ticked: bool = False) -> None:
        """Weigh a list item or table cell.

        Args:
            candidate: made from it.
            raw: its words.
            ticked: it has an empty checkbox or a state of its own, so it is work whatever its words are.
        """
        plain = masked(Folded(raw).text)
        if self._role == "user":
            candidate.weigh(-0.4, "a list of the user asks for work now")
        if _asks(plain):
            candidate.weigh(-0.45, "question")
        for name, change in _AGAINST_ITEM:
            if self.says(name, plain):
                candidate.weigh(change, name)
        if self._reports(plain):
            candidate.weigh(-0.45, "reports work done")
        label = _LABEL.match(raw)
        if label and any(self._whole("labels", label[1], language) for language in self._languages):
            candidate.weigh(-0.4, "describes")
        if starts_with_verb(candidate.text, self._languages):
            candidate.weigh(0.05, "names an action")
        elif candidate.score < LIKELY and not ticked:
            # Korean, Chinese and Japanese name actions by nouns, of which no list is complete.
            candidate.weigh(-0.25 if self._languages[0].lang == "en" else -0.12, "names no action")

    def sentence(self, candidate: Candidate, plain: str, hit: Hit, section: Section | None) -> None:
        """Weigh a sentence that puts its own work off.

        Args:
            candidate: made from it.
            plain: the folded sentence, code and quotes masked.
            hit: the cue in it.
            section: what the heading above it says.
        """
        self._around(candidate, plain, hit)
        if self._role == "user":
            # A person's "later" is a promise; an agent's may be an explanation.
            candidate.weigh(0.08, "said by the user")
            if any(language.asking.match(plain.lstrip()) for language in self._languages):
                candidate.weigh(-0.35, "asks what is left")
        elif any(language.negatives["now"].match(plain.lstrip(" *-")) for language in self._languages):
            candidate.weigh(-0.3, "the next move")
        if self._role == "assistant" and hit.weight < _STATE:
            candidate.passing = "state"
        if section and section.meaning in {"blocked", "offer"}:
            candidate.weigh(-0.25, "explains")
        if section and section.meaning == "open":
            candidate.weigh(0.08, "under an open heading")
        if len(candidate.words) < (2 if hit.language.lang == "en" else 1):
            candidate.weigh(-0.2, "hardly names work")

    def _around(self, candidate: Candidate, plain: str, hit: Hit) -> None:
        """What the words around the cue say against it."""
        if _asks(plain):
            candidate.weigh(-0.45, "question")
        around = plain[max(0, hit.match.start() - _AROUND) : hit.match.end() + _AROUND]
        for name, change in _AGAINST:
            if name == "pointing" and hit.language.lang == "en" and len(candidate.words) > _NAMES_ITSELF:
                continue
            if self.says(name, around):
                candidate.weigh(change, name)
        if self.says("product", plain):
            candidate.weigh(-0.35, "explains")
        if hit.adverb and _no_agent(hit.language, plain, candidate.text):
            candidate.weigh(-0.2, "nobody is to do it")

    def _whole(self, name: str, words: str, language: Language) -> bool:
        folded = Folded(words).text.strip()
        match = language.negatives[name].match(folded)
        return match is not None and match.end() == len(folded)

    def _reports(self, plain: str) -> bool:
        settled = any(language.settled.found(plain) for language in self._languages)
        return settled and not any(language.statements["undone"].found(plain) for language in self._languages)


def _asks(plain: str) -> bool:
    return plain.rstrip(" *").endswith(("?", "？"))


def _no_agent(language: Language, plain: str, task: str) -> bool:
    """Whether a sentence tells when something happens by itself, rather than that somebody is to do it."""
    if language.lang != "en":
        return language.agentless.found(plain)
    return not (language.agent.found(plain) or starts_with_verb(task, (language,)))
