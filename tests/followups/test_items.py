"""`wrap done`, `add`, `snooze`, `keep`, `open`: the items that a person names, and what becomes of them."""

from __future__ import annotations

import json
import os
import shlex
import sys

import pytest

from tests.followups import talks
from tests.support import TODAY, wrap
from wrapgen.vault.markdown import blocks
from wrapgen.vault.markdown.parse import parse

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
YESTERDAY = "journals/2026/04/2026-04-23.md"
WEB = "projects/web/todos.md"
HOME = "projects/home/todos.md"
SINKS = {
    HOME: "## Next Session\n### Kitchen\n- [ ] clean the sink\n### Bath\n- [ ] clean the sink\n",
    "projects/garden/todos.md": "## Next Session\n- [ ] mow the lawn\n",
}


def sinks(vault):
    """The sinks of kitchen and bath, as they are listed."""
    return sorted((one for one in listed(vault) if one["text"] == "clean the sink"), key=lambda one: one["line"])


def items(vault, today=TODAY):
    found = wrap("audit", "--json", vault=vault, today=today).json["items"]
    return {item["text"]: item for item in found}


def fates(vault, today=TODAY):
    return {text: item["fate"] for text, item in items(vault, today).items()}


def number_of(vault, text):
    return next(str(item["number"]) for item in listed(vault, "--all") if item["text"] == text)


def listed(vault, *words):
    """The items of a list that was printed just now."""
    assert wrap("list", *words, vault=vault).code == 0
    return wrap("list", *words, "--json", vault=vault).json["items"]


