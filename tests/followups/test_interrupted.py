"""A run killed at any system call that changes something, and whatever follows: all of it stands, or nothing.

Beside the killed run's receipt there is an earlier one, which no undo may mistake for it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from typing import NamedTuple

import pytest

from tests.faults.inject import Fault, child
from tests.followups import talks
from tests.followups.crash_driver import files
from tests.followups.crashes import ONE_IN, about, followed
from tests.followups.talks import GUIDE, RETRY, ROTATE, answer
from tests.support import Vault, wrap
from wrapgen.workflows.said_file import SAID_FILE

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")

WEB, SHOP, HOME, INFRA, SPARE = (f"projects/{name}/todos.md" for name in ("web", "shop", "home", "infra", "spare"))
YESTERDAY = "journals/2026/04/2026-04-23.md"
EARLIER, LATER = "Write the earlier words", "Count the later jars"
SECRET = "ghp_" + "a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5F6g7H8"
NOTES = {
    WEB: "- [ ] Alpha rotate the keys\n- [ ] Bravo paint the fence\n  - [ ] buy a brush\n  - Ann has the colour\n"
    "- [ ] Charlie call the bank\n- [ ] Delta mow the lawn\n",
    SHOP: "- [ ] Echo order the paint\n- [ ] Foxtrot sweep the yard\n  - behind the shed\n",
    HOME: "- [ ] Golf mend the roof 📅 2026-05-01 🔁 every week\n",
    INFRA: f"- [ ] Hotel count the parcels\n- [ ] Lima use {SECRET} there\n",
    SPARE: "- [ ] India write the letter\n",
}
OTHERS = {
    "projects/web/actives/search/todos.md": "# search\n\n- [ ] Sort the shelves\n",
    YESTERDAY: "# Day\n\nThe gate was repaired on Monday.\n\n## Next\n\n- Call the plumber\n"
    "- (web) Delta mow the lawn\n",
    "docs/plan.md": "# Release plan\n\n- [ ] build the parcels\n- [ ] Juliett mend the gate\n",
    "wrapgen.toml": '[sources]\nlists = ["docs/*.md"]\n',
}
ROUTE = (
    {"route": "journal"}, {"route": "project", "project": "web"}, {"route": "project", "project": "shop"},
    {"route": "active", "project": "web", "task": "search"},
)  # fmt: skip
ASKED = (RETRY, ROTATE, GUIDE, "mend the search")


class Act(NamedTuple):
    """A command, and how many notes it changes."""

    words: tuple[str, ...]
    files: int
    first: tuple[str, ...] = ()  # one that comes before it


MOVE = ("move", f"{WEB}:6", f"{SHOP}:6", f"{HOME}:5", "infra")
DONE = ("done", f"{WEB}:5", f"{SHOP}:5", f"{HOME}:5", f"{INFRA}:5")
ROUTED = ("route", "--answers", "{aside}/answers.json")
TRIAGE = ("triage", "--reviewed", "{aside}/verdicts.json")
NEXT = ("next", f"{SHOP}:5", f"{WEB}:6")
ACTS = {
    "done: one": Act(("done", f"{WEB}:5"), 1),
    "done: three of one file": Act(("done", f"{WEB}:5", f"{WEB}:6", f"{WEB}:10"), 1),
    "done: a line in today's Done": Act(("done", f"{YESTERDAY}:7"), 1),
    "done: four files": Act(DONE, 4),
    "add: a list": Act(("add", "Kilo tie the roses", "-p", "web"), 1),
    "add: a new journal": Act(("add", "Kilo tie the roses"), 1),
    "edit: one": Act(("edit", f"{WEB}:6", "Bravo paint the gate"), 1),
    "edit: two files": Act(("edit", f"{WEB}:10", "Delta mow the meadow", "--all"), 2),
    "move: two files": Act(("move", f"{WEB}:6", "infra"), 2),
    "move: three neighbours": Act(("move", f"{WEB}:5", f"{WEB}:6", f"{WEB}:9", "infra"), 2),
    "move: four files": Act(MOVE, 4),
    "done: a secret and another": Act(("done", f"{INFRA}:6", f"{WEB}:5"), 2),
    "move: a secret": Act(("move", f"{INFRA}:6", f"{WEB}:6", "shop"), 3),
    "route: four files": Act(ROUTED, 4),
    "triage: two files, one of them the configuration": Act(TRIAGE, 2),
    "next: two": Act(NEXT, 0),
    "undo: done": Act(("undo",), 4, DONE),
    "undo: add": Act(("undo",), 1, ("add", "Kilo tie the roses")),
    "undo: edit": Act(("undo",), 2, ("edit", f"{WEB}:10", "Delta mow the meadow", "--all")),
    "undo: move": Act(("undo",), 4, MOVE),
    "undo: move of a secret": Act(("undo",), 3, ("move", f"{INFRA}:6", f"{WEB}:6", "shop")),
    "undo: route": Act(("undo",), 4, ROUTED),
    "undo: triage": Act(("undo",), 2, TRIAGE),
    "undo: next": Act(("undo",), 0, NEXT),
}
OTHER = ("add", LATER, "-p", "spare")
QUICK = ("move: four files", "undo: move", "triage: two files, one of them the configuration")
QUICK_ONE_IN = 30


def thens(words):
    """What may follow a kill."""
    return {
        "undo": [("undo",)], "the same": [words], "another": [OTHER], "undo twice": [("undo",), ("undo",)],
        "undo killed": [("undo",), ("undo",)], "another, undo": [OTHER, ("undo",)],
    }  # fmt: skip


@pytest.fixture
def scene(tmp_path):
    """Makes the vault of an act; gives it, its command, and the notes that may stand, by how much was undone."""

    def made(act):
        vault, aside = Vault(tmp_path / "vault"), tmp_path / "aside"
        aside.mkdir()
        for path, text in NOTES.items():
            vault.write(path, f"# {path.split('/')[1]}\n\n## Next Session\n\n{text}")
        for path, text in OTHERS.items():
            vault.write(path, text)
        nothing = lines(files(vault.root))
        ran(vault, "add", EARLIER, "-p", "spare")
        if TRIAGE in act:
            verdicts(vault, aside)
        elif ROUTED in act:
            answers(vault, tmp_path)
        words, first = ([word.replace("{aside}", str(aside)) for word in one] for one in (act.words, act.first))
        before = files(vault.root)
        if first:
            ran(vault, *first)
            after, stands = files(vault.root), 0
        else:
            clean = shutil.copytree(vault.root, tmp_path / "clean")
            ran(clean, *words)
            after, stands = files(clean), 1
        changed = [path for path in (own(before) | own(after)) - {SAID_FILE} if before.get(path) != after.get(path)]
        assert len(changed) == act.files, changed
        chain = [lines(after), lines(before), nothing]
        assert lines(files(vault.root)) == chain[stands]
        return vault, words, chain

    return made


def ran(vault, *words):
    result = wrap(*words, vault=vault)
    assert result.code == 0, result.err


def answers(vault, folder):
    talk = Vault(folder / "talks").write("talk.json", talks.neutral(talks.said(*ASKED)))
    ids = [one["id"] for one in talks.orphans(vault, talk).json["orphans"]]
    given = [answer(key, **route) for key, route in zip(ids, ROUTE, strict=True)]
    (folder / "aside/answers.json").write_text(talks.answers(*given), "utf-8")


def verdicts(vault, aside):
    listed = wrap("audit", "--json", vault=vault).json["items"]
    handles = {name: next(one["id"] for one in listed if name in one["text"]) for name in ("Juliett", "Echo")}
    proof = {"quote": "The gate was repaired on Monday", "at": f"{YESTERDAY}:3"}
    said = {
        "items": [{"handle": handles["Juliett"], "verdict": "done", **proof},
                  {"handle": handles["Echo"], "verdict": "parked"}],
        "sources": [{"path": "docs/plan.md", "verdict": "not_work", "quote": "Release plan", "at": "docs/plan.md:1"}],
    }  # fmt: skip
    (aside / "verdicts.json").write_text(json.dumps(said), "utf-8")


def own(stands):
    """A person's files and what was said; neither the program's nor the dashboard nor what a kill has left."""
    return {
        path
        for path in stands
        if path == SAID_FILE
        or (not path.startswith((".wrapgen", ".agents", "ACTIVE-STATUS")) and not path.split("/")[-1].startswith("."))
    }


def lines(stands):
    """Every line of a person's files, and how often it stands; what was said of items counts once."""
    each = (line.strip() for path in own(stands) - {SAID_FILE} for line in stands[path].split("\n"))
    records = (line for line in stands.get(SAID_FILE, "").split("\n") if '"filed"' not in line)
    said = {re.sub(r'"said":"[^"]*"', "", line) for line in records}
    return Counter(filter(None, (*each, *said)))


