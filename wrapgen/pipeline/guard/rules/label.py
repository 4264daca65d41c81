"""Position labels: "Step 3" and "Step 5" are two places of a plan, however alike the rest."""

from wrapgen.pipeline.guard.pair import Pair


def different_label(pair: Pair) -> str | None:
    """Refuse two labels of one sort with different numbers; "6.6" and "AC9" are two sorts and may mean one thing."""
    sort_a, _, number_a = pair.a.folded.label.rpartition(" ")
    sort_b, _, number_b = pair.b.folded.label.rpartition(" ")
    if number_a and number_b and sort_a == sort_b and number_a != number_b:
        return f"different label: {pair.a.folded.label} / {pair.b.folded.label}"
    return None