class TestPicking:
    @pytest.mark.parametrize("how", ["number", "id", "beginning of the id", "place"])
    def test_an_item_is_named_in_three_ways(self, projects, how):
        item = items(projects)["Water the plants"]
        words = {
            "number": number_of(projects, "Water the plants"), "id": item["id"], "beginning of the id": item["id"][:6],
            "place": f"{item['path']}:{item['line']}",
        }[how]  # fmt: skip
        result = wrap("done", words, vault=projects)
        assert result.code == 0, result.err
        assert projects.path(WEB).read_text("utf-8") == "# web\n\n## Next Session\n\n- [x] Water the plants\n"

    @pytest.mark.sampled(4)
    @pytest.mark.parametrize("command", [["done"], ["snooze", "{}", "3"], ["keep"], ["open"]])
    @pytest.mark.parametrize(
        "words", ["99", "0", "ffffffffffff", "projects/web/todos.md:77", "nothing", "", "..", "-1"]
    )
    def test_nothing_of_that_name(self, projects, command, words):
        before = talks.notes(projects)
        name, *rest = command
        given = [word.format(words) for word in rest] if rest else [words]
        result = wrap(name, "--", *given, vault=projects)
        assert result.code == 2
        assert "Traceback" not in result.err
        assert "defect" not in result.err
        assert talks.notes(projects) == before

    @pytest.mark.slow
    def test_several_of_that_name_are_told_apart(self, vault):
        lines = "".join(f"- [ ] {chr(97 + number % 26)}{number} task\n" for number in range(800))
        built = vault({"projects/web/todos.md": f"# web\n\n## Next Session\n\n{lines}"})
        ids = [item["id"] for item in items(built).values()]
        twice = {
            one[:4] for one in ids if sum(other.startswith(one[:4]) for other in ids) > 1 and not one[:4].isdigit()
        }
        if not twice:
            pytest.skip("no two ids begin alike here")
        before = talks.notes(built)
        start = min(twice)
        result = wrap("done", start, vault=built)
        assert result.code == 1
        handles = {item["id"]: item["handle"] for item in items(built).values()}
        assert all(handles[one] in result.err for one in [one for one in ids if one.startswith(start)][:2])
        assert talks.notes(built) == before

    @pytest.mark.slow
    def test_numbers_go_as_far_as_the_list_does(self, vault):
        lines = "".join(f"- [ ] {chr(97 + number % 26) * 9} {number * 7919}\n" for number in range(1005))
        built = vault({"projects/web/actives/long/todos.md": f"# long\n\n{lines}"})
        (text,) = [
            item["text"] for item in wrap("list", "--all", "--json", vault=built).json["items"]
            if item["number"] == 1001
        ]  # fmt: skip
        wrap("list", "--all", vault=built)
        assert wrap("done", "1001", vault=built).code == 0
        assert f"- [x] {text}\n" in built.path("projects/web/actives/long/todos.md").read_text("utf-8")

    def test_an_expired_item_by_its_id(self, vault):
        built = vault({"journals/2026/01/2026-01-05.md": "# Day\n\n## Next\n\n- [ ] Old work\n",
                       YESTERDAY: "# Day\n"})  # fmt: skip
        item = items(built)["Old work"]
        assert item["fate"] == "expired"
        assert wrap("done", item["id"], vault=built).code == 0
        assert "- [x] Old work" in built.path("journals/2026/01/2026-01-05.md").read_text("utf-8")

    def test_numbers_stay_those_of_the_list_that_was_read(self, projects):
        """`done 1` moves every item up in the next list; who read the first one means its second line by 2."""
        read = [item["text"] for item in listed(projects)]
        assert wrap("done", "1", vault=projects).code == 0
        assert wrap("done", "2", "--json", vault=projects).json["items"][0]["text"] == read[1]
        assert wrap("done", "3-4", vault=projects).code == 0
        assert wrap("list", "--json", vault=projects).json["items"] == []

    def test_a_number_of_no_list_is_refused_with_the_list(self, projects):
        before = talks.notes(projects)
        result = wrap("done", "1", vault=projects)
        assert result.code == 2
        assert "no list has been printed" in result.err
        assert result.out.startswith("1  ")
        assert talks.notes(projects) == before
        assert wrap("done", "1", vault=projects).code == 0  # the list was printed with the refusal

    def test_a_list_for_a_program_leaves_the_numbers_of_the_printed_one(self, projects):
        wrap("list", "plants", vault=projects)
        number = number_of(projects, "Water the plants")
        wrap("list", "--json", "fence", vault=projects)
        assert wrap("done", number, "--json", vault=projects).json["items"][0]["text"] == "Water the plants"

    def test_in_json_a_number_of_no_list_is_refused_without_one(self, projects):
        result = wrap("done", "99", "--json", vault=projects)
        assert (result.code, result.out) == (2, "")
        assert "`wrap list` prints them" in result.err

    def test_a_number_of_yesterdays_list_is_refused(self, projects):
        wrap("list", vault=projects, today="2026-04-22")
        result = wrap("done", "1", vault=projects)
        assert result.code == 2
        assert "older than a day" in result.err

    def test_a_number_whose_item_is_gone_says_what_it_was(self, projects):
        wrap("list", "plants", vault=projects)
        number = number_of(projects, "Water the plants")
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the cactus\n")
        result = wrap("done", number, vault=projects)
        assert result.code == 1
        assert "Water the plants" in result.err

    @pytest.mark.parametrize("how", ["number", "handle"])
    @pytest.mark.parametrize("change", ["edit", "move", "an editor"])
    def test_a_name_never_comes_to_mean_a_line_with_the_same_words(self, vault, change, how):
        """`wrap done` after the kitchen's line went must not tick the bath's."""
        built = vault(SINKS)
        kitchen, bath = sinks(built)
        if change == "an editor":
            built.write(HOME, SINKS[HOME].replace("- [ ] clean the sink\n", "", 1))
        else:
            to = "garden" if change == "move" else "Scrub the kitchen sink"
            assert wrap(change, kitchen["handle"], to, vault=built).code == 0
        result = wrap("done", str(kitchen["number"]) if how == "number" else kitchen["handle"], vault=built)
        assert "### Bath\n- [ ] clean the sink\n" in built.path(HOME).read_text("utf-8")
        if change == "an editor":
            assert result.code == 1
            assert 'was "clean the sink", which is not open there any more' in result.err
        elif how == "handle":
            assert result.code == 1
            assert f"no item {kitchen['handle']} any more" in result.err
        else:
            assert result.code == 0, result.err
        other = wrap("done", str(bath["number"]), vault=built)
        if change == "an editor":
            assert other.code == 1
        else:
            assert "### Bath\n- [x] clean the sink" in built.path(HOME).read_text("utf-8")

    def test_a_number_whose_words_stand_elsewhere_by_now_is_refused(self, vault):
        built = vault({HOME: "## Next Session\n### Kitchen\n- [ ] clean the sink\n"})
        wrap("list", vault=built)
        built.write(HOME, "## Next Session\n### Bath\n- [ ] clean the sink\n")
        assert wrap("done", "1", vault=built).code == 1
        assert "- [ ] clean" in built.path(HOME).read_text("utf-8")

    def test_a_number_is_that_of_the_item_after_edit_and_move(self, projects):
        number = number_of(projects, "Water the plants")
        assert wrap("edit", number, "Water the cactus", vault=projects).code == 0
        assert wrap("move", number, "infra", vault=projects).code == 0
        assert wrap("move", number, "web/search", vault=projects).code == 0
        assert wrap("done", number, vault=projects).code == 0
        assert "- [x] Water the cactus" in projects.path("projects/web/actives/search/todos.md").read_text("utf-8")

    @pytest.mark.parametrize("numbers", [["1,2"], ["1-2"], ["2-1"], ["1,", "2"], ["1", "2"]])
    def test_ranges(self, projects, numbers):
        read = [item["text"] for item in listed(projects)]
        named = wrap("done", *numbers, "--json", vault=projects).json["items"]
        assert sorted(item["text"] for item in named) == sorted(read[:2])

    def test_handles(self, projects):
        handles = {item["text"]: item["handle"] for item in items(projects).values()}
        assert wrap("done", handles["Water the plants"], handles["Paint the fence"].upper(), vault=projects).code == 0
        assert "Water the plants" not in items(projects)
        assert "Paint the fence" not in items(projects)

    @pytest.mark.parametrize("words", [["water", "plants"], ["Water the plants"], ["WEB", "plants"], ["plants"]])
    def test_words_of_one_item(self, projects, words):
        assert wrap("done", *words, vault=projects).code == 0
        assert "- [x] Water the plants" in projects.path(WEB).read_text("utf-8")

    def test_words_of_several_items_list_them(self, projects):
        before = talks.notes(projects)
        result = wrap("done", "the", vault=projects)
        assert result.code == 1
        assert "fits 4 items" in result.err
        assert len(result.out.splitlines()) == 4
        assert talks.notes(projects) == before
        assert wrap("done", "4", vault=projects).code == 0

    def test_the_whole_words_of_one_item_mean_it_whatever_else_holds_them(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the plants\n- [ ] Water the plants of Ann too\n")
        assert wrap("done", "water", "the", "plants", vault=projects).code == 0
        assert "- [x] Water the plants\n" in projects.path(WEB).read_text("utf-8")

    def test_words_with_a_number_in_them_are_words(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Call 3 people\n")
        wrap("list", vault=projects)
        assert wrap("done", "call", "3", "people", vault=projects).code == 0
        assert "- [x] Call 3 people" in projects.path(WEB).read_text("utf-8")

    def test_a_slip_of_the_finger_names_the_item_that_is_near(self, projects):
        result = wrap("done", "watre", "plants", vault=projects)
        assert result.code == 2
        assert "Did you mean" in result.err
        assert '"Water the plants"?' in result.err

    def test_the_backlog_has_names_too(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the plants\n\n## Ideas\n\n- [ ] Grow a hedge\n")
        (listed,) = wrap("list", "--backlog", "--json", vault=projects).json["items"]
        assert wrap("done", listed["handle"], vault=projects).code == 0
        assert "- [x] Grow a hedge" in projects.path(WEB).read_text("utf-8")

    def test_numbers_of_one_command_mean_the_list_before_it(self, projects):
        read = listed(projects, "--all")
        assert len(read) == 4
        assert wrap("done", "1", "2", vault=projects).code == 0
        left = wrap("list", "--all", "--json", vault=projects).json["items"]
        assert [item["text"] for item in left] == [item["text"] for item in read[2:]]


class TestDone:
    def test_one_character_changes(self, projects):
        old = "# web\r\n\r\n## Next Session\r\n\r\n* [ ] Water `the` plants ⏫ 📅 2026-05-01\r\n\t- detail".encode()
        projects.write(WEB, b"\xef\xbb\xbf" + old)
        wrap("done", f"{WEB}:5", vault=projects)
        assert projects.path(WEB).read_bytes() == b"\xef\xbb\xbf" + old.replace(b"[ ]", b"[x]")

    @pytest.mark.parametrize("box", ["[/]", "[~]", "[>]", "[!]", "[ ]"])
    def test_every_open_box(self, projects, box):
        projects.write(WEB, f"# web\n\n## Next Session\n\n- {box} Water the plants\n")
        assert fates(projects)["Water the plants"] == "shown"
        result = wrap("done", f"{WEB}:5", vault=projects)
        assert result.code == 0, result.err
        assert projects.path(WEB).read_text("utf-8").endswith("- [x] Water the plants\n")

    @pytest.mark.sampled(7)
    @pytest.mark.parametrize(
        "line",
        [
            "- Call the plumber", "* Call the plumber", "7. Call the plumber", "- (web) Call the plumber",
            "- Call the plumber 📅 2026-05-01", "- **Call** the plumber", "- ☐ Call the plumber",
            "- Step 4: call the plumber", "- P0 call the plumber", "- Call [the plumber](https://example.org)",
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("day", [YESTERDAY, JOURNAL])
    def test_an_item_is_not_open_any_more(self, projects, line, day):
        """Whatever was needed for it: a tick, or a line in today's Done that resolves it."""
        projects.write(YESTERDAY, "# Day\n")
        projects.write(day, f"# Day\n\n## Session: web\n\n### Next\n\n{line}\n")
        (text,) = [text for text, item in items(projects).items() if item["path"] == day]
        result = wrap("done", f"{day}:7", vault=projects)
        assert result.code == 0, result.err
        assert fates(projects).get(text, "resolved") == "resolved"

    def test_a_plain_item_gets_a_line_in_todays_done_and_stays_itself(self, projects):
        before = talks.notes(projects)
        wrap("done", f"{YESTERDAY}:7", vault=projects)
        after = talks.notes(projects)
        assert {path: data for path, data in after.items() if path != JOURNAL} == before
        assert "Done" in after[JOURNAL].decode()
        assert "Call the plumber" in after[JOURNAL].decode()

    @pytest.mark.parametrize("path", [WEB, "projects/web/PROGRESS.md"])
    def test_an_undated_plain_item(self, projects, path):
        projects.write(path, "# web\n\n## Next Session\n\n- Wash the car\n")
        assert wrap("done", f"{path}:5", vault=projects).code == 0
        assert fates(projects)["Wash the car"] == "resolved"

    def test_raised_again_after_it_was_done_this_morning(self, projects):
        """The same words stand in today's Done already: they are older than the item."""
        text = ("# Day\n\n## Session: web morning\n\n### Done\n\n- Call the baker\n\n"
                "## Session: web evening\n\n### Next\n\n- Call the baker\n")  # fmt: skip
        projects.write(JOURNAL, text)
        assert fates(projects)["Call the baker"] == "shown"
        assert wrap("done", f"{JOURNAL}:13", vault=projects).code == 0
        assert fates(projects)["Call the baker"] == "resolved"

    @pytest.mark.parametrize("day", [YESTERDAY, JOURNAL])
    def test_several_after_each_other_stand_in_one_list(self, vault, day):
        words = [f"{one} the plumber" for one in ("Call", "Pay", "Thank")]
        listed = "".join(f"- {one}\n" for one in words)
        built = vault({day: f"# Day\n\n## Session: web\n\n### Next\n\n{listed}", WEB: "# web\n"})
        for one in words:
            assert wrap("done", one, vault=built).code == 0
        text = built.path(JOURNAL).read_text("utf-8")
        assert text.endswith("## Session: follow-ups\n\n### Done\n\n" + listed.replace("- ", "- (web) "))
        assert text.count("## Session: follow-ups") == 1
        assert all(fates(built)[one] == "resolved" for one in words)

    def test_it_joins_todays_done(self, projects):
        before = "# Day\n\n## Session: web\n\n### Done\n\n- Swept\n"
        projects.write(JOURNAL, before)
        assert wrap("done", f"{YESTERDAY}:7", vault=projects).code == 0
        assert projects.path(JOURNAL).read_text("utf-8") == before + "- (web) Call the plumber\n"
        assert fates(projects)["Call the plumber"] == "resolved"

    def test_what_has_no_project_is_not_written_down_as_some_projects_work(self, projects):
        """Else it would be taken for web's item of the same words, too."""
        projects.write(YESTERDAY, "# Day\n\n## Next\n\n- Sweep the yard\n- Mow the lawn\n")
        before = "# Day\n\n## Session: web\n\n### Done\n\n- Swept\n"
        projects.write(JOURNAL, before)
        for line in (5, 6):
            assert wrap("done", f"{YESTERDAY}:{line}", vault=projects).code == 0
        after = f"{before}\n## Session: follow-ups\n\n### Done\n\n- Sweep the yard\n- Mow the lawn\n"
        assert projects.path(JOURNAL).read_text("utf-8") == after
        assert fates(projects)["Sweep the yard"] == fates(projects)["Mow the lawn"] == "resolved"

    def test_twice_writes_one_line(self, projects):
        key = items(projects)["Call the plumber"]["id"]
        assert wrap("done", key, vault=projects).code == 0
        first = talks.notes(projects)
        wrap("done", key, vault=projects)
        assert talks.notes(projects) == first

    def test_the_same_item_named_twice(self, projects):
        number = number_of(projects, "Call the plumber")
        wrap("done", number, number, vault=projects)
        assert projects.path(JOURNAL).read_text("utf-8").count("Call the plumber") == 1

    def test_the_same_box_named_twice(self, projects):
        result = wrap("done", f"{WEB}:5", number_of(projects, "Water the plants"), vault=projects)
        assert result.code in (0, 2)
        if result.code == 0:
            assert "- [x] Water the plants" in projects.path(WEB).read_text("utf-8")

    def test_a_table_row(self, projects):
        table = "# web\n\n## Next Session\n\n| Task | State |\n|---|---|\n| Mend the roof | ⏳ |\n"
        projects.write(WEB, table)
        assert wrap("done", f"{WEB}:7", vault=projects).code == 0
        assert fates(projects).get("Mend the roof", "resolved") == "resolved"

    def test_a_recurring_item(self, projects):
        projects.write(YESTERDAY, "# Day\n\n## Next\n\n- Water the lawn 🔁 every week\n")
        assert wrap("done", f"{YESTERDAY}:5", vault=projects).code == 0
        assert fates(projects)["Water the lawn"] == "resolved"

    @pytest.mark.parametrize("place", [WEB, YESTERDAY])
    def test_a_recurring_item_is_written_down_again_by_the_command_that_is_printed(self, projects, place):
        heading = "Next Session" if place == WEB else "Next"
        projects.write(place, f"# web\n\n## {heading}\n\n- Water Ann's lawn 🔁 every week\n")
        printed = wrap("done", f"{place}:5", vault=projects).out
        (command,) = [line.partition(": ")[2] for line in printed.splitlines() if line.startswith("it repeats")]
        assert wrap(*shlex.split(command)[1:], vault=projects).code == 0
        audit = wrap("audit", "--json", vault=projects).json
        again = [one for one in audit["items"] if one["text"] == "Water Ann's lawn" and one["fate"] == "shown"]
        assert len(again) == 1

    def test_a_box_with_a_done_mark_is_a_conflict_until_it_is_ticked(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Mend the roof ✅\n")
        assert wrap("audit", "--json", vault=projects).json["conflicts"]
        assert wrap("done", f"{WEB}:5", vault=projects).code == 0
        assert projects.path(WEB).read_text("utf-8").endswith("- [x] Mend the roof ✅\n")
        assert wrap("audit", "--json", vault=projects).json["conflicts"] == []

    def test_a_nested_box_alone(self, projects):
        text = "# web\n\n## Next Session\n\n- [ ] Mend the roof\n  - [ ] Buy tiles\n  - [ ] Buy nails\n"
        projects.write(WEB, text)
        wrap("done", f"{WEB}:6", vault=projects)
        assert projects.path(WEB).read_text("utf-8") == text.replace("[ ] Buy tiles", "[x] Buy tiles")

    def test_twenty_of_one_file_take_as_many_looks_at_it_as_two(self, vault, monkeypatch):
        rows = "".join(f"- [ ] {chr(97 + at) * 5} {chr(98 + at) * 6}\n" for at in range(22))
        built = vault({WEB: f"# web\n\n## Next Session\n\n{rows}"})
        looks = []
        monkeypatch.setattr(blocks, "parse", lambda text: looks.append(text) or parse(text))

        def looks_for(lines):
            looks.clear()
            assert wrap("done", *(f"{WEB}:{line}" for line in lines), vault=built).code == 0
            return len(looks)

        assert looks_for(range(5, 7)) == looks_for(range(7, 27)) == 2
        assert built.path(WEB).read_text("utf-8").count("- [x]") == 22

    def test_one_unknown_name_and_nothing_is_done(self, projects):
        before = talks.notes(projects)
        assert wrap("done", "1", "nothing", vault=projects).code == 2
        assert talks.notes(projects) == before

    def test_one_that_fails_does_not_leave_the_page_behind(self, projects):
        """The box that was ticked does not stand on the page any more."""
        projects.path("projects/infra/todos.md").unlink()
        projects.path("projects/infra/todos.md").symlink_to(projects.path(WEB))
        wrap("regen", vault=projects)
        wrap("done", f"{WEB}:5", "projects/infra/todos.md:5", vault=projects)
        assert wrap("regen", "--check", vault=projects).code == 0

    def test_the_page_is_rebuilt(self, projects):
        wrap("regen", vault=projects)
        wrap("done", f"{WEB}:5", vault=projects)
        assert wrap("regen", "--check", vault=projects).code == 0
        assert "Water the plants" not in projects.page

    def test_what_is_merged_into_it_is_ticked_too(self, projects):
        """Else the twin comes back as new work where nobody remembers the receipt: in another clone."""
        projects.write(YESTERDAY, "# Day\n\n## Next\n\n- [ ] (web) Water the plants\n")
        before = talks.notes(projects)
        assert [item["fate"] for item in wrap("audit", "--json", vault=projects).json["items"]
                if item["text"] == "Water the plants"] == ["shown", "duplicate"]  # fmt: skip
        result = wrap("done", "water", "plants", "--json", vault=projects).json
        assert {line["path"] for line in result["lines"]} == {YESTERDAY, WEB}
        assert "[ ]" not in projects.path(YESTERDAY).read_text("utf-8") + projects.path(WEB).read_text("utf-8")
        assert wrap("undo", vault=projects).code == 0
        assert talks.notes(projects) == before

    def test_each_wording_that_is_merged_is_finished(self, projects):
        """A tick of much alike words alone would leave the other one open: probably done."""
        projects.write(YESTERDAY, "# Day\n\n## Next\n\n- (web) Please water all of the green plants\n")
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water all of the green plants\n")
        before = talks.notes(projects)
        merged = [item["fate"] for item in wrap("audit", "--json", vault=projects).json["items"]
                  if "green plants" in item["text"]]  # fmt: skip
        assert merged == ["shown", "duplicate"]
        assert wrap("done", "green", "plants", vault=projects).code == 0
        assert "shown" not in {fate for text, fate in fates(projects).items() if "green plants" in text}
        assert wrap("undo", vault=projects).code == 0
        assert talks.notes(projects) == before

    @pytest.mark.parametrize(
        ("line", "after"),
        [
            ("Water the cactus", "x 2026-04-24 Water the cactus"),
            ("(A) 2026-04-20 Water the cactus @home due:2026-05-01",
             "x 2026-04-24 2026-04-20 Water the cactus @home due:2026-05-01 pri:A"),
        ],
    )  # fmt: skip
    def test_a_line_of_todo_txt(self, vault, line, after):
        built = vault({"todo.txt": f"x 2026-04-01 Sow\n{line}\r\nRake"}, config='[sources]\nlists = ["todo.txt"]\n')
        assert wrap("done", "cactus", vault=built).code == 0
        assert built.path("todo.txt").read_bytes() == f"x 2026-04-01 Sow\n{after}\r\nRake".encode()
        assert not [text for text in items(built) if "cactus" in text]
        assert wrap("undo", vault=built).code == 0
        assert built.path("todo.txt").read_bytes() == f"x 2026-04-01 Sow\n{line}\r\nRake".encode()

    def test_json(self, projects):
        document = wrap("done", f"{WEB}:5", "--json", vault=projects).json
        assert document["schema"] == "wrapgen.edit/1"
        assert (document["command"], document["failed"]) == ("done", [])
        assert [(line["path"], line["line"]) for line in document["lines"]] == [(WEB, 5)]
        undone = wrap("undo", "--json", vault=projects).json
        assert (undone["receipt"], undone["command"]) == (document["receipt"], "done")
        assert undone["restored"] == [f"{WEB}: - [ ] Water the plants"]


class TestAdd:
    def test_into_todays_journal(self, projects):
        assert wrap("add", "Buy", "milk", vault=projects).code == 0
        assert projects.path(JOURNAL).read_text("utf-8") == f"# {TODAY}\n\n## Next\n\n- [ ] Buy milk\n"

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("# Day\n\n## Session: web\n\n### Next\n\n- Mend it\n", "\n## Next\n\n- [ ] Buy milk\n"),
            ("# Day\n\n## Next\n\n- Call Ann\n\n## Session: web\n\n### Next\n\n- Mend it\n", None),
            ("# Session: web\n\n## Next\n\n- Mend it\n", "\n# Next\n\n- [ ] Buy milk\n"),
        ],
    )
    def test_it_belongs_to_no_session_of_the_day(self, projects, before, after):
        """Else it becomes an item of whatever project the last session was about."""
        projects.write(JOURNAL, before)
        assert wrap("add", "Buy milk", vault=projects).code == 0
        expected = before + after if after else before.replace("- Call Ann\n", "- Call Ann\n- Buy milk\n")
        assert projects.path(JOURNAL).read_text("utf-8") == expected
        assert items(projects)["Buy milk"]["project"] is None
        assert items(projects)["Mend it"]["project"] == "web"
        wrap("undo", vault=projects)
        assert projects.path(JOURNAL).read_text("utf-8") == before

    def test_into_a_tasks_list(self, projects):
        assert wrap("add", "Buy", "milk", "-p", "web/search", vault=projects).code == 0
        assert projects.path("projects/web/actives/search/todos.md").read_text("utf-8").endswith("- [ ] Buy milk\n")
        result = wrap("add", "Buy milk", "-p", "web/serach", vault=projects)
        assert result.code == 2
        assert "`search`" in result.err

    def test_its_handle_is_said(self, projects):
        document = wrap("add", "Buy", "milk", "--json", vault=projects).json
        assert document["items"][0]["handle"] == items(projects)["Buy milk"]["handle"]
        out = wrap("add", "Buy bread", vault=projects).out
        assert out.startswith(f"added {items(projects)['Buy bread']['handle']}  {JOURNAL}:6  - [ ] Buy bread\n")

    @pytest.mark.parametrize("words", [["Buy milk", "-p", "web"], ["-p", "web", "(web) Buy milk"]])
    def test_into_a_projects_list(self, projects, words):
        before = projects.path(WEB).read_bytes()
        assert wrap("add", *words, vault=projects).code == 0
        assert projects.path(WEB).read_bytes() == before + b"- [ ] Buy milk\n"

    def test_a_tag_in_the_text(self, projects):
        wrap("add", "(web) Buy milk", vault=projects)
        assert projects.path(JOURNAL).read_text("utf-8").endswith("- [ ] (web) Buy milk\n")
        assert items(projects)["Buy milk"]["project"] == "web"

    def test_one_that_is_beyond_the_cap_is_said_to_be(self, vault):
        lines = "".join(f"- [ ] {text}\n" for text in ("Rotate the keys", "Mend the login", "Paint the door"))
        built = vault({JOURNAL: f"# Day\n\n## Next\n\n{lines}"}, config="cap = 3\n")
        assert "not shown on the dashboard" in wrap("add", "Buy milk", vault=built).out
        built.write("wrapgen.toml", "cap = 9\n")
        assert "not shown" not in wrap("add", "Buy bread", vault=built).out

    def test_a_bracket_that_is_no_project(self, projects):
        assert "(optional) is no project" in wrap("add", "(optional) Buy milk", vault=projects).out
        assert "(optional) Buy milk" in items(projects)

    def test_an_alias(self, vault):
        built = vault({WEB: "# web\n"}, config='[projects.web]\naliases = ["frontend"]\n')
        wrap("add", "Buy milk", "-p", "frontend", vault=built)
        assert items(built)["Buy milk"]["path"] == WEB

    def test_an_unknown_project_names_the_nearest(self, projects):
        before = talks.notes(projects)
        result = wrap("add", "Buy milk", "-p", "wbe", vault=projects)
        assert result.code == 2
        assert "`web`" in result.err
        assert talks.notes(projects) == before

    @pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\r\nb", "\x1b[2J", "(web)", "[ ]", "-", "📅 2026-05-01"])
    def test_no_words_or_unprintable_ones(self, projects, text):
        """Refused, or exactly one item with something to read."""
        before, known = talks.notes(projects), set(items(projects))
        result = wrap("add", "--", text, vault=projects)
        new = set(items(projects)) - known
        if result.code:
            assert talks.notes(projects) == before
            assert "defect" not in result.err
        else:
            assert len(new) == 1
            assert min(new).strip()

    @pytest.mark.sampled(10)
    @pytest.mark.parametrize("text", ["# A heading", "- [x] done?", "> quote", "``` fence", "1. one", "~~struck~~",
                                      "✅ done", "| a | b |", "<!-- c", "Mend it ✅ 2026-04-01"])  # fmt: skip
    @pytest.mark.parametrize("project", [None, "web"])
    def test_words_that_look_like_markdown_are_one_open_item(self, projects, text, project):
        before, known = talks.notes(projects), len(items(projects))
        options = ["-p", project] if project else []
        result = wrap("add", *options, "--", text, vault=projects)
        if result.code:
            assert talks.notes(projects) == before
            return
        found = items(projects)
        assert len(found) == known + 1
        assert wrap("undo", vault=projects).code == 0
        assert talks.notes(projects) == before

    def test_what_stands_already_is_not_written_twice(self, projects):
        wrap("add", "Buy milk", vault=projects)
        before = talks.notes(projects)
        result = wrap("add", "Buy milk", vault=projects)
        assert result.code == 0
        assert talks.notes(projects) == before

    def test_what_was_done_before_is_written_again(self, projects):
        projects.write(JOURNAL, "# Day\n\n## Next\n\n- [x] Buy milk\n- [ ] Buy bread\n")
        wrap("add", "Buy milk", vault=projects)
        assert items(projects)["Buy milk"]["fate"] in ("shown", "resolved")
        assert projects.path(JOURNAL).read_text("utf-8").count("Buy milk") == 2


class TestSnooze:
    def test_it_is_overflow_until_its_day(self, projects):
        before = talks.notes(projects)
        result = wrap("snooze", number_of(projects, "Water the plants"), "3", vault=projects)
        assert result.code == 0, result.err
        assert "2026-04-27" in result.out
        assert talks.notes(projects) == before
        assert fates(projects)["Water the plants"] == "overflow"
        assert fates(projects, "2026-04-26")["Water the plants"] == "overflow"
        assert fates(projects, "2026-04-27")["Water the plants"] == "shown"

    def test_the_page_follows(self, projects):
        wrap("snooze", number_of(projects, "Water the plants"), "3", vault=projects)
        assert not any("Water the plants" in line for line in projects.priorities)
        assert projects.section("Overflow")

    def test_it_can_still_be_named(self, projects):
        key = items(projects)["Water the plants"]["id"]
        wrap("snooze", key, "3", vault=projects)
        assert wrap("done", number_of(projects, "Water the plants"), vault=projects).code == 0
        assert "[x]" in projects.path(WEB).read_text("utf-8")

    def test_the_last_word_counts(self, projects):
        key = items(projects)["Water the plants"]["id"]
        wrap("snooze", key, "30", vault=projects)
        wrap("snooze", key, "1", vault=projects)
        assert fates(projects, "2026-04-25")["Water the plants"] == "shown"

    def test_undo_of_the_second_gives_the_first_again(self, projects):
        key = items(projects)["Water the plants"]["id"]
        wrap("snooze", key, "30", vault=projects)
        wrap("snooze", key, "1", vault=projects)
        wrap("undo", vault=projects)
        assert fates(projects, "2026-05-01")["Water the plants"] == "overflow"

    def test_a_duplicate_does_not_come_up_in_its_place(self, projects):
        """The snoozed item's twin is the same work."""
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the garden plants\n")
        projects.write("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- Water the garden plants\n")
        wrap("snooze", f"{WEB}:5", "3", vault=projects)
        assert not any("Water the garden plants" in line for line in projects.priorities)

    @pytest.mark.parametrize(
        ("until", "day"),
        [
            ("1", "2026-04-25"), ("2w", "2026-05-08"), ("1m", "2026-05-24"), ("tomorrow", "2026-04-25"),
            ("Sat", "2026-04-25"), ("fri", "2026-05-01"), ("monday", "2026-04-27"), ("2026-05-02", "2026-05-02"),
        ],
    )  # fmt: skip
    def test_until_a_day_in_words(self, projects, until, day):
        """The day of these tests is a Friday."""
        result = wrap("snooze", "water", "plants", until, "--json", vault=projects).json
        assert [(item["text"], item["until"]) for item in result["items"]] == [("Water the plants", day)]

    def test_several_at_once(self, projects):
        wrap("list", vault=projects)
        assert wrap("snooze", "1-2", "3", "2", vault=projects).code == 0
        assert [item["snoozed"] for item in wrap("list", "--snoozed", "--json", vault=projects).json["items"]] == [
            "2026-04-26"
        ] * 3

    def test_a_merged_item_is_hidden_by_any_of_its_names(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the garden plants\n")
        projects.write("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- Water the garden plants\n")
        for path in (WEB, "projects/web/PROGRESS.md"):
            assert wrap("snooze", f"{path}:5", "3", vault=projects).code == 0
            assert not any("Water the garden plants" in line for line in projects.priorities)
            wrap("undo", vault=projects)

    @pytest.mark.parametrize("days", ["0", "-1", "x", "1.5", "99999999", "2026-04-24", "yesterday", "2026-02-30"])
    def test_days_that_are_none(self, projects, days):
        result = wrap("snooze", "--", number_of(projects, "Water the plants"), days, vault=projects)
        assert result.code == 2
        assert fates(projects)["Water the plants"] == "shown"


def test_what_is_there_already_is_named_with_its_place(projects):
    handle = items(projects)["Water the plants"]["handle"]
    assert (
        f"already there: {handle}  {WEB}:5  Water the plants"
        in wrap("add", "Water the plants", "-p", "web", vault=projects).out
    )
    for words in (["add", "Water the plants", "-p", "web"], ["move", f"{WEB}:5", "web"]):
        (item,) = wrap(*words, "--json", vault=projects).json["items"]
        assert (item["handle"], item["already_in"]) == (handle, f"{WEB}:5")
    assert not projects.path(".wrapgen/said.jsonl").exists()
    assert "nothing to undo" in wrap("undo", vault=projects).err


def test_nothing_of_a_kind_is_said_of_that_kind(projects):
    assert wrap("list", "--expired", vault=projects).out == "nothing has expired\n"
    assert "'soon' is not a future day" in wrap("snooze", f"{WEB}:5", "soon", vault=projects).err


class TestKeep:
    def test_it_denies_a_resolution(self, projects):
        projects.write(YESTERDAY, projects.path(YESTERDAY).read_text("utf-8").replace("plumber", "plumber again"))
        projects.write(JOURNAL, "# Day\n\n## Done\n\n- Call the plumber again\n")
        assert fates(projects)["Call the plumber again"] == "resolved"
        assert wrap("keep", f"{YESTERDAY}:7", vault=projects).code == 0
        assert fates(projects)["Call the plumber again"] == "shown"
        assert any("Call the plumber again" in line for line in projects.priorities)

    def test_it_denies_a_merge(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the garden plants\n")
        projects.write("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- Water the garden plant\n")
        found = items(projects)
        assert found["Water the garden plant"]["fate"] == "duplicate"
        assert wrap("keep", found["Water the garden plant"]["id"], vault=projects).code == 0
        assert fates(projects)["Water the garden plant"] == "shown"
        assert fates(projects)["Water the garden plants"] == "shown"

    def test_what_is_merged_into_it_stands_alone_again(self, projects):
        projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the garden plants\n")
        projects.write("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- Water the garden plant\n")
        result = wrap("keep", items(projects)["Water the garden plants"]["id"], vault=projects)
        assert "no longer merged: projects/web/PROGRESS.md:5  Water the garden plant" in result.out
        assert fates(projects)["Water the garden plant"] == fates(projects)["Water the garden plants"] == "shown"

    def test_it_changes_no_note(self, projects):
        before = talks.notes(projects)
        wrap("keep", f"{YESTERDAY}:7", vault=projects)
        assert talks.notes(projects) == before

    @pytest.mark.slow
    def test_a_kept_item_can_be_finished(self, projects):
        projects.write(YESTERDAY, projects.path(YESTERDAY).read_text("utf-8").replace("plumber", "plumber again"))
        projects.write(JOURNAL, "# Day\n\n## Done\n\n- Call the plumber again\n")
        wrap("keep", f"{YESTERDAY}:7", vault=projects)
        wrap("done", f"{YESTERDAY}:7", vault=projects)
        assert fates(projects).get("Call the plumber again", "resolved") == "resolved"


@pytest.mark.skipif(os.name != "posix", reason="the editors are scripts")
class TestOpen:
    @pytest.fixture
    def editor(self, tmp_path):
        """Makes a program of a name that notes its words."""

        def make(name, code=0):
            notes = tmp_path / "words.json"
            program = tmp_path / "my programs" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(
                f"#!{sys.executable}\nimport json, sys\n"
                f"json.dump(sys.argv[1:], open({str(notes)!r}, 'w'))\nsys.exit({code})\n",
                "utf-8",
            )
            program.chmod(0o755)
            return f"'{program}'", lambda: json.loads(notes.read_text("utf-8"))

        return make

    @pytest.mark.parametrize("variable", ["VISUAL", "EDITOR"])
    def test_vi_and_its_like(self, projects, monkeypatch, editor, variable):
        command, words = editor("vi")
        monkeypatch.setenv(variable, command)
        assert wrap("open", f"{WEB}:5", vault=projects).code == 0
        assert words() == ["+5", str(projects.path(WEB))]

    def test_visual_comes_first(self, projects, monkeypatch, editor):
        command, words = editor("vim")
        monkeypatch.setenv("VISUAL", command)
        monkeypatch.setenv("EDITOR", "no-such-editor")
        assert wrap("open", f"{WEB}:5", vault=projects).code == 0
        assert words()

    def test_code_with_its_own_words(self, projects, monkeypatch, editor):
        command, words = editor("code")
        monkeypatch.setenv("EDITOR", f"{command} --wait")
        assert wrap("open", f"{WEB}:5", vault=projects).code == 0
        assert words() == ["--wait", "--goto", f"{projects.path(WEB)}:5"]

    def test_none_set_says_which_variable_and_where_the_item_stands(self, projects):
        result = wrap("open", f"{WEB}:5", vault=projects)
        assert result.code == 1
        assert "$EDITOR" in result.err
        assert f"{WEB}:5" in result.err

    @pytest.mark.parametrize("value", [" ", "vi 'unclosed", "no-such-editor-anywhere", "/", "''"])
    def test_a_value_that_is_no_editor(self, projects, monkeypatch, value):
        monkeypatch.setenv("EDITOR", value)
        result = wrap("open", f"{WEB}:5", vault=projects)
        assert result.code == 1
        assert "EDITOR" in result.err
        assert "defect" not in result.err

    def test_an_editor_that_fails(self, projects, monkeypatch, editor):
        command, _ = editor("vi", code=7)
        monkeypatch.setenv("EDITOR", command)
        result = wrap("open", f"{WEB}:5", vault=projects)
        assert result.code == 1
        assert "ended with exit code 7. Check" in result.err

    def test_json_says_what_was_opened(self, projects, monkeypatch, editor):
        command, words = editor("vi")
        monkeypatch.setenv("EDITOR", command)
        opened = wrap("open", f"{WEB}:5", "--json", vault=projects).json
        assert (opened["schema"], opened["command"], opened["receipt"]) == ("wrapgen.edit/1", "open", None)
        assert [(one["text"], one["path"], one["line"]) for one in opened["items"]] == [("Water the plants", WEB, 5)]
        assert words()

    def test_it_writes_nothing(self, projects, monkeypatch, editor):
        monkeypatch.setenv("EDITOR", editor("nano")[0])
        before = projects.snapshot()
        wrap("open", f"{WEB}:5", vault=projects)
        assert projects.snapshot() == before


def test_a_project_named_in_front_of_the_words_gets_a_hint(projects):
    result = wrap("add", "web", "Buy a domain", vault=projects)
    assert "wrap add 'Buy a domain' -p web" in result.out
    assert "-p web" not in wrap("add", "-p", "web", "web sockets stall", vault=projects).out
    assert "-p web" not in wrap("add", "web", vault=projects).out


def test_add_names_a_vault_that_is_not_the_folders_own(projects, tmp_path, monkeypatch):
    monkeypatch.chdir(projects.root)
    assert str(projects.root) not in wrap("add", "Buy milk", vault=projects).out
    monkeypatch.chdir(tmp_path)
    assert f"in your vault {projects.root}" in wrap("add", "Buy eggs", vault=projects).out
