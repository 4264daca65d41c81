"""What is to happen: which follow-ups are said, where each is to go, and which runs are made of it. Pure, by a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from tests.support import TODAY

YESTERDAY = "2026-04-23"
SYLLABLES = (
    "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "za", "bel", "dor", "fin",
    "gar", "hem", "kol", "mur", "nat", "pir", "sol", "tum", "vek",
)  # fmt: skip
# Of a hundred errands; the rest are rebuilds.
AT_ONCE, LATER, TWICE, UNANSWERED = 36, 20, 10, 8
SKIPPED = 0.08
CHANGED = 15  # of a hundred errands: those that change an item which stands
PER_SESSION = 3


class Manner(StrEnum):
    """How an editor saves: with `>>`, by renaming a copy into place, or by writing over the file."""

    APPEND = "append"
    RENAME = "rename"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class File:
    """A note of the vault, and the editors that are at work on it.

    Attributes:
        route: the route that leads here, "" when none does.
        editors: how many work on it at once.
        hold: seconds at most that an editor keeps what it has read before it saves: how stale its copy may be.
        boxes: which share of an editor's lines are open boxes; only where such are collected wherever they stand.
    """

    path: str
    text: str
    manner: Manner
    route: str = ""
    project: str | None = None
    task: str | None = None
    editors: int = 1
    hold: float = 0.0
    boxes: float = 0.0

    @property
    def may_lose(self) -> bool:
        """Whether an editor may put a stale copy over a line, which nothing can prevent."""
        return self.manner is not Manner.APPEND


def _list(title: str, item: str) -> str:
    return f"# {title}\n\n## Next Session\n\n- [ ] {item}\n\n## Log\n\n"


def _journal(day: str, item: str) -> str:
    return f"# {day}\n\n## Session: web\n\n### Next\n\n- [ ] {item}\n\n## Log\n\n"


FILES = (
    File(f"journals/2026/04/{TODAY}.md", _journal(TODAY, "Call the plumber"), Manner.APPEND, "journal"),
    File(f"journals/2026/04/{YESTERDAY}.md", _journal(YESTERDAY, "Oil the gate"), Manner.RENAME),
    File("projects/web/todos.md", _list("web", "Water the plants"), Manner.APPEND, "project", "web", editors=2),
    File("projects/web/PROGRESS.md", _list("web", "Air the cellar"), Manner.OVER),
    File("projects/infra/todos.md", _list("infra", "Paint the fence"), Manner.RENAME, "project", "infra"),
    File("projects/infra/actives/search/todos.md", "# search\n\n- [ ] Sort the shelves\n", Manner.RENAME, "active",
         "infra", "search", hold=0.4, boxes=0.1),
    File("projects/web/actives/docs/todos.md", "# docs\n\n- [ ] Wind the clock\n", Manner.OVER, "active", "web", "docs",
         hold=0.05, boxes=0.1),
)  # fmt: skip
ROUTED = tuple(file for file in FILES if file.route)
# Where the items stand that are changed, and go to: editors only append there, as a stale copy may bring a line back.
FROM = {"wrap done": FILES[2], "wrap edit": FILES[2], "wrap move": FILES[0]}
MOVED_TO = FILES[2]
REWORDED = "reworded by hand"


@dataclass(frozen=True, slots=True)
class Task:
    """A follow-up; its mark stands in no other text.

    Attributes:
        to: where it is to be written, None when it is to be skipped.
    """

    mark: str
    text: str
    to: File | None


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation in which some tasks are put off, and whether somebody says where they belong."""

    name: str
    tasks: tuple[Task, ...]
    answered: bool


class Verb(StrEnum):
    """The command lines of the runs."""

    WRAP = "wrap --answers"
    NO_PROMPT = "wrap --no-prompt"
    ROUTE = "wrap route"
    REGEN = "wrap regen"
    DONE = "wrap done"
    EDIT = "wrap edit"
    MOVE = "wrap move"

    @property
    def changes_an_item(self) -> bool:
        return self in (Verb.DONE, Verb.EDIT, Verb.MOVE)


@dataclass(frozen=True, slots=True)
class Errand:
    """Runs that somebody makes one after the other, each again until it is through."""

    verbs: tuple[Verb, ...]
    session: Session | None = None
    item: Task | None = None  # the item that is changed; it stands where its task says


@dataclass(frozen=True, slots=True)
class Plan:
    """All sessions, and the errands in the order in which they are begun."""

    sessions: tuple[Session, ...]
    errands: tuple[Errand, ...]

    @property
    def tasks(self) -> list[tuple[Session, Task]]:
        """Every task with its session."""
        return [(session, task) for session in self.sessions for task in session.tasks]

    @property
    def items(self) -> list[tuple[Verb, Task]]:
        """Every item that stands from the beginning, with what is to be done about it."""
        return [(errand.verbs[0], errand.item) for errand in self.errands if errand.item]


def plan(runs: int, seed: int) -> Plan:
    """Plan at least so many runs.

    Args:
        runs: how many; those that are killed and made again are not counted here.
        seed: the same seed gives the same plan.
    """
    rng = random.Random(seed)
    sessions: list[Session] = []
    errands: list[Errand] = []
    number = 0
    while sum(len(errand.verbs) for errand in errands) < runs:
        if rng.randrange(100) < CHANGED:
            verb = rng.choice((Verb.DONE, Verb.EDIT, Verb.MOVE))
            mark = f"job{number}x"
            errands.append(Errand((verb,), item=Task(mark, f"mend the {words(rng)} of {mark}", FROM[verb])))
            number += 1
            continue
        drawn = rng.randrange(100)
        if drawn >= AT_ONCE + LATER + TWICE + UNANSWERED:
            errands.append(Errand((Verb.REGEN,)))
            continue
        tasks = tuple(_task(rng, number + place) for place in range(rng.randint(1, PER_SESSION)))
        number += len(tasks)
        session = Session(f"s{len(sessions)}", tasks, answered=drawn < AT_ONCE + LATER + TWICE)
        sessions.append(session)
        if drawn < AT_ONCE:
            errands.append(Errand((Verb.WRAP,), session))
        elif drawn < AT_ONCE + LATER:
            errands.append(Errand((Verb.NO_PROMPT, Verb.ROUTE), session))
        elif drawn < AT_ONCE + LATER + TWICE:
            errands += [Errand((Verb.WRAP,), session), Errand((Verb.WRAP, Verb.ROUTE), session)]  # side by side
        else:
            errands.append(Errand((Verb.NO_PROMPT,), session))
    return Plan(tuple(sessions), tuple(errands))


def _task(rng: random.Random, number: int) -> Task:
    mark = f"job{number}x"
    to = None if rng.random() < SKIPPED else rng.choice(ROUTED)
    return Task(mark, f"mend the {words(rng)} of {mark}", to)


def words(rng: random.Random) -> str:
    """Made-up words, so that no two texts are alike."""
    return " ".join("".join(rng.choices(SYLLABLES, k=rng.randint(3, 5))) for _ in range(3))
