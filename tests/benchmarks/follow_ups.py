"""How well follow-ups are found: `python tests/benchmarks/follow_ups.py [FOLDER ...] [--cross] [--errors]`.

Each FOLDER holds labelled conversations (see labelled.py); the default is the set of the repository. Prints precision,
recall and F1 of what is told and of all that is offered, per language and per `by`, in how many conversations and of
how many authors, with a plain keyword match as the baseline. `--cross` prints beside them what remains when, for each
author (and for each half of all authors), no cue is used that was wrong more often than right for the others;
`--errors` lists every false alarm and miss; `--out` writes the finds in the form of `wrap orphans --json`.
"""

import argparse
import difflib
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(CHECKOUT))

from tests.benchmarks.labelled import Talk, talks  # noqa: E402
from wrapgen.session.detection import follow_ups  # noqa: E402
from wrapgen.session.lexicon import FollowUpCues, load_cues  # noqa: E402

OWN = CHECKOUT / "tests" / "session" / "data" / "follow_ups"
KEYWORDS = ["next session", "follow-up", "todo:", "come back to", "defer", "다음 세션", "후속", "할 일:", "나중에"]
KEYWORDS += ["下次", "后续", "待办", "之后再", "次回", "フォローアップ", "あとで"]


@dataclass(frozen=True, slots=True)
class Offer:
    """Something a finder offers, and who says so."""

    turn: int
    quote: str
    text: str
    by: str = "keyword"
    sure: bool = True
    word: tuple[str, str] = ("", "")  # language and the words that put it off


@dataclass(slots=True)
class Score:
    """Hits, false alarms and misses of one conversation."""

    talk: Talk
    finds: list[Offer]
    hits: list[Offer] = field(default_factory=list)
    alarms: list[Offer] = field(default_factory=list)
    missed: list[dict[str, Any]] = field(default_factory=list)


def offers(talk: Talk, cues: FollowUpCues) -> list[Offer]:
    """What wrapgen offers of a conversation, sure or not."""
    return [
        Offer(one.turn, one.quote, one.text, one.by, one.sure, (one.lang, one.cue.casefold()))
        for one, settled in follow_ups(talk.turns, cues)
        if not settled
    ]


def keyword_match(talk: Talk) -> list[Offer]:
    """Every line that holds one of the seed's keywords."""
    return [
        Offer(index, line.strip(), line.strip())
        for index, turn in enumerate(talk.turns)
        for line in turn.text.split("\n")
        if any(keyword in line.lower() for keyword in KEYWORDS)
    ]


def means(find: Offer, label: dict[str, Any], talk: Talk) -> bool:
    """Whether a find means a label: in its turn by place, in a turn that repeats it by likeness."""
    if find.turn == label["turn"]:
        text = talk.turns[find.turn].text
        mine, theirs = text.find(find.quote), text.find(label["quote"])
        shared = min(mine + len(find.quote), theirs + len(label["quote"])) - max(mine, theirs)
        return theirs >= 0 and shared > 0 and shared * 2 >= min(len(find.quote), len(label["quote"]))
    alike = difflib.SequenceMatcher(None, find.quote.casefold(), label["quote"].casefold()).ratio() >= 0.5
    return find.turn in (label.get("also") or []) and alike


def score(talk: Talk, finds: Iterable[Offer]) -> Score:
    """Each label counts once; further finds that mean it are ignored, as are those that mean an unsure one."""
    result = Score(talk, list(finds))
    hit: set[int] = set()
    for find in result.finds:
        matching = [number for number, label in enumerate(talk.labels) if means(find, label, talk)]
        free = [number for number in matching if number not in hit]
        hit.update(free[:1])
        if free and talk.labels[free[0]].get("sure", True):
            result.hits.append(find)
        if not matching:
            result.alarms.append(find)
    sure = ((number, label) for number, label in enumerate(talk.labels) if label.get("sure", True))
    result.missed = [label for number, label in sure if number not in hit]
    return result


def half_of(author: str) -> str:
    """The half of all authors that one belongs to, by a digest of the name: the same in every run."""
    return "AB"[hashlib.sha256(author.encode()).digest()[0] % 2]


