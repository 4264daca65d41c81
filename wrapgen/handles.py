"""Stable short names: the prefix of an id by which people and agents name one thing. PURE."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

SHORTEST = 4
"""Characters of a handle, at least (spec 2.0); one of them is a letter, so that no handle reads as a number."""


class Handles(Mapping[str, str]):
    """The shortest unique prefix of each hexadecimal id, found when asked for: a list needs few of thousands."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = sorted(set(ids))

    def __getitem__(self, one: str) -> str:
        """The handle of an id; the whole id where no shorter one will do. Raises `KeyError` for another one."""
        ids = self._ids
        at = bisect_left(ids, one)
        if at == len(ids) or ids[at] != one:
            raise KeyError(one)
        before = ids[at - 1] if at else ""
        after = ids[at + 1] if at + 1 < len(ids) else ""
        length = SHORTEST
        while (handle := one[:length]) != one and (
            before.startswith(handle) or after.startswith(handle) or handle.isdigit()
        ):
            length += 1
        return handle

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)
