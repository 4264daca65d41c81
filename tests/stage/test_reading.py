"""`wrap stage show`, `next`, `list`, `diff`: checked, stale or not, and given back as data."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stage.kit import AT, CALL_TO_ACTION, FILE, HEADER, TASK, front, write, written
from tests.support import examples, wrap
from wrapgen.stage.record import StageSnapshot, age_in_words, fenced, resume_block


def show(vault, *words, today="2026-04-24"):
    return wrap("stage", "show", TASK, *words, vault=vault, today=today)


def resume(vault, *words, today="2026-04-24"):
    return wrap("stage", "next", TASK, *words, vault=vault, today=today)


def test_show(vault):
    built = vault()
    data = written(built, "The plan.\n\tcode\r\nend", "--option", "/dr-do | go")
    result = show(built)
    assert (result.code, result.err) == (0, "")
    for words in (TASK, "plan (/dr-plan)", AT, "/dr-do | go", "The plan.\n\tcode\nend\n"):
        assert words in result.out
    document = show(built, "--json").json
    assert document["schema"] == "wrapgen.stage/1"
    assert document["body"] == "The plan.\n\tcode\r\nend"
    values = front(data)
    for key in ("task_id", "stage", "command", "captured_by", "recommended_next", "options", "size_bytes", "truncated"):
        assert document[key] == values[key]
    assert (document["path"], document["stale"], document["formers"]) == (FILE, False, [])


def test_the_keys_of_the_documents(vault):
    """Within a version keys are added, never renamed or dropped."""
    built = vault()
    written(built, "one")
    written(built, "two")
    keys = [
        "schema", "task_id", "path", "stage", "command", "captured_at", "captured_by", "recommended_next",
        "options", "size_bytes",
        "truncated", "age", "stale", "stale_because", "branch", "commit", "cwd", "body", "formers",
    ]  # fmt: skip
    assert list(show(built, "--json").json) == keys
    listed = wrap("stage", "list", "--json", vault=built).json
    assert list(listed) == ["schema", "snapshots"]
    assert list(listed["snapshots"][0]) == [*(key for key in keys[1:-1] if key != "body"), "trouble"]
    assert list(resume(built, "--json").json) == ["schema", "task_id", "snapshot", "prompt", "trouble", "cold"]
    assert list(wrap("stage", "diff", TASK, "--json", vault=built).json) == ["schema", "task_id", "from", "to", "diff"]


def test_without_a_snapshot(vault):
    built = vault()
    for verb in ("show", "next", "diff"):
        result = wrap("stage", verb, TASK, vault=built)
        assert result.code == 1
        assert f"no snapshot of {TASK}" in result.err
    assert wrap("stage", "list", vault=built).out == "no task has a snapshot\n"
    assert not built.path("snapshots").exists()
    assert not built.path(".wrapgen").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stage: plan", "stage: no-Sense"),
        ("schema_version: 1", "schema_version: 2"),
        ("task_id: TUNE-0254", "task_id: WEB-0001"),
    ],
)
def test_one_that_is_not_true_is_said_to_be_so(vault, old, new):
    built = vault()
    text = written(built).decode()
    built.path(FILE).write_text(text.replace(old, new), "utf-8")
    for verb in ("show", "next"):
        result = wrap("stage", verb, TASK, vault=built)
        assert result.code == 1
        assert str(built.path(FILE)) in result.err
        assert new.split(": ")[1] in result.err
    (row,) = wrap("stage", "list", "--json", vault=built).json["snapshots"]
    assert row["trouble"]


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"---\n" * 5000, b"x" * 1_000_000, b"---\na: &a [*a, *a]\n---\n"])
def test_rubbish(vault, data):
    built = vault({FILE: data})
    for verb in ("show", "next", "diff", "list"):
        result = wrap("stage", verb, *([] if verb == "list" else [TASK]), vault=built)
        assert result.code == (0 if verb == "list" else 1)
        assert "unexpected" not in result.err


# Staleness


@pytest.mark.parametrize(("today", "stale"), [("2026-04-24", False), ("2026-05-01", None), ("2026-05-02", True)])
def test_one_that_is_old_is_stale(vault, today, stale):
    built = vault()
    written(built)
    document = show(built, "--json", today=today).json
    if stale is not None:  # on the seventh day it depends on the time of day
        assert document["stale"] is stale
        assert ("stale" in show(built, today=today).out) is stale
        assert ("stale" in resume(built, today=today).out) is stale
        assert ("stale" in wrap("stage", "list", vault=built, today=today).out) is stale


def git(folder, *words):
    command = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.org", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    monkeypatch.chdir(folder)
    return folder


def test_one_of_another_branch_is_stale(vault, checkout, monkeypatch):
    built = vault()
    written(built)
    document = show(built, "--json").json
    assert (document["branch"], document["commit"]) == ("main", git(checkout, "rev-parse", "HEAD"))
    assert Path(document["cwd"]).resolve() == checkout.resolve()
    assert document["stale"] is False
    git(checkout, "checkout", "-q", "-b", "feature/other")
    assert show(built, "--json").json["stale_because"] == ["it was taken on branch main; this is feature/other"]
    git(checkout, "checkout", "-q", "--detach")
    assert show(built, "--json").json["stale"] is True
    monkeypatch.chdir(built.root)
    assert show(built, "--json").json["stale"] is False, "elsewhere nothing is known about branches"


def test_the_branch_of_a_worktree_is_its_own(vault, checkout, monkeypatch, tmp_path):
    built = vault()
    written(built)
    git(checkout, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    monkeypatch.chdir(tmp_path / "side")
    assert show(built, "--json").json["stale_because"] == ["it was taken on branch main; this is side"]


def test_a_repository_without_commits(vault, tmp_path, monkeypatch):
    folder = tmp_path / "empty"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    monkeypatch.chdir(folder)
    built = vault()
    written(built)
    document = show(built, "--json").json
    assert (document["branch"], document["commit"]) == ("main", None)


def test_without_git(vault, monkeypatch, checkout):
    monkeypatch.setenv("PATH", str(checkout))
    built = vault()
    written(built)
    document = show(built, "--json").json
    assert (document["branch"], document["commit"], document["stale"]) == (None, None, False)


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that is in use cannot be removed elsewhere")
def test_in_a_folder_that_is_gone(vault, tmp_path, monkeypatch):
    built = vault()
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    written(built)
    assert show(built, "--json").json["cwd"] is None


def test_the_branch_belongs_to_the_bytes_of_the_snapshot(vault, checkout):
    built = vault()
    written(built, "mine")
    mine = built.path(FILE).read_bytes()
    git(checkout, "checkout", "-q", "-b", "other")
    written(built, "another")
    assert show(built, "--json").json["branch"] == "other"
    built.path(FILE).write_bytes(mine)
    assert show(built, "--json").json["branch"] == "main"


# The block to resume with


def test_next(vault):
    built = vault()
    written(
        built, f"Done so far.\n\n{CALL_TO_ACTION}", "--option", "/dr-do TUNE-0254 | go", "--option", "/dr-qa | test"
    )
    result = resume(built)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Resume {TASK}. The last stage that ended is plan (/dr-plan), captured ")
    assert "\nRecommended next command: /dr-do\nOptions:\n- /dr-do TUNE-0254 | go\n- /dr-qa | test\n" in result.out
    assert result.out.endswith(f"\n```text\nDone so far.\n\n{CALL_TO_ACTION}```\n")
    assert resume(built, "--json").json["prompt"] == result.out


FENCES = st.text("`~\n ab<>/", max_size=80) | st.just("`" * 500) | st.text(max_size=60)


@settings(max_examples=examples(100))
@given(FENCES)
def test_nothing_in_a_text_can_close_its_fence(text):
    opening, *lines, closing = fenced(text.encode("utf-8", "replace").decode()).split("\n")
    assert opening == f"{closing}text"
    assert set(closing) == {"`"}
    assert len(closing) >= 3
    assert not [line for line in lines if line.strip().startswith(closing)]


@settings(max_examples=examples(100))
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80), st.binary(max_size=80))
def test_no_value_can_forge_a_line_or_drive_a_screen(value, data):
    from dataclasses import replace
    from datetime import UTC, datetime

    header = replace(HEADER, command=value, captured_by=value, recommended_next=value, options=(value, value))
    block = resume_block(
        StageSnapshot(header, 1, truncated=False, body=data), datetime(2026, 4, 24, 10, tzinfo=UTC), []
    )
    head = block.split("\n\n")[0]
    assert len(head.splitlines()) == 5
    assert not [char for char in block if (ord(char) < 32 and char not in "\n\t") or char == "\x7f"]


def test_a_stage_without_words(vault):
    built = vault()
    written(built, "")
    result = resume(built)
    assert result.code == 0
    assert "```" not in result.out


def test_what_was_cut_is_said(vault):
    built = vault()
    written(built, "word " * 3000)
    assert "cut to fit" in resume(built).out


NAMED = {
    "projects/web/todos.md": f"# Web\n\n## Next Session\n\n- finish {TASK} today\n- TUNE-02541\n- XTUNE-0254\n",
    "projects/web/actives/search/todos.md": f"- [ ] {TASK}: the index\r\n- [x] {TASK}를 마무리\r\n",
    "projects/web/PROGRESS.md": f"# Progress\n\nA paragraph about {TASK}, in prose.\n",
    "journals/2026/04/2026-04-22.md": f"## Done\n\n- began {TASK}\n",
    "journals/2026/04/2026-04-23.md": f"## Next\n\n- {TASK} \x1b[31mred\n",
    "other/notes.md": f"{TASK} is named here too, but this is no source\n",
}


def test_without_a_snapshot_the_lines_of_the_vault_are_listed(vault):
    built = vault({**NAMED, "projects/web/PROGRESS.md": NAMED["projects/web/PROGRESS.md"]})
    before = built.snapshot()
    result = resume(built)
    assert result.code == 1
    assert f"no snapshot of {TASK}" in result.err
    assert result.out.splitlines()[1:] == [
        f"projects/web/actives/search/todos.md:1  - [ ] {TASK}: the index",
        f"projects/web/actives/search/todos.md:2  - [x] {TASK}를 마무리",
        f"projects/web/todos.md:5  - finish {TASK} today",
        f"projects/web/PROGRESS.md:3  A paragraph about {TASK}, in prose.",
        f"journals/2026/04/2026-04-23.md:3  - {TASK} \\x1b[31mred",
        f"journals/2026/04/2026-04-22.md:3  - began {TASK}",
    ]
    document = resume(built, "--json")
    assert document.code == 1
    assert [line["line"] for line in document.json["cold"]] == [1, 2, 5, 3, 3, 3]
    assert document.json["snapshot"] is None
    assert built.snapshot() == before


def test_many_lines_are_counted_not_poured_out(vault):
    built = vault({"projects/web/todos.md": f"- {TASK}\n" * 500})
    assert "and 460 more" in resume(built).out
    assert len(resume(built, "--json").json["cold"]) == 500


# List and diff


def test_list(vault):
    built = vault({"snapshots/readme.md": "mine\n", "snapshots/x.snapshot.md": "mine\n"})
    for task, at in (("TUNE-0254", AT), ("WEB-0001", "2026-04-24T10:00:00Z"), ("API-0001", "2026-04-20T10:00:00Z")):
        assert write(built, task=task, captured_at=at).code == 0
    written(built, "again")
    rows = wrap("stage", "list", "--json", vault=built).json["snapshots"]
    assert [row["task_id"] for row in rows] == ["WEB-0001", "TUNE-0254", "API-0001"]
    assert "body" not in rows[0]
    lines = wrap("stage", "list", vault=built).out.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["WEB-0001", "TUNE-0254", "API-0001"]


def test_diff(vault):
    built = vault()
    written(built, "one\nsame\n", "--option", "a")
    written(built, "two\nsame\n", "--option", "a", "--option", "b", stage="do", recommended_next="/dr-qa")
    result = wrap("stage", "diff", TASK, vault=built)
    assert result.code == 0
    assert result.out == (
        "-stage: plan\n+stage: do\n-recommended_next: /dr-do\n+recommended_next: /dr-qa\n"
        "-option: a\n+option: a\n+option: b\n"
        f"--- snapshots/{TASK}.1.snapshot.md\n+++ {FILE}\n@@ -1,2 +1,2 @@\n-one\n+two\n same\n"
    )
    assert wrap("stage", "diff", TASK, "--json", vault=built).json["diff"] == result.out.splitlines()


def test_diff_with_an_older_one(vault):
    built = vault()
    for text in ("one\n", "two\n", "three\n"):
        written(built, text)
    assert "-one" in wrap("stage", "diff", TASK, "--from", "2", vault=built).out
    missing = wrap("stage", "diff", TASK, "--from", "3", vault=built)
    assert missing.code == 1
    assert "Available: 1, 2" in missing.err
    assert wrap("stage", "diff", TASK, "--from", "0", vault=built).code == 2


def test_diff_of_a_first_stage(vault):
    built = vault()
    written(built)
    result = wrap("stage", "diff", TASK, vault=built)
    assert result.code == 1
    assert "previous" in result.err


def test_ages():
    from datetime import timedelta

    for age, words in (
        (timedelta(seconds=59), "just now"), (timedelta(minutes=1), "1 minute ago"), (timedelta(hours=2,
        minutes=9), "2 hours ago"),
        (timedelta(days=1), "1 day ago"), (timedelta(days=400), "400 days ago"), (timedelta(days=-3), "just now"),
    ):  # fmt: skip
        assert age_in_words(age) == words
