import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import each, examples
from wrapgen.session.detection import follow_ups
from wrapgen.session.follow_up import FollowUp, Mention, orphan_id, unique
from wrapgen.session.lexicon import load_cues
from wrapgen.session.outcome import DONE, Conclusion
from wrapgen.session.transcript import Turn

CUES = load_cues()


def offered(*texts):
    turns = [Turn("user" if index % 2 == 0 else "assistant", text, index + 1) for index, text in enumerate(texts)]
    return [one.text for one, settled in follow_ups(turns, CUES) if one.sure and not settled]


def unsure(*texts):
    turns = [Turn("user" if index % 2 == 0 else "assistant", text, index + 1) for index, text in enumerate(texts)]
    return [one.text for one, settled in follow_ups(turns, CUES) if not one.sure and not settled]


def settled(*texts):
    turns = [Turn("user" if index % 2 == 0 else "assistant", text, index + 1) for index, text in enumerate(texts)]
    return {one.text: why for one, why in follow_ups(turns, CUES) if why}


LIST = "Remaining tasks:\n1. Port the importer\n2. Write the guide\n3. Publish the image"


def test_a_user_who_says_that_work_is_dropped_closes_it():
    assert offered("what is left?", LIST, "forget the importer", "Noted.") == ["Write the guide", "Publish the image"]


def test_what_is_done_later_is_settled_with_its_reason():
    texts = ("go", LIST, "please go on", "I ported the importer, and the guide is written. ✅ Published the image")
    assert offered(*texts) == []
    assert set(settled(*texts)) == {"Port the importer", "Write the guide", "Publish the image"}


def test_work_taken_up_in_the_last_words_is_still_open():
    assert offered("go", LIST, "write the guide") == ["Port the importer", "Write the guide", "Publish the image"]
    assert offered("go", LIST, "write the guide", "On it.") == ["Port the importer", "Publish the image"]


def test_only_the_last_version_of_a_list_counts():
    first = "- Bump the version\n- Tag the release\n- Tell the forum"
    last = "- [x] Bump the version\n- [ ] Tag the release"
    texts = ("go", f"Remaining:\n{first}", "on", f"Remaining:\n{last}")
    assert offered(*texts) == ["Tag the release"]
    assert unsure(*texts) == ["Tell the forum"]
    assert settled(*texts) == {"Bump the version": DONE}


@pytest.mark.parametrize("heading", ["Checklist:", "## Todo List", "Plan"])
def test_boxes_alone_are_a_plan_or_the_agents_own_list(heading):
    assert offered("go", f"{heading}\n- [ ] Bump the version\n- [ ] Tag the release") == []


def test_repetitions_stand_in_also():
    turns = [
        Turn("assistant", "TODO: rotate the staging keys", 3),
        Turn("user", "fine", 4),
        Turn("assistant", "Still to do:\n- Rotate the staging keys", 9),
    ]
    ((one, _),) = follow_ups(turns, CUES)
    assert (one.turn, one.line, one.also) == (2, 9, (Mention("", 0, 3),))


def test_thousands_of_mentions_are_kept_once_each(monkeypatch):
    """Each mention would hold all before it: 24,000 of them took 2.3 GB."""
    kept = []
    finish = Conclusion.finish
    monkeypatch.setattr(Conclusion, "finish", lambda self: kept.append(self._finds) or finish(self))
    turns = [Turn("assistant", "TODO: rotate the staging keys", line) for line in range(300)]
    ((one, _),) = follow_ups(turns, CUES)
    assert one.also == tuple(Mention("", line, line) for line in range(299))
    ((find,),) = (finds.values() for finds in kept)
    assert len(find.also) == 299


def test_mentions_of_many_conversations_stand_once_each():
    turn = Turn("assistant", "TODO: rotate the staging keys", 3)
    said = [
        FollowUp.said_in(turn, 0, "rotate the staging keys", "TODO", lang="en").within(f"{number % 3}.jsonl")
        for number in range(6)
    ]
    (one,) = unique(said)
    assert one.transcript == "0.jsonl"
    assert one.also == (Mention("1.jsonl", 0, 3), Mention("2.jsonl", 0, 3))


