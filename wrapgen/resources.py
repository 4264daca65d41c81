"""Files that travel with the program: templates, the sample vault, and words in the rooms that look for them.

The first two are at the top of the checkout, so that people find them, and inside the package once it is installed
(`force-include` in pyproject.toml). `importlib.resources` knows only the second place.
"""

import tomllib
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from wrapgen.errors import WrapgenError


@cache
def cue_tables(room: str) -> tuple[dict[str, Any], ...]:
    """The cue files of a room such as `session`, one table a file, read once."""
    files = sorted((Path(__file__).parent / room).glob("cues/*.toml"))
    return tuple(tomllib.loads(file.read_text(encoding="utf-8")) for file in files)


def words_for(matter: str, room: str = "text") -> tuple[str, ...]:
    """What people call something in their notes, in all languages; `text/cues/notes.toml` has them."""
    return tuple(chain.from_iterable(cue_tables(room)[0][matter].values()))


def any_word(matter: str, room: str = "text") -> str:
    """The same as a pattern that fits any of them."""
    return f"(?:{'|'.join(words_for(matter, room))})"


def resource(name: str) -> Path:
    """The folder `templates` or `sample_vault`; raises `WrapgenError` when the installation lacks it."""
    package = Path(__file__).resolve().parent
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise WrapgenError(
        f"the installation is missing its folder `{name}`", where=str(package), next_step="Install wrapgen again."
    )
