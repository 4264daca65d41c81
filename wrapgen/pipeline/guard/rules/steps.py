"""Numbered steps of a plan."""

from wrapgen.pipeline.guard.pair import Pair

# Steps are numbered again under every task of a plan, so two of them that differ in their words are two pieces of work
# whatever their numbers; phases and acceptance criteria keep their numbers.
_RENUMBERED = frozenset({"step"})


def numbered_steps(pair: Pair) -> str | None:
    """Refuse two numbered steps whose words are not the same."""
    label_a, label_b = pair.a.folded.label, pair.b.folded.label
    if label_a.split(" ")[0] == label_b.split(" ")[0] and label_a.split(" ")[0] in _RENUMBERED:
        return f"numbered steps: {label_a} / {label_b}"
    return None
