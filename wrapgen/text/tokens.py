"""How many tokens a text costs a language model. PURE.

A model's vocabulary is megabytes; what a budget needs is a number that is rarely too low. So the default estimate looks
at the kinds of characters alone: a tokenizer first cuts a text into words, numbers and runs of marks, and how many
pieces it makes of each depends mostly on its script and length. The weights were fitted to true counts of the
vocabulary `o200k_base` on notes, conversations and source code; `tests/benchmarks/tokens.py` prints how well they hold.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from math import ceil
from warnings import catch_warnings

from wrapgen.text.display import beginning

# Tokens for each match. Bounded repetition counts long runs by their length.
_ASCII: tuple[tuple[str, float], ...] = (
    (r"[A-Z]?[a-z]+|[A-Z]+", 0.65),  # words, and the parts of a camelCase name
    (r"[A-Z]?[a-z]{1,5}", 0.37),  # ... which cost more the longer they are
    (r"[A-Z]{1,3}", 0.5),
    (r"[0-9]{1,3}", 1.45),  # digits go by threes, and a blank before them is a token of its own
    (r"([!-/:-@\[-`{-~])\1{0,15}", 0.75),
    (r"[\r\n]{1,16}", 1.2),
    (r"[ \t]{2,16}", 1.0),
    (r"[\0-\x08\x0e-\x1f\x7f]", 1.5),
)
_OTHER: tuple[tuple[str, float], ...] = (
    (r"[\uac00-\ud7a3\u3040-\u30ff\u4e00-\u9fff]+", 1.3),  # a run of Hangul, kana and Han ...
    (r"[\uac00-\ud7a3]", 0.37),  # ... and each character of it
    (r"[\u3040-\u30ff]", 0.6),
    (r"[\u4e00-\u9fff]", 0.9),
    (r"[\x80-\u036f]", 1.4),  # accents split a word
    (r"[\u0370-\u07ff]", 0.5),  # Greek, Cyrillic, Hebrew, Arabic
    (r"[\u0800-\u10ff\u1780-\u17ff\u1e00-\u1fff]", 0.6),  # Indic scripts, Thai, Georgian, Khmer
    (r"([\u2000-\u206f\u3000-\u303f\uff00-\uff65\u2500-\u259f])\1{0,15}", 1.5),  # wide marks, rulers of boxes
    (r"[\u2070-\u24ff\u25a0-\u2bff\ufe00-\ufe0f]", 1.3),  # arrows, dingbats
    (r"[\u1100-\u177f\u1800-\u1dff\u2c00-\u2fff\u3100-\u4dff]", 2.5),  # what is rare: jamo, signs, old Han
    (r"[\ua000-\uabff\ud7a4-\ufdff\ufe10-\ufeff\uff66-\uffff]", 2.5),
    (r"[\U0001f000-\U0001faff]", 2.9),  # emoji
    (r"[\U00010000-\U0001efff\U0001fb00-\U0010ffff]", 4.0),
)


def estimate_tokens(text: str) -> int:
    """The tokens that a text costs: counted where the extra `wrapgen[tokens]` is installed, else estimated."""
    exact = exact_tokens(text)
    return conservative_tokens(text) if exact is None else exact


def document_tokens(document: object) -> int:
    """Return the conservative count of a JSON document as it is printed."""
    import msgspec  # hooks count characters alone

    return conservative_tokens(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def conservative_tokens(text: str) -> int:
    """An estimate that is rarely too low: of a hundred texts of a kind at most five cost more than 1/0.95 of it.

    For English, Korean, Chinese, Japanese and source code it is 1.1 to 1.3 times the true count in the median; words of
    chance letters and rare characters cost more than it says.
    """
    kinds = _ASCII if text.isascii() else (*_ASCII, *_OTHER)
    # `re` keeps what it has compiled; whoever estimates nothing compiles nothing.
    estimate = ceil(sum(weight * len(re.findall(pattern, text)) for pattern, weight in kinds))
    return estimate or min(1, len(text))


def exact_tokens(text: str) -> int | None:
    """The true count by the vocabulary `o200k_base`, None without the extra `wrapgen[tokens]`."""
    encode = _encoder()
    return None if encode is None else len(encode(text))


def legacy_tokens(text: str) -> int:
    """The estimate of the tools before: a quarter of the UTF-16 length, rounded up, and one; for comparison."""
    return ceil(utf16_length(text) / 4) + 1 if text else 0


def utf16_length(text: str) -> int:
    """The length of a text as hosts written in JavaScript count it: characters beyond U+FFFF count twice."""
    return len(text) + len(re.findall(r"[\U00010000-\U0010ffff]", text))


def utf16_beginning(text: str, units: int) -> str:
    """The longest beginning of a text that such hosts count as so many units at most, never half a character."""
    fits = text[:units].encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore")
    return beginning(text, len(fits))


@lru_cache(maxsize=1)
def _encoder() -> Callable[[str], list[int]] | None:
    try:
        with catch_warnings(action="ignore"):  # the library's own, about how it finds its vocabulary
            encode: Callable[[str], list[int]] = import_module("bpe_openai").get_encoding("o200k_base").encode_ordinary
    except ImportError:
        return None
    return encode
