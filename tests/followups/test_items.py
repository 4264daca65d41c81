"""`wrap done`, `add`, `snooze`, `keep`, `open`: the items that a person names, and what becomes of them."""

from __future__ import annotations

import json
import os
import shlex
import sys

import pytest

from tests.followups import talks
from tests.support import TODAY, wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
YESTERDAY = "journals/2026/04/2026-04-23.md"
WEB = "projects/web/todos.md"


def items(vault, today=TODAY):
    found = wrap("audit", "--json", vault=vault, today=today).json["items"]
    return {item["text"]: item for item in found}


def fates(vault, today=TODAY):
    return {text: item["fate"] for text, item in items(vault, today).items()}


def number_of(vault, text):
    found = wrap("list", "--all", "--json", vault=vault).json["items"]
    return next(str(item["number"]) for item in found if item["text"] == text)


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
        assert result.code == 2
        assert all(one in result.err for one in [one for one in ids if one.startswith(start)][:2])
        assert talks.notes(built) == before

    def test_numbers_go_as_far_as_the_list_does(self, vault):
        lines = "".join(f"- [ ] {chr(97 + number % 26) * 9} {number * 7919}\n" for number in range(1005))
        built = vault({"projects/web/actives/long/todos.md": f"# long\n\n{lines}"})
        (text,) = [
            item["text"] for item in wrap("list", "--all", "--json", vault=built).json["items"]
            if item["number"] == 1001
        ]  # fmt: skip
        assert wrap("done", "1001", vault=built).code == 0
        assert f"- [x] {text}\n" in built.path("projects/web/actives/long/todos.md").read_text("utf-8")

    def test_an_expired_item_by_its_id(self, vault):
        built = vault({"journals/2026/01/2026-01-05.md": "# Day\n\n## Next\n\n- [ ] Old work\n",
                       YESTERDAY: "# Day\n"})  # fmt: skip
        item = items(built)["Old work"]
        assert item["fate"] == "expired"
        assert wrap("done", item["id"], vault=built).code == 0
        assert "- [x] Old work" in built.path("journals/2026/01/2026-01-05.md").read_text("utf-8")

    def test_numbers_of_one_command_mean_the_list_before_it(self, projects):
        listed = wrap("list", "--all", "--json", vault=projects).json["items"]
        assert len(listed) == 4
        assert wrap("done", "1", "2", vault=projects).code == 0
        left = wrap("list", "--all", "--json", vault=projects).json["items"]
        assert [item["text"] for item in left] == [item["text"] for item in listed[2:]]


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


class TestAdd:
    def test_into_todays_journal(self, projects):
        assert wrap("add", "Buy milk", vault=projects).code == 0
        assert projects.path(JOURNAL).read_text("utf-8") == (
            f"# {TODAY}\n\n## Session: follow-ups\n\n### Next\n\n- [ ] Buy milk\n"
        )

    @pytest.mark.parametrize("words", [["Buy milk", "-p", "web"], ["-p", "web", "(web) Buy milk"]])
    def test_into_a_projects_list(self, projects, words):
        before = projects.path(WEB).read_bytes()
        assert wrap("add", *words, vault=projects).code == 0
        assert projects.path(WEB).read_bytes() == before + b"- [ ] (web) Buy milk\n"

    def test_a_tag_in_the_text(self, projects):
        wrap("add", "(web) Buy milk", vault=projects)
        assert projects.path(JOURNAL).read_text("utf-8").endswith("- [ ] (web) Buy milk\n")
        assert items(projects)["Buy milk"]["project"] == "web"

    def test_one_that_is_beyond_the_cap_is_named_by_its_number(self, vault):
        lines = "".join(f"- [ ] {text}\n" for text in ("Rotate the keys", "Mend the login", "Paint the door"))
        built = vault({JOURNAL: f"# Day\n\n## Next\n\n{lines}"}, config="cap = 3\n")
        out = wrap("add", "Buy milk", vault=built).out
        number = out.partition("beyond the cap: item ")[2].split()[0]
        assert int(number) == 4
        (row,) = (one for one in wrap("list", "--all", "--json", vault=built).json["items"] if one["number"] == 4)
        assert row["text"] == "Buy milk"
        built.write("wrapgen.toml", "cap = 9\n")
        assert "beyond the cap" not in wrap("add", "Buy bread", vault=built).out

    def test_a_bracket_that_is_no_project(self, projects):
        wrap("add", "(optional) Buy milk", vault=projects)
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
        projects.write("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- Water the plants\n")
        wrap("snooze", f"{WEB}:5", "3", vault=projects)
        assert not any("Water the plants" in line for line in projects.priorities)

    @pytest.mark.parametrize("days", ["0", "-1", "x", "1.5", "99999999"])
    def test_days_that_are_none(self, projects, days):
        result = wrap("snooze", "--", number_of(projects, "Water the plants"), days, vault=projects)
        assert result.code == 2
        assert fates(projects)["Water the plants"] == "shown"


class TestKeep:
    def test_it_denies_a_resolution(self, projects):
        projects.write(JOURNAL, "# Day\n\n## Done\n\n- Call the plumber\n")
        assert fates(projects)["Call the plumber"] == "resolved"
        assert wrap("keep", f"{YESTERDAY}:7", vault=projects).code == 0
        assert fates(projects)["Call the plumber"] == "shown"
        assert any("Call the plumber" in line for line in projects.priorities)

    def test_it_denies_a_merge(self, projects):
        projects.write("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- Water the plant\n")
        found = items(projects)
        assert found["Water the plant"]["fate"] == "duplicate"
        assert wrap("keep", found["Water the plant"]["id"], vault=projects).code == 0
        assert fates(projects)["Water the plant"] == "shown"
        assert fates(projects)["Water the plants"] == "shown"

    def test_it_changes_no_note(self, projects):
        before = talks.notes(projects)
        wrap("keep", f"{YESTERDAY}:7", vault=projects)
        assert talks.notes(projects) == before

    def test_a_kept_item_can_be_finished(self, projects):
        projects.write(JOURNAL, "# Day\n\n## Done\n\n- Call the plumber\n")
        wrap("keep", f"{YESTERDAY}:7", vault=projects)
        wrap("done", f"{YESTERDAY}:7", vault=projects)
        assert fates(projects).get("Call the plumber", "resolved") == "resolved"


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
        assert "defect" not in result.err

    def test_it_writes_nothing(self, projects, monkeypatch, editor):
        monkeypatch.setenv("EDITOR", editor("nano")[0])
        before = projects.snapshot()
        wrap("open", f"{WEB}:5", vault=projects)
        assert projects.snapshot() == before
