"""How well follow-ups are found: `python tests/benchmarks/follow_ups.py FOLDER [--out FILE] [--errors]`.

FOLDER holds labelled conversations (`NAME.json` beside `NAME.labels.json`); the default is the set of the repository.
Prints precision, recall and F1 per language, the same for every author left out in turn, and a plain keyword match as
the baseline. `--out` writes what was found in the form of `wrap orphans --json`.
"""

import argparse
import difflib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from wrapgen.session.follow_ups import FollowUp, follow_ups
from wrapgen.session.load_cues import load_cues
from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import Turn

OWN = Path(__file__).parent.parent / "session" / "data" / "follow_ups"
KEYWORDS = [
    "next session", "follow-up", "todo:", "come back to", "defer",
    "다음 세션", "후속", "할 일:", "나중에", "下次", "后续", "待办", "之后再", "次回", "フォローアップ", "あとで", "後で",
]  # fmt: skip
Found = list[tuple[int, str, str]]


def ours(turns: list[Turn]) -> tuple[Found, list[FollowUp]]:
    """What wrapgen offers, as (turn, quote, task), and everything it found."""
    everything = follow_ups(turns, CUES)
    return [(one.turn, one.quote, one.text) for one in everything if one.offered], everything


def keyword_match(turns: list[Turn]) -> tuple[Found, list[FollowUp]]:
    """Every line that holds one of the seed's keywords."""
    found = [
        (index, line.strip(), line.strip())
        for index, turn in enumerate(turns)
        for line in turn.text.split("\n")
        if any(keyword in line.lower() for keyword in KEYWORDS)
    ]
    return found, []


def author(source: dict[str, Any]) -> str:
    """Whose conversation it is, as far as its source tells: the repository, or the first part of the path."""
    repo = source.get("repo") or str(source.get("path", "?")).split("/")[0]
    return str(repo).split("__")[0].split("/")[0]


def right(found: tuple[int, str, str], label: dict[str, Any], turns: list[Turn]) -> bool:
    """Whether a find means a label: in its turn by place, in a turn that repeats it by likeness."""
    turn, quote, _ = found
    if turn == label["turn"]:
        text = turns[turn].text
        mine, theirs = text.find(quote), text.find(label["quote"])
        shared = min(mine + len(quote), theirs + len(label["quote"])) - max(mine, theirs)
        return theirs >= 0 and shared > 0 and shared * 2 >= min(len(quote), len(label["quote"]))
    alike = difflib.SequenceMatcher(None, quote.casefold(), label["quote"].casefold()).ratio() >= 0.5
    return turn in (label.get("also") or []) and alike


def score(
    folder: Path, finder: Callable[[list[Turn]], tuple[Found, list[FollowUp]]], *, errors: bool
) -> tuple[list[Any], list[Any]]:
    """Per conversation (language, author, hits, false alarms, misses), and the finds as orphans."""
    rows = []
    orphans = []
    for path in sorted(folder.glob("*.labels.json")):
        gold = json.loads(path.read_text(encoding="utf-8"))
        talk = path.with_name(path.name.replace(".labels", ""))
        source = json.loads(talk.read_text(encoding="utf-8")).get("source", {})
        turns = list(open_transcript(talk))
        found, everything = finder(turns)
        labels = gold["followups"]
        hit: set[int] = set()
        tp = fp = 0
        for one in found:
            matching = [number for number, label in enumerate(labels) if right(one, label, turns)]
            free = [number for number in matching if number not in hit]
            hit.update(free[:1])
            tp += bool(free) and labels[free[0]].get("sure", True)
            fp += not matching
            orphans.append({"transcript": str(talk), "turn": one[0], "quote": one[1], "text": one[2]})
            if errors and not matching:
                print_alarm(path.name, turns, one, everything)
        missed = [label for number, label in enumerate(labels) if number not in hit and label.get("sure", True)]
        if errors:
            print_missed(path.name, turns, missed, everything)
        rows.append((gold["lang"], author(source), tp, fp, len(missed), path.name))
    return rows, orphans


def print_alarm(name: str, turns: list[Turn], one: tuple[int, str, str], everything: list[FollowUp]) -> None:
    """A find that no label means."""
    about = next((f for f in everything if f.turn == one[0] and f.quote == one[1]), None)
    why = f"cue={about.cue!r} conf={about.confidence} {'; '.join(about.reasons)}" if about else ""
    print(
        f"FALSE  {name[:-12]} turn {one[0]}/{len(turns)} {turns[one[0]].role}: {one[1][:150]!r} -> {one[2][:80]!r} | {why}"
    )


def print_missed(name: str, turns: list[Turn], missed: list[dict[str, Any]], everything: list[FollowUp]) -> None:
    """Labels that nothing found means, with what was made of them."""
    for label in missed:
        near = [f for f in everything if right((f.turn, f.quote, f.text), label, turns)]
        why = "; ".join(f"conf={f.confidence} settled={f.settled!r} {f.reasons}" for f in near) or "not a candidate"
        print(
            f"MISSED {name[:-12]} turn {label['turn']}/{len(turns)}: {label['quote'][:110]!r} cue={label.get('cue')!r} | {why}"
        )


def line(name: str, rows: Iterable[Any]) -> str:
    """One line of the table."""
    listed = list(rows)
    tp, fp, fn = (sum(row[column] for row in listed) for column in (2, 3, 4))
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return (
        f"{name:28s} conversations {len(listed):4d} labels {tp + fn:4d}  precision {precision:.3f}  recall {recall:.3f}"
        f"  f1 {f1:.3f}  (tp {tp} fp {fp} fn {fn})"
    )


def table(rows: list[Any]) -> None:
    """Figures per language and in all."""
    by_lang = defaultdict(list)
    for row in rows:
        by_lang[row[0]].append(row)
    for lang, listed in sorted(by_lang.items()):
        print(line(lang, listed))
    print(line("all", rows))


def main(arguments: list[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=OWN)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--lang", default="")
    options = parser.parse_args(arguments)
    rows, orphans = score(options.folder, ours, errors=options.errors)
    if options.out:
        document = {"schema": "wrapgen.orphans/1", "orphans": orphans}
        options.out.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    print("wrapgen")
    table(rows)
    print("plain keyword match")
    table(score(options.folder, keyword_match, errors=False)[0])
    print("per author (nothing is trained, so this is what leaving one author out comes to)")
    by_author = defaultdict(list)
    for row in rows:
        by_author[row[0], row[1]].append(row)
    for (lang, name), listed in sorted(by_author.items()):
        if any(row[2] or row[3] or row[4] for row in listed):
            print(line(f"{lang} {name}"[:28], listed))


CUES = load_cues()

if __name__ == "__main__":
    main(sys.argv[1:])
