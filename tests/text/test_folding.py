import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.text.folding import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Fix the login page", "fix the login page"),
        ("**Fix** the `login` _page_", "fix the login page"),
        ("Ｆｉｘ  the\tlogin page ", "fix the login page"),
        ("Read [the guide](docs/guide.md)", "read the guide"),
        ("See [[notes/guide|the guide]] and [[Index]]", "see the guide and index"),
        ("🔴 Renew certificate ✅", "renew certificate"),
        ("Renew certificate:", "renew certificate"),
        ("인증서 갱신。", "인증서 갱신"),
        ("更新证书！", "更新证书"),
        ("Learn C++", "learn c++"),
        ("~~old~~ plan", "old plan"),
    ],
)
def test_what_people_write_differently_is_levelled(text, folded):
    assert fold(text).text == folded


@pytest.mark.parametrize(
    ("text", "label", "rest"),
    [
        ("Step 4: run tests", "step 4", "run tests"),
        ("**Step 4: run tests**", "step 4", "run tests"),
        ("5.5 Ship it", "5.5", "ship it"),
        ("AC16 Users can log in", "ac 16", "users can log in"),
        ("3) call the bank", "3", "call the bank"),
        ("3.전화하기", "3", "전화하기"),
        ("2단계: 서버 점검", "step 2", "서버 점검"),
        ("第3步：检查日志", "step 3", "检查日志"),
        ("Phase 2 — migrate users", "phase 2", "migrate users"),
        ("手順 2: 確認する", "step 2", "確認する"),
    ],
)
def test_a_position_label_is_dropped_and_remembered(text, label, rest):
    assert (fold(text).label, fold(text).text) == (label, rest)


@each(
    [
        "17:00 standup",
        "2026 budget",
        "9 pages of text",
        "Step 3",
        "1.2",
        "3.x branch",
        "1password setup",
        "steps to take",
    ]
)
def test_what_only_looks_like_a_label_stays(text):
    assert (fold(text).label, fold(text).text) == ("", text.casefold())


@each(["✅", "***", "...", "🍎 🍊"])
def test_a_text_of_marks_alone_is_not_lost_where_it_says_something(text):
    assert fold(text).text == fold(fold(text).text).text


@given(st.text(max_size=60))
def test_folded_text_has_single_blanks_and_none_at_its_ends(text):
    folded = fold(text).text
    assert folded == " ".join(folded.split())
