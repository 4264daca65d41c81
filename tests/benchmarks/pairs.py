"""How well matching tells one piece of work from two, on labelled pairs.

python tests/benchmarks/pairs.py PAIRS.jsonl [--errors]      (or WRAPGEN_PAIRS=PAIRS.jsonl)

Prints precision, recall and F1 among the pairs scoring 85 or more and among all, the same vault by vault (the first
folder of a path), and for each rule how many different pairs it alone would stop and how many same pairs it would cost.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from pathlib import Path

from wrapgen.pipeline.guard import RULES, Pair
from wrapgen.pipeline.guard.difference import difference
from wrapgen.pipeline.matching import Side, compare


def measure(rows):
    tp = sum(match and same for match, same, *_ in rows)
    fp = sum(match and not same for match, same, *_ in rows)
    fn = sum(same and not match for match, same, *_ in rows)
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return (
        f"pairs {len(rows):4d}  precision {precision:.3f}  recall {recall:.3f}  f1 {f1:.3f}  (tp {tp} fp {fp} fn {fn})"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", nargs="?", default=os.environ.get("WRAPGEN_PAIRS"))
    parser.add_argument("--errors", action="store_true", help="print every wrong answer")
    options = parser.parse_args()
    if not options.pairs:
        sys.exit("name a file of labelled pairs")
    rows, stopped = [], defaultdict(lambda: [0, 0])
    for line in Path(options.pairs).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["label"] == "unsure":
            continue
        a, b = (Side(row[side]["text"], row[side].get("path"), row[side].get("line")) for side in "ab")
        verdict, same = compare(a, b), row["label"] == "same"
        rows.append((verdict.match, same, verdict.score, str(a.path).split("/")[0]))
        if (a.folded.text, a.folded.label) != (b.folded.text, b.folded.label):
            pair = Pair(a, b, *difference(a.folded, b.folded))
            for rule in RULES:
                stopped[rule.__name__][same] += rule(pair) is not None
        if options.errors and (verdict.match != same) and (verdict.score >= 85 or not same):
            print(f"{row['id']} {row['label']} {verdict.score:.1f} {verdict.refused}\n    {a.text}\n    {b.text}")
    print("score>=85 ", measure([row for row in rows if row[2] >= 85]))
    print("all       ", measure(rows))
    for vault in sorted({row[3] for row in rows}):
        print(f"  {vault:16s}", measure([row for row in rows if row[3] == vault and row[2] >= 85]))
    print("rule: different pairs stopped / same pairs lost (each rule asked alone, every score)")
    for name, (different, same) in stopped.items():
        print(f"  {name:20s} {different:4d} / {same}")


if __name__ == "__main__":
    main()
