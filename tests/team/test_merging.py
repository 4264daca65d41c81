"""Two clones of a vault: the page never conflicts, and what two people write at the same time stands there once."""

import json
import os
import shutil
from collections import Counter

import pytest

from tests.clones import markers, opened, pulled, team
from tests.followups.talks import neutral, orphans, said
from tests.support import THOROUGH, TODAY, Vault, finish, spawn, wrap

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(os.name == "nt", reason="hooks are run by a shell"),
]
LIST = "projects/web/todos.md"
TASK = "projects/web/actives/search/todos.md"
JOURNAL = f"journals/2026/04/{TODAY}.md"
NOTES = {
    LIST: "# web\n\n## Next Session\n\n- [ ] Water the plants\n- [ ] Sort the shelves\n",
    TASK: "# search\n\n- [ ] Paint the fence\n",
    "projects/infra/todos.md": "# infra\n\n## Next Session\n\n- [ ] Call the plumber\n",
    "journals/2026/04/2026-04-20.md": "# 2026-04-20\n",
}
BOTH = ("--no-rebase", "--rebase")
HOW = pytest.mark.parametrize("how", BOTH)
# Each test in one manner, each manner in several tests; where the end of the list is concerned, in both.
MERGED, REBASED = (pytest.mark.parametrize("how", BOTH if THOROUGH else [one]) for one in BOTH)


@pytest.fixture
def together(home, tmp_path_factory, tmp_path):
    """A team's clones, made once and copied; without hooks where nothing is said about them, which take their time."""

    def copy(*, hooks=False):
        made = tmp_path_factory.getbasetemp() / "team"
        if not made.exists():
            built = Vault(made / "first")
            for name, text in NOTES.items():
                built.write(name, text)
            team(built)
        shutil.copytree(made, tmp_path / "team", symlinks=True)
        people = opened(tmp_path / "team" / "ann"), opened(tmp_path / "team" / "bob")
        for one in people:
            if not hooks:
                shutil.rmtree(one.root / ".git" / "hooks")
        return people

    return copy


@pytest.fixture
def people(together):
    return together()


def lines(text):
    return [line.replace("(web) ", "") for line in text.splitlines() if line.startswith("- [")]


def once(text, *items):
    """Each item stands there, once, and nothing else does."""
    assert markers(text) == []
    assert Counter(lines(text)) == Counter(f"- [ ] {item}" for item in items), text


def add(clone, text, *words):
    assert wrap("add", text, *words, vault=clone).code == 0


def tick(clone, item, name=LIST):
    clone.write(name, clone.text(name).replace(f"- [ ] {item}", f"- [x] {item}"), changed="2026-04-25")


