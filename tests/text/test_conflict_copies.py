import pytest

from tests.support import each
from wrapgen.text.file_names import original_of

LIST = "# Tasks\n\n- [x] Move the till\n- [ ] Order rolls\n- [ ] Call Ann\n"


def told(path, beside=(), texts=None):
    return original_of(path, beside, (texts or {}).get)


@pytest.mark.parametrize(
    ("path", "original"),
    [
        ("notes/Tasks.sync-conflict-20261124-101010-ABCDEFG.md", "notes/Tasks.md"),
        ("2026-11-25.sync-conflict-20261125-101010.md", "2026-11-25.md"),
        ("Tasks (Ben's conflicted copy 2026-11-20).md", "Tasks.md"),
        ("Tasks (conflicted copy 2026-11-20 101010).md", "Tasks.md"),
        ("Tasks (Ben's Case Conflict).md", "Tasks.md"),
        ("Tasks (In Konflikt stehende Kopie von Ben 2026-11-20).md", "Tasks.md"),
        ("Tasks (copie en conflit de Ben 2026-11-20).md", "Tasks.md"),
        ("할일 (Ben의 충돌된 사본 2026-11-20).md", "할일.md"),
        ("Tasks (Ben の競合コピー 2026-11-20).md", "Tasks.md"),
        ("Tasks (SFConflict ben@example.org 2026-11-20).md", "Tasks.md"),
        ("Tasks_conflict-20261124-101010.md", "Tasks.md"),
        ("Tasks_REMOTE_4711.md", "Tasks.md"),
        ("Tasks.orig.md", "Tasks.md"),
        ("Tasks.bak.md", "Tasks.md"),
    ],
)
def test_some_names_say_it(path, original):
    assert told(path) == original


@each(["Tasks 2.md", "Tasks (1).md", "Tasks copy.md", "Tasks - Copy.md", "Tasks-DESKTOP-7.md"])
def test_others_say_it_beside_an_original_with_the_same_lines(name):
    texts = {name: LIST.replace("[x]", "[ ]"), "Tasks.md": LIST}
    assert told(name, ("Tasks.md", name), texts) == "Tasks.md"
    assert told(name, (name,), texts) is None
    assert told(name, ("Tasks.md", name), texts | {name: "# Tasks\n\n- [ ] Paint\n- [ ] Mow\n"}) is None


@each(
    [
        "2026-04-24.md",
        "Chapter 2.md",
        "merge conflict resolution.md",
        "Plan (draft).md",
        "conflict.md",
        "Tasks.conf.md",
        "API-REFERENCE.md",
        "notes (old)/Tasks.md",
        "Tasks.sync-conflict-20261124-101010-ABCDEFG.png",
    ]
)
def test_these_are_none(path):
    assert told(path) is None
