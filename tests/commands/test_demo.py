"""The demo's first minute: a conversation that ended today, and weeks to look back on."""

from __future__ import annotations

import json
import sys

import pytest

from tests.readme import SAMPLE_DAY
from tests.support import wrap
from wrapgen.commands.demo_ import copy_demo

DAY = SAMPLE_DAY.isoformat()
LEFT = {
    "Let the phone app ask the new week endpoint": "web",
    "Move the week cache to a place that both servers share": "infra",
    "카드사 점검 시간을 회원에게 미리 알리기": "결제",
    "실패한 환불을 아침에 다시 시도하기": "결제",
}


@pytest.fixture
def demo(tmp_path):
    copy_demo(tmp_path / "demo", SAMPLE_DAY)
    return tmp_path / "demo"


def test_its_conversation_leaves_follow_ups_in_two_languages_one_done_and_one_declined(demo):
    document = wrap("orphans", "--json", vault=demo, today=DAY).json
    assert {one["text"]: one["suggested"]["project"] for one in document["orphans"]} == LEFT
    assert [one["reason"] for one in document["dismissed"]] == [
        "done later in the session",
        "dropped later in the session",
    ]


def test_its_history_is_of_some_weeks_and_goes_on(demo):
    before = wrap("trend", "--json", vault=demo, today=DAY).json["weeks"]
    assert len([one for one in before if one["open"]]) >= 4
    balance = wrap(vault=demo, today=DAY).out.splitlines()[-1]
    assert balance.endswith("pending 4")
    last = wrap("trend", "--json", vault=demo, today=DAY).json["weeks"][-1]
    assert (last["open"], last["pending"]) == (41, 4)
    assert (demo / ".wrapgen" / ".gitignore").read_text() == "*\n!/said.jsonl\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals as pexpect drives them exist on POSIX only")
@pytest.mark.slow
def test_on_a_terminal_it_asks_at_once_and_what_is_routed_can_be_taken_back(demo):
    from tests.terminal import ESC, Wrap

    notes = {path: path.read_bytes() for path in demo.rglob("*.md") if path.name != "ACTIVE-STATUS.md"}
    with Wrap("--vault", demo, "--today", DAY, lines=40, columns=120) as terminal:
        terminal.see(*LEFT).press(ESC)
        assert terminal.finish() in (0, 130)
    (demo / "answers.json").write_text(answers(demo), encoding="utf-8")
    wrap("--answers", demo / "answers.json", vault=demo, today=DAY)
    assert next(iter(LEFT)) in (demo / "projects" / "web" / "todos.md").read_text("utf-8")
    assert wrap("undo", vault=demo, today=DAY).code == 0
    assert {path: path.read_bytes() for path in notes} == notes


def answers(demo):
    orphans = wrap("orphans", "--json", vault=demo, today=DAY).json["orphans"]
    given = [{"id": one["id"], "route": "project", "project": one["suggested"]["project"]} for one in orphans]
    return json.dumps({"schema": "wrapgen.answers/1", "answers": given})


def test_one_command_makes_it_and_runs_wrap_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = wrap("demo", today=DAY)
    assert (result.code, result.err) == (0, "")
    assert (tmp_path / "wrapgen-demo" / "ACTIVE-STATUS.md").is_file()
    assert "4 follow-ups pending" in result.out
    assert result.out.splitlines()[-1].startswith("next: cd wrapgen-demo")
    again = wrap("demo", today=DAY)
    assert (again.code, "wrap demo DIR" in again.err) == (2, True)


@pytest.mark.parametrize("on_path", [True, False])
def test_its_last_line_can_be_typed_as_it_stands(tmp_path, monkeypatch, on_path):
    program = tmp_path / "my env" / "wrap"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(program.parent) if on_path else str(tmp_path))
    last = wrap("demo", tmp_path / "a demo", today=DAY).out.splitlines()[-1]
    name = "wrap" if on_path else f"'{program}'"
    assert last == f"next: cd '{tmp_path / 'a demo'}' && {name} list; set up your own notes: {name} init"