class TestLists:
    @pytest.mark.slow
    @HOW
    def test_both_add_to_the_end_of_the_same_list(self, people, how):
        ann, bob = people
        add(ann, "Ask the neighbours", "-p", "web")
        add(bob, "Buy the paint", "-p", "web")
        ann.commit()
        bob.commit()
        pulled(ann)
        pulled(bob, how)
        pulled(ann, how)
        assert ann.text(LIST) == bob.text(LIST)
        once(ann.text(LIST), "Water the plants", "Sort the shelves", "Ask the neighbours", "Buy the paint")

    @pytest.mark.slow
    @REBASED
    def test_both_add_the_same_and_something_of_their_own(self, people, how):
        ann, bob = people
        for one, own in ((ann, "Ask the neighbours"), (bob, "Buy the paint")):
            add(one, "Mend the gate", "-p", "web")
            add(one, own, "-p", "web")
            one.commit()
        pulled(ann)
        pulled(bob, how)
        texts = ["Water the plants", "Sort the shelves", "Mend the gate", "Ask the neighbours", "Buy the paint"]
        once(bob.text(LIST), *texts)

    @pytest.mark.slow
    @MERGED
    def test_both_begin_todays_journal(self, people, how):
        ann, bob = people
        for one, own in ((ann, "Ask the neighbours"), (bob, "Buy the paint")):
            add(one, own)
            one.commit()
        pulled(ann)
        pulled(bob, how)
        once(bob.text(JOURNAL), "Ask the neighbours", "Buy the paint")
        assert bob.text(JOURNAL).count("# ") == ann.text(JOURNAL).count("# ")

    @pytest.mark.slow
    @REBASED
    def test_the_blocks_of_two_sessions_stay_apart(self, vault, how):
        ann, bob = team(vault(NOTES | {JOURNAL: f"# {TODAY}\n"}))
        for one, project in ((ann, "web"), (bob, "infra")):
            block = (
                f"\n## Session: {project}\n\n### Done\n\n- Looked at {project}\n\n### Next\n\n- [ ] Mend {project}\n"
            )
            one.write(JOURNAL, one.text(JOURNAL) + block)
            one.commit()
        pulled(ann)
        pulled(bob, how)
        items = wrap("audit", "--json", vault=bob).items
        assert {text: items[text]["project"] for text in ("Mend web", "Mend infra")} == {
            "Mend web": "web",
            "Mend infra": "infra",
        }

    @pytest.mark.slow
    def test_blocks_that_repeat_a_long_template_may_alternate_and_lose_no_line(self, people):
        """What union cannot know: see docs/team.md."""
        ann, bob = people
        template = "\n### Checked\n\n- the build\n- the tests\n- the pages\n\n### Next\n"
        for one, project in ((ann, "web"), (bob, "infra")):
            one.write(JOURNAL, f"# {TODAY}\n\n## Session: {project}\n{template}\n- [ ] (web) Mend {project}\n")
            one.commit()
        pulled(ann)
        pulled(bob)
        once(bob.text(JOURNAL), "Mend web", "Mend infra")
        assert "## Session: infra\n## Session: web\n" in bob.text(JOURNAL)

    @pytest.mark.slow
    @MERGED
    def test_one_ticks_a_box_away_from_where_the_other_adds_a_line(self, people, how):
        ann, bob = people
        tick(ann, "Water the plants")
        add(bob, "Buy the paint", "-p", "web")
        ann.commit()
        bob.commit()
        pulled(ann)
        pulled(bob, how)
        assert lines(bob.text(LIST)) == ["- [x] Water the plants", "- [ ] Sort the shelves", "- [ ] Buy the paint"]

    @pytest.mark.slow
    @REBASED
    def test_one_ticks_the_last_box_and_the_other_adds_below_it(self, people, how):
        """What union cannot know: the open line stays beside the ticked one, so the item is open. Nothing is lost."""
        ann, bob = people
        tick(ann, "Sort the shelves")
        add(bob, "Buy the paint", "-p", "web")
        ann.commit()
        bob.commit()
        pulled(ann)
        pulled(bob, how)
        text = bob.text(LIST)
        assert markers(text) == []
        both = ["- [x] Sort the shelves", "- [ ] Sort the shelves"]
        assert Counter(lines(text)) == Counter(["- [ ] Water the plants", *both, "- [ ] Buy the paint"])

    def test_a_file_that_both_make(self, people):
        ann, bob = people
        for one, own in ((ann, "Ask the neighbours"), (bob, "Buy the paint")):
            one.write("projects/garden/todos.md", f"# garden\n\n## Next Session\n\n- [ ] {own}\n")
            one.commit()
        pulled(ann)
        pulled(bob)
        once(bob.text("projects/garden/todos.md"), "Ask the neighbours", "Buy the paint")
        assert bob.text("projects/garden/todos.md").count("## Next Session") == 1


@pytest.mark.parametrize("order", ["the mover first", "the judge first"])
@pytest.mark.parametrize("act", [("move", "infra"), ("edit", "Sort the books")])
def test_a_verdict_means_the_item_that_another_clone_has_moved_or_reworded_meanwhile(people, act, order):
    ann, bob = people
    verb, *words = act
    item = f"{LIST}:6"
    runs = [(ann, "next", item), (ann, "triage", "--reviewed", verdicts(ann, item)), (bob, verb, item, *words)]
    for who, *command in runs if order == "the judge first" else [runs[2], *runs[:2]]:
        assert wrap(*command, vault=who).code == 0
    for one in people:
        one.commit()
    for one in (*people, people[0]):
        pulled(one)
    for one in people:
        (judged,) = [item["judged"] for item in wrap("audit", "--json", vault=one).json["items"] if item["judged"]]
        assert judged["verdict"] == "parked"


