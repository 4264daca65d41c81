"""How well tokens are estimated without a vocabulary, and how fast.

python tests/benchmarks/tokens.py [COUNTS.jsonl] [FILE...]

COUNTS.jsonl holds texts with their kind and true count: {"kind", "text", "o200k"}. Any other file, of whatever sort, is
cut into pieces of some lines, counted by the extra `wrapgen[tokens]` and taken as a kind of its own: that is how the
weights are held against texts that they were not fitted to. For every kind: the estimate divided by the true count (the
5th percentile, the median, the 95th), how many texts are estimated below 0.95 of the truth, and the median of the
legacy estimate. Wanted: at most 5 % below, and a median of at most 1.35.
"""

import json
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from tests.public import DATA
from wrapgen.text.tokens import conservative_tokens, exact_tokens, legacy_tokens

_PIECE = re.compile(r"(?:.*\n){1,12}")
_SHORTEST = 80  # characters


def texts(files):
    """Kind, text and true count."""
    for file in files:
        content = file.read_text(encoding="utf-8")
        if file.suffix == ".jsonl":
            for row in map(json.loads, content.splitlines()):
                yield row["kind"], row["text"], row["o200k"]
            continue
        for piece in _PIECE.findall(content):
            if len(piece) >= _SHORTEST:
                true = exact_tokens(piece)
                if true is None:
                    sys.exit("counting needs an extra: pip install wrapgen[tokens]")
                yield file.name, piece, true


def quantile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def main():
    rows = list(texts([Path(name) for name in sys.argv[1:]] or [DATA / "tokens" / "counts.jsonl"]))
    kinds = defaultdict(list)
    for kind, text, true in rows:
        kinds[kind].append((conservative_tokens(text) / true, legacy_tokens(text) / true))
    print(f"{'kind':20s} {'texts':>5s} {'5 %':>6s} {'median':>6s} {'95 %':>6s} {'< 0.95':>6s} {'legacy':>6s}")
    for kind, pairs in sorted(kinds.items()):
        ratios = [ours for ours, _ in pairs]
        low, middle, high = quantile(ratios, 0.05), median(ratios), quantile(ratios, 0.95)
        below = sum(ratio < 0.95 for ratio in ratios) / len(ratios)
        legacy = median(theirs for _, theirs in pairs)
        print(f"{kind[:20]:20s} {len(ratios):5d} {low:6.2f} {middle:6.2f} {high:6.2f} {below:6.1%} {legacy:6.2f}")
    everything = "\n".join(text for _, text, _ in rows)
    started = time.perf_counter()
    conservative_tokens(everything)
    print(f"{len(everything) / (time.perf_counter() - started) / 1e6:.1f} million characters a second")


if __name__ == "__main__":
    main()