def unearned(results: Iterable[Score]) -> set[tuple[str, str]]:
    """Cues that are wrong more often than right in these conversations."""
    counts = Counter[tuple[str, str]]()
    for one in results:
        counts.update(find.word for find in one.hits)
        counts.subtract(find.word for find in one.alarms)
    return {word for word, count in counts.items() if count < 0}


def crossed(results: list[Score], apart: Callable[[str], str]) -> list[Score]:
    """Scores without the cues that did not earn their place outside of the part that an author belongs to."""
    parts = {apart(one.talk.author) for one in results}
    without = {part: unearned(one for one in results if apart(one.talk.author) != part) for part in parts}
    return [
        score(one.talk, [find for find in one.finds if find.word not in without[apart(one.talk.author)]])
        for one in results
    ]


def line(name: str, conversations: int, counts: tuple[int, int, int]) -> str:
    """One line of a table: right, wrong and missed ones."""
    tp, fp, fn = counts
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    figures = f"precision {precision:.3f}  recall {recall:.3f}  f1 {f1:.3f}  (tp {tp} fp {fp} fn {fn})"
    return f"{name:12s} conversations {conversations:4d} labels {tp + fn:4d}  {figures}"


def table(title: str, results: list[Score]) -> None:
    """Figures per language, per `by`, and in all."""
    print(title)
    labels = sum(len(result.hits) + len(result.missed) for result in results)
    for by in sorted({find.by for result in results for find in result.finds}):
        right = sum(find.by == by for result in results for find in result.hits)
        wrong = sum(find.by == by for result in results for find in result.alarms)
        print(line(f"by {by}", len(results), (right, wrong, labels - right)))
    for lang in [*sorted({result.talk.lang for result in results}), "all"]:
        chosen = [result for result in results if lang in {"all", result.talk.lang}]
        counts = [sum(map(len, column)) for column in zip(*((r.hits, r.alarms, r.missed) for r in chosen), strict=True)]
        print(line(lang, len(chosen), (counts[0], counts[1], counts[2])))
    kinds = Counter((bool(result.hits), bool(result.alarms)) for result in results)
    authors = {result.talk.author for result in results if result.hits or result.alarms}
    only = f"{kinds[True, False]} only right, {kinds[True, True]} mixed, {kinds[False, True]} only wrong"
    print(f"in conversations: {only}; of {len(authors)} authors")


def tables(title: str, results: list[Score]) -> None:
    """What is told, and all that is offered."""
    table(f"{title}: told", [score(one.talk, [find for find in one.finds if find.sure]) for one in results])
    table(f"{title}: offered in all", results)


def print_errors(result: Score) -> None:
    """Every false alarm and miss of a conversation."""
    turns = len(result.talk.turns)
    for find in result.alarms:
        kind = "FALSE " if find.sure else "UNSURE"
        print(f"{kind} {result.talk.name} turn {find.turn} of {turns} {find.word[1]!r}: {find.quote[:150]!r}")
    for label in result.missed:
        print(f"MISSED {result.talk.name} turn {label['turn']} of {turns}: {label['quote'][:150]!r}")


def main(arguments: list[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[OWN])
    parser.add_argument("--cross", action="store_true")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    cues = load_cues()
    listed = [(folder, talk) for folder in options.folders for talk in talks(folder)]
    results = [score(talk, offers(talk, cues)) for _, talk in listed]
    if options.errors:
        for result in results:
            print_errors(result)
    if options.out:
        orphans = [
            {"transcript": str(folder / result.talk.name), "turn": one.turn, "quote": one.quote, "text": one.text,
             "sure": one.sure}
            for (folder, _), result in zip(listed, results, strict=True)
            for one in result.finds
        ]  # fmt: skip
        document = {"schema": "wrapgen.orphans/1", "orphans": orphans}
        options.out.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    tables("wrapgen", results)
    if options.cross:
        tables("wrapgen, without what did not earn for other authors", crossed(results, str))
        tables("wrapgen, without what did not earn for the other half of authors", crossed(results, half_of))
    table("plain keyword match", [score(talk, keyword_match(talk)) for _, talk in listed])


if __name__ == "__main__":
    main(sys.argv[1:])
