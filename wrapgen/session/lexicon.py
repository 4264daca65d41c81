"""Cues as data: the phrases of one or more languages, ready to be looked up in folded text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wrapgen.phrases import Phrases
from wrapgen.text import language_of
from wrapgen.words import stem

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SentenceCues:
    """Phrases by which a sentence puts its own work off.

    Args:
        weight: confidence before the context counts.
        phrases: what to look for.
        adverb: they tell when, not what.
        role: who has to say them; either, when empty.
    """

    weight: float
    phrases: Phrases
    adverb: bool
    role: str


@dataclass(frozen=True, slots=True)
class Language:
    """The compiled cues of one language; see the files in `cues/` for what each group is for."""

    lang: str
    open: tuple[tuple[float, Phrases], ...]
    settled: Phrases
    closed: Phrases
    blocked: Phrases
    table_heads: Phrases
    leads: Phrases
    heading_offers: Phrases
    sentences: tuple[SentenceCues, ...]
    user_sentences: Phrases
    asking: Phrases
    closers: Mapping[str, Phrases]
    statements: Mapping[str, Phrases]
    negatives: Mapping[str, Phrases]
    lead: Phrases
    tail: Phrases
    end: Phrases
    split: Phrases
    verb: Phrases
    verb_stems: frozenset[str]
    agent: Phrases
    agentless: Phrases
    stop: frozenset[str]
    function_words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of all languages.

    Args:
        languages: by language code; English is always there, for it is mixed into all the others.
    """

    languages: Mapping[str, Language] = field(default_factory=dict)

    @classmethod
    def from_tables(cls, tables: Iterable[Table]) -> "Cues":
        """Compile tables as they stand in the cue files; tables of the same language are added to one another.

        Args:
            tables: one or more per language. A table that only adds phrases may leave out every other group.
        """
        merged: dict[str, dict[str, Any]] = {}
        for table in tables:
            lang = str(table["lang"])
            merged[lang] = _merge(merged.get(lang, {}), table)
        return cls({lang: _language(lang, table) for lang, table in merged.items()})

    def of(self, text: str) -> tuple[Language, ...]:
        """The languages whose cues apply to a text: its own first, English behind it.

        Args:
            text: a whole turn; single lines are too short to tell Chinese from Japanese.
        """
        lang = language_of(text)
        own = self.languages.get(lang)
        english = self.languages.get("en")
        return tuple(language for language in (own, english if lang != "en" else None) if language)


def _merge(old: Table, new: Table) -> dict[str, Any]:
    merged = dict(old)
    for key, value in new.items():
        if isinstance(value, Mapping):
            merged[key] = _merge(merged.get(key, {}), value)
        elif isinstance(value, list):
            merged[key] = [*merged.get(key, []), *value]
        else:
            merged[key] = value
    return merged


_NEGATIVES = (
    "cancelled", "offers", "now", "advice", "conditional", "pointing", "reported", "drafts", "waiting", "product",
    "presents", "labels", "writings", "write", "past", "terms", "pasted",
)  # fmt: skip


def _language(lang: str, table: Table) -> Language:
    headings = table.get("headings", {})
    text = table.get("text", {})
    return Language(
        lang=lang,
        open=_weighted(headings.get("open", [])),
        settled=Phrases(headings.get("settled", {}).get("phrases", [])),
        closed=Phrases(headings.get("closed", {}).get("phrases", [])),
        blocked=Phrases(headings.get("blocked", {}).get("phrases", [])),
        table_heads=Phrases(headings.get("tables", {}).get("phrases", [])),
        leads=Phrases(headings.get("leads", {}).get("phrases", [])),
        heading_offers=Phrases(headings.get("offers", {}).get("phrases", [])),
        sentences=tuple(
            SentenceCues(
                float(group["weight"]), Phrases(group["phrases"]), bool(group.get("adverb")), str(group.get("from", ""))
            )
            for group in sorted(table.get("sentences", []), key=lambda group: -float(group["weight"]))
        ),
        user_sentences=Phrases(table.get("sentences_for", {}).get("user", [])),
        asking=Phrases(table.get("asking", {}).get("phrases", [])),
        closers=_groups(table.get("closers", {}), ("done", "dropped", "later", "promise", "accepted")),
        statements=_groups(table.get("statements", {}), ("done", "doing", "dropped", "undone")),
        negatives=_groups(table.get("negatives", {}), _NEGATIVES),
        lead=Phrases(text.get("lead", []), bound=True),
        tail=Phrases(text.get("tail", [])),
        end=Phrases(text.get("end", []), bound=True),
        split=Phrases(text.get("split", [])),
        verb=Phrases(text.get("verbs", [])),
        verb_stems=frozenset(map(stem, text.get("verbs", []))),
        agent=Phrases(text.get("agents", [])),
        agentless=Phrases(text.get("agentless", [])),
        stop=frozenset(text.get("stop", [])),
        function_words=frozenset(text.get("function_words", [])),
    )


def _weighted(groups: Iterable[Table]) -> tuple[tuple[float, Phrases], ...]:
    ordered = sorted(groups, key=lambda group: -float(group["weight"]))
    return tuple((float(group["weight"]), Phrases(group["phrases"])) for group in ordered)


def _groups(table: Table, names: Iterable[str]) -> dict[str, Phrases]:
    return {name: Phrases(table.get(name, [])) for name in names}
