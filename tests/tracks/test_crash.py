"""Killed at any system call, by many at once, with nothing to write to: what was in the log is never lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.followups.crashes import about, crashes
from tests.support import Vault, child_environment, finish, spawn, wrap
from tests.tracks.kit import CONTEXT, Talk, footer_is_true, hot, records, snapshot
from tests.tracks.test_log import dead_end
from wrapgen.tracks.user_lines import BEGIN

APPENDERS, EACH = 4, 40

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def killed(folder, project, transcript):
    """What stood after a kill at each call, and after a second snapshot; the last one was left alone."""
    return crashes(Vault(project), ["track", "snapshot", "--transcript", str(transcript), "--dir", "{vault}"])


def logged(files):
    """The records of a log that can be read."""
    found = []
    for line in files.get(f"{CONTEXT}/cold.jsonl", "").encode("latin-1").split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


@pytest.mark.slow
@posix
def test_killed_at_every_step_nothing_is_lost_and_the_next_run_says_all_of_it(tmp_path):
    project = tmp_path / "project"
    snapshot(project, dead_end(Talk("s1")).to(tmp_path / "1.jsonl"))
    path = project / CONTEXT / "HOT_TRACK.md"
    path.write_text(hot(project) + "\n## mine\n\nwords of somebody\n", "utf-8")
    before = (project / CONTEXT / "cold.jsonl").read_bytes().decode("latin-1")
    talk = dead_end(Talk("s2"), "shared folder").user("decision: keep SQLite")
    found = killed(tmp_path, project, talk.to(tmp_path / "2.jsonl"))
    for one in found:
        crashed, after = one["crashed"], one["after"]
        assert crashed[f"{CONTEXT}/cold.jsonl"].startswith(before), about(one)
        page = crashed[f"{CONTEXT}/HOT_TRACK.md"].encode("latin-1").decode()
        assert "words of somebody" in page, about(one)
        assert one["second"] == 0, about(one)
        turns = [record["key"] for record in logged(after) if record["kind"] == "turn"]
        assert sorted(turns) == sorted({f"s1-u{n}" for n in range(1, 5)} | {f"s2-u{n}" for n in range(1, 6)}), about(
            one
        )
        ids = [record["id"] for record in logged(after) if record["kind"] == "tombstone"]
        assert ids == sorted(set(ids)), about(one)
        assert len(ids) == 2, about(one)
        versions = [record["version"] for record in logged(after) if record["kind"] == "snapshot"]
        assert versions == sorted(set(versions)), about(one)
        page = after[f"{CONTEXT}/HOT_TRACK.md"].encode("latin-1").decode()
        footer_is_true(page)
        assert page.partition(BEGIN)[2].count("words of somebody") == 1, about(one)
        assert page.count("shared folder") == hot_of(found).count("shared folder"), about(one)
        cold = after[f"{CONTEXT}/COLD_TRACK.md"].encode("latin-1").decode()
        assert all(f"Turn {number} - " in cold for number in range(1, 6)), about(one)
        assert ids[-1] in cold, about(one)
        left = [name for name in after if ".wrapgen-" in name or "former" in name]
        assert left == [], about(one)


def hot_of(found):
    return found[-1]["after"][f"{CONTEXT}/HOT_TRACK.md"].encode("latin-1").decode()


@pytest.mark.slow
@posix
def test_killed_at_every_step_of_the_first_one_git_never_sees_anything(tmp_path):
    (tmp_path / "project").mkdir()
    found = killed(tmp_path, tmp_path / "project", dead_end(Talk("s1")).to(tmp_path / "1.jsonl"))
    for one in found:
        own = {name for name in one["crashed"] if name.startswith(".claude") and "lock" not in name}
        ignored = one["crashed"].get(f"{CONTEXT}/.gitignore") == "*\n"
        assert ignored or own <= {f"{CONTEXT}/.gitignore"}, about(one)
        assert one["second"] == 0
        assert {f"{CONTEXT}/{name}" for name in ("HOT_TRACK.md", "COLD_TRACK.md", "cold.jsonl")} <= set(one["after"])


APPENDER = """
import sys
from pathlib import Path
from wrapgen.tracks.record import news
from wrapgen.tracks.log import Log
from wrapgen.tracks.record import Quoted, Tombstone, turn_record
from wrapgen.vault.lock import LockWait, file_lock
root, name, each = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
log = Log(root / "cold.jsonl", root)
for number in range(1, each + 1):
    with file_lock(root / ".wrapgen" / "track.lock", LockWait("the tracks", 60, "lock_timeout"), root=root):
        step = turn_record("s", number, "user", f"{name} {number}", line=number, uuid=f"{name}-{number}")
        graves = [Tombstone(f"{name} {number}", "no", None, (Quoted(number, "x"),))]
        log.append(news(f"{name}-{number}", log.contents(), graves, [], [step]))
"""


@pytest.mark.slow
def test_many_appends_by_several_processes(tmp_path):
    children = [
        subprocess.Popen(
            [sys.executable, "-c", APPENDER, str(tmp_path), f"p{number}", str(EACH)], env=child_environment()
        )
        for number in range(APPENDERS)
    ]
    assert [child.wait(timeout=300) for child in children] == [0] * APPENDERS
    lines = (tmp_path / "cold.jsonl").read_bytes().splitlines()
    found = [json.loads(line) for line in lines]
    assert len([one for one in found if one["kind"] == "turn"]) == APPENDERS * EACH
    ids = [int(one["id"][1:]) for one in found if one["kind"] == "tombstone"]
    assert ids == list(range(1, APPENDERS * EACH + 1))


@pytest.mark.slow
def test_two_compactions_at_once(tmp_path):
    project = tmp_path / "p"
    project.mkdir()
    files = [dead_end(Talk(f"s{number}")).to(tmp_path / f"{number}.jsonl") for number in range(4)]
    children = [spawn("track", "snapshot", "--transcript", file, "--dir", project) for file in files]
    for child in children:
        result = finish(child)
        assert result.code == 0, result.err
    assert len(records(project, "turn")) == 16
    assert [one["version"] for one in records(project, "snapshot")] == [1, 2, 3, 4]
    assert "_Snapshot version: v4_" in hot(project)
    assert wrap("track", "snapshot", "--transcript", files[0], "--dir", project).code == 0
    assert len(records(project, "turn")) == 16


@pytest.mark.slow
def test_a_held_lock_is_exit_4_and_names_its_holder(tmp_path):
    vault = Vault(tmp_path / "vault")
    vault.write("wrapgen.toml", "lock_timeout = 0.1\n")
    file = Talk().user("hello").to(tmp_path / "t.jsonl")
    snapshot(vault.root, file)
    code = (
        "import sys; from pathlib import Path; from wrapgen.vault.lock import LockWait, file_lock\n"
        "root = Path(sys.argv[1])\n"
        "with file_lock(root / '.claude/context/.wrapgen/track.lock', LockWait('x', 1, 'y'), root=root):\n"
        "    print('held', flush=True); sys.stdin.readline()\n"
    )
    words = [sys.executable, "-c", code, str(vault.root)]
    holder = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=child_environment())
    assert holder.stdout.readline() == "held\n"
    result = wrap("track", "snapshot", "--transcript", file, "--dir", vault.root, vault=vault)
    holder.kill()
    holder.communicate()
    assert result.code == 4
    assert str(holder.pid) in result.err
