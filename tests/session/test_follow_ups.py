import importlib.util
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.session.follow_ups import MIN_CONFIDENCE, Mention, follow_ups, orphan_id
from wrapgen.session.load_cues import load_cues
from wrapgen.session.transcript import Turn

HERE = Path(__file__).parent
BENCHMARKS = HERE.parent / "benchmarks"
PUBLIC = HERE.parent.parent.parent / "shared" / "data" / "followups" / "dev"
CUES = load_cues()


def load(name):
    sys.path.insert(0, str(BENCHMARKS))
    try:
        spec = importlib.util.spec_from_file_location(f"benchmark_{name}", BENCHMARKS / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(BENCHMARKS))


BENCHMARK = load("follow_ups")


def offered(*texts):
    turns = [Turn("user" if index % 2 == 0 else "assistant", text, index + 1) for index, text in enumerate(texts)]
    return [one.text for one in follow_ups(turns, CUES) if one.offered]


def settled(*texts):
    turns = [Turn("user" if index % 2 == 0 else "assistant", text, index + 1) for index, text in enumerate(texts)]
    return {one.text: one.settled for one in follow_ups(turns, CUES) if one.settled}


def figures(folder):
    finder = BENCHMARK.ours(CUES)
    by_lang = {}
    for talk in BENCHMARK.talks(folder):
        by_lang.setdefault(talk.lang, []).append(BENCHMARK.score(talk, finder))
    return {
        lang: (
            sum(one.right for one in scores),
            sum(len(one.alarms) for one in scores),
            sum(len(one.missed) for one in scores),
        )
        for lang, scores in by_lang.items()
    }


@pytest.mark.parametrize(("lang", "floor"), [("en", 0.9), ("ko", 0.9), ("zh", 0.9), ("ja", 0.9)])
def test_own_set(lang, floor):
    right, alarms, missed = figures(BENCHMARK.OWN)[lang]
    assert right / (right + alarms) >= floor
    assert right / (right + missed) >= floor


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public conversations are not part of the repository")
def test_public_set_reaches_the_bounds_of_the_spec():
    found = figures(PUBLIC)
    for lang, bound in (("en", 0.8), ("ko", 0.7)):
        right, alarms, missed = found[lang]
        assert right / (right + alarms) >= bound
        assert right / (right + missed) >= bound


LIST = "Remaining tasks:\n1. Port the importer\n2. Write the guide\n3. Publish the image"


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("ok", ["Port the importer", "Write the guide", "Publish the image"]),
        ("2 is done", ["Port the importer", "Publish the image"]),
        ("1 and 3 are done already", ["Write the guide"]),
        ("skip 1-2", ["Publish the image"]),
        ("forget the importer", ["Write the guide", "Publish the image"]),
        (
            "1. the page is blank\n2. done button does nothing",
            ["Port the importer", "Write the guide", "Publish the image"],
        ),
        ("I'll do 2 later", ["Port the importer", "Write the guide", "Publish the image"]),
    ],
)
def test_a_short_line_of_the_user_closes_items(reply, left):
    assert offered("what is left?", LIST, reply, "Noted.") == left


def test_what_is_done_later_is_settled_with_its_reason():
    texts = ("go", LIST, "please go on", "I ported the importer, and the guide is written. ✅ Published the image")
    assert offered(*texts) == []
    assert set(settled(*texts)) == {"Port the importer", "Write the guide", "Publish the image"}


def test_work_taken_up_in_the_last_words_is_still_open():
    assert offered("go", LIST, "do 2") == ["Port the importer", "Write the guide", "Publish the image"]
    assert offered("go", LIST, "do 2", "On it.") == ["Port the importer", "Publish the image"]


def test_only_the_last_version_of_a_list_counts():
    first = "- [ ] Bump the version\n- [ ] Tag the release\n- [ ] Tell the forum"
    last = "- [x] Bump the version\n- [ ] Tag the release"
    texts = ("go", f"Checklist:\n{first}", "on", f"Checklist:\n{last}")
    assert offered(*texts) == ["Tag the release"]
    assert settled(*texts)["Tell the forum"] == "left out when the list was repeated"


def test_repetitions_stand_in_also():
    turns = [
        Turn("assistant", "TODO: rotate the staging keys", 3),
        Turn("user", "fine", 4),
        Turn("assistant", "Still to do:\n- Rotate the staging keys", 9),
    ]
    (one,) = follow_ups(turns, CUES)
    assert (one.turn, one.line, one.also) == (2, 9, (Mention(0, 3),))


def test_a_record_tells_where_it_comes_from():
    turn = Turn("assistant", "All green. Next session: add retry to the uploader.", 57, "u-9", "2026-03-02T10:00:00Z")
    (one,) = follow_ups([turn], CUES)
    assert one.quote == "Next session: add retry to the uploader."
    assert one.text == "add retry to the uploader"
    assert (one.role, one.line, one.uuid, one.timestamp, one.lang) == (
        "assistant",
        57,
        "u-9",
        "2026-03-02T10:00:00Z",
        "en",
    )
    assert one.cue.lower() == "next session"
    assert one.confidence >= MIN_CONFIDENCE
    assert one.reasons


