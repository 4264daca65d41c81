"""The fitted weights that ship inside the package, read once."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from wrapgen.tracks.linear import Linear, Models

FILE = Path(__file__).parent / "weights.toml"


@lru_cache(maxsize=1)
def load_models() -> Models:
    """The models of dead ends; they are the same for all languages, for conversations mix them."""
    return models_from(tomllib.loads(FILE.read_text(encoding="utf-8")))


def models_from(table: dict[str, Any]) -> Models:
    """Models as they stand in a file: a table of weights each, and lists of words by how seldom they are.

    Args:
        table: the file's content.
    """
    fitted = {
        name: Linear(float(weights.pop("bias", 0.0)), {fact: float(weight) for fact, weight in weights.items()})
        for name, weights in ((name, dict(table[name])) for name in ("end", "word", "name", "dead_end"))
    }
    rarity = {word: float(rare) for rare, lines in table["rarity"].items() for line in lines for word in line.split()}
    return Models(**fitted, rarity=rarity)
