"""The guard: named rules that tell two pieces of work apart although their texts are alike."""

from collections.abc import Callable

from wrapgen.pipeline.guard.labels import different_label, numbered_steps
from wrapgen.pipeline.guard.meaning import exchanged_ends, negated, opposite_words
from wrapgen.pipeline.guard.pair import Pair, Side
from wrapgen.pipeline.guard.place import neighbours
from wrapgen.pipeline.guard.scope import narrowed, swapped_sign, widened_list
from wrapgen.pipeline.guard.swaps import (
    replaced_word,
    swapped_characters,
    swapped_date,
    swapped_identifier,
    swapped_number,
    swapped_quotation,
    swapped_version,
)

Rule = Callable[[Pair], str | None]

# In the order in which they are asked; the first that refuses is named to the user.
RULES: tuple[Rule, ...] = (
    different_label,
    numbered_steps,
    neighbours,
    opposite_words,
    negated,
    swapped_date,
    swapped_version,
    swapped_number,
    swapped_quotation,
    swapped_identifier,
    swapped_sign,
    swapped_characters,
    replaced_word,
    exchanged_ends,
    widened_list,
    narrowed,
)

__all__ = ["RULES", "Pair", "Rule", "Side"]
