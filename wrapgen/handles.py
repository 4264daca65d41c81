"""Short names that stay: the beginning of an id by which people and agents name one thing. PURE."""

from collections.abc import Iterable

SHORTEST = 4
"""Characters of a handle, at least (spec 2.0); one of them is a letter, so that no handle reads as a number."""


def handles(ids: Iterable[str]) -> dict[str, str]:
    """The shortest beginning of each id that no other one shares.

    Args:
        ids: hexadecimal ids of one length, each once.

    Returns:
        the handle of each id; the whole id where no shorter one will do.
    """
    listed = sorted(set(ids))
    found: dict[str, str] = {}
    for at, one in enumerate(listed):
        beside = listed[max(0, at - 1) : at] + listed[at + 1 : at + 2]
        shared = max((_shared(one, other) for other in beside), default=0)
        letter = next((place for place, sign in enumerate(one) if sign.isalpha()), len(one))
        found[one] = one[: max(SHORTEST, shared + 1, letter + 1)]
    return found


def _shared(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
