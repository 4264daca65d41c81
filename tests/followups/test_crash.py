"""A run killed between any two steps, and a second one: every line once, nothing lost, no lock in the way."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.followups import talks
from tests.followups.conftest import PROJECTS
from tests.followups.crashes import about, crashes
from tests.followups.talks import GUIDE, RETRY, ROTATE, answer
from tests.support import TODAY, Vault, wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
YESTERDAY = "journals/2026/04/2026-04-23.md"
WEB = "projects/web/todos.md"
SEARCH = "projects/web/actives/search/todos.md"
TASKS = (RETRY, ROTATE, "mend the search")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def times(text, files):
    """How many lines of the person's files hold the words."""
    return sum(line.count(text) for data in own(files).values() for line in data.splitlines())


def waits(text, files):
    return any(
        record["orphan"]["text"] == text
        for line in files.get(f"{talks.STATE}/pending.jsonl", "").splitlines()
        for record in [json.loads(line)]
    )


def skips(files):
    """The texts that are skipped for good; a line that a kill has torn is none."""
    lines = files[f"{talks.STATE}/skipped.jsonl"].splitlines()
    return [json.loads(line)["orphan"]["text"] for line in lines if line.endswith("}")]


def own(files):
    """The person's files: neither the program's folder nor the dashboard nor what a kill left half-written beside."""
    return {
        path: data
        for path, data in files.items()
        if not path.startswith((".wrapgen", "ACTIVE-STATUS")) and not Path(path).name.startswith(".")
    }


def leftovers(files):
    return [path for path in files if Path(path).name.startswith(".") and Path(path).name != ".gitignore"]


@pytest.fixture(scope="module")
def routed(tmp_path_factory):
    """All routes and a skip in one run, killed everywhere once for all tests of it."""
    folder = tmp_path_factory.mktemp("route")
    vault = Vault(folder / "vault")
    for path, text in PROJECTS.items():
        vault.write(path, text)
    talk = Vault(folder / "talks").write("talk.json", talks.neutral(talks.said(*TASKS, GUIDE)))
    ids = {one["text"]: one["id"] for one in talks.orphans(vault, talk).json["orphans"]}
    given = [
        answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web"), answer(ids[GUIDE], "skip"),
        answer(ids["mend the search"], "active", project="web", task="search"),
    ]  # fmt: skip
    (folder / "answers.json").write_text(talks.answers(*given), "utf-8")
    before = {path: data.decode() for path, data in talks.notes(vault).items()}
    return before, crashes(vault, ["route", "--answers", str(folder / "answers.json")], undo=["undo"])


@pytest.mark.slow
@pytest.mark.xdist_group("routing, killed everywhere once")
class TestRoute:
    def test_at_every_moment_each_stands_once_or_waits(self, routed):
        for one in routed[1]:
            for task in TASKS:
                stands = times(task, one["crashed"])
                assert stands <= 1, about(one)
                assert stands or waits(task, one["crashed"]), f"{task} is lost, {about(one)}"

    def test_at_every_moment_every_old_byte_stands(self, routed):
        before, found = routed
        for one in found:
            for path, data in before.items():
                assert talks.is_subsequence(data.encode(), one["crashed"].get(path, "").encode()), about(one)

    def test_after_the_second_run_it_is_as_if_nothing_had_happened(self, routed):
        found = routed[1]
        expected = own(found[-1]["after"])
        for one in found:
            assert one["second"] == 0, f"the second run ends with {one['second']}, {about(one)}"
            assert own(one["after"]) == expected, about(one)
            assert one["after"].get(f"{talks.STATE}/pending.jsonl", "") == "", about(one)
            assert skips(one["after"]) == [GUIDE], about(one)

    def test_nothing_is_left_beside_the_files_after_the_second_run(self, routed):
        for one in routed[1]:
            assert leftovers(one["after"]) == [], about(one)

    def test_undo_gives_the_former_bytes(self, routed):
        before, found = routed
        for one in found:
            assert one["undo"] == 2, about(one)
            assert own(one["undone"]) == before, about(one)


class TestDone:
    @pytest.mark.slow
    def test_a_box(self, projects, tmp_path):
        found = crashes(projects, ["done", f"{WEB}:5"], undo=["undo"])
        old = projects.path(WEB).read_text("utf-8")
        new = old.replace("[ ]", "[x]")
        for one in found:
            assert one["crashed"][WEB] in (old, new), about(one)
            assert one["second"] in (0, 2), about(one)
            assert one["after"][WEB] == new, about(one)
            assert own(one["undone"])[WEB] == old, f"undo does not give the former bytes, {about(one)}"

    @pytest.mark.slow
    def test_a_plain_item(self, projects, tmp_path):
        found = crashes(projects, ["done", f"{YESTERDAY}:7"], undo=["undo"])
        before = {path: data.decode() for path, data in talks.notes(projects).items()}
        for one in found:
            assert times("Call the plumber", one["crashed"]) in (1, 2), about(one)
            assert one["second"] in (0, 2), about(one)
            assert times("Call the plumber", one["after"]) == 2, about(one)
            assert own(one["undone"]) == before, f"undo does not give the former bytes, {about(one)}"


class TestAdd:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "words", [["Rotate the keys", "-p", "web"], ["Rotate the keys by hand 📅 2026-05-30"], ["P0 rotate the keys"]]
    )
    def test_a_line(self, projects, tmp_path, words):
        found = crashes(projects, ["add", *words], undo=["undo"])
        before = {path: data.decode() for path, data in talks.notes(projects).items()}
        for one in found:
            assert times("the keys", one["crashed"]) <= 1, about(one)
            assert one["second"] == 0, about(one)
            assert times("the keys", one["after"]) == 1, f"{own(one['after'])}, {about(one)}"
            assert own(one["undone"]) == before, f"undo does not give the former bytes, {about(one)}"


