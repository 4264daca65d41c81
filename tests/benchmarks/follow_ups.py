"""How well follow-ups are found: `python tests/benchmarks/follow_ups.py [FOLDER ...] [--cross] [--errors]`.

Each FOLDER holds labelled conversations (see labelled.py); the default is the set of the repository. Prints precision,
recall and F1 per language and per `by`, in how many conversations and of how many authors, how many of what bears a
confidence are right, and a plain keyword match as the baseline. `--cross` prints beside them what is told when nothing
was learnt from a conversation's own author, and from its author's half of all authors (see leave_out.py);
`--errors` lists every error with what led to it; `--out` writes the finds in the form of `wrap orphans --json`.
"""

import argparse
import difflib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(CHECKOUT))

from tests.benchmarks.labelled import Talk, talks  # noqa: E402
from tests.benchmarks.leave_out import Learnt, Told, fitted, half_of, is_offered, learnt, reasons  # noqa: E402
from wrapgen.session.detection import (  # noqa: E402
    Detection,
    follow_ups,
)
from wrapgen.session.lexicon import (  # noqa: E402
    FollowUpCues,
    load_cues,
)

OWN = CHECKOUT / "tests" / "session" / "data" / "follow_ups"
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
    """Something a finder offers, and who says so."""

    turn: int
    quote: str
    text: str
    by: str = "keyword"


@dataclass(slots=True)
class Score:
    """Hits, false alarms and misses of one conversation."""

    talk: Talk
    hits: list[Find] = field(default_factory=list)
    alarms: list[Find] = field(default_factory=list)
    missed: list[dict[str, Any]] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)

    @property
    def right(self) -> int:
        """How many sure labels were found."""
        return len(self.hits)


Finder = Callable[[Talk], list[Find]]


def ours(cues: FollowUpCues) -> Finder:
    """What wrapgen offers."""

    def find(talk: Talk) -> list[Find]:
        return [found(one) for one in follow_ups(talk.turns, cues) if is_offered(one)]

    return find


def found(one: Detection) -> Find:
    """A detection as a find."""
    said = one.follow_up
    return Find(said.turn, said.quote, said.text, said.by)


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
        if free and talk.labels[free[0]].get("sure", True):
            result.hits.append(find)
        if not matching:
            result.alarms.append(find)
    sure = ((number, label) for number, label in enumerate(talk.labels) if label.get("sure", True))
    result.missed = [label for number, label in sure if number not in hit]
    return result


@dataclass(frozen=True, slots=True)
class Read:
    """A conversation read once: its unsettled candidates, and what the labels say of each."""

    talk: Talk
    told: list[tuple[Detection, Told]]


def read(talk: Talk, cues: FollowUpCues) -> Read:
    """Read a conversation."""
    open_ones = [one for one in follow_ups(talk.turns, cues) if not one.settled]
    judged = score(talk, lambda _: [found(one) for one in open_ones])
    told = []
    for one in open_ones:
        right = True if found(one) in judged.hits else False if found(one) in judged.alarms else None
        said = one.follow_up
        word = (said.lang, said.cue.casefold())
        told.append((one, Told(talk.author, (talk.name, said.turn), word, one.facts, right)))
    return Read(talk, told)


def crossed(reads: list[Read], apart: Callable[[str], str]) -> list[Score]:
    """Scores when nothing was learnt from the part that a conversation's author belongs to."""
    parts = {apart(one.talk.author) for one in reads}
    told = [told for one in reads for _, told in one.told]
    without = {part: learnt(one for one in told if apart(one.author) != part) for part in parts}

    def finder(one: Read, known: Learnt) -> Finder:
        return lambda _: [found(detection) for detection, told in one.told if known.offers(told)]

    return [score(one.talk, finder(one, without[apart(one.talk.author)])) for one in reads]


def print_errors(result: Score, everything: list[Detection]) -> None:
    """Every false alarm and miss of a conversation, with what led to it."""
    talk = result.talk
    for find in result.alarms:
        why = [one for one in everything if (one.follow_up.turn, one.follow_up.quote) == (find.turn, find.quote)]
        known = "; ".join(f"{one.follow_up.cue!r} {one.follow_up.confidence} {reasons(one.facts)}" for one in why)
        print(f"FALSE  {talk.name} turn {find.turn} of {len(talk.turns)}: {find.quote[:150]!r} -> {find.text[:80]!r}")
        print(f"       {known}")
    for label in result.missed:
        why = [one for one in everything if means(found(one), label, talk)]
        known = "; ".join(f"{one.follow_up.confidence} {one.settled} {reasons(one.facts)}" for one in why)
        print(f"MISSED {talk.name} turn {label['turn']} of {len(talk.turns)}: {label['quote'][:150]!r}")
        print(f"       {known or 'not a candidate'}")


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
    print(f"told in conversations: {only}; of {len(authors)} authors")


def calibration(reads: list[Read]) -> None:
    """How many of what bears a confidence are right."""
    by_tenth: dict[int, list[bool]] = defaultdict(list)
    for one, told in (pair for conversation in reads for pair in conversation.told):
        if told.right is not None:
            by_tenth[int(one.follow_up.confidence * 10)].append(told.right)
    print("confidence: right of all that were told")
    for tenth, rights in sorted(by_tenth.items()):
        print(f"  .{tenth}  {sum(rights)} of {len(rights)}")


def written(results: Iterable[tuple[Path, Score]]) -> dict[str, Any]:
    """The finds in the form of `wrap orphans --json`."""
    orphans = [
        {"transcript": str(folder / result.talk.name), "turn": one.turn, "quote": one.quote, "text": one.text}
        for folder, result in results
        for one in result.finds
    ]
    return {"schema": "wrapgen.orphans/1", "orphans": orphans}


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
    reads = [read(talk, cues) for _, talk in listed]
    results = [score(one.talk, lambda _, told=one.told: [found(x) for x, _ in told if is_offered(x)]) for one in reads]
    if options.errors:
        for result in results:
            print_errors(result, follow_ups(result.talk.turns, cues))
    if options.out:
        folders = (folder for folder, _ in listed)
        document = written(zip(folders, results, strict=True))
        options.out.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    table("wrapgen", results)
    calibration(reads)
    if options.cross:
        table("wrapgen, with nothing learnt from the author", crossed(reads, str))
        halves = crossed(reads, half_of)
        for half in ("A", "B"):
            chosen = [result for result in halves if half_of(result.talk.author) == half]
            table(f"half {half} of the authors, learnt from the other half", chosen)
        weights = fitted(told for one in reads for _, told in one.told)
        print("fitted on all:", ", ".join(f"{fact.name} {weight:+.1f}" for fact, weight in weights.items()))
    table("plain keyword match", [score(talk, keyword_match) for _, talk in listed])


if __name__ == "__main__":
    main(sys.argv[1:])