def test_a_record_tells_where_it_comes_from():
    turn = Turn("assistant", "All green. Next session: add retry to the uploader.", 57, "u-9", "2026-03-02T10:00:00Z")
    ((one, _),) = follow_ups([turn], CUES)
    assert one.quote == "Next session: add retry to the uploader."
    assert one.text == "add retry to the uploader"
    assert (one.role, one.line, one.uuid, one.said_at, one.lang) == (
        "assistant",
        57,
        "u-9",
        "2026-03-02T10:00:00Z",
        "en",
    )
    assert one.cue.lower() == "next session"
    assert (one.sure, one.confidence) == (True, 0.8)


@each(
    [
        "> Next session: add retry to the uploader.",
        "```\nTODO: add retry to the uploader\n```",
        "Would you like me to add retry in the next session?",
        "There is no need to come back to the uploader.",
        "The `next session` flag and the “follow-up” column are shown.",
        "Users should be able to defer a reminder to the next session.",
        "The new settings take effect in the next session.",
    ]
)
def test_hard_negatives(silent):
    assert offered("hello", silent) == []


def test_cues_of_a_team_can_be_added():
    text = "Parkplatz: rotate the staging keys"
    assert offered("hi", text) == []
    cues = load_cues([{"lang": "en", "headings": {"own": ["parkplatz"]}, "sentences": {"own": ["parkplatz"]}}])
    later = [Turn("user", "and what about the header?")] * 4
    ((one, _),) = follow_ups([Turn("assistant", text), *later], cues)
    assert (one.text, one.sure) == ("rotate the staging keys", True)
    ((one, _),) = follow_ups([Turn("assistant", "Parkplatz\n- rotate the keys"), *later], cues)
    assert (one.text, one.cue, one.sure) == ("rotate the keys", "Parkplatz", True)


def test_ids_are_stable_and_differ_by_project():
    assert orphan_id("Add retry.", "web") == orphan_id("add  **retry**", "Web")
    assert orphan_id("add retry", "web") != orphan_id("add retry", None)
    assert len(orphan_id("add retry", None)) == 12
    assert orphan_id("\ud800", None)


WORDS = ["Next session", "TODO:", "나중에", "下次", "次回", "- ", "1. ", "[ ] ", "## Next steps", "\n", "**", "`"]
WORDS += [
    "|",
    ": ",
    "?",
    "\x00",
    "\ud800",
    "로그 정리",
    "把日志",
    "✅",
    "done",
    "yes",
    "2 is done",
    "later",
    "> ",
    "```",
]
WORDS += ["add retry", "rotate the keys", ", and ", "; "]


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=12)), max_size=5)
)
def test_quotes_are_words_of_their_turn_and_tasks_words_of_their_quote(talk):
    turns = [Turn("user" if user else "assistant", " ".join(words), 1) for user, words in talk]
    for one, _ in follow_ups(turns, CUES):
        assert one.quote in turns[one.turn].text
        assert one.quote
        assert 0 <= one.confidence <= 1
        rest = iter(one.quote.replace("*", " ").replace("_", " ").replace("~", " ").split())
        for piece in one.text.replace("*", " ").replace("_", " ").replace("~", " ").split():
            assert any(piece in word or word in piece for word in rest)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "next session " * 200_000,
        "|" * 1_000_000,
        "-|" * 2_000 + "\n" + "| todo | later |\n" * 20_000,
        "- [ ] fix the file\n" * 15_000,
        "Remaining:\n" + "\n".join(f"- fix file {n} later" for n in range(8_000)),
        "`" * 500_000 + "\n" + "(" * 500_000,
        "나중에 " * 200_000,
        "a. " * 300_000,
        "fix ~ later, and " * 50_000,
        "The cache is cold. Let's do that next session. " * 10_000,
        "Let's do that next session.\n\n" * 10_000,
    ],
    ids=range(11),
)
def test_a_huge_turn_is_read(text):
    found = follow_ups([Turn("assistant", text), Turn("user", text), Turn("assistant", "done")], CUES)
    assert all(one.text for one, _ in found)


