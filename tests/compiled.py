"""Templates that are compiled once, not by each of the many runs in one process: half of their time else."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from jinja2 import Environment

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def compiled_once() -> Iterator[None]:
    """Compile each template once from here on."""
    compile_now, known = Environment.compile, {}

    def compiled(self: Environment, source: str, *names: object, **options: object) -> object:
        key = (type(self), self.autoescape, source, names, *options.items())
        if key not in known:
            known[key] = compile_now(self, source, *names, **options)
        return known[key]

    with patch.object(Environment, "compile", compiled):
        yield
