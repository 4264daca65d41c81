"""Folders in which each note is a task are found, by the settings of their programs or by five such notes."""

import pytest

from wrapgen.config import Config
from wrapgen.vault.detect.detect import detect
from wrapgen.vault.detect.proposal import done_status
from wrapgen.vault.index import Glance

TASK = "---\nid: TASK-{0}\ntitle: Work {0}\nstatus: To Do\nassignee: []\n---\n\n- [ ] #1 It opens\n"


@pytest.fixture
def lists(tmp_path):
    def look(files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
        found = detect(Glance.at(tmp_path, Config())).proposals
        return {one.glob: one.why for one in found if one.key == "lists"}

    return look


def test_by_the_settings_of_backlog_md(lists, tmp_path):
    found = lists({
        "backlog/config.yml": 'statuses: ["To Do", "Live"]\n', "backlog/tasks/task-1 - Work.md": TASK.format(1),
        "backlog/completed/task-2 - Work.md": TASK.format(2), "backlog/docs/guide.md": "words\n",
    })  # fmt: skip
    assert set(found) == {"backlog/tasks/*.md", "backlog/completed/*.md"}
    assert done_status(tmp_path, "backlog/tasks/task-1 - Work.md") == "Live"


def test_by_the_settings_of_task_notes(lists, tmp_path):
    shut = '[{"value": "open"}, {"value": "shut", "isCompleted": true}]'
    settings = f'{{"tasksFolder": "TaskNotes/Tasks", "customStatuses": {shut}}}'
    found = lists({
        ".obsidian/plugins/tasknotes/data.json": settings,
        "TaskNotes/Tasks/call.md": "---\ntitle: Call Ann\nstatus: open\ntags: [task]\n---\n",
    })  # fmt: skip
    assert set(found) == {"TaskNotes/Tasks/**/*.md"}
    assert done_status(tmp_path, "TaskNotes/Tasks/call.md") == "shut"


def test_by_five_notes(lists):
    found = lists({f"work/{number}.md": TASK.format(number) for number in range(5)})
    assert found == {"work/*.md": "notes that are tasks"}


def test_four_notes_or_settings_that_are_broken_say_nothing(lists, tmp_path):
    files = {f"work/{number}.md": TASK.format(number) for number in range(4)}
    found = lists(files | {".obsidian/plugins/tasknotes/data.json": "[", "work/config.yml": "\0"})
    assert found == {"work/*.md": "files with open boxes"}
    assert done_status(tmp_path, "work/1.md") == ""
