"""Regular expressions that are compiled when they are first used: all of them together take a tenth of a second."""

import re
from functools import partial
from typing import Any, AnyStr, cast


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what behaves as `re.compile(pattern, flags)`."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))


_METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")


class _Late:
    def __init__(self, pattern: AnyStr, flags: int) -> None:
        self.pattern: Any = pattern
        self._compile = partial(re.compile, pattern, flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a pattern has
        """Compile, and keep the methods, so that no further use comes here."""
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = self._compile()
        self.__dict__.update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)