class TestChanging:
    @pytest.mark.slow
    @pytest.mark.parametrize("command", [["edit", "plants", "Water the plants at night"], ["move", "plants", "infra"],
                                         ["move", "plants", "web/search"]])  # fmt: skip
    def test_its_words_are_always_somewhere_and_undo_gives_the_former_bytes(self, projects, tmp_path, command):
        projects.write("journals/2026/04/2026-04-22.md", "# Day\n\n## Next\n\n- (web) Water the plants\n  - slowly\n")
        found = crashes(projects, command, second=["regen"], undo=["undo"])
        before = {path: data.decode() for path, data in talks.notes(projects).items()}
        for one in found:
            assert times("Water the plants", one["crashed"]) >= 1, about(one)
            assert times("slowly", one["crashed"]) >= 1, about(one)
            assert one["second"] == 0, about(one)
            assert own(one["undone"]) == before, f"undo does not give the former bytes, {about(one)}"


class TestWaiting:
    @pytest.mark.slow
    def test_what_waits_is_never_torn(self, projects, talk, tmp_path):
        """Killed while follow-ups are put down, the next run finds them all."""
        wrapped = ["orphans", "--transcript", str(talk(RETRY, ROTATE))]
        for one in crashes(projects, wrapped):
            assert one["second"] == 0, about(one)
            assert waits(RETRY, one["after"]), about(one)
            assert waits(ROTATE, one["after"]), about(one)


class TestUndo:
    @pytest.mark.slow
    def test_taking_back_is_finished_by_the_next_one(self, projects, waiting, answered, tmp_path):
        before = {path: data.decode() for path, data in talks.notes(projects).items()}
        ids = waiting(projects, RETRY, ROTATE, GUIDE)
        given = [
            answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web"), answer(ids[GUIDE], "skip"),
        ]  # fmt: skip
        assert talks.route(projects, answered, *given).code == 0
        for one in crashes(projects, ["undo"]):
            assert one["second"] in (0, 2), about(one)
            assert own(one["after"]) == before, about(one)
            for task in (RETRY, ROTATE, GUIDE):
                assert waits(task, one["after"]), about(one)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells who has a file open")
class TestOpenInAnEditor:
    """The next run, while somebody keeps the note of the one that died open for writing."""

    @pytest.fixture
    def died(self, projects, waiting, answered):
        """A run that wrote its line, and died before it closed its receipt; gives the ids of it and another one."""
        state = projects.path(talks.STATE)
        ids = waiting(projects, RETRY, ROTATE)
        waits = (state / "pending.jsonl").read_bytes()
        assert talks.route(projects, answered, answer(ids[RETRY], "project", project="web")).code == 0
        (state / "pending.jsonl").write_bytes(waits)
        planned = (state / "receipts.jsonl").read_bytes().splitlines(keepends=True)[0]
        (state / "receipts.jsonl").write_bytes(planned)
        return ids

    def check(self, vault, *waiting):
        """Once the note is closed there, the receipt is."""
        assert wrap("--no-prompt", vault=vault).err == ""
        assert vault.path(WEB).read_text("utf-8").count(RETRY) == 1
        assert talks.pending(vault) == list(waiting)
        assert {record["step"] for record in talks.state(vault, "receipts.jsonl")[-1:]} == {"done"}

    @pytest.mark.slow
    def test_a_wrap_does_all_else(self, projects, died, talk):
        with projects.path(WEB).open("ab"):
            result = wrap("--transcript", talk(GUIDE), "--no-prompt", vault=projects)
        assert result.code == 0, result.err
        assert "the next run finishes it" in result.err
        assert talks.pending(projects) == [RETRY, ROTATE, GUIDE]
        self.check(projects, ROTATE, GUIDE)

    @pytest.mark.slow
    def test_other_answers_are_carried_out(self, projects, died, answered):
        with projects.path(WEB).open("ab"):
            result = talks.route(projects, answered, answer(died[ROTATE], "journal"))
        assert result.code == 0, result.err
        assert ROTATE in projects.path(JOURNAL).read_text("utf-8")
        self.check(projects)

    @pytest.mark.slow
    def test_the_same_answer_stays_pending_for_now(self, projects, died, answered):
        with projects.path(WEB).open("ab"):
            result = wrap("route", "--answers", answered, vault=projects)
        assert result.code == 1
        assert "it stays pending" in result.err
        assert talks.pending(projects) == [RETRY, ROTATE]
        self.check(projects, ROTATE)

    @pytest.mark.usefixtures("died")
    def test_a_line_that_vanished_before_that_is_written_or_waits(self, projects):
        written = projects.path(WEB).read_bytes()
        with projects.path(WEB).open("ab"):
            wrap("--no-prompt", vault=projects)
        without = b"\n".join(line for line in written.split(b"\n") if RETRY.encode() not in line)
        projects.write(WEB, without)  # as it stood before
        wrap("--no-prompt", vault=projects)
        assert projects.path(WEB).read_bytes() == written
        assert talks.pending(projects) == [ROTATE]
        projects.write(WEB, without + b"- [ ] Another one\n")
        wrap("--no-prompt", vault=projects)
        assert talks.pending(projects) == [ROTATE, RETRY]

    @pytest.mark.slow
    @pytest.mark.usefixtures("died")
    def test_an_earlier_one_is_not_taken_back_in_its_place(self, projects):
        before = talks.notes(projects)
        with projects.path(WEB).open("ab"):
            result = wrap("undo", vault=projects)
        assert result.code == 1
        assert "is open for writing" in result.err
        assert talks.notes(projects) == before
        assert wrap("undo", vault=projects).code == 0
        assert RETRY not in projects.path(WEB).read_text("utf-8")
