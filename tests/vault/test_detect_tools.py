"""Other tools' own settings say where notes are: Obsidian, Logseq."""

import json

import pytest

from wrapgen.config import Config
from wrapgen.vault.detect.detect import detect
from wrapgen.vault.detect.proposal import JODA, MOMENT, glob_of, last_part
from wrapgen.vault.index import Glance

PERIODIC = "plugins/periodic-notes/data.json"
TASKS = "plugins/obsidian-tasks-plugin/data.json"


@pytest.fixture
def look(tmp_path):
    def detected(files, **settings):
        """Files, and settings of Obsidian as `daily_notes={...}` or by their path."""
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
        for name, said in settings.items():
            file = tmp_path / ".obsidian" / (name if "/" in name else f"{name.replace('_', '-')}.json")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(said), encoding="utf-8")
        return detect(Glance.at(tmp_path, Config()))

    return detected


def globs(detected, key="journals"):
    return [one.glob for one in detected.proposals if one.key == key]


@pytest.mark.parametrize(
    ("written", "language", "glob"),
    [
        ("YYYY-MM-DD", MOMENT, "YYYY-MM-DD"),
        ("YYYY-MM-DD ddd", MOMENT, "YYYY-MM-DD ddd"),
        ("dddd, MMMM Do YYYY", MOMENT, "dddd, MMMM Do YYYY"),
        ("DD.MM.YYYY", MOMENT, "DD.MM.YYYY"),
        ("YYYY/[Daily]/MM/YYYY-MM-DD", MOMENT, "YYYY/Daily/MM/YYYY-MM-DD"),
        ("YYYY/MM-MMMM/MMMM DD, YYYY", MOMENT, "YYYY/MM-MMMM/MMMM DD, YYYY"),
        ("YYYY/MMM/D MMM", MOMENT, "YYYY/MMM/D MMM"),
        ("YYYY/YYYY-[Q]Q/YYYY-[W]ww/YYYY-MM-DD", MOMENT, "YYYY/YYYY-Q*/YYYY-W*/YYYY-MM-DD"),
        ("YYYY年M月D日", MOMENT, "YYYY年M月D日"),
        ("gggg-[W]ww", MOMENT, None),
        ("YYYY-MM", MOMENT, None),
        ("YY-MM-DD", MOMENT, "YY-MM-DD"),
        ("LL", MOMENT, None),
        ("yyyy_MM_dd", JODA, "YYYY_MM_DD"),
        ("MMM do, yyyy", JODA, "MMM Do, YYYY"),
        ("EEE, dd-MM-yyyy", JODA, "ddd, DD-MM-YYYY"),
    ],
)
def test_a_date_format_becomes_a_glob(written, language, glob):
    assert glob_of(written, language) == glob


def test_the_last_part_suffices_when_it_says_the_whole_date():
    assert last_part("YYYY/MM/YYYY-MM-DD") == "YYYY-MM-DD"
    assert last_part("YYYY/MM/DD") == "YYYY/MM/DD"


