"""Numbers in place of an item's words, for thousands of items that are compared with nothing else. PURE."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from wrapgen.model import Evidence, Item

_WORDS_BITS = 32
WORDS_SIZE = 8
"""Bytes of an item in `packed`."""


def text_digest(text: str) -> int:
    """Return a number of 32 bits that tells most folded texts from each other."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def digest_in_project(one: Item | Evidence) -> int:
    """Return a number of 32 bits that tells most words of a project from each other."""
    return text_digest(f"{one.project}\0{one.folded.label}\0{one.folded.text}")


def words_digest(item: Item) -> int:
    """Return both: the words in their project in the upper half, the words alone in the lower one."""
    return digest_in_project(item) << _WORDS_BITS | text_digest(item.folded.text)


def words_alone(digest: int) -> int:
    """Return the half of a `words_digest` that says nothing of the project."""
    return digest & ((1 << _WORDS_BITS) - 1)


def words_in_project(digest: int) -> int:
    """Return the other half."""
    return digest >> _WORDS_BITS


def packed(items: Iterable[Item]) -> bytes:
    """Return the digests of items, eight bytes each."""
    return array("Q", map(words_digest, items)).tobytes()


def unpacked(each: Iterable[bytes]) -> array[int]:
    """Return the digests of many files."""
    return array("Q", b"".join(each))
