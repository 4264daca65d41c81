"""Which answers meet the contract, and where the others do not."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.agents.contract import MARKER, AnswerForm, check, named_files

GENERAL = ["[COMPRESSED] agent_type: worker", "Changed files: a.ts, b.ts", "Result: Parser reads lists."]
REVIEW = ["[COMPRESSED] agent_type: reviewer", "Files reviewed: a.ts", "Verdict: PASS (0/0)"]


def rules(text, agent_type=None, exists=None):
    return [(one.line, one.rule) for one in check(text, agent_type, exists).findings]


def lines(*rows):
    return "\n".join(rows)


class TestMeets:
    @pytest.mark.parametrize(
        "text",
        [
            lines(*GENERAL),
            lines(*GENERAL, "Decisions: chose X over Y because Z", "Blockers: none known"),
            lines("", "  ", *GENERAL, "", ""),
            lines("\ufeff" + GENERAL[0], *GENERAL[1:]),
            "\r\n".join(GENERAL),
            lines(GENERAL[0], "changed files : none", "RESULT: done"),
            lines(GENERAL[0], "Changed files：a.ts", "Result：끝났다"),
            lines(GENERAL[0], "Changed files:", "- a.ts", "- b.ts", "Result:", "It works."),
            lines(*REVIEW),
            lines(*REVIEW[:2], "Suggestion: a.ts:3 — name it", "Verdict: PASS"),
            lines(*REVIEW[:2], "Critical: none", "Warning: -", "Verdict: PASS"),
            lines(*REVIEW[:2], "Critical: a.ts:3 — leaks", "Warning: a.ts:9: slow", "Verdict: FAIL (1/1)"),
            lines(
                *REVIEW[:2],
                "Critical:",
                "- a.ts:3 - leaks",
                "- b.ts:4:7 – hangs",
                "Verdict: fail (2 critical, 0 warning)",
            ),
        ],
    )
    def test_answers_in_form(self, text):
        assert check(text).errors == ()

    @pytest.mark.parametrize("rows", [AnswerForm.GENERAL.limit, AnswerForm.GENERAL.limit + 1])
    def test_the_limit_is_what_it_says(self, rows):
        text = lines(*GENERAL, *(f"more {number}" for number in range(rows - 3)))
        assert check(text).meets == (rows <= AnswerForm.GENERAL.limit)

    def test_a_reviewer_may_say_twice_as_much(self):
        text = lines(*REVIEW[:2], *(f"Suggestion: a.ts:{number} — name it" for number in range(17)), REVIEW[2])
        assert check(text).meets
        assert not check(text, "worker").meets

    @pytest.mark.parametrize("name", ["reviewer", "Reviewer", "code-reviewer", "code_reviewer", "plugin:reviewer"])
    def test_who_reviews(self, name):
        assert AnswerForm.of(name) is AnswerForm.REVIEW

    @pytest.mark.parametrize("name", ["", None, "preview", "reviewers", "worker", "reviewer-2"])
    def test_who_does_not(self, name):
        assert AnswerForm.of(name) is AnswerForm.GENERAL


class TestFoundWanting:
    def test_a_long_answer_with_the_marker_on_top_names_both_counts(self):
        found = check(lines(*GENERAL, *(f"line {number}" for number in range(198)))).errors
        assert [(one.line, one.rule) for one in found] == [(11, "too long")]
        assert "201 lines" in found[0].message
        assert "at most 10" in found[0].message

    @pytest.mark.parametrize(
        "first",
        [
            "> [COMPRESSED] agent_type: worker",
            "`[COMPRESSED] agent_type: worker`",
            '"[COMPRESSED] agent_type: worker"',
            "    [COMPRESSED] agent_type: worker",
            "Here it is: [COMPRESSED] agent_type: worker",
            "[compressed] agent_type: worker",
            "[COMPRESSED]agent_type: worker",
            "```",
        ],
    )
    def test_a_quoted_marker_does_not_count(self, first):
        assert (1, "no marker") in rules(lines(first, *GENERAL[1:]))

    def test_a_marker_further_down_does_not_count(self):
        text = lines("I was asked to begin with the marker.", *GENERAL)
        assert (1, "no marker") in rules(text)
        assert "line 2 does not count" in check(text).errors[0].message

    @pytest.mark.parametrize("first", ["[COMPRESSED]", "[COMPRESSED] agent_type:", "[COMPRESSED] agent_type: <type>"])
    def test_a_marker_without_a_type(self, first):
        assert rules(lines(first, *GENERAL[1:])) == [(1, "no type")]

    def test_what_is_required(self):
        assert rules(GENERAL[0]) == [(1, "missing"), (1, "missing")]
        assert rules(lines(GENERAL[0], "Changed files:", GENERAL[2])) == [(2, "missing")]
        assert rules(lines("", REVIEW[0], REVIEW[1])) == [(2, "missing")]

    @pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff"])
    def test_nothing(self, text):
        assert rules(text) == [(1, "empty")]

    def test_the_host_knows_better_what_an_agent_is(self):
        text = lines(*GENERAL)
        assert (1, "other type") in rules(text, "reviewer")
        assert not check(text, "reviewer").meets
        assert check(text).meets


class TestVerdict:
    @pytest.mark.parametrize(
        ("findings", "verdict", "expected"),
        [
            (["Critical: a.ts:3 — leaks"], "PASS", (4, "verdict")),
            (["Warning: a.ts:3 — slow"], "PASS (0/0)", (4, "verdict")),
            ([], "PASS (1/0)", (3, "verdict")),
            ([], "FAIL (1/0)", (3, "verdict")),
            (["Suggestion: a.ts:3 — name it"], "FAIL", (4, "verdict")),
            (["Critical: a.ts:3 — leaks"], "FAIL (0/1)", (4, "counts")),
            ([], "PASS | FAIL (critical/warning counts)", (3, "no verdict")),
            ([], "looks good", (3, "no verdict")),
            ([], "PASSED", (3, "no verdict")),
        ],
    )
    def test_it_must_agree_with_the_findings(self, findings, verdict, expected):
        checked = check(lines(*REVIEW[:2], *findings, f"Verdict: {verdict}"))
        assert expected in [(one.line, one.rule) for one in checked.errors]

    def test_more_than_is_listed_is_a_warning(self):
        checked = check(lines(*REVIEW[:2], "Critical: a.ts:3 — leaks", "Verdict: FAIL (9/2)"))
        assert checked.meets
        assert [one.rule for one in checked.findings] == ["counts"]

    def test_a_full_answer_may_count_more_than_it_has_lines_for(self):
        found = [f"Critical: a.ts:{line} — leaks" for line in range(17)]
        assert rules(lines(*REVIEW[:2], *found, "Verdict: FAIL (21/2)")) == []

    def test_counts_are_asked_for(self):
        checked = check(lines(*REVIEW[:2], "Critical: a.ts:3 — leaks", "Verdict: FAIL"))
        assert checked.meets
        assert [one.rule for one in checked.findings] == ["no counts"]

    def test_a_finding_without_a_place_counts_all_the_same(self):
        text = lines(*REVIEW[:2], "Critical: it leaks", "Verdict: PASS")
        assert [one.rule for one in check(text).findings] == ["no place", "verdict"]

    @pytest.mark.parametrize("between", [" - ", " – ", " — ", ": ", ":", "—"])
    @pytest.mark.parametrize("place", ["src/a.ts:12", "C:\\x\\a.ts:12", "a b.ts:12:4", "a.ts:12-14"])
    def test_what_may_stand_between_place_and_text(self, between, place):
        text = lines(*REVIEW[:2], f"Warning: {place}{between}slow", "Verdict: FAIL (0/1)")
        assert rules(text) == []


class TestWarnings:
    def test_files_that_are_not_there(self):
        text = lines(GENERAL[0], "Changed files: a.ts, `b.ts` (new), c.ts:12, gone.ts (deleted), none", GENERAL[2])
        assert rules(text, exists={"a.ts", "c.ts"}.__contains__) == [(2, "no such file")]
        assert [name for _, name in named_files(check(text))] == ["a.ts", "b.ts", "c.ts"]

    def test_empty_sections_are_to_be_left_out(self):
        assert rules(lines(*GENERAL, "Decisions:", "Blockers: ")) == [(4, "empty field"), (5, "empty field")]

    def test_a_result_of_more_than_three_lines(self):
        assert rules(lines(*GENERAL, "two", "three", "four")) == [(3, "long result")]

    def test_words_before_the_first_field(self):
        assert rules(lines(GENERAL[0], "Sure!", *GENERAL[1:])) == [(2, "no field")]

    def test_an_answer_without_line_breaks(self):
        assert rules(lines(*GENERAL, "Decisions: " + "x" * 2_000)) == [(4, "long line")]


PIECES = st.sampled_from(
    [
        MARKER, "[COMPRESSED] agent_type: reviewer", "[COMPRESSED] agent_type: w", "Changed files: a, b (x)",
        "Result:", "Files reviewed: ",
        "Critical: a.ts:1 — b", "Warning:", "Verdict: FAIL (1/2)", "Verdict: PASS", "```",
        "# x", "",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(string.printable + "：—\u2028\x85\ud800", max_size=30), max_size=40).map("\n".join)


@given(TEXTS, st.none() | st.sampled_from(["reviewer", "worker", ""]))
def test_whatever_is_said_is_judged_and_findings_name_lines(text, agent_type):
    checked = check(text, agent_type, lambda name: len(name) % 2 == 0)
    last = max(1, len(text.splitlines()))
    assert all(1 <= one.line <= last for one in checked.findings)
    assert list(checked.findings) == sorted(checked.findings)
    assert checked.meets == all(one.severity == "warning" for one in checked.findings)


@given(st.text(max_size=200))
def test_without_its_marker_no_answer_passes(text):
    checked = check(text)
    assert checked.meets is False or checked.agent_type


@pytest.mark.parametrize("noise", [" ", "(", ":1", "a,", "- ", "\n", ":1 "])
def test_long_noise_is_judged_at_once(noise):
    """A careless pattern takes minutes for some of them."""
    for label in ("Changed files", "Critical", "Verdict", "Files reviewed"):
        check(f"[COMPRESSED] agent_type: reviewer\n{label}: a{noise * 20_000}b\n", None, lambda _: True)
