"""How well matching tells one piece of work from two, on labelled pairs.

python tests/benchmarks/pairs.py PAIRS.jsonl [--errors]      (or WRAPGEN_PAIRS=PAIRS.jsonl)

Prints precision, recall and F1 among the pairs scoring 85 or more and among all, and vault by vault (the first
folder of a path). Then cross-validated: for each vault the numbers and rules that can be tuned are chosen anew on
the other vaults and measured on it. Last, for each rule, how many different pairs it alone would stop and how many
same pairs it would cost. What the tables of words owe to these pairs, no cross-validation shows: only pairs from
vaults never seen do.
"""

import argparse
import itertools
import json
import os
import sys
from collections import defaultdict
from pathlib import Path

from wrapgen.pipeline.guard.pair import Pair, Side
from wrapgen.pipeline.guard.rules import RULES, number, place, replaced
from wrapgen.pipeline.matching import similarity

# Module, name, and the values to choose from; the value in use comes first.
NUMBERS = (
    (place, "NEIGHBOURHOOD", (25, 10, 50, 100)),
    (replaced, "_ENOUGH_SHARED", (4, 3, 6, 99)),
    (number, "_LONG", (6, 4, 10, 99)),
)


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


def refusals(pairs):
    """Give, for every pair, the rules that refuse it."""
    for *_, a, b in pairs:
        if (a.folded.text, a.folded.label) == (b.folded.text, b.folded.label):
            yield {}
        else:
            pair = Pair(a, b)
            yield {rule.__name__: reason for rule in RULES if (reason := rule(pair))}


def cross_validated(pairs):
    """Choose the numbers, then the rules (each kept if that is better or as good), without each vault in turn."""
    high = [pair for pair in pairs if pair[3] >= 85]
    tried = {}
    for values in itertools.product(*(values for _, _, values in NUMBERS)):
        for (module, name, _), value in zip(NUMBERS, values, strict=True):
            setattr(module, name, value)
        tried[values] = list(refusals(high))
    for module, name, values in NUMBERS:
        setattr(module, name, values[0])
    answers = []
    for vault in sorted({pair[1] for pair in high}):
        inside = [pair[1] == vault for pair in high]

        def rows(refused, rules, held_out, inside=inside):
            chosen = zip(high, refused, inside, strict=True)
            return [(not rules & why.keys(), pair[2]) for pair, why, here in chosen if here is held_out]

        rules = {rule.__name__ for rule in RULES}
        best = max(tried.values(), key=lambda refused: f1(*counts(rows(refused, rules, held_out=False))))
        for rule in sorted(rules):
            without = rules - {rule}
            if f1(*counts(rows(best, without, held_out=False))) >= f1(*counts(rows(best, rules, held_out=False))):
                rules = without
        answers += rows(best, rules, held_out=True)
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", nargs="?", default=os.environ.get("WRAPGEN_PAIRS"))
    parser.add_argument("--errors", action="store_true", help="print every wrong answer")
    options = parser.parse_args()
    if not options.pairs:
        sys.exit("name a file of labelled pairs")
    pairs = list(read(options.pairs))
    refused = list(refusals(pairs))
    rows, vaults, stopped = [], defaultdict(list), defaultdict(lambda: [0, 0])
    for (number_, vault, same, score, a, b), why in zip(pairs, refused, strict=True):
        match = score >= 85 and not why
        rows.append((match, same))
        if score >= 85:
            vaults[vault].append((match, same))
        for rule in why:
            stopped[rule][same] += 1
        if options.errors and match != same and (score >= 85 or not same):
            print(f"{number_} {'same' if same else 'different'} {score:.1f} {why}\n    {a.text}\n    {b.text}")
    print("score>=85       ", measure(list(itertools.chain(*vaults.values()))))
    print("all             ", measure(rows))
    for vault, inside in sorted(vaults.items()):
        print(f"  {vault:14s}", measure(inside))
    print("cross-validated ", measure(cross_validated(pairs)))
    print("rule: different pairs stopped / same pairs lost (each rule asked alone, every score)")
    for rule in RULES:
        print(f"  {rule.__name__:20s} {stopped[rule.__name__][0]:4d} / {stopped[rule.__name__][1]}")


if __name__ == "__main__":
    main()