def steps(stands):
    """How far each receipt has come, by what it did first."""
    found = {}
    for line in stands[".wrapgen/state/receipts.jsonl"].split("\n"):
        if line.endswith("}"):  # a kill may tear the last
            one = json.loads(line)
            found[one["id"]] = (one["step"], json.dumps(one["lines"]), bool(one["changes"] or one.get("judged")))
    return found


def expected(stands, chain):
    """The lines that go with what the receipts say."""
    earlier, act, later = "done", "undone", False
    for step, said, holds in steps(stands).values():
        assert step in ("done", "undone"), f"a receipt is left {step}"
        if EARLIER in said:
            earlier = step
        elif LATER in said:
            later = step == "done"
        elif holds and step == "done":
            act = "done"
    whole = chain[0 if act == "done" else 1]
    gone = chain[1] - chain[2] if earlier == "undone" else Counter()
    return whole - gone + Counter({f"- [ ] {LATER}".encode().decode("latin-1"): later} if later else {})


def check(found, chain):
    """Nothing but what was there before and afterwards stands, and the receipts say which."""
    for one in found:
        for name, then in one["then"].items():
            where = f"{about(one)}, then {name} {then['ends']}"
            assert all(code in (0, 1, 2) for event, code in then["ends"] if event is None), where
            stands, meant = lines(then["files"]), expected(then["files"], chain)
            if name == "the same":  # another item stands on the line that it names, and moves, too
                meant += Counter(one for one in stands - meant if '"became"' in one)
            assert stands == meant, where


