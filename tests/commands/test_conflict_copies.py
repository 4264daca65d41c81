"""Conflict copies are never sources nor targets, and are named."""

from tests.support import TODAY, wrap

NAMES = (
    "Tasks.sync-conflict-20261124-101010-ABCDEFG.md",
    "Tasks (Ben's conflicted copy 2026-11-20).md",
    "Tasks 2.md",
)
LIST = "# Tasks\n\n- [x] Move the till software\n- [ ] Order paper rolls\n"


def notes():
    return {"notes/Tasks.md": LIST} | {f"notes/{name}": LIST.replace("[x]", "[ ]") for name in NAMES}


def test_what_is_done_does_not_come_back(vault):
    built = vault(notes())
    assert wrap("init", "--detect", built.root, "--no-default").code == 0
    assert [one["text"] for one in wrap("list", "--all", "--json", vault=built).json["items"]] == ["Order paper rolls"]
    assert wrap("audit", "--json", vault=built).json["unread"]["boxes"] == 0


def test_sources_and_doctor_name_them(vault):
    built = vault(notes())
    found = wrap("sources", "--json", vault=built).json["conflict_copies"]
    assert found == [{"path": f"notes/{name}", "original": "notes/Tasks.md"} for name in sorted(NAMES)]
    said = wrap("sources", vault=built).out
    assert all(f"not read: notes/{name}, a conflict copy of notes/Tasks.md" in said for name in NAMES)
    named = [
        one["where"] for one in wrap("doctor", "--json", vault=built).json["findings"] if one["check"] == "sources"
    ]
    assert {f"notes/{name}" for name in NAMES} <= set(named)


def test_a_line_goes_into_todays_journal_not_into_its_copy(vault):
    day = f"journals/{TODAY}.md"
    copy = f"journals/{TODAY}.sync-conflict-20261125-101010-ABCDEFG.md"
    built = vault({day: "# Wed\n\n- [ ] Paint the fence\n", copy: "# Wed\n\n- [ ] Paint the fence\n"})
    assert wrap("add", "Ring aunt Clara", vault=built).code == 0
    assert "Ring aunt Clara" in built.path(day).read_text()
    assert "Ring aunt Clara" not in built.path(copy).read_text()
