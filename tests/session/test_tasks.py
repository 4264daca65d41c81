import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.session.detection import read_turn
from wrapgen.session.lexicon import core, load_cues
from wrapgen.session.transcript import Turn

CUES = load_cues()


@pytest.mark.parametrize(
    ("said", "task"),
    [
        ("Next session we should probably add retry to the uploader.", "add retry to the uploader"),
        ("We'll fix the flaky login test later.", "fix the flaky login test"),
        ("TODO: replace the hard-coded region", "replace the hard-coded region"),
        ("Let's leave the fuzzing of the parser for later.", "the fuzzing of the parser"),
        ("Storing counts in Postgres would be a separate follow-up; they are live now.", "Storing counts in Postgres"),
        ("We should add pagination in the next session because lists grow.", "add pagination because lists grow"),
        ("**TODO:** `Rotate` the Keys", "`Rotate` the Keys"),
        ("이미지 최적화는 나중에 할게", "이미지 최적화"),
        ("다음 세션에서는 배포 스크립트 정리를 진행하면 됩니다.", "배포 스크립트 정리"),
        ("之后再把旧表删掉", "把旧表删掉"),
        ("次回は検索機能のページング対応から始めます。", "検索機能のページング対応"),
    ],
)
def test_cue_marks_and_filler_are_cut_and_the_rest_stays(said, task):
    ((find,), _) = read_turn(0, Turn("user", said), CUES)
    assert find.follow_up.text == task


@pytest.mark.parametrize(
    ("said", "tasks"),
    [
        ("rotate the staging keys and write the postmortem", ["rotate the staging keys", "write the postmortem"]),
        ("add tests and run them", ["add tests and run them"]),
        ("search and replace the token", ["search and replace the token"]),
    ],
)
def test_clearly_separate_tasks_are_two(said, tasks):
    languages = CUES.of("english words")
    assert [said[a:b] for a, b in languages.parts(said)] == tasks


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("**Investigate port 9000** (PID 1) - unknown", "Investigate port 9000"),
        ("Export to CSV — for the accountants", "Export to CSV"),
        ("Saved: suggest papers", "Saved: suggest papers"),
    ],
)
def test_core(item, name):
    assert core(item) == name


@pytest.mark.parametrize(
    ("words", "is_action"),
    [
        ("Add a test", True),
        ("Import the package", True),
        ("The label is green", False),
        ("환불 API 구현", True),
    ],
)
def test_what_names_an_action(words, is_action):
    assert CUES.of(words).acts(words) is is_action


@given(st.text(max_size=80))
def test_trimming_only_leaves_words_out(words):
    rest = iter(words.replace("**", "").replace("_", "").replace("~", "").split())
    trimmed = CUES.of(words).task_text(words, [(0, 0)]).replace("_", "").replace("~", "").split()
    assert all(any(piece in word for word in rest) for piece in trimmed)