def tried(found):
    """How many kills there were, by call."""
    return Counter(one["event"] for one in found if one["event"])


@pytest.mark.parametrize("name", QUICK)
def test_some_kills(scene, name):
    vault, words, chain = scene(ACTS[name])
    found = followed(vault, words, thens(words), ["undo killed"], one_in=QUICK_ONE_IN)
    assert tried(found)
    check(found, chain)


@pytest.mark.parametrize(
    "words", [("move", f"{WEB}:5", f"{WEB}:6", f"{WEB}:10", "spare"), ("edit", f"{WEB}:5", "Alpha turn the keys")]
)
def test_what_hangs_on_an_item_survives_a_kill(tmp_path, words):
    vault = Vault(tmp_path / "vault")
    vault.write(WEB, f"# web\n\n## Next Session\n\n{NOTES[WEB]}")
    vault.write(SPARE, "# spare\n\n## Next Session\n\n")
    vault.write(YESTERDAY, "# Day\n\n## Done\n\n- (web) Delta mow the lawn\n")
    parked = {"items": [{"handle": hanging(vault)["Alpha"]["id"], "verdict": "parked"}]}
    (tmp_path / "verdicts.json").write_text(json.dumps(parked), "utf-8")
    ran(vault, "triage", "--reviewed", tmp_path / "verdicts.json")
    ran(vault, "snooze", f"{WEB}:6", "2w")
    ran(vault, "keep", f"{WEB}:10")
    kills = 0
    for at in range(1, 400, 11):
        copy = shutil.copytree(vault.root, tmp_path / f"at {at}")
        told, _ = child(copy, Fault(at), lambda copy=copy: str(wrap(*words, vault=copy).code).encode())
        if not told:
            break
        kills += 1
        ran(copy, *OTHER)
        found = hanging(copy)
        assert found["Alpha"]["judged"]["verdict"] == "parked", told
        assert "Bravo" in wrap("list", "--snoozed", vault=copy).out, told
        assert found["Delta"]["fate"] != "resolved", told
    assert kills > 5


def hanging(vault):
    """The items by their first words."""
    return {one["text"].split()[0]: one for one in wrap("audit", "--json", vault=vault).json["items"]}


@pytest.mark.slow
@pytest.mark.parametrize("name", ACTS)
def test_every_kill(scene, name):
    vault, words, chain = scene(ACTS[name])
    found = followed(vault, words, thens(words), ["undo killed"], one_in=ONE_IN)
    print(f"killed: {name}: {dict(tried(found))}")  # -rP shows it
    check(found, chain)
