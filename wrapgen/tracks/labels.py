"""The lines of HOT_TRACK.md and COLD_TRACK.md that do not come from a conversation, in three languages. PURE."""

from functools import cache
from types import SimpleNamespace

from wrapgen.resources import cue_tables


class TrackLabels(SimpleNamespace):
    """The labels of a language, as `cues/labels.toml` has them: texts, and lists of three for heads of tables."""


@cache
def _by_language() -> dict[str, TrackLabels]:
    return {language: TrackLabels(**table) for language, table in cue_tables("tracks")[0].items()}


def labels(lang: str) -> TrackLabels:
    """The labels for `zh`, `en` or `ko`; English for any other."""
    return _by_language().get(lang, _by_language()["en"])


def all_labels() -> tuple[TrackLabels, ...]:
    """The labels of every language."""
    return tuple(_by_language().values())


def in_all_languages(name: str) -> tuple[str, ...]:
    """The words of one label in every language."""
    return tuple(getattr(one, name) for one in all_labels())
