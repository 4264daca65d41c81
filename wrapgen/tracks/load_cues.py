"""The cue files of the tracks that ship inside the package, read once."""

import tomllib
from functools import lru_cache
from pathlib import Path

from wrapgen.tracks.lexicon import Cues

_FOLDER = Path(__file__).parent / "cues"


@lru_cache(maxsize=1)
def load_cues() -> Cues:
    """The cues of all shipped languages; they apply to every text, for conversations mix languages."""
    return Cues.from_tables(tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.toml")))
