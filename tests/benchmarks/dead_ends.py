"""Fit what weighs the facts about dead ends: `python -m tests.benchmarks.dead_ends [--cross [SET ...]]`.

Reads the labelled dialogues of `tests/tracks/dialogues` and writes `wrapgen/tracks/weights.toml`; needs scikit-learn.
With `--cross`, writes nothing and prints precision and recall of each set, judged by weights fitted without it: what
to expect of dialogues that nobody has seen. Never reads `tests/tracks/unseen`.
"""

import argparse
import math
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from multiprocessing import Pool

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from tests.benchmarks.tombstones import OWN, Dialogue, Score, dialogues, score
from wrapgen.tracks import load_models, tombstones
from wrapgen.tracks.candidates import pieces_of
from wrapgen.tracks.ends import End, Evidence, ends, evidence
from wrapgen.tracks.linear import Linear, Models
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.names import name_of
from wrapgen.tracks.story import Story
from wrapgen.tracks.terms import terms
from wrapgen.tracks.turns import turns_of

STRENGTH = 1.0
"""Inverse of the regularization; by cross-validation 3 does as well."""
COMMON = 2
"""Other dialogues that may say a word while it counts as rare."""
SESSION = 6
"""Dialogues that make a long session."""
BARS = (0.5, 0.58, 0.62, 0.66, 0.7, 0.72, 0.74)
"""Bars at which dialogues that were left out are scored."""
SEED = "seed"
"""The set that is made by combination, of which no sessions are made."""
SMALL = 0.015
"""Weights below it are left out."""


@dataclass
class Case:
    """A labelled dialogue, read once.

    Attributes:
        judged: where something may be given up, what speaks for it, and whether a label says so.
        said: words, with the number of dialogues in it that say them.
        alone: it is one dialogue, and no session made of several.
    """

    part: str
    dialogue: Dialogue
    judged: list[tuple[End, Evidence, bool]]
    said: Counter[str]
    alone: bool = True

    def named(self, end: End, name: str) -> bool:
        """Whether a label means this end and this name."""
        return any(end.place + 1 in label["turns"] and holds(name, label) for label in self.dialogue.labels)


def holds(text: str, label: dict) -> bool:
    return any(word.lower() in text.lower() for word in label["words"])


def joined(single: list[Dialogue]) -> Iterator[Dialogue]:
    """The same dialogues one behind the other, as a long session comes from one thing to the next."""
    for at in range(0, len(single), SESSION):
        steps, labels = [], []
        for dialogue in single[at : at + SESSION]:
            before = len(steps)
            steps += [replace(step, number=step.number + before) for step in dialogue.steps]
            labels += [{**label, "turns": [turn + before for turn in label["turns"]]} for label in dialogue.labels]
        yield Dialogue(f"{single[at].name} and on", tuple(steps), tuple(labels))


def cases() -> list[Case]:
    found = []
    for path in sorted(OWN.glob("*.jsonl")):
        single = [read(path.stem, dialogue) for dialogue in dialogues(path)]
        if path.stem.startswith(SEED):
            found += single
            continue
        sessions = [read(path.stem, dialogue) for dialogue in joined([one.dialogue for one in single])]
        for number, session in enumerate(sessions):
            parts = single[number * SESSION : (number + 1) * SESSION]
            session.said, session.alone = sum((one.said for one in parts), Counter()), False
        found += single + sessions
    return found


def read(part: str, dialogue: Dialogue) -> Case:
    turns = turns_of(dialogue.steps, load_cues())
    labelled = {turn for label in dialogue.labels for turn in label["turns"]}
    judged = [(end, evidence(end), end.place + 1 in labelled) for end in ends(turns)]
    return Case(part, dialogue, judged, Counter(frozenset().union(*(turn.terms for turn in turns))))


def regression(examples: list[tuple[Evidence, bool]], weights: list[float] | None = None) -> Linear:
    vectorizer = DictVectorizer(sparse=False)
    matrix = vectorizer.fit_transform([facts for facts, _ in examples])
    model = LogisticRegression(C=STRENGTH, max_iter=4000)
    model.fit(matrix, [true for _, true in examples], sample_weight=weights)
    fitted = zip(vectorizer.feature_names_, model.coef_[0], strict=True)
    return Linear(
        round(float(model.intercept_[0]), 2),
        {name: round(float(weight), 2) for name, weight in fitted if abs(weight) >= SMALL},
    )