class TestObsidian:
    @pytest.mark.parametrize(
        ("said", "path", "glob"),
        [
            ({"folder": "Log"}, "Log/2026-04-23.md", "Log/**/YYYY-MM-DD.md"),
            ({"folder": "/Log/", "format": ""}, "Log/2026/2026-04-23.md", "Log/**/YYYY-MM-DD.md"),
            ({"format": "DD.MM.YYYY"}, "23.04.2026.md", "DD.MM.YYYY.md"),
            ({"folder": "L", "format": "YYYY/MM/DD"}, "L/2026/04/23.md", "L/**/YYYY/MM/DD.md"),
            ({"folder": "L", "format": "YYYY/MMMM/MMMM Do"}, "L/2026/April/April 23rd.md", "L/**/YYYY/MMMM/MMMM Do.md"),
            ({}, "2026-04-23.md", "YYYY-MM-DD.md"),
        ],
    )
    def test_daily_notes(self, look, said, path, glob):
        assert globs(look({path: "x"}, daily_notes=said)) == [glob]

    @pytest.mark.parametrize("core", [["file-explorer", "daily-notes"], {"daily-notes": True}])
    def test_without_settings_of_their_own_they_are_as_usual(self, look, core):
        detected = look({"a/2026-04-23.md": "x", "2026-04-23.md": "x"}, core_plugins=core)
        assert globs(detected) == ["YYYY-MM-DD.md", "a/**/YYYY-MM-DD.md"]

    def test_periodic_notes_come_first_where_they_are_on(self, look):
        files = {"P/23-04-2026.md": "x", "D/2026-04-23.md": "x"}
        said = {"daily": {"folder": "P", "format": "DD-MM-YYYY", "enabled": True}}
        assert globs(look(files, daily_notes={"folder": "D"}, **{PERIODIC: said}))[0] == "P/**/DD-MM-YYYY.md"
        said["daily"]["enabled"] = False
        detected = look(files, **{PERIODIC: said})
        assert globs(detected) == ["D/**/YYYY-MM-DD.md", "P/**/DD-MM-YYYY.md"]  # the second by looking

    def test_the_beta_of_periodic_notes(self, look):
        said = {"activeCalendarSet": "b", "calendarSets": [
            {"id": "a", "day": {"enabled": True, "folder": "A"}}, {"id": "b", "day": {"enabled": True, "folder": "B"}},
        ]}  # fmt: skip
        detected = look({"A/2026-04-23.txt": "x", "B/2026-04-23.md": "x"}, **{PERIODIC: said})
        assert globs(detected) == ["B/**/YYYY-MM-DD.md"]

    def test_settings_that_point_to_nothing_give_way_to_looking(self, look):
        detected = look({"Log/2026-04-23.md": "x"}, daily_notes={"folder": "Gone"})
        assert [(one.glob, one.why) for one in detected.proposals] == [
            ("Log/**/YYYY-MM-DD.md", "notes named after days"),
        ]

    def test_templates_are_left_out(self, look):
        files = {"Forms/a.md": "- [ ] TITLE\n", "Muster/b.md": "- [ ] TITLE\n", "Log/day.md": "- [ ] TITLE\n"}
        detected = look(
            files,
            templates={"folder": "Forms"},
            daily_notes={"folder": "Log", "template": "Log/day"},
            **{"plugins/templater-obsidian/data.json": {"templates_folder": "Muster/"}},
        )
        assert set(globs(detected, "ignore")) == {"Forms/**", "Muster/**", "Log/day.md"}

    @pytest.mark.parametrize("folder", ["", "/", "/home/me/vault/Forms", "../Forms", 7, None])
    def test_a_folder_of_templates_that_is_none_here(self, look, folder):
        detected = look({"a.md": "- [ ] Paint the boat\n"}, templates={"folder": folder})
        assert [(one.key, one.glob) for one in detected.proposals] == [("lists", "a.md")]

    def test_it_may_be_at_home_in_a_folder(self, look):
        files = {"me/.obsidian/daily-notes.json": '{"folder": "Log"}', "me/Log/2026-04-23.md": "x"}
        assert globs(look(files)) == ["me/Log/**/YYYY-MM-DD.md"]

    def test_the_tasks_plugin_says_what_a_task_is(self, look):
        statuses = [
            {"symbol": "/", "type": "IN_PROGRESS"},
            {"symbol": "i", "type": "NON_TASK"}, {"symbol": "D", "type": "DONE"},
            {"symbol": "D", "type": "TODO"}, {"symbol": "", "type": "DONE"}, {"symbol": "-", "type": "CANCELLED"},
        ]  # fmt: skip
        said = {"globalFilter": "#task", "statusSettings": {"customStatuses": statuses}}
        detected = look({"a.md": "- [ ] #task Paint\n"}, **{TASKS: said})
        assert (detected.task_filter, detected.states) == ("#task", {"i": "ignored", "D": "done"})

    def test_a_plugin_that_is_off_says_nothing(self, look):
        detected = look({"a.md": "x"}, community_plugins=["calendar"], **{TASKS: {"globalFilter": "#task"}})
        assert detected.task_filter == ""

    @pytest.mark.parametrize("said", [[], "x", 3, {"folder": 3, "format": []}, {"folder": "a\x00b"}])
    def test_settings_of_any_form_do_no_harm(self, look, said):
        assert globs(look({"2026-04-23.md": "x"}, daily_notes=said, **{PERIODIC: said, TASKS: said, "templates": said}))


class TestLogseq:
    @pytest.mark.parametrize(
        ("config", "path", "glob"),
        [
            ("{}", "journals/2026_04_23.md", "journals/YYYY_MM_DD.md"),
            ('{:journal/file-name-format "dd-MM-yyyy"}', "journals/23-04-2026.md", "journals/DD-MM-YYYY.md"),
            ('{;; :journal/file-name-format "dd"\n}', "journals/2026_04_23.md", "journals/YYYY_MM_DD.md"),
            ('{:journals-directory "diary" :x ";"}', "diary/2026_04_23.md", "diary/YYYY_MM_DD.md"),
        ],
    )
    def test_journals(self, look, config, path, glob):
        assert globs(look({"logseq/config.edn": config, path: "x"})) == [glob]

    def test_pages_with_markers_are_lists_and_its_own_copies_are_left_out(self, look):
        detected = look({
            "logseq/config.edn": "{}",
            "logseq/bak/journals/2026_04_22.md": "- [ ] Paint\n",
            "pages/a.md": "- [ ] Paint\n",
        })  # fmt: skip
        assert (globs(detected, "ignore"), globs(detected, "lists")) == (["logseq/bak/**"], ["pages/*.md"])