def test_tasks_that_differ_in_a_word_or_number_are_two_tasks():
    said = [f"Next session: (web) polish the {thing}." for thing in ("windows", "lamps", "chairs")]
    found = follow_ups([Turn("assistant", text, line) for line, text in enumerate(said, 1)], CUES)
    assert [one.text for one, _ in found if one.sure] == [
        f"(web) polish the {t}" for t in ("windows", "lamps", "chairs")
    ]
    assert offered("", "Next session:\n- add tests for step 3\n- add tests for step 5") == [
        "add tests for step 3",
        "add tests for step 5",
    ]


def test_a_ticked_step_settles_only_the_step_of_its_number():
    later = "Still to do:\n- [x] add tests for step 3\n- [ ] add tests for step 5"
    texts = ["", "Still to do:\n- add tests for step 3\n- add tests for step 5", "go on", later]
    assert offered(*texts) == ["add tests for step 5"]


def test_follow_ups_come_in_the_order_of_their_places():
    text = "Still to do:\n- rename the flags\n\n**Deferred**\n- drop the shim\n\nNext session: (web) sort the colours."
    found = follow_ups([Turn("assistant", text)], CUES)
    places = [text.index(one.quote) for one, _ in found]
    assert len(places) == 3
    assert places == sorted(places)


def test_a_sentence_above_a_list_heads_it():
    reply = "The page is ready. I left these for a follow-up PR.\n- Warm the cache\n- Trim the fonts"
    assert offered("", reply) == ["Warm the cache", "Trim the fonts"]


ASIDE = ("and the header?", "It is sticky.", "and the footer?", "It is not.", "good", "Fine.")


def test_what_is_listed_counts_near_the_end_until_open_work_is_listed_anew():
    steps = "## Next steps\n- Warm the cache\n- Trim the fonts"
    remaining = "## Remaining\n- Warm the cache\n- Trim the fonts"
    tasks = ["Warm the cache", "Trim the fonts"]
    assert offered("", steps, "thanks") == tasks
    assert offered("", steps, *ASIDE) == []
    assert offered("", remaining, *ASIDE) == []
    assert offered(*ASIDE, *ASIDE, "what is left?", remaining, *ASIDE) == tasks
    assert offered(*ASIDE, *ASIDE, "what is next?", steps, *ASIDE) == []
    assert offered(*ASIDE, "", remaining, "and now?", "## Remaining\n- Sort the colours") == ["Sort the colours"]


@pytest.mark.parametrize(
    "steps",
    [
        "- If the page is slow, I can add a cache\n- You can also trim the fonts\n- Let me know what you think",
        "- The cache was warmed\n- Fonts have been trimmed\n- The colours will be sorted automatically",
        "- Shall the cache be warmed?\n- Would you like trimmed fonts?",
    ],
    ids=["offers", "reports", "questions"],
)
def test_next_steps_that_are_no_tasks_of_the_project_are_not_told(steps):
    text = f"The page is ready.\n\n## Next steps\n{steps}"
    assert offered("", text) == []
    assert len(unsure("", text)) == len(steps.splitlines())


@each(
    [
        "## 개선 사항\n- 넓은 여백 (2rem)\n- 큰 글꼴",
        "## 남은 작업\n- 캐시는 이미 추가됨",
        "## 未来\n- 支持多种字体\n- 修改颜色",
        "## 剩余\n- 缓存已添加\n- 目前还没有字体表",
        "## やること\n- フォントを追加\n- 色を変更",
        "## 残り\n- キャッシュは既に追加済み",
        "## Future improvements\n- Trim the fonts",
    ]
)
def test_headings_that_report_and_items_that_are_no_work_in_every_language(text):
    assert offered("", text) == []


def test_what_explains_an_item_is_no_item():
    reply = "## Remaining\n1. Warm the cache:\n   - it takes a minute\n2. Backend:\n   - Trim the fonts"
    assert offered("", reply) == ["Warm the cache", "Trim the fonts"]