class Rarity:
    """How seldom words are used, from 0 to 1, by the dialogues that say them."""

    def __init__(self, known: list[Case]) -> None:
        self._told = sum(one.alone for one in known)
        self._said = sum((one.said for one in known if one.alone), Counter())

    def known(self) -> dict[str, float]:
        """Words that are not rare, for dialogues that were not counted."""
        return self._of(self._said)

    def apart_from(self, case: Case) -> dict[str, float]:
        """The same for a dialogue that was counted: its own words are as new as those of any other."""
        return self._of({term: self._said[term] - times for term, times in case.said.items()})

    def _of(self, said: Mapping[str, int]) -> dict[str, float]:
        most = math.log(self._told / COMMON)
        rare = {term: round(math.log(self._told / times) / most, 1) for term, times in said.items() if times > COMMON}
        return {term: value for term, value in sorted(rare.items()) if value < 1}


def fit(known: list[Case]) -> Models:
    rarity = Rarity(known)
    end = regression([(facts, true) for case in known for _, facts, true in case.judged])
    stories = []
    for case in known:
        rare = rarity.apart_from(case)
        for label in case.dialogue.labels:
            told = [one for one, _, _ in case.judged if one.place + 1 in label["turns"]]
            if told:
                stories.append((Story(told[-1], rare), told[-1], label))
    word = regression(
        [
            (facts, term in frozenset().union(*(terms(one.lower(), load_cues()) for one in label["words"])))
            for story, _, label in stories
            for term, facts in story.word_evidence().items()
        ]
    )
    examples, weights = [], []
    for story, told, label in stories:
        likely = {term: word(facts) for term, facts in story.word_evidence().items()}
        pieces = list(pieces_of(told, load_cues()))
        examples += [(story.piece_evidence(piece, likely), holds(piece.text, label)) for piece in pieces]
        weights += [1 / math.sqrt(len(pieces))] * len(pieces)
    name = regression(examples, weights)
    examples = []
    for case in known:
        models = Models(end, word, name, end, rarity.apart_from(case))
        for told, facts, _ in case.judged:
            if end(facts) >= tombstones.FAINT and (found := name_of(told, models, load_cues())):
                examples.append((facts | tombstones.named(told, found), case.named(told, found.piece.text)))
    return Models(end, word, name, regression(examples), rarity.known())


def written(models: Models) -> str:
    """The file that `load_models` reads."""
    lines = ["# Fitted on the labelled dialogues by `python -m tests.benchmarks.dead_ends`; not written by hand."]
    for table in ("end", "word", "name", "dead_end"):
        model = getattr(models, table)
        lines += ["", f"[{table}]", f"bias = {model.bias}"]
        lines += [f'"{name}" = {weight}' for name, weight in sorted(model.weights.items())]
    groups = defaultdict(list)
    for word, rare in models.rarity.items():
        groups[rare].append(word)
    lines += ["", "[rarity] # from 0, said by all, to 1; words that are not here are rare"]
    for rare, words in sorted(groups.items()):
        lines += [f'"{rare}" = [', *(f'  "{line}",' for line in textwrap.wrap(" ".join(words), 112)), "]"]
    return "\n".join(lines) + "\n"


def without(part: str) -> dict[tuple[float, bool], Score]:
    """Scores of a set at several bars, alone and in sessions, by weights fitted without it."""
    known = cases()
    models = fit([case for case in known if not case.part.startswith(f"{part}-")])
    tombstones.load_models = lambda: models
    scores = defaultdict(Score)
    for bar in BARS:
        tombstones.LEAST = bar
        for case in known:
            if case.part.startswith(f"{part}-"):
                score(case.dialogue, scores[bar, case.alone])
    return dict(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cross", nargs="*", metavar="SET")
    arguments = parser.parse_args()
    if arguments.cross is None:
        load_models.FILE.write_text(written(fit(cases())), encoding="utf-8")
        return
    parts = arguments.cross or sorted({path.stem.rpartition("-")[0] for path in OWN.glob("*.jsonl")})
    total = defaultdict(Score)
    with Pool() as pool:
        for part, scores in zip(parts, pool.imap(without, parts), strict=True):
            for key, one in scores.items():
                show(part, key, one)
                total[key].right += one.right
                total[key].found += one.found
                total[key].labels += one.labels
    for key, one in sorted(total.items()):
        show("all", key, one)


def show(part: str, key: tuple[float, bool], one: Score) -> None:
    bar, alone = key
    print(f"{part:8} {'alone' if alone else 'in sessions':11} bar {bar:.2f}  {one}")


if __name__ == "__main__":
    main()
