"""The sample vault keeps its promise: every form that an item can take and every fate that it can have is in it."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from wrapgen.cli import run
from wrapgen.resources import resource

if TYPE_CHECKING:
    from pathlib import Path

LAST_DAY = date(2026, 4, 24)
HANGUL = re.compile("[가-힣]")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
WARNINGS = ("untagged", "conflicts", "probably_done", "stale_boxes", "unread_sections", "unreadable")

# What it shows, how its line looks in the file, its words, its project, its fates from the first place to the last.
FORMS = [
    ("checkbox", r"- \[ \] ", "Measure the first visit on a slow phone", "web", "shown duplicate"),
    ("plain bullet", r"- \w", "Draw the network as it is, not as it was planned", "infra", "overflow"),
    ("star", r"\* ", "Show a waiting list for full classes", "web", "duplicate overflow"),
    ("plus", r"\+ ", "Use one fixed clock in all tests", "web", "overflow"),
    ("number", r"2\. \w", "Explain why a slot is greyed out", "web", "resolved resolved"),
    ("number with a box", r"1\. \[ \] ", "영수증 메일에 회원권 이름 넣기", "결제", "overflow"),
    ("below a sub-heading", r"- \[ \] ", "Let the arrow keys move through the week", "web", "overflow"),
    ("below a bold line", r"\* ", "Explain why a slot is greyed out", "web", "resolved resolved"),
    ("table, emoji state", r"\|.*\| ⏳ \|", "Raise the connection limit before the holidays", "infra", "resolved"),
    (
        "table, state in words",
        r"\|.*\| todo \|",
        "Report queries that take longer than a second",
        "infra",
        "overflow duplicate",
    ),
    ("table, Korean", r"\|.*\| 예정 \|", "부분 환불을 정산에 반영하기", "결제", "duplicate overflow duplicate"),
    ("nested box, dated", r" +- \[ \] ", "상태 확인 요청 주기를 정하기", "결제", "overflow"),
    ("nested box below a box", r" +- \[ \] ", "Leave out classes that were called off", "web", "overflow"),
    ("emoji state", "- ⬜ ", "Keep incident notes in one place", "infra", "resolved"),
    ("conflict", r"- \[ \] .*✅$", "Rename the staging bucket", "infra", "overflow"),
    ("two lines", r"- \[ \] .*people$", "Keep the archive key where two people can reach it", "infra", "shown"),
    ("a bracket that is no tag", r"- \[ \] \(opt", "(optional) Offer a plain list instead of the week grid", "web",
     "overflow"),
    ("another name as tag", r"- \(frontend\) ", "Keep the form filled in when the session times out", "web",
     "resolved resolved"),
    ("inline code", r".*`/week`", "Let `/week` answer with everything that the page needs", "web", "shown"),
    ("link", r".*\]\(", "Write down how to go back, next to [what is left](../../todos.md)", "infra", "shown"),
    ("due with 📅", ".*📅 ", "Switch off the old host one week after the move", "infra", "overflow"),
    ("due in brackets", r".*\(due ", "Show the opening hours of public holidays", "web", "overflow"),
    ("due in words", ".* due:", "Lower the DNS lifetime two days before the move", "infra", "overflow"),
    ("created", ".*➕ ", "Take the old endpoints away", "web", "overflow"),
    ("recurrence", ".*🔁 every week 📅", "Check that last night's backup can be read", "infra", "shown"),
    ("raised before the look-back", r"- \[ \] ", "Draw a proper favicon", "web", "expired"),
]  # fmt: skip

PRIORITIES = [
    ("🔺", "결제 대기 상태를 회원에게 보여 주기", "highest"),
    ("⏫", "Run step 3 of the cut-over plan", "high"),
    ("🔼", "해외 카드 실패 사유를 한국어로 안내하기", "medium"),
    ("🔽", "(optional) Offer a plain list instead of the week grid", "low"),
    ("⏬", "Report queries that take longer than a second", "lowest"),
    ("P1", "제공사 장애를 1분 안에 알아채기", "high"),
    ("P3", "Show the opening hours of public holidays", "low"),
    ("(A)", "Keep the archive key where two people can reach it", "high"),
    ("(B)", "Use one fixed clock in all tests", "medium"),
    ("!!", "Page someone when the payment queue stops moving", "high"),
    ("높음", "월말 정산 대조표 자동으로 만들기", "high"),
]

# How it is marked, the path's end, and words that must not be collected although they stand in a list of open work.
NOT_OPEN = [
    ("- [x] ", "2026-04-14.md", "Keep the form filled in when the session times out ✅ 2026-04-14"),
    ("3. [x] ", "2026-04-13.md", "영수증 글꼴 깨짐 고치기"),
    ("- [-] ", "2026-04-14.md", "Keep the old host as a second replica"),
    ("- [-] ", "web/todos.md", "Support the links of the old app"),
    ("* ~~", "2026-04-08.md", "Try the other bundler"),
    ("- ✅ ", "2026-04-15-payment-outage.md", "Send the incident summary to the gym"),
    ("| ✅ |", "2026-04-08.md", "Remove the unused replica slot"),
    ("| 완료 |", "2026-04-20.md", "지난달 차액 원인 찾기"),
    ("> - [ ] ", "2026-04-15-payment-outage.md", "연동 모듈을 최신 버전으로 올려 주십시오"),
    ("<!-- - [ ] ", "2026-04-22.md", "환불 한도를 올리는 일은 당분간 보류"),
    ("# - [ ] ", "2026-04-07.md", "inside code nothing is an item"),
    ("    - ", "2026-04-06.md", "지금은 자유 입력이라 통계를 낼 수 없음"),
    ("- [ ] ", "web/todos.md", "A map of the parking spaces"),
]

# Words, project, where the evidence stands, and the evidence's line.
RESOLVED = [
    ("Shorten the log retention to thirty days", "infra", "journals/2026/04/2026-04-22.md", "- Shorten the log"),
    ("환불 사유 목록을 운영팀과 정하기", "결제", "journals/2026/04/2026-04-13.md", "- 환불 사유 목록을"),
    ("Find out why the login test is flaky", "web", "journals/2026/04/2026-04-21.md", "- Find out why"),
    ("Announce how many places are left", "web", "journals/2026/04/2026-04-21.md", "- Announced how many"),
    ("Move the gallery photos to WebP", "web", "journals/2026/04/2026-04-03.md", "- Move the gallery"),
    ("Explain why a slot is greyed out", "web", "projects/web/todos.md", "- [x] Explain why"),
    ("Keep incident notes in one place", "infra", "projects/infra/todos.md", "- [x] Keep incident"),
    ("Keep the form filled in when the session times out", "web", "journals/2026/04/2026-04-14.md", "- [x] Keep the"),
    ("List every request of the week view", "web", "journals/2026/04/2026-04-23.md", "- List every"),
]


def audit(vault: Path, *options: str, today: date = LAST_DAY) -> tuple[int, dict[str, Any]]:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = run(["--vault", str(vault), "--today", today.isoformat(), "audit", "--json", *options])
    return code, json.loads(out.getvalue())


def copy_to(folder: Path, changed: datetime | None = None) -> Path:
    """Copy the vault as a fresh checkout would: every file is as old as the copy, or as `changed` says."""
    vault = folder / "vault"
    shutil.copytree(resource("sample_vault"), vault, copy_function=shutil.copyfile)
    if changed is not None:
        for path in vault.rglob("*"):
            os.utime(path, (changed.timestamp(), changed.timestamp()))
    return vault


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_to(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="module")
def found(vault: Path) -> dict[str, Any]:
    code, document = audit(vault)
    assert code == 0
    return document


def items(found: dict[str, Any], text: str, project: str | None = None) -> list[dict[str, Any]]:
    """The items with these words, in the order of their files and lines."""
    same = [one for one in found["items"] if one["text"] == text and project in (None, one["project"])]
    return sorted(same, key=lambda one: (one["path"], one["line"]))


def line_of(vault: Path, place: dict[str, Any]) -> str:
    return (vault / place["path"]).read_text("utf-8").splitlines()[place["line"] - 1]


def places(found: dict[str, Any], name: str) -> list[str]:
    return [one.get("text", one.get("heading")) for one in found[name]]


@pytest.mark.parametrize("case", FORMS, ids=[form[0] for form in FORMS])
def test_every_form_of_an_item_is_read(vault, found, case):
    _, line, text, project, fates = case
    same = items(found, text, project)
    assert [one["fate"] for one in same] == fates.split()
    assert any(re.match(line, line_of(vault, one)) for one in same)


@pytest.mark.parametrize(("mark", "text", "priority"), PRIORITIES, ids=[one[0] for one in PRIORITIES])
def test_every_notation_of_urgency_is_read(vault, found, mark, text, priority):
    assert [one["priority"] for one in items(found, text) if mark in line_of(vault, one)] == [priority]


@pytest.mark.parametrize(("mark", "name", "text"), NOT_OPEN, ids=[one[0].strip() for one in NOT_OPEN])
def test_what_is_not_open_is_not_collected(vault, found, mark, name, text):
    path = next(path for path in vault.rglob("*.md") if path.as_posix().endswith(name))
    assert any(mark in line and text in line for line in path.read_text("utf-8").splitlines())
    words = DATE.sub("", text).rstrip(" ✅")
    assert not [one for one in items(found, words) if one["path"].endswith(name)]


@pytest.mark.parametrize("case", RESOLVED, ids=[one[0] for one in RESOLVED])
def test_finished_work_is_resolved_by_the_line_that_says_so(vault, found, case):
    text, project, path, line = case
    same = items(found, text, project)
    assert {one["fate"] for one in same} == {"resolved"}
    assert {one["because"]["path"] for one in same} == {path}
    assert all(line_of(vault, one["because"]).startswith(line) for one in same)


def test_every_fate_occurs_and_the_ledger_balances(found):
    fates = [one["fate"] for one in found["items"]]
    assert set(fates) == {"shown", "resolved", "duplicate", "overflow", "expired"}
    assert {fate: fates.count(fate) for fate in set(fates)} == {fate: found[fate] for fate in set(fates)}
    assert found["collected"] == len(fates)
    assert found["shown"] == 15
    none_by_default = ("lists", "hand_overs", "said")
    assert all(source["items"] for source in found["sources"] if source["kind"] not in none_by_default)
    assert found["unread"]["boxes"] == 0


def test_a_project_and_a_language_are_nowhere_alone(found):
    languages = {bool(HANGUL.search(one["text"])) for one in found["items"] if one["fate"] == "shown"}
    assert languages == {True, False}
    for fate in ("shown", "overflow", "resolved", "duplicate"):
        assert {"web", "infra", "결제"} <= {one["project"] for one in found["items"] if one["fate"] == fate}


def test_one_item_is_untagged_on_purpose(found):
    (untagged,) = found["untagged"]
    assert untagged["text"] == "Agree on who renews the certificates"
    assert untagged["candidates"] == ["infra", "web"]
    assert [one["text"] for one in found["items"] if one["project"] is None] == [untagged["text"]]


def test_the_warnings_are_the_ones_meant(found):
    assert places(found, "conflicts") == ["Rename the staging bucket"]
    assert places(found, "probably_done") == [
        "영수증 메일에 회원권 이름 넣기",
        "Show a waiting list for full classes",
    ]
    assert places(found, "stale_boxes") == [
        "Rehearse the upgrade on a copy",
        "List every request of the week view",
        "Serve the timetable of a week in one answer",
        "Throw the cached week away when a class moves",
        "환불 요청 화면의 문구 다듬기",
    ]
    assert [(one["path"], one["heading"]) for one in found["unread_sections"]] == [
        ("journals/2026/04/2026-04-16.md", "Next")
    ]
    assert found["unreadable"] == []


@pytest.mark.slow
def test_a_strict_audit_finds_the_untagged_item(vault):
    code, document = audit(vault, "--strict")
    assert code == 3
    assert len(document["untagged"]) == 1
    assert audit(vault, "--strict=unreadable")[0] == 0


def test_what_is_carried_forward_is_shown_once_with_its_first_day(found):
    same = items(found, "Write the restore runbook")
    shown = [one for one in same if one["fate"] == "shown"]
    assert [one["fate"] for one in same].count("duplicate") >= 7
    assert [(one["path"], one["raised"], one["last_seen"]) for one in shown] == [
        ("journals/2026/04/2026-04-24.md", "2026-04-03", "2026-04-24")
    ]
    # The oldest mention expires by its own date and takes nothing with it.
    assert (same[0]["path"], same[0]["fate"]) == ("journals/2026/03/2026-03-10.md", "expired")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Write a restore runbook", "Write the restore runbook"),
        ("Let people change the time of their booking", "Let people change the time of a booking"),
    ],
)
def test_almost_the_same_words_are_one_item(found, text, kept):
    (twin,) = items(found, text)
    assert twin["fate"] == "duplicate"
    assert 85 <= twin["because"]["score"] < 100
    assert [one["text"] for one in found["items"] if one["id"] == twin["because"]["item"]] == [kept]


def test_work_that_came_back_after_it_was_done_is_open(found):
    fates = {one["path"][-13:-3]: one["fate"] for one in items(found, "Clear the image cache on deploy")}
    assert fates == {"2026-04-07": "resolved", "2026-04-20": "duplicate", "2026-04-24": "shown"}


def test_what_one_project_has_done_the_other_has_not(found):
    fates = {one["project"]: one["fate"] for one in items(found, "Turn on automatic dependency updates")[:2]}
    assert fates == {"web": "resolved", "infra": "overflow"}


def test_two_steps_of_a_plan_stay_two_items(found):
    for step in (3, 5):
        fates = [one["fate"] for one in items(found, f"Run step {step} of the cut-over plan")]
        assert len(set(fates) & {"shown", "overflow"}) == 1
        assert "resolved" not in fates  # steps 1 and 2 are done


def test_what_is_due_comes_first(found):
    first = sorted((one for one in found["items"] if one["fate"] == "shown"), key=lambda one: one["rank"])[:4]
    assert [one["due"] for one in first] == ["2026-04-22", "2026-04-27", "2026-04-27", None]
    assert [one["kind"] for one in first[1:3]] == ["journal_next", "project_todos"]  # of one day, in canonical order


@pytest.mark.parametrize("changed", [datetime(2001, 2, 3).astimezone(), datetime(2026, 4, 24, 12).astimezone()])
def test_the_age_of_the_files_moves_only_what_has_no_date(found, tmp_path, changed):
    _, document = audit(copy_to(tmp_path, changed))
    gone, before = (
        {one["id"]: one for one in each["items"] if one["fate"] not in ("shown", "overflow")}
        for each in (document, found)
    )
    assert gone == before
    assert (document["items"] == found["items"]) is (changed.year == LAST_DAY.year)
    assert all(document[name] == found[name] for name in WARNINGS)


def test_all_dates_can_be_moved_together(found, tmp_path):
    """`wrap init --demo` does so, that the last day is the day on which somebody tries the program."""
    days = timedelta(211)
    vault, moved = resource("sample_vault"), tmp_path / "moved"

    def later(match: re.Match[str]) -> str:
        return (date.fromisoformat(match[0]) + days).isoformat()

    for path in vault.rglob("*.*"):
        name = DATE.sub(later, path.relative_to(vault).as_posix())
        if (day := DATE.search(name)) and not name.startswith("conversations/"):
            name = f"journals/{day[0][:4]}/{day[0][5:7]}/{name.rsplit('/', 1)[1]}"
        target = moved / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(DATE.sub(later, path.read_text("utf-8")), "utf-8")
    _, document = audit(moved, today=LAST_DAY + days)
    assert [(one["text"], one["fate"], one["rank"]) for one in document["items"]] == [
        (one["text"], one["fate"], one["rank"]) for one in found["items"]
    ]
    assert all(places(document, name) == places(found, name) for name in WARNINGS)


def test_names_and_folders_agree_and_nothing_generated_is_left():
    vault = resource("sample_vault")
    days = []
    for path in vault.rglob("*"):
        name = path.relative_to(vault).as_posix()
        assert not re.match(r"ACTIVE-STATUS|\.", name)
        if name.startswith("journals/") and path.is_file():
            day = re.fullmatch(r"journals/(\d{4})/(\d{2})/(\1-\2-\d{2})(?:-[a-z-]+)?\.md", name)
            assert day is not None, name
            days.append(date.fromisoformat(day[3]))
    assert max(days) == LAST_DAY
    assert 12 <= sum(day >= date(2026, 4, 3) for day in days) <= 16
    assert min(days) < LAST_DAY - timedelta(30)
