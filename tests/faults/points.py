"""The writes that the program makes, each as a vault, a command, and the command that follows."""

import shutil
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.inject import Fault, child
from tests.followups import talks
from tests.followups.conftest import PROJECTS
from tests.support import TODAY, Vault, wrap

MONTH = f"journals/{TODAY[:4]}/{TODAY[5:7]}"
JOURNAL = f"{MONTH}/{TODAY}.md"
YESTERDAY = f"{MONTH}/2026-04-23.md"
WEB = "projects/web/todos.md"
DAILY = {"Daily/2026-04-22.md": "## Next\n\n- Call the plumber\n", "Daily/2026-04-23.md": "# Nothing\n"}


@dataclass(frozen=True)
class Case:
    """Where one point is at home.

    Attributes:
        vault: the vault's template.
        aside: a folder outside of the vault, for conversations and answers; it is never at fault.
    """

    vault: Vault
    aside: Path


@dataclass(frozen=True)
class Point:
    """A write of the program.

    Attributes:
        name: what is written.
        words: the command; `{vault}` and `{aside}` stand for the folders.
        prepare: makes the vault as it is before.
        again: the command of the next run, by default the same.
        codes: how the next run may end: what is done already may be refused.
        tasks: words that must stand in the notes or wait, at every moment.
        repeats: the same command once more writes once more.
    """

    name: str
    words: tuple[str, ...]
    prepare: Callable[[Case], None] = lambda _: None
    again: tuple[str, ...] = ()
    codes: frozenset[int] = frozenset({0})
    tasks: tuple[str, ...] = ()
    repeats: bool = False


def notes(case):
    """Two projects, an active task and yesterday's journal."""
    for path, text in PROJECTS.items():
        case.vault.write(path, text)


def used(case):
    """A vault that has been in use: every folder of the program stands, and the page is out of date."""
    notes(case)
    done(case, "add", "Sweep the yard", "-p", "infra")
    done(case, "snooze", f"{WEB}:5", "1")
    case.vault.write("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- [ ] Oil the hinges\n")


def done(case, *words):
    result = wrap(*words, vault=case.vault)
    assert result.code == 0, result.err


def talk(case, *tasks):
    (case.aside / "talk.json").write_bytes(talks.neutral(talks.said(*tasks)))


def waiting(case, *tasks):
    """Has follow-ups wait; gives their ids by text."""
    talk(case, *tasks)
    result = talks.orphans(case.vault, case.aside / "talk.json")
    return {one["text"]: one["id"] for one in result.json["orphans"]}


def answered(case, ids):
    """One answer of every kind, as far as the follow-ups go."""
    routes = (
        {"route": "journal"}, {"route": "project", "project": "web"}, {"route": "skip"},
        {"route": "active", "project": "web", "task": "search"},
    )  # fmt: skip
    given = [talks.answer(key, **route) for key, route in zip(ids.values(), routes, strict=False)]
    (case.aside / "answers.json").write_text(talks.answers(*given), "utf-8")


def routing(case):
    notes(case)
    answered(case, waiting(case, *talks.THREE, SEARCH_TASK))


def routed(case):
    routing(case)
    done(case, "route", "--answers", case.aside / "answers.json")


def session(case):
    """The answers to a conversation that the run itself reads."""
    notes(case)
    ids = waiting(case, *talks.THREE, SEARCH_TASK)
    answered(case, ids)
    case.vault.path(f"{talks.STATE}/pending.jsonl").unlink()


def asked(case):
    notes(case)
    waiting(case, *talks.THREE)


def added(case):
    notes(case)
    done(case, "add", "Rotate the keys")


def vanished(case):
    """An editor has saved a stale copy over a line that was routed."""
    routed(case)
    case.vault.write(WEB, PROJECTS[WEB])


