"""How well dead ends are found: `python tests/benchmarks/tombstones.py [FOLDER] [--part PART] [--errors] [--show]`.

FOLDER holds labelled dialogues, `PART-LANGUAGE.jsonl`, one dialogue a line; the default is the set of the repository.
Prints precision and recall per part and language. A find is right when it was given up in a turn that the label names
and its name holds one of the label's words. `--errors` lists what is wrong or missing, `--show` everything found.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wrapgen.tracks.record import FileState, Step, Tombstone
from wrapgen.tracks.tombstones import tombstones

OWN = Path(__file__).parent.parent / "tracks" / "dialogues"
UNSEEN = OWN.parent / "unseen"


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation with its dead ends; a label holds `turns` (of giving up, any is right) and `words` (any)."""

    name: str
    steps: tuple[Step, ...]
    labels: tuple[dict[str, Any], ...]


@dataclass(slots=True)
class Score:
    """Hits, finds and labels of a part."""

    right: int = 0
    found: int = 0
    labels: int = 0
    errors: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        precision = self.right / self.found if self.found else 1.0
        recall = self.right / self.labels if self.labels else 1.0
        return (
            f"precision {precision:.2f} ({self.right}/{self.found})  recall {recall:.2f} ({self.right}/{self.labels})"
        )


def dialogues(path: Path) -> Iterator[Dialogue]:
    """The dialogues of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        steps = tuple(
            Step(
                number=number,
                role=turn["role"],
                text=turn["text"],
                line=number,
                timestamp="2026-03-05T10:00:00Z",
                files=tuple(FileState(path) for path in turn.get("files", ())),
                typed=turn["role"] == "user",
            )
            for number, turn in enumerate(data["turns"], 1)
        )
        yield Dialogue(data["name"], steps, tuple(data["tombstones"]))


def means(tombstone: Tombstone, label: dict[str, Any]) -> bool:
    """Whether a find means a label."""
    named = any(word.lower() in tombstone.name.lower() for word in label["words"])
    return tombstone.story[-1].turn in label["turns"] and named


def score(dialogue: Dialogue, into: Score, *, show: bool = False) -> None:
    """Add a dialogue to a score; a second find of one label counts neither way."""
    found = tombstones(dialogue.steps)
    hit: set[int] = set()
    for one in found:
        meant = [number for number, label in enumerate(dialogue.labels) if means(one, label)]
        fresh = [number for number in meant if number not in hit]
        into.found += bool(fresh) or not meant
        into.right += bool(fresh)
        hit.update(fresh[:1])
        told = f"{dialogue.name}: {one.name!r} because {one.reason!r}, turns {[part.turn for part in one.story]}"
        if not meant:
            into.errors.append(f"FALSE   {told}")
        if show:
            print(f"{'right' if meant else 'FALSE'}   {told}")
    into.labels += len(dialogue.labels)
    missed = [label for number, label in enumerate(dialogue.labels) if number not in hit]
    into.errors += [f"MISSED  {dialogue.name}: {label['words']} in turns {label['turns']}" for label in missed]


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=OWN)
    parser.add_argument("--part")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    for path in sorted(arguments.folder.glob(f"{arguments.part or '*'}-*.jsonl")):
        total = Score()
        for dialogue in dialogues(path):
            score(dialogue, total, show=arguments.show)
        print(f"{path.stem:12} {total}")
        if arguments.errors:
            print(*total.errors, sep="\n")


if __name__ == "__main__":
    main()
