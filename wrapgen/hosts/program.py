"""How a host, a timer or an agent starts this very program."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

_NAMES = ("wrap", "wrapgen")
_SUFFIXES = ("", ".exe")


def program() -> tuple[str, ...]:
    """The command line that starts the current program from any folder, without its environment.

    Links stay as they are: tools such as pipx and uv keep them when they put a new version behind.
    """
    started = Path(os.path.abspath(sys.argv[0]))
    candidates = [started] if started.stem in _NAMES else []
    scripts = Path(sys.executable).parent
    candidates += [scripts / f"{name}{suffix}" for name in _NAMES for suffix in _SUFFIXES]
    for one in candidates:
        if one.is_file() and os.access(one, os.X_OK):
            return (str(one),)
    return (sys.executable, "-m", "wrapgen")


def spoken(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words for an agent's shell: the name alone, where every shell of the user finds the same program by it.

    A program in a virtual environment is found only by shells in which that is active, so it keeps its whole path.
    """
    if len(words) > 1 or sys.prefix == sys.base_prefix:
        return words if len(words) > 1 else _by_name(words)
    own = Path(sys.prefix).absolute() in Path(words[0]).parents
    return words if own else _by_name(words)


def _by_name(words: tuple[str, ...]) -> tuple[str, ...]:
    found = shutil.which("wrap")
    same = found is not None and os.path.realpath(found) == os.path.realpath(words[0])
    return ("wrap",) if same else words
