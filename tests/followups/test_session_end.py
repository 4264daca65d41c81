"""Bare `wrap`: find, ask once, write, rebuild, account for everything."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from tests.followups import talks
from tests.followups.talks import RETRY, ROTATE, THREE, answer
from tests.support import CHECKOUT, TODAY, child_environment, wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"


@pytest.mark.slow
def test_nobody_to_ask_leaves_everything_pending(projects, talk):
    """As a child with an empty standard input, the way cron and hooks start it."""
    before = talks.notes(projects)
    words = ["--vault", projects.root, "--today", TODAY, "--no-prompt", "--transcript", talk(*THREE)]
    done = subprocess.run(
        [sys.executable, "-m", "wrapgen", *map(str, words)],
        stdin=subprocess.DEVNULL, capture_output=True, env=child_environment(), cwd=CHECKOUT, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert talks.pending(projects) == list(THREE)
    assert talks.notes(projects) == before
    assert done.stdout.decode().splitlines()[-1].endswith("follow-ups 3: durable 0, routed 0, skipped 0, pending 3")
    assert any("3 follow-ups" in line for line in projects.section("Needs attention"))


@pytest.mark.parametrize("words", [[], ["--no-prompt"], ["--json"], ["--no-prompt", "--json"], ["--quiet"]])
def test_no_terminal_is_never_a_traceback(projects, talk, words):
    options = [word for word in words if word == "--quiet"]
    rest = [word for word in words if word != "--quiet"]
    result = wrap(*options, *rest, "--transcript", talk(RETRY), vault=projects)
    assert result.code == 0, result.err
    assert "Traceback" not in result.err + result.out
    assert talks.pending(projects) == [RETRY]
    assert projects.dashboard.exists()


def test_a_closed_standard_input_is_no_terminal(projects, talk, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert wrap("--transcript", talk(RETRY), vault=projects).code == 0
    assert talks.pending(projects) == [RETRY]


def test_what_waits_outlives_the_transcript(projects, talk, answered):
    path = talk(RETRY)
    wrap("--no-prompt", "--transcript", path, vault=projects)
    path.unlink()
    (one,) = wrap("orphans", "--json", vault=projects).json["orphans"]
    assert one["text"] == RETRY
    assert one["transcript"] == str(path)
    assert talks.route(projects, answered, answer(one["id"], "journal")).code == 0
    assert RETRY in projects.path(JOURNAL).read_text("utf-8")


def test_answers_are_taken_instead_of_asking(projects, talk, answered):
    path = talk(*THREE)
    ids = {one["text"]: one["id"] for one in talks.orphans(projects, path).json["orphans"]}
    answered.write_text(talks.answers(answer(ids[RETRY], "journal")), "utf-8")
    result = wrap("--transcript", path, "--answers", answered, vault=projects)
    assert result.code == 0, result.err
    assert f"- [ ] {RETRY}" in projects.path(JOURNAL).read_text("utf-8")
    assert RETRY in projects.page
    assert talks.pending(projects) == [ROTATE, THREE[2]]


def test_answers_from_standard_input(projects, talk, monkeypatch):
    path = talk(RETRY)
    (one,) = talks.orphans(projects, path).json["orphans"]
    data = talks.answers(answer(one["id"], "journal")).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert wrap("--transcript", path, "--answers", "-", vault=projects).code == 0
    assert talks.pending(projects) == []


def test_one_bad_answer_makes_the_exit_code_one_and_the_rest_is_done(projects, talk, answered):
    path = talk(RETRY, ROTATE)
    ids = {one["text"]: one["id"] for one in talks.orphans(projects, path).json["orphans"]}
    given = [answer(ids[RETRY], "project", project="nowhere"), answer(ids[ROTATE], "journal")]
    answered.write_text(talks.answers(*given), "utf-8")
    result = wrap("--transcript", path, "--answers", answered, vault=projects)
    assert result.code == 1
    assert "nowhere" in result.err
    assert talks.pending(projects) == [RETRY]
    assert ROTATE in projects.page
    assert "routed 1, skipped 0, pending 1" in result.out.splitlines()[-1]


@pytest.mark.slow
def test_a_second_wrap_finds_nothing_new(projects, talk, answered):
    path = talk(*THREE)
    ids = {one["text"]: one["id"] for one in talks.orphans(projects, path).json["orphans"]}
    answered.write_text(talks.answers(*(answer(key, "journal") for key in ids.values())), "utf-8")
    wrap("--transcript", path, "--answers", answered, vault=projects)
    before = talks.notes(projects) | {"page": projects.dashboard.read_bytes()}
    result = wrap("--transcript", path, vault=projects)
    assert result.code == 0
    assert result.out.splitlines()[-1].endswith("follow-ups 3: durable 3, routed 0, skipped 0, pending 0")
    assert talks.notes(projects) | {"page": projects.dashboard.read_bytes()} == before


@pytest.mark.parametrize("bad", ["missing", "no transcript"])
def test_a_bad_transcript_is_said_and_the_rest_is_done(projects, talk, tmp_path, bad):
    path = tmp_path / "nothing.jsonl" if bad == "missing" else talk(b"just words\n", name="bad.md")
    result = wrap("--no-prompt", "--transcript", path, "--transcript", talk(RETRY), vault=projects)
    assert result.code == 1
    assert str(path) in result.err
    assert talks.pending(projects) == [RETRY]
    assert projects.dashboard.exists()


def test_answers_that_cannot_be_read_change_no_note_and_lose_nothing(projects, talk, tmp_path):
    before = talks.notes(projects)
    result = wrap("--transcript", talk(RETRY), "--answers", tmp_path / "nothing.json", vault=projects)
    assert result.code == 1
    assert talks.notes(projects) == before
    assert talks.pending(projects) == [RETRY]


def test_json_is_one_document_and_nothing_else(projects, talk):
    result = wrap("--json", "--no-prompt", "--transcript", talk(*THREE), vault=projects)
    assert result.json["follow_ups"]["pending"] == 3
    assert result.json["written"] is True


def test_quiet_says_nothing(projects, talk):
    result = wrap("--quiet", "--no-prompt", "--transcript", talk(*THREE), vault=projects)
    assert (result.code, result.out, result.err) == (0, "", "")


def test_the_page_says_how_many_wait_until_they_are_routed(projects, talk, answered):
    wrap("--no-prompt", "--transcript", talk(RETRY), vault=projects)
    waiting = projects.page
    (record,) = talks.state(projects, "pending.jsonl")
    talks.route(projects, answered, answer(record["orphan"]["id"], "skip"))
    assert "pending" in waiting.lower()
    assert projects.page != waiting


def test_a_refused_answer_is_said_beside_the_document(projects, talk, answered):
    path = talk(RETRY)
    (one,) = talks.orphans(projects, path).json["orphans"]
    answered.write_text(talks.answers(answer(one["id"], "project", project="nowhere")), "utf-8")
    result = wrap("--transcript", path, "--answers", answered, "--json", vault=projects)
    assert (result.code, result.json["follow_ups"]["pending"]) == (1, 1)
    assert "nowhere" in result.err
