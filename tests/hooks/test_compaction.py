"""Before and after a compaction."""

import json
from pathlib import Path

import pytest

from tests.followups.talks import RETRY, ROTATE
from tests.hooks import kit
from tests.hooks.kit import SESSION, hook, moment
from tests.support import each, wrap
from wrapgen.hooks import tracks
from wrapgen.hooks.tracks import left_out, on_post_compact, on_pre_compact, take_lost
from wrapgen.workflows import compaction

SUMMARY = (
    "The session mended the login form. Decided to keep UTF-8 everywhere. Open: a retry is to be added to the "
    "uploader, and the staging keys want rotating. 로그인 오류를 수정했다."
)


@each(
    [
        "keep UTF-8 everywhere",
        "add a retry to the uploader",
        "Mended the LOGIN form",
        "로그인 오류를 수정",
        "",
        "  ",
        "—",
    ]
)
def test_what_a_summary_says_is_not_left_out(line):
    assert left_out(SUMMARY, [line]) == []


@pytest.mark.parametrize("line", ["write the migration guide", "given up: gizmo: too rusty", "결제 알림 배포 정리"])
def test_what_a_summary_does_not_say_is(line):
    assert left_out(SUMMARY, ["keep UTF-8 everywhere", line]) == [line]


def test_an_empty_summary_leaves_everything_out():
    assert left_out(" ", ["one thing"]) == ["one thing"]


def test_what_was_left_out_waits_for_the_next_start(notes, code, waiting, monkeypatch):
    waiting(notes, RETRY, ROTATE)
    monkeypatch.setattr(tracks, "remembered", lambda _cwd: ["given up: gizmo: too rusty"])
    event = moment("PostCompact", notes, cwd=code, compact_summary=f"Still open: {RETRY}.")
    assert on_post_compact(event).document("PostCompact", "claude") == {}
    assert take_lost(str(notes.root), str(code)) == ["given up: gizmo: too rusty", ROTATE]
    assert take_lost(str(notes.root), str(code)) == []


def test_open_work_of_the_folders_project_counts_too(vault, code, monkeypatch):
    monkeypatch.setattr(tracks, "remembered", lambda _cwd: [])
    text = "# p\n\n## Next Session\n\n- [ ] Water the plants\n"
    config = f"[projects.web]\npaths = [{json.dumps(str(code))}]\n"
    files = {"projects/web/todos.md": text, "projects/infra/todos.md": text.replace("Water", "Sell")}
    notes = kit.trusted(vault(files, config=config))
    wrap("regen", vault=notes, today=None)
    on_post_compact(moment("PostCompact", notes, cwd=code, compact_summary="Nothing was said."))
    assert take_lost(str(notes.root), str(code)) == ["Water the plants"]


def test_no_summary_is_no_news(notes, code, waiting):
    waiting(notes, RETRY)
    on_post_compact(moment("PostCompact", notes, cwd=code))
    assert take_lost(str(notes.root), str(code)) == []


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b'{"lines": 3}', b'{"lines": [{}, 7]}', b"{"])
def test_a_note_that_is_damaged(notes, code, data):
    from wrapgen.hooks.tracks import keep_lost

    keep_lost(str(notes.root), str(code), ["a"])
    (file,) = notes.path(".wrapgen/state/hooks/lost").iterdir()
    file.write_bytes(data)
    assert take_lost(str(notes.root), str(code)) == []


def test_before_a_compaction_the_tracks_are_kept_and_nothing_is_printed(notes, code, monkeypatch):
    asked = []
    monkeypatch.setattr(compaction, "fold_noted", lambda _app, *given: asked.append(given))
    answer = on_pre_compact(moment("PreCompact", notes, cwd=code, transcript_path="/t.jsonl"))
    assert asked == [(Path("/t.jsonl"), code, SESSION)]
    assert answer.document("PreCompact", "claude") == {}
    assert answer.exit_code == 0


@pytest.mark.slow
def test_a_compaction_without_a_transcript(notes, code):
    result = hook("PreCompact", {"session_id": SESSION, "cwd": str(code), "transcript_path": None, "trigger": "auto"})
    assert (result.code, result.out, result.err) == (0, "", "")
    assert kit.log_of(notes) == ""


@pytest.mark.slow
def test_a_compaction_of_a_transcript_that_is_gone_is_not_blocked(notes, code):
    fields = {"session_id": SESSION, "cwd": str(code), "transcript_path": str(code / "gone.jsonl")}
    result = hook("PreCompact", fields)
    assert (result.code, result.out) == (0, "")
    assert result.err.count("\n") == 1
    assert "PreCompact" in kit.log_of(notes)
