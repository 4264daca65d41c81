"""What a note says of itself: its status, and that it is a task."""

from datetime import date

from tests.support import audit, each, wrap
from wrapgen.notes import Priority
from wrapgen.vault.markdown.note import front_matter, is_closed, properties
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.tick import finish, rename_note

TODAY = date(2026, 11, 25)
BACKLOG_MD = """---
id: TASK-3
title: "Print: labels"
status: To Do
assignee: []
created_date: '2026-11-02'
labels:
  - shop
dependencies:
  - TASK-2
priority: high
---

## Acceptance Criteria
- [ ] #1 The page opens
- [x] #2 It was tried
"""
TASK_NOTE = """---
title: Call Ann
status: in-progress
tags: [task, home]
due: 2026-11-28
scheduled: 2026-11-20T09:00
priority: normal
---

- [ ] Find the number
"""


def test_a_task_of_backlog_md():
    document = parse(BACKLOG_MD)
    task = document.entries[0]
    assert (document.task, task.text, task.line, task.done, task.box) == (True, "Print: labels", 1, False, True)
    assert (task.priority, task.created, task.ident, task.depends) == (
        Priority.HIGH, date(2026, 11, 2), "TASK-3", ("TASK-2",),
    )  # fmt: skip


def test_a_task_note():
    task = parse(TASK_NOTE).entries[0]
    assert (task.text, task.due, task.scheduled, task.priority) == (
        "Call Ann", date(2026, 11, 28), date(2026, 11, 20), None,
    )  # fmt: skip


@each([
        "id: ADR-1\ntitle: Use the queue\nstatus: accepted", "title: A post\nstatus: published",
        "id: TASK-3\ntitle: No status",
        "status: done", "id: 17\ntitle: A page\nstatus: open",
    ])  # fmt: skip
def test_other_notes_are_no_tasks(front):
    document = parse(f"---\n{front}\n---\n\n- [ ] a box\n")
    assert [one.text for one in document.entries] == ["a box"]


@each(["Done", "done", "✅ Done", "Completed (2026-05-01)", "SHIPPED", "Implemented in #12", "superseded by plan 3",
     "cancelled",
     "**Archived**", "완료", "已完成", "完了"])  # fmt: skip
def test_a_status_that_says_that_nothing_is_left(status):
    assert is_closed(status)


@each(["Open", "Done-ish", "Completed except the docs", "Implemented (phase 1 of 3)", "Donegal", "in progress", ""])
def test_a_status_that_leaves_something(status):
    assert not is_closed(status)


@each(["> ✅ **RESOLVED 2026-06-08 (live).** All of it, per day.", "✅ DONE on Monday", "> SUPERSEDED by [[plan-v2]]"])
def test_a_banner_on_top_says_that_all_of_it_is_done(banner):
    assert is_closed(parse(f"# Hand-over\n\n{banner}\n\n## Next\n\n- Oil the gate\n").status)


@each(["> RESOLVED: partially", "DONE lists are below", "> ✅ DONE except the gate", "> Closed doors stay closed"])
def test_other_first_lines_do_not(line):
    assert not is_closed(parse(f"# Hand-over\n\n{line}\n\n## Next\n\n- Oil the gate\n").status)


def test_values_of_a_front_matter():
    said = properties("a: 'it''s'\nb: [x, \"y\"] # why\nc:\n  - one\n- two\nD: \"q # r\"\nnested:\n  deep: 1\n")
    assert said == {"a": ("it's",), "b": ("x", "y"), "c": ("one", "two"), "d": ("q # r",), "nested": ()}


def test_its_status_and_title_are_one_line_each():
    data = BACKLOG_MD.replace("\n", "\r\n").encode() + b"\xff\n"
    for change, old, new in (
        (finish("task.md", data, [1], TODAY)[1], b"status: To Do", b"status: Done"),
        (finish("task.md", data, [1], TODAY, "Live")[1], b"status: To Do", b"status: Live"),
        (rename_note(data, "Print: long labels"), b'"Print: labels"', b'"Print: long labels"'),
    ):
        assert change is not None
        assert change.apply(data) == data.replace(old, new)


def test_a_task_is_one_item_and_its_boxes_are_backlog(vault):
    files = {"backlog/tasks/task-3.md": BACKLOG_MD, "backlog/tasks/task-4.md": BACKLOG_MD.replace("To Do", "Done"),
             "backlog/config.yml": 'statuses: ["To Do", "Live"]\n'}  # fmt: skip
    built = vault(files, config='sources = { lists = ["backlog/tasks/*.md"] }\n')
    found = audit(built).json
    assert [(one["text"], one["line"]) for one in found["items"]] == [("Print: labels", 1)]
    assert found["backlog"] == 2
    assert wrap("done", "backlog/tasks/task-3.md:1", vault=built).code == 0
    file = built.root / "backlog/tasks/task-3.md"
    assert file.read_text() == BACKLOG_MD.replace("To Do", "Live")
    assert wrap("undo", vault=built).code == 0
    assert file.read_text() == BACKLOG_MD


def test_what_is_done_by_its_own_word_is_nobodys_next_step(vault):
    open_box = "- [x] Paint the fence\n- [ ] Oil the front door\n"
    filler = "".join(f"- [ ] Real work number {number}\n" for number in range(3))
    files = {
        "a.md": f"# Plan\n\n**Status:** ✅ Implemented\n\n{open_box}",
        "b.md": f"---\nstatus: archived\n---\n\n{open_box}".replace("front", "back"),
        "done/c.md": open_box.replace("front", "side"),  # a folder's name says nothing
        "d.md": f"## Acceptance criteria\n\n- [ ] The gate opens at once\n\n## 受け入れ条件\n\n- [ ] ベルが鳴る\n\n"
        f"## More\n\n{filler}",
    }
    built = vault(files, config='sources = { lists = ["*.md", "done/*.md"] }\n')
    found = audit(built)
    assert {text for text, fate in found.fates.items() if fate == "shown"} == {
        "Oil the side door",
        *(f"Real work number {n}" for n in range(3)),
    }
    assert found.json["backlog"] == 2  # criteria
    aside = {one["path"]: one["why"] for one in found.json["items"] if one["set_aside"]}
    assert aside == {
        "a.md": "not shown: its note says `✅ Implemented`",
        "b.md": "not shown: its note says `archived`",
    }


def test_a_rule_that_nothing_closes_is_read_in_linear_time():
    assert front_matter("---\r\n" + "key: value\r\n" * 2_000) is None  # each `\r\n` is one line's end, never two
    assert front_matter("---\r\nkey: value\r\n\r\n---\r\n# A\r\n") == "key: value\r\n\r\n"