def killed(case):
    """A routing was killed just after it swapped the first file in."""
    routing(case)
    words = ["route", "--answers", case.aside / "answers.json"]
    before = shutil.copytree(case.vault.root, case.aside / "before")

    def swapped(at):
        shutil.rmtree(case.vault.root)
        shutil.copytree(before, case.vault.root)
        child(case.vault.root, Fault(at), lambda: str(wrap(*words, vault=case.vault).code).encode())
        return talks.ROTATE in case.vault.path(WEB).read_text("utf-8")

    calls = range(1, 200)
    assert swapped(calls[bisect_left(calls, True, key=swapped)])


def yesterday(case):
    """Yesterday's rebuilds stand in the history by a line each."""
    notes(case)
    for task in ("Sweep the yard", "Oil the hinges"):
        added = wrap("add", task, vault=case.vault, today="2026-04-23")
        assert added.code == 0, added.err


def daily(case):
    for path, text in DAILY.items():
        case.vault.write(path, text)


def told(case):
    """An answer to take a snapshot of."""
    notes(case)
    (case.aside / "answer.md").write_text("The plan stands.\n", "utf-8")


def staged(case):
    told(case)
    words = [word.replace("{aside}", str(case.aside)) for word in stage("plan", "09")]
    done(case, *words)


def stage(name, hour):
    return (
        "stage", "write", "--task", "TUNE-0254", "--stage", name, "--command", f"/{name}", "--recommended-next", "/do",
        "--captured-at", f"{TODAY}T{hour}:00:00+00:00", "--body-file", "{aside}/answer.md",
    )  # fmt: skip


def paged(case):
    """A page that no longer is that of the notes."""
    notes(case)
    done(case, "page")
    done(case, "add", "Rotate the keys")


def nothing(case):
    case.vault.path("wrapgen.toml").unlink()


SEARCH_TASK = "mend the search"
ROUTE = ("route", "--answers", "{aside}/answers.json")
TALK = ("--transcript", "{aside}/talk.json")
ALL = (*talks.THREE, SEARCH_TASK)
DONE_ALREADY = frozenset({0, 2})

POINTS = (
    Point("regen: first page, folders, cache", ("regen",), notes),
    Point("regen: new page", ("regen",), used),
    Point("regen --json", ("regen", "--json"), used),
    Point("page: first, folders", ("page",), notes),
    Point("page: over a former one", ("page",), paged),
    Point("regen: history put together", ("regen",), yesterday),
    Point("route: journal, project, active, skip", ROUTE, routing, tasks=ALL),
    Point("route: after a killed run", ROUTE, killed, tasks=ALL),
    Point("wrap: find, route, rebuild", (*TALK, "--answers", "{aside}/answers.json"), session),
    Point("orphans: pending", ("orphans", *TALK), lambda case: (notes(case), talk(case, *talks.THREE))),
    Point("orphans: vanished line", ("orphans", *TALK), vanished, tasks=ALL),
    Point("orphans --ask: asked", ("orphans", "--ask"), asked, tasks=talks.THREE),
    Point("add: project list", ("add", "Rotate the keys", "-p", "web"), used),
    Point("add: new journal, folders", ("add", "Rotate the keys"), lambda case: case.vault.write(WEB, PROJECTS[WEB])),
    Point("done: tick", ("done", f"{WEB}:5"), notes, codes=DONE_ALREADY),
    Point("done: line in today's Done", ("done", f"{YESTERDAY}:7"), notes, codes=DONE_ALREADY),
    Point("snooze", ("snooze", f"{WEB}:5", "3"), notes),
    Point("keep", ("keep", f"{WEB}:5"), used),
    Point("undo: routing", ("undo",), routed, codes=DONE_ALREADY, tasks=ALL),
    Point("undo: journal made by add", ("undo",), added, codes=DONE_ALREADY),
    Point("stage write: first", stage("plan", "09"), told, repeats=True),
    Point("stage write: over another", stage("do", "10"), staged, repeats=True),
    Point("stage archive", ("stage", "archive", "TUNE-0254", "--area", "web"), staged, codes=frozenset({0, 1, 2})),
    Point("trust", ("trust", "{vault}"), notes),
    Point("init", ("init", "{vault}"), nothing),
    Point("init --demo", ("init", "{vault}", "--demo"), nothing),
    Point("init --detect: configuration", ("init", "{vault}", "--detect"), daily),
)
