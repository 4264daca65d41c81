"""One odd line, row or file of a host stops nothing: what cannot be read is named, and all else is read."""

from __future__ import annotations

import json
import os
import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import host_files
from tests.support import TODAY, examples, wrap
from wrapgen.session.discover import host_folders
from wrapgen.session.readers import _READERS, open_transcript
from wrapgen.session.transcript import NoSuchTranscriptError
from wrapgen.workflows.approved_plans import left_plans, left_tasks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def built(vault, monkeypatch):
    for name in ("CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return vault({"projects/web/todos.md": "- [ ] Oil the door\n"}, trusted=True)


SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hosts")


@pytest.mark.parametrize("kind", host_files.LINES)
@settings(max_examples=examples(200), deadline=None)
@given(seed=SEEDS)
def test_a_conversation_is_read_or_named(folder, kind, seed):
    chance, home = random.Random(seed), folder / kind
    file = home / host_files.NAMES[kind]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(host_files.odd_file(kind, chance))
    found = [one for path in host_files.listed(home) if (one := host_files.read(path))]
    task = home / ".claude" / "tasks" / "s1" / "1.json"
    task.parent.mkdir(parents=True, exist_ok=True)
    entry = host_files.mutated({"id": "1", "subject": "oil the door", "status": "pending"}, chance)
    task.write_bytes(json.dumps(entry).encode())
    host_files.kept_beside(home, found)


@settings(max_examples=examples(200), deadline=None)
@given(seed=SEEDS)
def test_opencodes_database_is_read_or_named(folder, seed):
    home = folder / "opencode"
    host_files.odd_database(home / ".local" / "share" / "opencode" / "opencode.db", "/v", random.Random(seed))
    for path in host_files.listed(home):
        host_files.read(path)


@settings(max_examples=examples(300), deadline=None)
@given(
    seed=SEEDS,
    at=st.integers(0, 200),
    more=st.sampled_from(["", "{", "}", "//x", "/*", ",", "\0", '"', "\\", "\ud800"]),
)
def test_a_hosts_settings_are_changed_or_refused_with_their_line(seed, at, more):
    ours = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "wrap hook stop"}]}]}, "env": {"a": "1"}}
    text = json.dumps(host_files.mutated({**ours, "statusLine": {"command": "wrap statusline"}}, random.Random(seed)))
    host_files.settings(text[:at] + more + text[at:])


def _database(home, *sessions):
    file = home / ".local" / "share" / "opencode" / "opencode.db"
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as one:
        one.executescript(host_files._TABLES)
        for key, where, said in sessions:
            one.execute("insert into session values(?,?,?,NULL,NULL)", (key, where, 1795000000000))
            message = json.dumps({"role": "assistant", "time": {"created": 1794999999000}})
            one.execute("insert into message values(?,?,?)", (f"m{key!r}", key, message))
            text = json.dumps({"type": "text", "text": said})
            one.execute("insert into part values(?,?,?)", (f"p{key!r}", f"m{key!r}", text))
        one.commit()
    return file


def test_an_odd_row_costs_its_conversation_alone(home, built):
    good = ("ses_1", str(built.root), "Next session: mend the cellar lamp.")
    file = _database(home, good, ("ses_2", b"/home/caf\xe9", "Next session: a."), (b"\xff", "/v", "Next session: b."))
    with closing(sqlite3.connect(file)) as one:
        one.execute("insert into todo values('ses_1', 'Write docs', 'pending', 0, '2026-11-28')")
        one.execute("insert into todo values('ses_1', CAST(x'ff' AS TEXT), 3, 1, 5)")
        one.execute("insert into todo values('ses_1', 7, 'pending', 2, NULL)")
        one.commit()
    result = wrap("--no-prompt", vault=built)
    assert result.code == 0, result.err
    assert result.err.count("opencode.db") == 1
    assert "a session without a usable id" in result.err
    found = {one["text"] for one in wrap("orphans", "--json", vault=built).json["orphans"]}
    assert {"mend the cellar lamp", "Write docs"} <= found


def test_what_a_reader_does_not_expect_is_named_and_the_rest_is_read(home, built, monkeypatch):
    for name, said in (("a", "mend the lamp"), ("b", "paint the roof")):
        file = home / ".claude" / "projects" / "-v" / f"{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        line = {
            "type": "assistant", "uuid": name, "parentUuid": None, "sessionId": name, "cwd": str(built.root),
            "timestamp": f"{TODAY}T10:00:00Z", "message": {"role": "assistant", "content": f"Next session: {said}."},
        }  # fmt: skip
        file.write_text(json.dumps(line) + "\n", "utf-8")
    usual = _READERS["claude-code"]

    def odd(file, header):
        if header.path.name == "a.jsonl":
            raise LookupError("a field that was always there")
        yield from usual(file, header)

    monkeypatch.setitem(_READERS, "claude-code", odd)
    result = wrap("--no-prompt", vault=built)
    assert result.code == 0, result.err
    assert [line for line in result.err.splitlines() if "a.jsonl" in line and "LookupError" in line]
    assert [one["text"] for one in wrap("orphans", "--json", vault=built).json["orphans"]] == ["paint the roof"]


def test_a_folder_that_cannot_be_looked_at_hides_no_other(tmp_path):
    projects = tmp_path / ".claude" / "projects"
    (projects / "-v").mkdir(parents=True)
    (projects / "-v" / "s.jsonl").write_text("", "utf-8")
    (projects / "-a").symlink_to("-a")
    os.mkfifo(projects / "-v" / "pipe.jsonl")
    (found,) = host_folders(tmp_path, {})
    assert [one.path for one in found.files] == [str(projects / "-v" / "s.jsonl")]


def test_a_conversation_that_vanishes_while_it_is_read_is_named(tmp_path):
    with pytest.raises(NoSuchTranscriptError) as refused:
        open_transcript(tmp_path / "none.jsonl")
    assert refused.value.where == str(tmp_path / "none.jsonl")


def test_a_time_that_no_calendar_has_stops_nothing(folder):
    file: Path = folder / "late.jsonl"
    file.write_text(json.dumps({"turns": [{"role": "assistant", "text": host_files.SAID}]}), "utf-8")
    os.utime(file, (2**52, 2**52))
    found = host_files.read(file)
    assert found is not None
    assert [one.said_on.year for one in found.orphans if one.said_on] == [9999]


@pytest.mark.parametrize("session", ["é" * 3000, "a\0b"])
def test_a_session_that_no_folder_can_be_called_after_has_no_tasks(folder, session):
    file: Path = folder / "long" / host_files.NAMES["claude"]
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [{**one, "sessionId": session} for one in host_files.LINES["claude"]]
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    found = host_files.read(file)
    assert found is not None
    assert found.header.session_id == session
    assert list(left_tasks(folder, [found])) == []


def test_a_plan_in_the_folder_of_somebody_who_is_not_there(folder):
    file: Path = folder / "plan" / host_files.NAMES["claude"]
    file.parent.mkdir(parents=True)
    text = "".join(json.dumps(one) + "\n" for one in host_files.LINES["claude"])
    file.write_text(text.replace("/v/lamp.md", "~nobody-here/lamp.md"), "utf-8")
    found = host_files.read(file)
    assert found is not None
    assert [one.text for _, one in left_plans([found], (), host_files.TODAY) if "~nobody-here" in one.text]
