"""`wrap undo`: what a receipt put there goes, as far as it still stands as it was written."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, answer, route
from tests.support import TODAY, wrap
from wrapgen.session.memory import Receipt, Step
from wrapgen.workflows.memory import Memory

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
WEB, INFRA, SHOP = (f"projects/{name}/todos.md" for name in ("web", "infra", "shop"))


def undo(vault, *words):
    return wrap("undo", *words, vault=vault)


def receipts(vault):
    """Ids in the order in which they were begun."""
    return list(dict.fromkeys(record["id"] for record in talks.state(vault, "receipts.jsonl")))


def number_of(vault, text):
    wrap("list", "--all", vault=vault)
    items = wrap("list", "--all", "--json", vault=vault).json["items"]
    return next(str(item["number"]) for item in items if item["text"] == text)


@pytest.fixture
def routed(projects, waiting, answered):
    """Two lines in two files, one of them made, and a skip."""
    before = talks.notes(projects)
    ids = waiting(projects, RETRY, ROTATE, GUIDE)
    given = [
        answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web"), answer(ids[GUIDE], "skip"),
    ]  # fmt: skip
    assert route(projects, answered, *given).code == 0
    return before


@pytest.mark.slow
def test_everything_is_as_it_was_and_the_follow_ups_wait_again(projects, routed):
    result = undo(projects)
    assert result.code == 0, result.err
    assert talks.notes(projects) == routed
    assert sorted(talks.pending(projects)) == sorted([RETRY, ROTATE, GUIDE])
    assert talks.state(projects, "skipped.jsonl") == []
    assert RETRY not in projects.page


@pytest.mark.slow
def test_folders_that_it_made_may_stay_but_no_file_does(projects, routed):
    undo(projects)
    assert not projects.path(JOURNAL).exists()


@pytest.mark.slow
def test_twice_there_is_nothing_left_to_take_back(projects, routed):
    undo(projects)
    result = undo(projects)
    assert result.code == 2
    assert "nothing to undo" in result.err
    assert talks.notes(projects) == routed


def test_nothing_was_ever_written(projects):
    result = undo(projects)
    assert result.code == 2
    assert "nothing to undo" in result.err


def test_an_unknown_receipt_names_the_latest(projects):
    wrap("add", "Sweep the yard", vault=projects)
    (receipt,) = talks.state(projects, "receipts.jsonl")[-1:]
    result = undo(projects, "nosuch")
    assert result.code == 2
    assert f"no receipt `nosuch`. The latest ones are: {receipt['id']}." in result.err


@pytest.mark.slow
def test_after_undo_the_same_answers_are_carried_out_again(projects, routed, answered):
    first = talks.notes(projects)
    undo(projects)
    assert wrap("route", "--answers", answered, vault=projects).code == 0
    assert talks.notes(projects) == first


class TestChangedSince:
    def test_a_line_that_was_ticked_is_left_alone_and_said_so(self, projects, routed):
        text = projects.path(WEB).read_text("utf-8")
        projects.write(WEB, text.replace(f"- [ ] {ROTATE}", f"- [x] {ROTATE}"))
        ticked = projects.path(WEB).read_bytes()
        result = undo(projects)
        assert projects.path(WEB).read_bytes() == ticked
        assert WEB in result.out
        assert ROTATE in result.out
        assert "kept, because it was changed since" in result.out
        assert not projects.path(JOURNAL).exists()

    @pytest.mark.slow
    def test_a_line_that_was_reworded_is_left_alone(self, projects, routed):
        text = projects.path(JOURNAL).read_text("utf-8")
        projects.write(JOURNAL, text.replace(RETRY, f"{RETRY}, soon"))
        changed = projects.path(JOURNAL).read_bytes()
        result = undo(projects)
        assert projects.path(JOURNAL).read_bytes() == changed
        assert "kept, because it was changed since" in result.out

    def test_what_is_left_alone_is_not_asked_again_while_it_stands(self, projects, routed):
        """The line is durable: a ticked one is done, a person has taken it over."""
        text = projects.path(WEB).read_text("utf-8")
        projects.write(WEB, text.replace(f"- [ ] {ROTATE}", f"- [x] {ROTATE}"))
        undo(projects)
        assert ROTATE not in talks.pending(projects)

    @pytest.mark.slow
    def test_words_that_were_written_around_it_stay(self, projects, routed):
        text = projects.path(WEB).read_text("utf-8")
        projects.write(WEB, f"Above.\n\n{text}- [ ] Below\n")
        assert undo(projects).code == 0
        assert projects.path(WEB).read_text("utf-8") == f"Above.\n\n{routed[WEB].decode()}- [ ] Below\n"

    def test_a_made_file_with_other_words_in_it_stays_with_them(self, projects, routed):
        text = projects.path(JOURNAL).read_text("utf-8")
        projects.write(JOURNAL, text + "\n## Thoughts\n\nA word.\n")
        assert undo(projects).code == 0
        left = projects.path(JOURNAL).read_text("utf-8")
        assert RETRY not in left
        assert "## Thoughts\n\nA word.\n" in left
        assert "### Next" not in left

    @pytest.mark.slow
    def test_a_made_heading_with_another_item_below_it_stays(self, projects, routed):
        text = projects.path(JOURNAL).read_text("utf-8")
        projects.write(JOURNAL, text + "- [ ] Another one\n")
        assert undo(projects).code == 0
        assert projects.path(JOURNAL).read_text("utf-8").endswith("### Next\n\n- [ ] Another one\n")

    @pytest.mark.slow
    def test_a_file_that_is_gone(self, projects, routed):
        projects.path(JOURNAL).unlink()
        result = undo(projects)
        assert result.code == 0, result.err
        assert projects.path(WEB).read_bytes() == routed[WEB]
        assert not projects.path(JOURNAL).exists()

    @pytest.mark.slow
    def test_the_same_words_elsewhere_in_the_file_are_not_taken(self, projects, routed):
        text = projects.path(WEB).read_text("utf-8")
        line = f"- [ ] {ROTATE}\n"
        projects.write(WEB, f"{line}\n{text.replace(line, '')}- [ ] Mine\n")
        undo(projects)
        left = projects.path(WEB).read_text("utf-8")
        assert "Mine" in left
        assert "Water the plants" in left


class TestNotAllOfIt:
    """`undone` is only said when all of a receipt is back; what is not is named, and the receipt stays."""

    @pytest.fixture
    def ticked(self, projects):
        """Two boxes that were ticked in two files, one of them reworded since."""
        before = talks.notes(projects)
        wrap("done", f"{WEB}:5", f"{INFRA}:5", vault=projects)
        projects.write(INFRA, projects.path(INFRA).read_text("utf-8").replace("fence", "fence and the gate"))
        return before

    def test_what_is_not_back_is_named_with_what_to_do(self, projects, ticked):
        result = undo(projects, "--json")
        assert result.code == 1
        assert (result.json["undone"], result.json["failed"]) == (False, [])
        assert result.json["restored"] == [f"{WEB}: - [ ] Water the plants"]
        assert result.json["kept"] == [f"{INFRA}: - [ ] Paint the fence"]
        assert "put it right by hand" in result.err
        assert projects.path(WEB).read_bytes() == ticked[WEB]
        assert "- [x] Paint the fence and the gate" in projects.path(INFRA).read_text("utf-8")

    def test_the_rest_can_be_undone_once_it_was_put_right(self, projects, ticked):
        for _ in range(2):
            result = undo(projects)
            assert result.code == 1
            assert "undone:" not in result.out
        projects.write(INFRA, ticked[INFRA])
        assert "undone:" in undo(projects).out
        assert talks.notes(projects) == ticked
        assert undo(projects).code == 2

    def test_the_rest_stays_in_the_receipt_until_then(self, projects, ticked):
        undo(projects)
        projects.write(INFRA, projects.path(INFRA).read_text("utf-8").replace(" and the gate", ""))
        assert "Water" not in undo(projects).out
        assert talks.notes(projects) == ticked

    @pytest.mark.parametrize("where", [WEB, INFRA])
    def test_a_move_is_taken_back_whole_or_not_at_all(self, projects, where):
        projects.write(SHOP, "# shop\n\n## Next Session\n\n- [ ] Order the paint\n- [ ] Sweep\n")
        before = talks.notes(projects)
        wrap("move", f"{WEB}:5", f"{SHOP}:5", "infra", vault=projects)
        moved = projects.path(where).read_bytes()
        projects.write(where, "# anew\n" if where == WEB else moved.replace(b"Order the paint", b"Order the red paint"))
        changed = talks.notes(projects)
        result = undo(projects)
        assert result.code == 1
        assert "kept, because it was changed since" in result.out
        assert talks.notes(projects) == changed
        projects.write(where, moved)
        assert undo(projects).code == 0
        assert talks.notes(projects) == before

    def test_an_open_file_keeps_all_of_it(self, projects):
        wrap("done", f"{WEB}:5", f"{INFRA}:5", vault=projects)
        after = talks.notes(projects)
        with projects.path(INFRA).open("ab"):
            result = undo(projects)
        assert result.code == 1
        assert "is open for writing" in result.err
        assert "Nothing was taken back" in result.err
        assert talks.notes(projects) == after
        assert undo(projects).code == 0

    def test_a_move_whose_source_is_open_moves_nothing(self, projects):
        before = talks.notes(projects)
        with projects.path(WEB).open("ab"):
            result = wrap("move", f"{WEB}:5", "infra", vault=projects)
        assert result.code == 1
        assert "Nothing was moved" in result.err
        assert talks.notes(projects) == before
        assert undo(projects).code == 2

    def test_an_edited_configuration_is_named(self, projects):
        projects.write("docs/plan.md", "# Plan\n\n- [ ] build it\n- [ ] send it\n")
        projects.write("wrapgen.toml", '[sources]\nlists = ["docs/*.md"]\n')
        said = {"sources": [{"path": "docs/plan.md", "verdict": "not_work", "quote": "Plan", "at": "docs/plan.md:1"}]}
        answer = projects.write("../verdicts.json", json.dumps({"items": [], **said}))
        assert wrap("triage", "--reviewed", answer, vault=projects).code == 0
        text = projects.path("wrapgen.toml").read_text("utf-8")
        projects.write("wrapgen.toml", text.replace('"docs/plan.md"', '"docs/*.md"'))
        result = undo(projects)
        assert result.code == 1
        assert "wrapgen.toml: " in result.out
        projects.write("wrapgen.toml", f"cap = 12\n{text}")
        assert undo(projects).code == 0
        assert projects.path("wrapgen.toml").read_text("utf-8") == 'cap = 12\n[sources]\nlists = ["docs/*.md"]\n'
        assert "build it" in wrap("list", "--all", vault=projects).out


class TestListed:
    def test_the_last_ten_the_latest_first(self, projects):
        for number in range(12):
            wrap("add", f"Task number {number} of all", "-p", "web", vault=projects)
        undo(projects)
        result = undo(projects, "--list")
        assert result.code == 0
        numbers = [line.split("Task number ")[1].split(" ")[0] for line in result.out.splitlines()]
        assert numbers == [str(number) for number in range(10, 0, -1)]
        document = undo(projects, "--list", "--json").json
        first = document["receipts"][0]
        assert (document["schema"], first["command"], first["step"]) == ("wrapgen.receipts/1", "add", "done")
        assert (first["files"], first["what"]) == (
            [WEB, ".wrapgen/said.jsonl"],
            [f"{WEB}: - [ ] Task number 10 of all"],
        )
        assert undo(projects, first["receipt"]).code == 0

    def test_what_was_said_of_an_item_names_it(self, projects):
        wrap("snooze", "plants", "3", vault=projects)
        assert "hidden until 2026-04-27: projects/web/todos.md:5  Water the plants" in undo(projects, "--list").out
        assert "no longer hidden until 2026-04-27: projects/web/todos.md:5  Water the plants" in undo(projects).out

    def test_nothing(self, projects):
        assert "nothing to undo" in undo(projects, "--list").out


class TestNamed:
    def test_an_earlier_receipt_by_its_name(self, projects):
        wrap("add", "First of all", "-p", "web", vault=projects)
        wrap("add", "Second to none", "-p", "web", vault=projects)
        first, _ = receipts(projects)
        assert undo(projects, first).code == 0
        text = projects.path(WEB).read_text("utf-8")
        assert "First of all" not in text
        assert "Second to none" in text

    @pytest.mark.slow
    def test_without_a_name_the_last_one_goes_first(self, projects):
        before = talks.notes(projects)
        for words in ("First of all", "Second to none"):
            wrap("add", words, "-p", "web", vault=projects)
        undo(projects)
        assert "First of all" in projects.path(WEB).read_text("utf-8")
        undo(projects)
        assert talks.notes(projects) == before

    def test_the_last_one_is_the_one_made_last_whatever_day_it_stood_for(self, projects):
        wrap("add", "First of all", "-p", "web", vault=projects)
        wrap("add", "A back-fill", "-p", "web", vault=projects, today="2026-04-20")
        undo(projects)
        text = projects.path(WEB).read_text("utf-8")
        assert "A back-fill" not in text
        assert "First of all" in text

    def test_an_unknown_name_says_which_ones_there_are(self, projects):
        wrap("add", "First of all", "-p", "web", vault=projects)
        result = undo(projects, "19990101")
        assert result.code == 2
        assert receipts(projects)[0] in result.err

    def test_an_ambiguous_beginning(self, projects):
        for words in ("First of all", "Second to none"):
            wrap("add", words, vault=projects)
        before = talks.notes(projects)
        result = undo(projects, TODAY.replace("-", ""))
        assert result.code == 2
        assert all(name in result.err for name in receipts(projects))
        assert talks.notes(projects) == before

    def test_the_name_that_the_command_printed(self, projects):
        said = wrap("add", "First of all", vault=projects).out
        assert f"wrap undo {receipts(projects)[0]}" in said


class TestCommands:
    def test_add(self, projects):
        before = talks.notes(projects)
        wrap("add", "A new thing", vault=projects)
        assert undo(projects).code == 0
        assert talks.notes(projects) == before
        assert talks.pending(projects) == []

    def test_done_ticks_and_unticks(self, projects):
        before = talks.notes(projects)
        wrap("done", number_of(projects, "Water the plants"), vault=projects)
        assert talks.notes(projects) != before
        assert undo(projects).code == 0
        assert talks.notes(projects) == before
        number_of(projects, "Water the plants")

    def test_done_of_a_plain_item(self, projects):
        before = talks.notes(projects)
        wrap("done", number_of(projects, "Call the plumber"), vault=projects)
        assert talks.notes(projects) != before
        assert undo(projects).code == 0
        assert talks.notes(projects) == before

    def test_done_of_several_in_one_file(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Ä first\n- [ ] The second\n- [ ] A third\n")
        before = talks.notes(projects)
        wrap("done", f"{WEB}:5", f"{WEB}:7", vault=projects)
        assert projects.path(WEB).read_text("utf-8").count("[x]") == 2
        assert undo(projects).code == 0
        assert talks.notes(projects) == before

    def test_done_is_taken_back_although_lines_came_in_above(self, projects):
        """The ticked line stands unchanged, only at another place."""
        wrap("done", f"{WEB}:5", vault=projects)
        text = projects.path(WEB).read_text("utf-8")
        projects.write(WEB, f"An x above.\n\n{text}")
        undo(projects)
        assert projects.path(WEB).read_text("utf-8") == (
            "An x above.\n\n# web\n\n## Next Session\n\n- [ ] Water the plants\n"
        )

    @pytest.mark.parametrize("back", [1, 3])
    def test_no_other_byte_is_taken_for_the_tick(self, projects, back):
        """An editor moved the lines, and by chance an `x` stands where the tick was."""
        wrap("done", f"{WEB}:5", vault=projects)
        at = projects.path(WEB).read_bytes().index(b"[x]") + 1
        moved = b"x" * at + b"x" * back + b"\n\n# web\n\n## Next Session\n\n- [ ] Other\n- [x] Water the plants\n"
        projects.write(WEB, moved)
        undo(projects)
        after = projects.path(WEB).read_bytes()
        assert after in (moved, moved.replace(b"- [x] Water", b"- [ ] Water"))

    def test_snooze(self, projects):
        wrap("snooze", number_of(projects, "Call the plumber"), "3", vault=projects)
        shown = [item["text"] for item in wrap("list", "--json", vault=projects).json["items"]]
        assert "Call the plumber" not in shown
        undo(projects)
        shown = [item["text"] for item in wrap("list", "--json", vault=projects).json["items"]]
        assert "Call the plumber" in shown

    def test_keep(self, projects):
        yesterday = "journals/2026/04/2026-04-23.md"
        projects.write(yesterday, projects.path(yesterday).read_text("utf-8").replace("plumber", "plumber again"))
        projects.write(JOURNAL, "# Day\n\n## Done\n\n- Call the plumber again\n")
        (item,) = [one for one in wrap("audit", "--json", vault=projects).json["items"] if "plumber" in one["text"]]
        assert item["fate"] == "resolved"
        wrap("keep", item["id"], vault=projects)
        assert number_of(projects, "Call the plumber again")
        undo(projects)
        (item,) = [one for one in wrap("audit", "--json", vault=projects).json["items"] if "plumber" in one["text"]]
        assert item["fate"] == "resolved"

    def test_a_run_that_wrote_nothing_leaves_nothing_to_take_back(self, projects, waiting, answered):
        """Else the next undo would seem to work and take nothing back."""
        wrap("add", "A new thing", "-p", "web", vault=projects)
        ids = waiting(projects, RETRY)
        projects.path(JOURNAL).mkdir(parents=True)
        route(projects, answered, answer(ids[RETRY], "journal"))
        undo(projects)
        assert "A new thing" not in projects.path(WEB).read_text("utf-8")


def test_the_latest_is_the_last_that_was_written_though_the_clock_was_set_back(projects):
    memory = Memory.read(projects.root)
    now = datetime.now().astimezone()
    first, second = (
        Receipt(name, now - timedelta(hours=back), "add", Step.PLANNED) for name, back in (("a", 0), ("b", 2))
    )
    for one in (first, second, replace(first, step=Step.DONE)):
        memory.write(one)
    assert [one.id for one in memory.receipts] == [one.id for one in Memory.read(projects.root).receipts] == ["a", "b"]
