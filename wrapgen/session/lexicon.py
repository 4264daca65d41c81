"""The phrases of the shipped languages, and what they leave of a sentence: the task alone, and which task it is.

Of the raw text words are left out (cue, marks, filler), never changed or moved.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from wrapgen.resources import cue_tables
from wrapgen.text.display import one_line
from wrapgen.text.phrases import Phrases
from wrapgen.text.words import CJK, Folded, language_of, masked

Table = Mapping[str, Any]
_BOUND = {"text.lead", "text.end"}  # groups that hold single syllables of Korean, which begin longer words too
_NONE = Phrases(())


@dataclass(frozen=True, slots=True)
class Language:
    """The compiled cues of one language; the files in `cues/` say what each group is for."""

    lang: str
    groups: Mapping[str, Phrases] = field(default_factory=dict)  # phrases by `table.name`
    stop: frozenset[str] = frozenset()  # words that carry no content

    def phrases(self, group: str) -> Phrases:
        return self.groups.get(group, _NONE)


EDGES = " \t\n-–—:：,，、;；.。!！*_|>·•→"
_CONTENT = re.compile(f"[a-z0-9]{{2,}}|[{CJK}]")
_MARKS = re.compile(r"\*\*|__|~~")
_FRONT = re.compile(r"^[^\w`\"'“‘「『(<#@/$.~\\\[-]+")
_POINTS = re.compile(r"\b(?:it|them|that|this|its|their|those)\b")
_TAIL = 40  # characters at the end of the words that may be filler


def content(words: str) -> list[str]:
    """The words that may carry content: Latin words of two letters and more, single characters of other scripts."""
    return _CONTENT.findall(words.lower())


class Languages(tuple[Language, ...]):
    """The languages whose cues apply to a turn, and what they find in its text."""

    __slots__ = ()

    def says(self, group: str, folded: str) -> bool:
        """Whether folded text holds a phrase of a group in any of the languages."""
        return any(language.phrases(group).found(folded) for language in self)

    def matches(self, group: str, folded: str) -> list[re.Match[str]]:
        """All places where folded text holds a phrase of a group."""
        return [match for language in self for match in language.phrases(group).finditer(folded)]

    def plain(self, folded: str) -> str:
        """Folded text with everything blanked out that mentions cue words without using them: code, quotes, terms."""
        plain = masked(folded)
        for language in self:
            plain = language.phrases("text.terms").blank(plain)
        return plain

    def acts(self, words: str) -> bool:
        """Whether the words name an action: an English imperative in front, or for the others anywhere."""
        folded = Folded(words).text
        verbs = [(language.lang, language.phrases("text.verbs")) for language in self]
        return any(one.match(folded) is not None if lang == "en" else one.found(folded) for lang, one in verbs)

    def task_text(self, raw: str, cues: list[tuple[int, int]]) -> str:
        """The task alone; `cues` are where the cue's words are in it, none when they are in a heading above."""
        if not cues:
            return self.trimmed(raw, lead=False)
        text = ""
        begin = 0
        for start, end in [*cues, (len(raw), len(raw))]:
            last = start == len(raw)
            piece = self.trimmed(raw[begin:start], lead=not text, tail=not last, may_vanish=not last)
            if last:
                piece = self._cut(piece, "text.end", may_vanish=bool(text))
            elif raw[begin:start].rstrip().endswith((":", "：")):
                piece = ""  # "One more thing: remind me to ..."
            if piece and (content(piece) or not last):
                text = f"{text} {piece}" if text else piece
            begin = end
        return text

    def trimmed(self, raw: str, *, lead: bool, tail: bool = False, may_vanish: bool = False) -> str:
        """The words without marks and, where asked, without filler in front (`lead`) and behind (`tail`)."""
        words = one_line(_FRONT.sub("", _MARKS.sub("", raw).strip(EDGES)))
        before = ""
        while words != before:
            before = words
            folded = Folded(words)
            for language in self if lead else ():
                match = language.phrases("text.lead").match(folded.text)
                if match and (may_vanish or match.end() < len(folded.text)):
                    words = words[folded.origin(match.end()) :].lstrip(EDGES)
                    break
            if tail:
                words = self._cut(words, "text.tail")
        return words.strip(EDGES)

    def _cut(self, words: str, group: str, *, may_vanish: bool = False) -> str:
        """The words without the longest phrase of a group at their end."""
        folded = Folded(words)
        begin = max(0, len(folded.text) - _TAIL)
        end = folded.text[begin:]
        for language in self:
            for match in language.phrases(group).finditer(end):
                if match.end() == len(end) and (begin + match.start() or may_vanish):
                    return words[: folded.origin(begin + match.start())].rstrip(EDGES)
        return words

    def parts(self, raw: str) -> list[tuple[int, int]]:
        """Spans of the clearly separate tasks in a sentence; one span when it is one task.

        The right side has to begin with a verb and to have an object of its own: "add tests and run them" stays one; at
        a mere comma the left side has to begin with a verb too.
        """
        folded = Folded(raw)
        for language in self:
            own = Languages((language,))
            for match in language.phrases("text.split").finditer(folded.text):
                begin = folded.origin(match.end())
                left, right = raw[: folded.origin(match.start())], raw[begin:]
                task = self.trimmed(right, lead=True)
                if match[0].strip() == "," and not own.acts(own.trimmed(left, lead=True)):
                    continue
                if (
                    min(len(content(left)), len(content(task))) >= 3
                    and own.acts(task)
                    and not _POINTS.search(task.lower())
                ):
                    return [(0, len(left)), *((begin + a, begin + b) for a, b in self.parts(right))]
        return [(0, len(raw))]


