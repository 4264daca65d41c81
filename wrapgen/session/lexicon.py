"""FollowUpCues as data: the phrases of the shipped languages, compiled for matching folded text."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from wrapgen.resources import cue_tables
from wrapgen.text.phrases import Phrases
from wrapgen.text.words import language_of, masked

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


Languages = tuple[Language, ...]


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
        return tuple(language for language in (own, english if lang != "en" else None) if language)


def load_cues(extra: Sequence[Table] = ()) -> FollowUpCues:
    """The cues of all shipped languages, and a user's own (tables in the form of the cue files)."""
    return FollowUpCues.from_tables((*cue_tables("session"), *extra)) if extra else _shipped_cues()


@cache
def _shipped_cues() -> FollowUpCues:
    return FollowUpCues.from_tables(cue_tables("session"))


def says(languages: Languages, group: str, folded: str) -> bool:
    """Whether folded text holds a phrase of a group in any of the languages."""
    return any(language.phrases(group).found(folded) for language in languages)


def matches(languages: Languages, group: str, folded: str) -> list[re.Match[str]]:
    """All places where folded text holds a phrase of a group."""
    return [match for language in languages for match in language.phrases(group).finditer(folded)]


def plain_of(folded: str, languages: Languages) -> str:
    """Folded text with everything blanked out that mentions cue words without using them: code, quotes, terms."""
    plain = masked(folded)
    for language in languages:
        plain = language.phrases("text.terms").blank(plain)
    return plain
