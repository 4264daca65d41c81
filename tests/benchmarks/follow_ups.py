"""How well follow-ups are found: `python tests/benchmarks/follow_ups.py [FOLDER] [--errors] [--out FILE]`.

FOLDER holds labelled conversations (see labelled.py); the default is the set of the repository. Prints precision,
recall and F1 per language, a plain keyword match as the baseline, and the figures of every author. Nothing is fitted to
the labels, so there is no model to train again without an author; what an unseen author will give is best guessed from
the spread of those lines. `--errors` lists every error with what led to it; `--out` writes the finds in the form of
`wrap orphans --json`.
"""

import argparse
import difflib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labelled import Talk, talks

from wrapgen.session.follow_ups import FollowUp, follow_ups
from wrapgen.session.lexicon import Cues
from wrapgen.session.load_cues import load_cues

OWN = Path(__file__).parent.parent / "session" / "data" / "follow_ups"
KEYWORDS = ["next session", "follow-up", "todo:", "come back to", "defer"]
KEYWORDS += [
    "다음 세션",
    "후속",
    "할 일:",
    "나중에",
    "下次",
    "后续",
    "待办",
    "之后再",
    "次回",
    "フォローアップ",
    "あとで",
]


@dataclass(frozen=True, slots=True)
class Find:
    """Something a finder offers."""

    turn: int
    quote: str
    text: str


@dataclass(slots=True)
class Score:
    """Hits, false alarms and misses of one conversation."""

    talk: Talk
    right: int = 0
    alarms: list[Find] = field(default_factory=list)
    missed: list[dict[str, Any]] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)


Finder = Callable[[Talk], list[Find]]


def ours(cues: Cues) -> Finder:
    """What wrapgen offers."""

    def find(talk: Talk) -> list[Find]:
        return [Find(one.turn, one.quote, one.text) for one in follow_ups(talk.turns, cues) if one.offered]

    return find


def keyword_match(talk: Talk) -> list[Find]:
    """Every line that holds one of the seed's keywords."""
    return [
        Find(index, line.strip(), line.strip())
        for index, turn in enumerate(talk.turns)
        for line in turn.text.split("\n")
        if any(keyword in line.lower() for keyword in KEYWORDS)
    ]


def means(find: Find, label: dict[str, Any], talk: Talk) -> bool:
    """Whether a find means a label: in its turn by place, in a turn that repeats it by likeness."""
    if find.turn == label["turn"]:
        text = talk.turns[find.turn].text
        mine, theirs = text.find(find.quote), text.find(label["quote"])
        shared = min(mine + len(find.quote), theirs + len(label["quote"])) - max(mine, theirs)
        return theirs >= 0 and shared > 0 and shared * 2 >= min(len(find.quote), len(label["quote"]))
    alike = difflib.SequenceMatcher(None, find.quote.casefold(), label["quote"].casefold()).ratio() >= 0.5
    return find.turn in (label.get("also") or []) and alike


def score(talk: Talk, finder: Finder) -> Score:
    """Each label counts once; further finds that mean it are ignored, as are those that mean an unsure one."""
    result = Score(talk, finds=finder(talk))
    hit: set[int] = set()
    for find in result.finds:
        matching = [number for number, label in enumerate(talk.labels) if means(find, label, talk)]
        free = [number for number in matching if number not in hit]
        hit.update(free[:1])
        result.right += bool(free) and talk.labels[free[0]].get("sure", True)
        if not matching:
            result.alarms.append(find)
    sure = ((number, label) for number, label in enumerate(talk.labels) if label.get("sure", True))
    result.missed = [label for number, label in sure if number not in hit]
    return result


def print_errors(result: Score, everything: list[FollowUp]) -> None:
    """Every false alarm and miss of a conversation, with what led to it."""
    talk = result.talk
    for find in result.alarms:
        why = [one for one in everything if (one.turn, one.quote) == (find.turn, find.quote)]
        reasons = "; ".join(f"{one.cue!r} {one.confidence} {', '.join(one.reasons)}" for one in why)
        print(f"FALSE  {talk.name} turn {find.turn} of {len(talk.turns)}: {find.quote[:150]!r} -> {find.text[:80]!r}")
        print(f"       {reasons}")
    for label in result.missed:
        why = [one for one in everything if means(Find(one.turn, one.quote, one.text), label, talk)]
        reasons = "; ".join(f"{one.confidence} {one.settled} {', '.join(one.reasons)}" for one in why)
        print(f"MISSED {talk.name} turn {label['turn']} of {len(talk.turns)}: {label['quote'][:150]!r}")
        print(f"       {reasons or 'not a candidate'}")


def line(name: str, results: Iterable[Score]) -> str:
    """One line of a table."""
    listed = list(results)
    tp = sum(result.right for result in listed)
    fp = sum(len(result.alarms) for result in listed)
    fn = sum(len(result.missed) for result in listed)
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    figures = f"precision {precision:.3f}  recall {recall:.3f}  f1 {f1:.3f}  (tp {tp} fp {fp} fn {fn})"
    return f"{name:28s} conversations {len(listed):4d} labels {tp + fn:4d}  {figures}"


def table(results: list[Score]) -> None:
    """Figures per language and in all."""
    for lang in sorted({result.talk.lang for result in results}):
        print(line(lang, (result for result in results if result.talk.lang == lang)))
    print(line("all", results))


def main(arguments: list[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=OWN)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    cues = load_cues()
    listed = list(talks(options.folder))
    results = [score(talk, ours(cues)) for talk in listed]
    if options.errors:
        for result in results:
            print_errors(result, follow_ups(result.talk.turns, cues))
    if options.out:
        found = [
            {
                "transcript": str(options.folder / result.talk.name),
                "turn": one.turn,
                "quote": one.quote,
                "text": one.text,
            }
            for result in results
            for one in result.finds
        ]
        document = {"schema": "wrapgen.orphans/1", "orphans": found}
        options.out.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    print("wrapgen")
    table(results)
    print("plain keyword match")
    table([score(talk, keyword_match) for talk in listed])
    by_author = defaultdict(list)
    for result in results:
        by_author[f"{result.talk.lang} {result.talk.author}"].append(result)
    print("per author, where there is anything to count")
    for name, members in sorted(by_author.items()):
        if any(result.right or result.alarms or result.missed for result in members):
            print(line(name[:28], members))


if __name__ == "__main__":
    main(sys.argv[1:])
