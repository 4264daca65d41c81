"""What rules tell of dead ends: `python tests/benchmarks/dead_ends.py [TALKS LABELS]... [--list]`.

TALKS is a folder of conversations (`{"turns": [{"role", "text"}]}`), LABELS one of their dead ends under the same
names; without them, the public ones that lie beside the checkout. What is told is right when it lies in the turns of
a sure label and shares a word with it, argued when the label is not sure, else wrong. `--list` shows each, for a reader
to judge.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.tracks.record import Tombstone, turn_record
from wrapgen.tracks.signals import about, tombstones

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parents[3] / "shared" / "data" / "followups"


def judged(one: Tombstone, labels: list[dict[str, Any]]) -> str:
    """`right`, `argued` or `wrong`.

    Args:
        one: what was told.
        labels: of its conversation; their turns are counted from 0.
    """
    found = {label.get("sure", True) for label in labels if _is_about(one, label)}
    return "right" if True in found else "argued" if found else "wrong"


def _is_about(one: Tombstone, label: dict[str, Any]) -> bool:
    within = range(label["turn_attempt"] + 1, label["turn_end"] + 2)
    labelled = _words(label["name"], label["quote_attempt"], label["quote_end"])
    return any(part.turn in within for part in one.story) and not labelled.isdisjoint(_words(one.name, one.reason))


def _words(*texts: str) -> frozenset[str]:
    return about(" ".join(texts))


def told(talks: Path, labels: Path) -> Iterator[tuple[str, list[tuple[str, Tombstone]]]]:
    """What rules tell of each labelled conversation of a folder, with what it is worth."""
    for path in sorted(labels.glob("*.json")):
        turns = json.loads((talks / path.name).read_text(encoding="utf-8"))["turns"]
        known = json.loads(path.read_text(encoding="utf-8"))["dead_ends"]
        said = [turn_record("", at, turn["role"], turn["text"], line=at) for at, turn in enumerate(turns, 1)]
        yield path.name, [(judged(one, known), one) for one in tombstones(said)]


def main(arguments: list[str]) -> None:
    """Score the rules."""
    folders = [Path(one) for one in arguments if one != "--list"]
    pairs = list(zip(folders[::2], folders[1::2], strict=True))
    pairs = pairs or [(DATA / part, DATA / "dead-ends" / part) for part in ("dev", "dev2")]
    count: Counter[str] = Counter()
    for talks, labels in pairs:
        for name, found in told(talks, labels):
            count["conversations"] += 1
            for worth, one in found:
                count.update((worth, "told"))
                if "--list" in arguments:
                    print(f"{worth:6} {name}: {one.name} | {one.reason}")
                    for part in one.story:
                        print(f"       {part.turn:4} {part.text}")
    print(", ".join(f"{count[kind]} {kind}" for kind in ("told", "right", "argued", "wrong", "conversations")))


if __name__ == "__main__":
    main(sys.argv[1:])
