"""The guard's rules, one file each, and the order in which they are asked."""

from collections.abc import Callable

from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.rules.characters import swapped_characters
from wrapgen.pipeline.guard.rules.ends import exchanged_ends
from wrapgen.pipeline.guard.rules.label import different_label
from wrapgen.pipeline.guard.rules.length import too_long
from wrapgen.pipeline.guard.rules.link import swapped_link
from wrapgen.pipeline.guard.rules.name import swapped_identifier, swapped_quotation
from wrapgen.pipeline.guard.rules.negation import negated
from wrapgen.pipeline.guard.rules.number import swapped_date, swapped_number, swapped_version
from wrapgen.pipeline.guard.rules.opposites import opposite_words
from wrapgen.pipeline.guard.rules.place import neighbours
from wrapgen.pipeline.guard.rules.replaced import replaced_word
from wrapgen.pipeline.guard.rules.sign import swapped_sign
from wrapgen.pipeline.guard.rules.steps import numbered_steps
from wrapgen.pipeline.guard.rules.widened import widened_list

Rule = Callable[[Pair], str | None]

# The first that refuses is named to the user.
RULES: tuple[Rule, ...] = (
    too_long,
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
    swapped_link,
    swapped_sign,
    swapped_characters,
    replaced_word,
    exchanged_ends,
    widened_list,
)
