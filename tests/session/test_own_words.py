"""What a user asks to be reminded of is offered with the day that it names; steps for right now are never told."""

from datetime import date

import pytest

from tests.support import each
from wrapgen.session.detection import follow_ups
from wrapgen.session.lexicon import load_cues
from wrapgen.session.transcript import Turn
from wrapgen.text.due_day import due_day

CUES = load_cues()
DAY = date(2026, 11, 24)  # a Tuesday


def found(*texts):
    """The tasks that stand, each with whether it is told; the user speaks first."""
    turns = [Turn("user" if index % 2 == 0 else "assistant", text, index + 1) for index, text in enumerate(texts)]
    return [(one.text, one.sure) for one, settled in follow_ups(turns, CUES) if not settled]


@each(
    [
        ("Don't forget to rotate the staging keys.", "rotate the staging keys"),
        ("Fix the login form, and also remind me to tell Dana about the outage.", "tell Dana about the outage"),
        ("Don’t forget the changelog!", "the changelog"),
        ("I'll also need to tell the customers later.", "tell the customers"),
        ("We still have to rename the bucket.", "rename the bucket"),
        ("Before Friday I want the invoices checked.", "want the invoices checked"),
        ("The invoices have to be checked before Friday.", "The invoices have to be checked"),
        ("로그인 고쳐 줘. 스테이징 키 교체하는 것도 잊지 말고.", "스테이징 키 교체하는 것"),
        ("나중에 결제 점검 안내도 추가해야 해.", "결제 점검 안내도 추가"),
        ("다음에 반품 메일도 정리해야 해.", "반품 메일도 정리"),
        ("금요일까지 청구서 확인 부탁해.", "청구서 확인 부탁해"),
        ("别忘了轮换测试环境的密钥。", "轮换测试环境的密钥"),
        ("之后还要给客户发通知。", "给客户发通知"),
        ("別忘了更新說明文件。", "更新說明文件"),
        ("忘れずにステージングの鍵を交換して。", "ステージングの鍵を交換して"),
        ("あとで請求書の確認も対応する必要がある。", "請求書の確認も対応"),
    ]
)
def test_a_users_reminder_is_offered_unticked(said, task):
    assert found(said, "The form works again.") == [(task, False)]


@each(
    [
        "Can you remind me how the importer works?",
        "There is no need to remind me about the keys.",
        "Please add retry to the uploader.",
        "별일 없으면 로그인 고쳐 줘.",
        "登录页面还是不行。",
        "ログインを直してください。",
    ]
)
def test_other_words_of_a_user_are_no_reminder(said):
    assert found(said, "The form works again.") == []


def test_an_agent_that_says_so_means_its_user():
    assert found("go", "The key was changed. Don't forget to restart the server.") == []


def test_a_reminder_that_was_carried_out_is_settled():
    said = "Fix the login form, and don't forget to rotate the staging keys."
    assert found(said, "I fixed the form and rotated the staging keys.") == []


@pytest.mark.parametrize(
    "lead",
    [
        "Will do next time:",
        "Will do next week:",
        "I'll do these later:",
        "나중에 할 일:",
        "下次再做：",
        "次回にやること：",
        "Left for the next session:",
    ],
)
def test_a_users_boxes_below_a_lead_in_that_puts_off_are_offered(lead):
    said = f"Thanks, that is enough.\n\n{lead}\n- [ ] rotate the staging keys\n- [x] rename the bucket\n"
    assert found(said, "Good.") == [("rotate the staging keys", False)]


def test_other_lists_of_a_user_ask_for_work_now():
    assert found("Please do these:\n- [ ] rotate the staging keys\n- [ ] rename the bucket", "On it.") == []
    assert found("Next steps:\n- rotate the staging keys", "On it.") == []


@each(
    [
        "Click the Actions tab of the repository",
        "Refresh the page in your browser",
        "**Go to** the settings of the repository",
        "Run the importer and see whether it ends",
        "Open your browser at the address above",
        "브라우저를 새로고침합니다",
        "点击右上角的按钮",
        "ブラウザをリロードする",
    ]
)
def test_a_step_for_right_now_in_a_closing_list_is_offered_never_told(step):
    last = f"Done.\n\nNext steps:\n- Port the importer to the queue\n- {step}"
    by_text = {text.strip("*"): sure for text, sure in found("go", last)}
    assert by_text.pop("Port the importer to the queue")
    assert list(by_text.values()) == [False]


@each(
    [
        ("tell Dana before Friday", date(2026, 11, 27)),
        ("by tue", date(2026, 12, 1)),
        ("remind me tomorrow", date(2026, 11, 25)),
        ("expires 2026-12-09", date(2026, 12, 9)),
        ("내일까지 보내야 해", date(2026, 11, 25)),
        ("금요일까지", date(2026, 11, 27)),
        ("周五之前", date(2026, 11, 27)),
        ("星期一前", date(2026, 11, 30)),
        ("金曜までに", date(2026, 11, 27)),
        ("明日までに", date(2026, 11, 25)),
        ("Friday's build failed", None),
        ("before the release", None),
        ("下周五之前", None),
        ("since 2026-11-01", None),
        ("2026-13-45", None),
    ]
)
def test_the_day_that_words_name(words, day):
    assert due_day(words, DAY) == day


def test_for_later_with_a_colon_names_what_is_put_off():
    said = "Committed as 3f2a91c. For later: remove the old checkout pages."
    assert found("Please commit.", said) == [("remove the old checkout pages", True)]