def test_lists_of_the_user_ask_for_work_now():
    assert offered("Remaining:\n- Warm the cache\n- Trim the fonts", "On it.") == []


def test_pasted_words_are_nobodys():
    assert offered("TODO: warm the cache\n" + "log line\n" * 300, "I see.") == []


@pytest.mark.parametrize(
    ("said", "task"),
    [
        ("Next session: add retry to the uploader.", "add retry to the uploader"),
        ("Follow-up: add retry to the uploader.", "add retry to the uploader"),
        ("TODO: add retry to the uploader", "add retry to the uploader"),
        ("We'll come back to the uploader's retry.", "the uploader's retry"),
        ("Let's defer the uploader's retry.", "the uploader's retry"),
        ("다음 세션: 업로더에 재시도 추가", "업로더에 재시도 추가"),
        ("할 일: 업로더에 재시도 추가", "업로더에 재시도 추가"),
        ("나중에 업로더에 재시도를 추가할게", "업로더에 재시도를 추가"),
        ("后续：给上传器加重试", "给上传器加重试"),
        ("待办：给上传器加重试", "给上传器加重试"),
        ("之后再给上传器加重试", "给上传器加重试"),
        ("次回：アップローダーに再試行を追加", "アップローダーに再試行を追加"),
        ("あとでアップローダーに再試行を追加します", "アップローダーに再試行を追加"),
        ("フォローアップ：アップローダーに再試行を追加", "アップローダーに再試行を追加"),
    ],
)
def test_the_plainest_forms_are_found_in_every_language(said, task):
    labelled = said.rstrip(".").partition("：" if "：" in said else ":")[2] != ""
    assert offered("", said) == ([task] if labelled else [])
    assert unsure("", said) == ([] if labelled else [task])


def test_a_sentence_that_names_no_work_is_none():
    assert unsure("go", "The uploader has no retry. Let's do that next session.") == []


def test_next_steps_are_not_offered_when_another_list_of_open_work_comes_after_them():
    steps, last = "## Next steps\n- Warm the cache", "## Remaining\n- Sort the colours"
    assert unsure("go", steps, "and now?", last) == []
    assert settled("go", steps, "and now?", last) == {"Warm the cache": "a later list took its place"}
    assert unsure("go", steps, *ASIDE) == ["Warm the cache"]


TABLE = """| # | Task | Status |
|---|---|---|
| 1 | Port the importer | ⏳ |
| 2 | Write the guide | done |
| 3 | Publish the image | ✅ |
| FI-4 | Добавить язык | later |"""


def test_rows_below_a_heading_that_puts_off_are_offered():
    assert unsure("go", f"## Remaining\n\n{TABLE}") == ["Port the importer", "FI-4 – Добавить язык – later"]
    assert offered("go", f"## Remaining\n\n{TABLE}") == []


def test_other_tables_are_no_work():
    assert unsure("go", f"## Files\n\n{TABLE}") == []
    assert unsure("go", f"I left some for later.\n{TABLE}") == []


def test_a_list_item_that_is_bold_as_a_whole_is_an_item():
    reply = "Remaining:\n- **Port the importer**\n- **Publish the image** (framework exists)"
    assert offered("go", reply) == ["Port the importer", "Publish the image (framework exists)"]


def test_a_step_for_right_now_is_offered_near_the_end_alone():
    steps = "Next steps:\n- Refresh the page\n- Port the importer to the queue"
    assert unsure("go", steps) == ["Refresh the page"]
    later = ("what is a queue?", "A line.") * 3
    assert unsure("go", steps, *later) == ["Port the importer to the queue"]


def test_work_that_is_repeated_in_vaguer_words_stays_told():
    work = "- Port the importer to the queue"
    assert offered("go", f"Remaining:\n{work}", "and?", f"High priority:\n{work}") == ["Port the importer to the queue"]
    assert unsure("go", "Yes.", "and?", f"High priority:\n{work}") == ["Port the importer to the queue"]
