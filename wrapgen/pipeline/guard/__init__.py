"""The guard: named rules that distinguish two pieces of work although their texts are similar."""

from wrapgen.pipeline.guard.pair import Pair, Side
from wrapgen.pipeline.guard.rules import RULES, Rule

__all__ = ["RULES", "Pair", "Rule", "Side"]
