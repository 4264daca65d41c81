"""How well matching tells one piece of work from two, on labelled pairs.

python tests/benchmarks/pairs.py PAIRS.jsonl [--errors]      (or WRAPGEN_PAIRS=PAIRS.jsonl)

Prints precision, recall and F1 among the pairs scoring 85 or more and among all, and vault by vault (the first
folder of a path). What the few words owe to these pairs, only pairs from vaults never seen show.
"""

import argparse
import itertools
import json
import os
import sys
from collections import defaultdict
from pathlib import Path

from wrapgen.pipeline.matching import Side, refusal, similarity


def counts(rows):
    return tuple(sum(match == m and same == s for match, same in rows) for m, s in ((1, 1), (1, 0), (0, 1)))


def f1(tp, fp, fn):
    return 2 * tp / (2 * tp + fp + fn) if tp else 0.0


def measure(rows):
    tp, fp, fn = counts(rows)
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    rates = f"precision {precision:.3f}  recall {recall:.3f}  f1 {f1(tp, fp, fn):.3f}"
    return f"pairs {len(rows):4d}  {rates}  (tp {tp} fp {fp} fn {fn})"


def read(path):
    """Give (id, vault, same, score, a, b) of every decided pair."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["label"] != "unsure":
            a, b = (Side(row[side]["text"], row[side].get("path"), row[side].get("line")) for side in "ab")
            yield row["id"], str(a.path).split("/")[0], row["label"] == "same", similarity(a.folded, b.folded), a, b


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", nargs="?", default=os.environ.get("WRAPGEN_PAIRS"))
    parser.add_argument("--errors", action="store_true", help="print every wrong answer")
    options = parser.parse_args()
    if not options.pairs:
        sys.exit("name a file of labelled pairs")
    pairs = list(read(options.pairs))
    rows, vaults = [], defaultdict(list)
    for number, vault, same, score, a, b in pairs:
        why = refusal(a, b)
        match = score >= 85 and not why
        rows.append((match, same))
        if score >= 85:
            vaults[vault].append((match, same))
        if options.errors and match != same and (score >= 85 or not same):
            print(f"{number} {'same' if same else 'different'} {score:.1f} {why}\n    {a.text}\n    {b.text}")
    print("score>=85       ", measure(list(itertools.chain(*vaults.values()))))
    print("all             ", measure(rows))
    for vault, inside in sorted(vaults.items()):
        print(f"  {vault:14s}", measure(inside))


if __name__ == "__main__":
    main()