@pytest.mark.parametrize("former", ["", '[sources]\nignore = ["old/*.md"]\n'])
def test_verdicts_of_two_clones_on_whole_lists(vault, former):
    told = {"journals/2026/04/2026-04-24.md": "# Day\n\nThe search list was given up. The infra list, too.\n"}
    people = team(vault(NOTES | told, config=former))
    for one, path in zip(people, (TASK, "projects/infra/todos.md"), strict=True):
        word = path.split("/")[-2]
        proof = {"quote": f"The {word} list", "at": "journals/2026/04/2026-04-24.md:3"}
        judged = {"path": path, "verdict": "parked", **proof}
        assert wrap("triage", "--reviewed", answer(one, sources=[judged]), vault=one).code == 0
        one.commit()
    for one in (*people, people[0]):
        pulled(one)
    for one in people:
        assert {item["path"] for item in wrap("audit", "--json", vault=one).json["items"]} == {LIST}


def verdicts(clone, place):
    name, line = place.split(":")
    items = wrap("audit", "--json", vault=clone).json["items"]
    (key,) = [item["id"] for item in items if (item["path"], item["line"]) == (name, int(line))]
    return answer(clone, items=[{"handle": key, "verdict": "parked"}])


def answer(clone, **said):
    file = clone.root.parent / "verdicts.json"
    file.write_text(json.dumps(said), encoding="utf-8")
    return file


def routing(clone, folder, *tasks):
    """A process that routes follow-ups, by turns to the journal and into the project's list."""
    talk = folder / f"{clone.root.name}.json"
    talk.write_bytes(neutral(said(*tasks)))
    ids = {one["text"]: one["id"] for one in orphans(clone, talk).json["orphans"]}
    assert list(ids) == list(tasks)
    answers = folder / f"{clone.root.name}-answers.json"
    given = [
        {"id": key, "route": "project", "project": "web"} if number % 2 else {"id": key, "route": "journal"}
        for number, key in enumerate(ids.values())
    ]
    answers.write_text(json.dumps({"answers": given}), encoding="utf-8")
    return spawn("--vault", clone.root, "--today", TODAY, "route", "--answers", answers)


@pytest.mark.slow
@REBASED
def test_two_clones_route_at_the_same_time_and_merge_without_loss(people, tmp_path, how):
    told = {"ann": [], "bob": []}
    for round_, words in enumerate((("gate", "hedge"), ("well", "roof"))):
        at_once = []
        for one, what in zip(people, words, strict=True):
            tasks = [f"mend the {what} of house {round_ * 10 + number}" for number in range(3)]
            told[one.root.name] += tasks
            at_once.append(routing(one, tmp_path, *tasks))
        for child in at_once:
            assert finish(child).code == 0
        for one in people:
            one.commit()
        for one in (*people, people[0]):
            pulled(one, how)
    ann, bob = people
    for name in (LIST, JOURNAL):
        assert ann.text(name) == bob.text(name)
    text = ann.text(LIST) + ann.text(JOURNAL)
    assert markers(text) == []
    for task in (*told["ann"], *told["bob"]):
        assert len([line for line in lines(text) if line.endswith(task)]) == 1, task
    for one in people:
        assert wrap("audit", "--json", vault=one).json["potentially_lost"] == []


class TestPage:
    @pytest.mark.slow
    def test_it_never_conflicts_and_is_right_after_the_pull(self, together):
        ann, bob = together(hooks=True)
        for one, own in ((ann, "Ask the neighbours"), (bob, "Buy the paint")):
            add(one, own, "-p", "web")
            one.commit()
        pulled(ann)
        pulled(bob)
        today = bob.page.partition("date: ")[2].partition("\n")[0]
        assert "Ask the neighbours" in bob.page
        assert "Buy the paint" in bob.page
        assert markers(bob.page) == []
        assert wrap("regen", "--check", vault=bob, today=today).code == 0
        assert bob.tree_is_clean

    @pytest.mark.slow
    def test_a_pull_that_brings_only_others_work_rebuilds_it_too(self, together):
        ann, bob = together(hooks=True)
        add(ann, "Ask the neighbours", "-p", "web")
        ann.commit()
        pulled(ann)
        bob.git("pull", "-q", "--no-rebase")
        assert "Ask the neighbours" in bob.page