@pytest.mark.parametrize(
    "silent",
    [
        "> Next session: add retry to the uploader.",
        "```\nTODO: add retry to the uploader\n```",
        "Would you like me to add retry in the next session?",
        "There is no need to come back to the uploader.",
        "The `next session` flag and the “follow-up” column are shown.",
        "Users should be able to defer a reminder to the next session.",
        "The new settings take effect in the next session.",
    ],
)
def test_hard_negatives(silent):
    assert offered("hello", silent) == []


def test_cues_of_a_team_can_be_added():
    text = "Parkplatz: rotate the staging keys"
    assert offered("hi", text) == []
    cues = load_cues([{"lang": "en", "sentences": [{"weight": 0.8, "phrases": ["^parkplatz:"]}]}])
    (one,) = follow_ups([Turn("assistant", text)], cues)
    assert (one.text, one.offered) == ("rotate the staging keys", True)


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


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=12)), max_size=5)
)
def test_quotes_are_words_of_their_turn_and_tasks_words_of_their_quote(talk):
    turns = [Turn("user" if user else "assistant", " ".join(words), 1) for user, words in talk]
    for one in follow_ups(turns, CUES):
        assert one.quote in turns[one.turn].text
        assert one.quote
        assert 0 <= one.confidence <= 1
        rest = iter(one.quote.replace("*", " ").replace("_", " ").replace("~", " ").split())
        for piece in one.text.replace("*", " ").replace("_", " ").replace("~", " ").split():
            assert any(piece in word or word in piece for word in rest)


@pytest.mark.parametrize(
    "text",
    [
        "next session " * 200_000,
        "|" * 1_000_000,
        "-|" * 2_000 + "\n" + "| todo | later |\n" * 50_000,
        "- [ ] fix the file\n" * 50_000,
        "Remaining:\n" + "\n".join(f"- fix file {n} later" for n in range(20_000)),
        "`" * 500_000 + "\n" + "(" * 500_000,
        "나중에 " * 200_000,
        "a. " * 300_000,
        "fix ~ later, and " * 50_000,
    ],
    ids=range(9),
)
def test_a_huge_turn_is_read_in_reasonable_time(text):
    begin = time.process_time()
    follow_ups([Turn("assistant", text), Turn("user", text), Turn("assistant", "done")], CUES)
    # A hundred times what it takes: a guard against quadratic time, not a benchmark.
    assert time.process_time() - begin < 60


def test_tasks_that_differ_in_a_word_or_number_are_two_tasks():
    said = [f"Next session: (web) polish the {thing}." for thing in ("windows", "lamps", "chairs")]
    found = follow_ups([Turn("assistant", text, line) for line, text in enumerate(said, 1)], CUES)
    assert [one.text for one in found if one.offered] == [
        f"(web) polish the {t}" for t in ("windows", "lamps", "chairs")
    ]
    assert offered("", "Next session:\n- add tests for step 3\n- add tests for step 5") == [
        "add tests for step 3",
        "add tests for step 5",
    ]


def test_a_ticked_step_settles_only_the_step_of_its_number():
    later = "- [x] add tests for step 3\n- [ ] add tests for step 5"
    texts = ["", "Still to do:\n- add tests for step 3\n- add tests for step 5", "go on", later]
    assert offered(*texts) == ["add tests for step 5"]


def test_follow_ups_come_in_the_order_of_their_places():
    text = "Still to do:\n- rename the flags\n\n**Deferred**\n- drop the shim\n\nNext session: (web) sort the colours."
    found = follow_ups([Turn("assistant", text)], CUES)
    places = [text.index(one.quote) for one in found]
    assert len(places) == 3
    assert places == sorted(places)


def test_what_is_listed_in_answer_to_what_is_left_is_left():
    reply = "Looking at the code:\n\n**Must have**\n- Merge the importer\n- Rotate the key"
    assert offered("what's left for the launch?", reply) == ["Merge the importer", "Rotate the key"]
    assert offered("describe the launch", reply) == []


def test_a_sentence_above_a_list_heads_it():
    reply = "The page is ready. I left these for a follow-up PR.\n- Warm the cache\n- Trim the fonts"
    assert offered("", reply) == ["Warm the cache", "Trim the fonts"]


def test_a_weak_heading_counts_only_in_the_last_report():
    plan = "**Short term**\n- Warm the cache\n- Trim the fonts"
    assert offered("", plan, "thanks") == ["Warm the cache", "Trim the fonts"]
    assert offered("", plan, "what about the header?", "The header is sticky. " * 30) == []


def test_a_numbered_heading_is_a_task_when_no_list_stands_below_it():
    export = "### 1. Export of the data\nNothing writes the file yet."
    reply = f"## Remaining work\n\n{export}\n\n### 2. Audit trail\n- Log the sign-ins"
    assert offered("", reply) == ["Export of the data", "Log the sign-ins"]


def test_the_first_one_is_an_item_of_the_list():
    texts = ["", "Still to do:\n1. Warm the cache\n2. Trim the fonts", "do the first one", "It starts at boot."]
    assert offered(*texts) == ["Trim the fonts"]
