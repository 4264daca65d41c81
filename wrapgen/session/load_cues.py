"""The cue files that ship inside the package, read once."""

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from wrapgen.session.lexicon import Cues, Table

_FOLDER = Path(__file__).parent / "cues"


@lru_cache(maxsize=1)
def _shipped() -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.toml")))


def load_cues(extra: Iterable[Table] = ()) -> Cues:
    """The cues of all shipped languages.

    Args:
        extra: further tables in the form of the cue files, each with its `lang`; their phrases are added. This is how
            a user's configuration teaches wrapgen a team's own words.
    """
    return Cues.from_tables((*_shipped(), *extra))
