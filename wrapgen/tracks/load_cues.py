"""The cues of the tracks that ship inside the package, read once."""

import tomllib
from functools import lru_cache
from pathlib import Path

from wrapgen.tracks.lexicon import Cues

_FILE = Path(__file__).with_name("cues.toml")


@lru_cache(maxsize=1)
def load_cues() -> Cues:
    """The cues of all shipped languages; they apply to every text, for conversations mix languages."""
    return Cues.from_table(tomllib.loads(_FILE.read_text(encoding="utf-8")))