@dataclass(frozen=True, slots=True)
class FollowUpCues:
    """The cues of all languages."""

    # by language code; English is always there, for it is mixed into all the others
    languages: Mapping[str, Language] = field(default_factory=dict)

    @classmethod
    def from_tables(cls, tables: Iterable[Table]) -> Self:
        """Compile tables of cue files; those of one language are added, and any group may be left out."""
        merged: dict[str, dict[str, list[str]]] = {}
        for table in tables:
            groups = merged.setdefault(str(table["lang"]), {})
            for name, group in table.items():
                if isinstance(group, Mapping):
                    for key, phrases in group.items():
                        groups[f"{name}.{key}"] = [*groups.get(f"{name}.{key}", ()), *phrases]
        return cls(
            {
                lang: Language(
                    lang,
                    {name: Phrases(phrases, bound=name in _BOUND) for name, phrases in groups.items()},
                    frozenset(groups.get("text.stop", ())),
                )
                for lang, groups in merged.items()
            }
        )

    def of(self, text: str) -> Languages:
        """The languages whose cues apply to a whole turn (lines are too short to tell): its own, then English."""
        lang = language_of(text)
        own = self.languages.get(lang)
        english = self.languages.get("en")
        return Languages(language for language in (own, english if lang != "en" else None) if language)


def load_cues(extra: Sequence[Table] = ()) -> FollowUpCues:
    """The cues of all shipped languages, and a user's own (tables in the form of the cue files)."""
    return FollowUpCues.from_tables((*cue_tables("session"), *extra)) if extra else _shipped_cues()


@cache
def _shipped_cues() -> FollowUpCues:
    return FollowUpCues.from_tables(cue_tables("session"))


def core(raw: str) -> str:
    """The words that name a list item: its bold beginning, or what is before a dash, a colon or a parenthesis."""
    words = _FRONT.sub("", raw.strip(EDGES.replace("*", "")))
    bold = re.match(r"\*\*([^*\n]{3,120})\*\*", words)
    if bold and not bold[1].rstrip().endswith((":", "：")):
        words = bold[1]
    head = re.split(r"\s[–—-]\s|\s?[(（]|[:：]\s|\s→", _MARKS.sub("", words), maxsplit=1)[0]
    return head if len(content(head)) >= 2 else _MARKS.sub("", words)


_ALIKE = 0.65  # share of the smaller mention's words that two versions of a list item have in common
_SAME = 0.8  # the same for two mentions that count as one although each has words of its own, and the words they need
_LONG = 6


def alike(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two list items may be the same one in different words."""
    mine, others = (frozenset(filter(str.isdigit, words)) for words in (left, right))
    if mine and others and mine != others:  # step 3 is not step 5, though both may be "the tests"
        return False
    left, right = left - mine, right - others
    shared = len(left & right)
    return (
        shared >= min(2, len(left), len(right))
        and shared / max(1, min(len(left), len(right))) >= _ALIKE
        and shared * 4 >= max(len(left), len(right))
    )


def same(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two mentions are certainly the same work: where each has words of its own, it is another step."""
    if not alike(left, right):
        return False
    smaller = min(len(left), len(right))
    own = left - right and right - left
    return not own or (smaller >= _LONG and len(left & right) / smaller > _SAME)
