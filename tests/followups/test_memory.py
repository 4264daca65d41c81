"""What wrapgen remembers: broken lines, a lock that is held, and files that cannot be read."""

from __future__ import annotations

import json

import pytest
from filelock import FileLock

from tests.followups import talks
from tests.followups.talks import RETRY, ROTATE, answer, orphans, route
from tests.support import THOROUGH, wrap

FILES = ("pending.jsonl", "receipts.jsonl", "skipped.jsonl", "asked.jsonl", "conversations.jsonl")
LOCK = ".agents/locks/active-status.lock"


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("command", [["add", "Buy milk"], ["done", "1"], ["undo"], ["snooze", "1", "2"], ["keep", "1"],
                                     ["--no-prompt"], ["orphans"], ["route", "--answers", "{answers}"]])  # fmt: skip
def test_while_somebody_holds_the_lock_nothing_is_written(vault, waiting, answered, command):
    built = vault({"projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Water the plants\n"},
                  config="lock_timeout = 0.05\n")  # fmt: skip
    ids = waiting(built, RETRY)
    wrap("add", "A first thing", vault=built)
    answered.write_text(talks.answers(answer(ids[RETRY], "journal")), "utf-8")
    before = talks.notes(built)
    with FileLock(built.path(LOCK)):
        result = wrap(*(word.format(answers=answered) for word in command), vault=built)
    assert result.code == 4
    assert talks.notes(built) == before
    assert talks.pending(built) == [RETRY]


@pytest.mark.parametrize("command", [["orphans", "--dry-run"], ["audit"], ["list"], ["open", "plants"]])
def test_what_only_reads_needs_no_lock(vault, waiting, monkeypatch, command):
    built = vault({"projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Water the plants\n"},
                  config="lock_timeout = 0.05\n")  # fmt: skip
    waiting(built, RETRY)
    monkeypatch.setenv("EDITOR", "true")
    with FileLock(built.path(LOCK)):
        assert wrap(*command, vault=built).code == 0


LINES = (b"{", b"\xff\xfe\n", b"[]\n", b"{}\n", b"\n\n", b"null\n", b'{"id": 3}\n', b"\x00" * 9)
# Each file with each third kind of broken line, each of these in one or two files, and in one of the first three.
BROKEN = [
    (name, data)
    for one, name in enumerate(FILES)
    for other, data in enumerate(LINES)
    if THOROUGH or (one + other) % 3 == 0
]


@pytest.mark.slow
@pytest.mark.sampled(40)
@pytest.mark.parametrize(("name", "data"), BROKEN)
def test_a_broken_line_takes_nothing_with_it(projects, waiting, answered, name, data):
    """It is passed over, kept and told; the commands go on."""
    ids = waiting(projects, RETRY, ROTATE)
    route(projects, answered, answer(ids[ROTATE], "skip"))
    wrap("--no-prompt", vault=projects)
    file = projects.path(f"{talks.STATE}/{name}")
    file.write_bytes((file.read_bytes() if file.exists() else b"") + data)
    assert route(projects, answered, answer(ids[RETRY], "journal")).code == 0
    assert wrap("add", "Buy milk", vault=projects).code == 0
    result = wrap("--no-prompt", vault=projects)
    assert result.code == 0, result.err
    if data.strip() and name in FILES[:3]:
        assert data.strip() in file.read_bytes()
        troubles = wrap("audit", "--json", vault=projects).json["unreadable"]
        assert [trouble["path"] for trouble in troubles] == [f"{talks.STATE}/{name}"]


def test_the_broken_line_does_not_tear_the_next(projects):
    wrap("add", "First of all", vault=projects)
    file = projects.path(f"{talks.STATE}/receipts.jsonl")
    file.write_bytes(file.read_bytes() + b'{"id": "2026')
    wrap("add", "Second to none", vault=projects)
    whole = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.endswith("}")]
    assert {record["command"] for record in whole} == {"add"}
    assert len({record["id"] for record in whole}) == 2


@pytest.mark.parametrize("name", FILES[:3])
def test_a_folder_in_the_place_of_a_state_file_is_said(projects, waiting, name):
    projects.path(f"{talks.STATE}/{name}").mkdir(parents=True)
    before = talks.notes(projects)
    result = wrap("add", "Buy milk", vault=projects)
    assert result.code == 1
    assert name in result.err
    assert "defect" not in result.err
    assert talks.notes(projects) == before


def test_unknown_keys_of_a_later_version_are_no_obstacle(projects, waiting, answered):
    ids = waiting(projects, RETRY)
    file = projects.path(f"{talks.STATE}/pending.jsonl")
    record = json.loads(file.read_text("utf-8"))
    record["later"] = record["orphan"]["later"] = True
    file.write_text(json.dumps(record) + "\n", "utf-8")
    assert route(projects, answered, answer(ids[RETRY], "journal")).code == 0
    assert talks.pending(projects) == []


@pytest.mark.parametrize(
    "name",
    [
        "pending.sync-conflict-20261125-101010-ABCDEFG.jsonl",
        "pending (conflicted copy 2026-11-25).jsonl",
        "pending 2.jsonl",
    ],
)
def test_a_conflict_copy_of_what_is_pending_is_taken_up_and_said(vault, talk, name):
    root = vault()
    orphans(root, talk(RETRY, ROTATE))
    folder = root.path(talks.STATE)
    (folder / name).write_bytes((folder / "pending.jsonl").read_bytes())
    (folder / "pending.jsonl").write_bytes((folder / "pending.jsonl").read_bytes().splitlines(keepends=True)[1])
    result = wrap("--no-prompt", vault=root)
    assert f"{name} was another machine's copy: 1 pending follow-up taken up" in result.err
    assert sorted(talks.pending(root)) == [RETRY, ROTATE]
    assert not (folder / name).exists()
    assert "taken up" not in wrap("--no-prompt", vault=root).err


def test_a_copy_with_a_line_that_cannot_be_read_stays(vault, talk):
    root = vault()
    orphans(root, talk(RETRY))
    copy = root.path(talks.STATE) / "pending.sync-conflict-20261125-101010-ABCDEFG.jsonl"
    copy.write_bytes(b"torn\n")
    wrap("--no-prompt", vault=root)
    assert copy.read_bytes() == b"torn\n"
    assert talks.pending(root) == [RETRY]
