"""The guard: named rules that tell two pieces of work apart although their texts are alike."""

from wrapgen.pipeline.guard.pair import Pair, Side
from wrapgen.pipeline.guard.rules import RULES, Rule

__all__ = ["RULES", "Pair", "Rule", "Side"]
