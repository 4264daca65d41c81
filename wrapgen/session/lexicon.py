"""Cues as data: the phrases of one or more languages, compiled.

Phrases are matched on folded text. `*` at the end of a word matches any ending, `…` up to 40 characters of the same
sentence, a space also matches a hyphen, `^` in front binds a phrase to the beginning of the sentence. Latin words are matched as words, even when letters of another script touch
them (`TODO를`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_NEVER = re.compile(r"(?!)")
_HANGUL = re.compile("[\uac00-\ud7af\u1100-\u11ff]")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Language:
    """The compiled cues of one language; see the files in `cues/` for what each group is for."""

    lang: str
    open: tuple[tuple[float, re.Pattern[str]], ...]
    settled: re.Pattern[str]
    closed: re.Pattern[str]
    blocked: re.Pattern[str]
    heading_offers: re.Pattern[str]
    sentences: tuple[tuple[float, re.Pattern[str]], ...]
    user_sentences: re.Pattern[str]
    closers: Mapping[str, re.Pattern[str]]
    statements: Mapping[str, re.Pattern[str]]
    negatives: Mapping[str, re.Pattern[str]]
    lead: re.Pattern[str]
    tail: re.Pattern[str]
    split: re.Pattern[str]
    verb: re.Pattern[str]
    agent: re.Pattern[str]
    stop: frozenset[str]


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


def language_of(text: str) -> str:
    """`ko`, `ja`, `zh` or `en`, by script: Hangul, then kana, then Han characters, then anything else."""
    sample = text[:20_000]
    hangul = len(_HANGUL.findall(sample))
    kana = len(_KANA.findall(sample))
    han = len(_HAN.findall(sample))
    if hangul + kana + han < max(2, len(sample) // 50):
        return "en"
    if hangul >= kana + han:
        return "ko"
    return "ja" if kana * 20 > han else "zh"


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


def _language(lang: str, table: Table) -> Language:
    headings = table.get("headings", {})
    text = table.get("text", {})
    return Language(
        lang=lang,
        open=_weighted(headings.get("open", [])),
        settled=phrases(headings.get("settled", {}).get("phrases", [])),
        closed=phrases(headings.get("closed", {}).get("phrases", [])),
        blocked=phrases(headings.get("blocked", {}).get("phrases", [])),
        heading_offers=phrases(headings.get("offers", {}).get("phrases", [])),
        sentences=_weighted(table.get("sentences", [])),
        user_sentences=phrases(table.get("sentences_for", {}).get("user", [])),
        closers=_groups(table.get("closers", {}), ("done", "dropped", "rest", "later", "accepted")),
        statements=_groups(table.get("statements", {}), ("done", "doing", "dropped", "undone")),
        negatives=_groups(
            table.get("negatives", {}), ("cancelled", "offers", "now", "advice", "conditional", "pointing", "reported", "past", "terms", "pasted")
        ),
        lead=phrases(text.get("lead", []), bound=True),
        tail=phrases(text.get("tail", [])),
        split=phrases(text.get("split", [])),
        verb=phrases(text.get("verbs", [])),
        agent=phrases(text.get("agents", [])),
        stop=frozenset(text.get("stop", [])),
    )


def _weighted(groups: Iterable[Table]) -> tuple[tuple[float, re.Pattern[str]], ...]:
    ordered = sorted(groups, key=lambda group: -float(group["weight"]))
    return tuple((float(group["weight"]), phrases(group["phrases"])) for group in ordered)


def _groups(table: Table, names: Iterable[str]) -> dict[str, re.Pattern[str]]:
    return {name: phrases(table.get(name, [])) for name in names}


def phrases(listed: Iterable[str], *, bound: bool = False) -> re.Pattern[str]:
    """One pattern for a list of phrases, the longest first; an empty list never matches.

    Args:
        listed: the phrases.
        bound: no Korean letter may follow, for single syllables that begin longer words too.
    """
    ordered = sorted(set(listed), key=lambda phrase: (-len(phrase), phrase))
    if not ordered:
        return _NEVER
    pattern = "|".join(map(_phrase, ordered))
    return re.compile(f"(?:{pattern})(?![\uac00-\ud7af])" if bound else pattern)


def _phrase(phrase: str) -> str:
    pieces: list[str] = []
    for char in phrase:
        if char == "^":
            continue
        if char == "*":
            pieces.append(r"\w*")
        elif char == "…":
            pieces.append(r"[^.!?。！？\n]{0,40}?")
        elif char == " ":
            pieces.append(r"[\s-]*" if pieces and pieces[-1].endswith("*?") else r"[\s-]+")
        else:
            pieces.append(re.escape(char))
    if phrase.startswith("^"):
        before = r"\A[^\w\x00]{0,8}"
    else:
        before = r"(?<![a-z0-9_./@#-])" if _latin(phrase[0]) else ""
    after = r"(?![a-z0-9_/])(?!\.[a-z])" if _latin(phrase[-1]) else ""
    return before + "".join(pieces) + after


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
