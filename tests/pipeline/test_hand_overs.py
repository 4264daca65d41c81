"""The newest hand-over leads: which list is the newest of its stream, and what was left by it."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pipeline.kit import DAY
from tests.support import examples
from wrapgen.config import Config
from wrapgen.model import Fate
from wrapgen.notes import Contents, Kind, Source
from wrapgen.pipeline.collected import collect
from wrapgen.pipeline.hand_overs import journal_stream
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.run import run
from wrapgen.vault.markdown.parse import parse


def ago(days):
    return DAY - timedelta(days)


def source(path, text, kind=Kind.LISTS, day=None, changed=DAY):
    return Source(path, kind, parse(text), day=day, changed=changed)


def journal(day, text, name=""):
    return source(f"journals/{day}{name}.md", text, Kind.JOURNAL_NEXT, day, changed=day)


def outcomes(*sources, projects=("web", "api"), **options):
    config, known = Config(**options), Projects.known(projects, {})
    found = collect(Contents(tuple(sources), projects, ()), known, config)
    return run(found, projects=known, config=config, today=DAY).outcomes


def shown(*sources, **options):
    return [one.item.text for one in outcomes(*sources, **options) if one.fate is Fate.SHOWN]


def why(*sources, **options):
    return {one.item.text: one.why for one in outcomes(*sources, **options)}


def test_the_list_of_the_last_session_comes_before_older_ones():
    old, new = (
        journal(ago(1), "## Next\n- Paint the door\n"),
        journal(DAY, "## Next\n- Oil the gate\n- Sweep the yard\n"),
    )
    assert shown(old, new) == ["Oil the gate", "Sweep the yard", "Paint the door"]
    said = why(old, new)
    assert said["Sweep the yard"] == f"number 2: in the newest hand-over, journals/{DAY}.md of {DAY}"
    assert said["Paint the door"] == (
        f"number 3: not carried on: in journals/{ago(1)}.md of {ago(1)}, but in none of 1 newer list"
    )


def test_each_stream_leads_the_newest_first():
    journals = journal(ago(2), "## Next\n- Paint the door\n"), journal(ago(3), "## Next\n- Mend the roof\n")
    handoff = source("HANDOFF.md", "## Next session\n- Oil the gate\n- Call the garage today\n", changed=ago(1))
    box = source("TODO.md", "- [ ] Buy nails for the fence\n")
    assert shown(*journals, handoff, box) == [
        "Oil the gate", "Call the garage today", "Paint the door", "Buy nails for the fence", "Mend the roof",
    ]  # fmt: skip


def test_a_box_due_in_two_weeks_comes_behind_the_hand_over_and_one_due_soon_before_it():
    boxes = source(
        "TODO.md", f"- [ ] Pay the rent 📅 {DAY + timedelta(9)}\n- [ ] Post the letter 📅 {DAY}\n- [ ] Read on\n"
    )
    assert shown(boxes, journal(DAY, "## Next\n- Oil the gate\n")) == [
        "Post the letter", "Oil the gate", "Pay the rent", "Read on",
    ]  # fmt: skip


LOG = "# Log\n\n## Session {}\n### Next\n- Paint the door\n\n## Session {}\n### Next\n- Oil the gate\n"


@pytest.mark.parametrize(
    ("heads", "newest"),
    [
        (("2 (2026-04-20)", "3 (2026-04-22)"), "Oil the gate"),
        (("3 (2026-04-22)", "2 (2026-04-20)"), "Paint the door"),
        (("4 (2026-04-22)", "5 (2026-04-22)"), "Oil the gate"),
        (("5 (2026-04-22)", "4 (2026-04-22)"), "Paint the door"),
        (("(2026-04-22)", "(2026-04-22)"), "Oil the gate"),
        (("7", "8"), "Oil the gate"), (("8", "7"), "Paint the door"),
        (("2026-04-20, 16:30", "2026-04-20, 9:05"), "Paint the door"),
    ],
    ids=str,
)  # fmt: skip
def test_a_log_is_read_whichever_end_is_new(heads, newest):
    log = source("LOG.md", LOG.format(*heads))
    assert shown(log)[0] == newest
    assert "in the newest hand-over, LOG.md" in why(log)[newest]


def test_a_hand_over_that_is_kept_on_top_is_newer_than_what_is_left_at_the_bottom():
    entries = "## Session 2026-04-23\n- It works\n## Session 2026-04-20\n- It began\n"
    below = "## Pending\n- Paint the door\n"
    log = source("HANDOFF.md", f"# Handoff\n## Next round\n- Oil the gate\n{entries}{below}", changed=DAY)
    assert "of 2026-04-20" in why(log)["Paint the door"]
    assert f"of {DAY}" in why(source("HANDOFF.md", f"# Handoff\n{entries}{below}", changed=DAY))["Paint the door"]
    older = entries.replace("- It began", "### Next\n- Mend the roof")
    said = why(source("HANDOFF.md", f"# Handoff\n## Next round\n- Oil the gate\n{older}", changed=DAY))
    assert "in the newest hand-over" in said["Oil the gate"]
    assert "newer list" in said["Mend the roof"]


def test_dates_that_run_back_and_forth_are_sorted():
    days = ("2026-04-20", "2026-04-23", "2026-04-21", "2026-04-21")
    log = "".join(f"## {day} Work {n}\n### Next\n- Do thing number {n} of four\n" for n, day in enumerate(days))
    assert [text[16] for text in shown(source("LOG.md", log))] == ["1", "3", "2", "0"]


def test_an_entry_dated_ahead_sets_nothing_aside_before_its_day():
    log = "## 2026-04-23\n### Next\n- Oil the gate\n## 2036-05-01\n### Next\n- Paint the moon\n"
    said = why(source("LOG.md", log))
    assert said["Oil the gate"].startswith("number 1: in the newest hand-over")
    assert shown(source("LOG.md", log)) == ["Oil the gate", "Paint the moon"]


def test_what_is_carried_on_in_a_log_is_one_item_in_its_newest_place():
    log = "## 2026-04-20\n### Next\n- Renew the old passport\n## 2026-04-22\n### Next\n- Renew the old passport\n"
    first, second = outcomes(source("LOG.md", log))
    assert (first.item.line, first.fate, second.fate) == (6, Fate.SHOWN, Fate.DUPLICATE)
    assert "newest hand-over" in first.why


def sessions(*days, said="Tidy shelf number {}"):
    return [journal(ago(day), f"## Next\n- {said.format(day)}\n") for day in days]


class TestSetAside:
    OLD = "Mend the roof of the shed"

    def found(self, days=12, mark=""):
        every = outcomes(journal(ago(days), f"## Next\n- {self.OLD}{mark}\n"), *sessions(1, 2, 3))
        return next(one for one in every if one.item.text == self.OLD)

    def test_what_three_newer_lists_did_not_carry_on_is_not_shown(self):
        one = self.found()
        assert (one.fate, one.is_set_aside) == (Fate.OVERFLOW, True)
        assert one.why == f"not shown: set aside: in journals/{ago(12)}.md of {ago(12)}, but in none of 3 newer lists"

    def test_a_week_is_waited(self):
        assert not self.found(7).is_set_aside
        assert self.found(8).is_set_aside

    @pytest.mark.parametrize("mark", [" 📅 2026-09-01", " ⏫", " 🔁 every day"])
    def test_what_is_dated_repeats_or_is_urgent_never_is(self, mark):
        assert not self.found(mark=mark).is_set_aside

    def test_a_newer_list_that_carries_it_on_brings_it_back(self):
        every = outcomes(
            journal(ago(12), f"## Next\n- {self.OLD}\n"), *sessions(1, 2), journal(DAY, f"## Next\n- {self.OLD}\n")
        )
        assert next(one.item.text for one in every if one.rank == 1) == self.OLD

    def test_lists_of_other_projects_say_nothing(self):
        lists = sessions(1, 2, 3, said="(api) Tidy shelf number {}")
        every = outcomes(journal(ago(12), f"## Next\n- (web) {self.OLD}\n"), *lists)
        assert [one.why for one in every if one.item.project == "web"] == [
            f"number 2: in the newest hand-over, journals/{ago(12)}.md of {ago(12)}"
        ]

    def test_a_page_that_is_all_but_empty_shows_some(self):
        lists = [journal(ago(day), "## Next\n- [x] Tidy up the shelves\n") for day in (1, 2, 3)]
        assert shown(journal(ago(12), f"## Next\n- {self.OLD}\n"), *lists) == [self.OLD]


def test_what_three_newer_lists_of_the_same_days_left_fills_only_half_a_page():
    lists = [
        journal(ago(1), f"## Next\n- Tidy shelf {n} of ten\n- Sort box {n} of ten\n", f"-session{n}") for n in range(9)
    ]
    every = outcomes(*lists)
    assert [one.item.path[-4] for one in every if one.fate is Fate.SHOWN] == ["8", "8", "7", "7", "6", "6", "5"]
    few = outcomes(*(journal(ago(1), f"## Next\n- Tidy shelf {n} of ten\n", f"-session{n}") for n in range(6)))
    assert {one.fate for one in few} == {Fate.SHOWN}


class TestTheLastWord:
    @pytest.mark.parametrize("words", ["Buy milk", "Call the garage", "买牛奶", "우유 사기"])
    def test_what_was_carried_on_and_ticked_is_done_however_short(self, words):
        monday, tuesday = journal(ago(2), f"- [ ] {words}\n"), journal(ago(1), f"- [x] {words}\n")
        (one,) = outcomes(monday, tuesday)
        assert (one.fate, one.because.path) == (Fate.RESOLVED, tuesday.path)

    def test_what_was_opened_again_later_is_open(self):
        three = [journal(ago(3 - n), f"- [{mark}] Buy milk\n") for n, mark in enumerate(" x ")]
        assert [(one.fate, one.item.path) for one in outcomes(*three)] == [
            (Fate.SHOWN, three[2].path), (Fate.RESOLVED, three[0].path),
        ]  # fmt: skip

    def test_in_a_log_the_tick_of_a_newer_entry_counts_and_beside_it_none(self):
        log = "## 2026-04-20\n### Next\n- [ ] {0}\n## 2026-04-21\n### Done\n- [x] {0}\n### Next\n- [ ] {0}\n"
        log = log.format("Buy milk")
        assert [(one.item.line, one.fate) for one in outcomes(source("LOG.md", log))] == [
            (8, Fate.SHOWN), (3, Fate.RESOLVED),
        ]  # fmt: skip

    def test_another_stream_says_nothing_about_short_words(self):
        lists = source("TODO.md", "- [ ] Buy milk\n", changed=ago(5))
        (one,) = outcomes(lists, journal(ago(1), "- [x] Buy milk\n"))
        assert one.fate is Fate.SHOWN


def test_open_boxes_beside_a_next_list_are_backlog_in_their_own_entry_alone():
    log = (
        "## 2026-04-20\n- [ ] Sweep the old yard\n## 2026-04-21\n### Next\n- [ ] Oil the gate\n### Then\n- [ ] Paint\n"
    )
    assert [one.item.text for one in outcomes(source("LOG.md", log))] == ["Oil the gate", "Sweep the old yard"]


@pytest.mark.parametrize(
    ("path", "stream"),
    [
        ("journals/2026/04/2026-04-24.md", "journals"), ("Daily/2026-04-24.md", "Daily"), ("2026-04-24.md", ""),
        ("notes/web/log/2026/04-April/2026-04-24.md", "notes/web/log"), ("a/2026-04/24.md", "a"),
    ],
)  # fmt: skip
def test_the_folder_of_journals(path, stream):
    assert journal_stream(path) == stream


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.dates(date(2026, 3, 1), date(2026, 5, 5))), st.integers(0, 3), st.booleans(),
            st.sampled_from(("", "(web) ", "(api) ")),
        ),
        max_size=8,
    )
)  # fmt: skip
def test_whatever_a_log_says_each_item_has_a_fate_and_a_reason(entries):
    text = "".join(
        f"## {day or ''} {f'Session {number}' if number else 'Work'}\n"
        f"### Next\n- {'[x]' if done else ''} {tag}Thing {at}\n"
        for at, (day, number, done, tag) in enumerate(entries)
    )
    found = outcomes(source("LOG.md", f"# Log\n{text}"))
    assert all(one.why for one in found)
    ranks = [one.rank for one in found if one.fate is Fate.SHOWN]
    assert ranks == list(range(1, len(ranks) + 1))
    leading = [one for one in found if "newest hand-over" in one.why]
    for project in {one.item.project for one in found}:
        own = [one.item for one in leading if one.item.project == project]
        assert len({item.entry for item in own}) <= 2, "one entry of the log leads, and one that is in none"


MOVES = """# Log

## 2026-04-23 — the audit

Boxes: - none

- [ ] Close the ticket

### Next session first move

Open the branch. Verify the list against the code first.

## 2026-04-20

### Next session first move

Write the migration.
"""


def test_the_first_move_of_a_log_may_be_a_paragraph():
    found = outcomes(source("SESSION_LOG.md", MOVES))
    first = next(one.item for one in found if one.fate is Fate.SHOWN)
    assert (first.text, first.line) == ("Open the branch. Verify the list against the code first.", 11)
    assert "Close the ticket" in [one.item.text for one in found if one.fate is Fate.SHOWN]  # prose makes no backlog
    old = next(one for one in found if one.item.text == "Write the migration.")
    assert "not carried on" in old.why


def test_a_paragraph_is_a_hand_over_only_where_sessions_write_down_what_they_leave():
    text = "# Design\n\n## Next steps\n\nRead the other chapter.\n"
    assert shown(source("docs/design-notes.md", text)) == []
    assert shown(source("docs/HANDOFF.md", text)) == ["Read the other chapter."]


def test_the_last_word_of_one_name_counts():
    text = "# Status\n\n## Phase 1\n\n**Next:** build the badge\n\n## Phase 2\n\n**Next:** show the badge\n"
    assert shown(source("STATUS.md", text)) == ["show the badge"]


PARALLEL = """# Log

## 2026-04-23 [B] (evening)

### Shipped
- The picker

### Parked
- Grep for the dead table

### Next session first move

Open the branch.

## 2026-04-23 [B]

### Next session first move

1. Write the migration

## 2026-04-23 [A]

**Blocked on their hands:**
1. Apply these in the editor:
   - `one.sql`
   - `two.sql`

**Parked:**
- The webhook

**Next session first move:** wait for the secrets

## 2026-04-22 [A]

**Next session first move:** draw the schema
"""


def test_sessions_that_write_side_by_side_each_have_their_newest_entry():
    found = {one.item.text: one for one in outcomes(source("SESSION_LOG.md", PARALLEL))}
    leading = [text for text, one in found.items() if "in the newest hand-over" in one.why]
    assert leading == [
        "Open the branch.", "wait for the secrets", "Grep for the dead table", "Apply these in the editor:",
        "The webhook",
    ]  # fmt: skip
    assert all("not carried on" in found[text].why for text in ("Write the migration", "draw the schema"))
    assert "The picker" not in found


def test_what_waits_in_an_older_entry_is_no_longer_of_interest():
    old = PARALLEL.replace("[A]", "").replace("[B]", "")
    found = {one.item.text: one for one in outcomes(source("SESSION_LOG.md", old))}
    assert "not carried on" in found["The webhook"].why


@pytest.mark.parametrize("path", ["docs/design.md", "projects/web/todos.md"])
def test_what_waits_elsewhere_is_no_hand_over(path):
    kind = Kind.LISTS if path.startswith("docs") else Kind.PROJECT_TODOS
    assert shown(source(path, "# Web\n\n## Blocked\n\n- The certificate\n", kind)) == []


def test_what_a_hand_over_says_beside_what_comes_next_is_no_work():
    text = (
        "# Handoff\n\n## Next session\n\n"
        "### Status\n- main is green\n### Web\n- Fix the login\n### Read these\n- The plan\n"
    )
    assert shown(source("HANDOFF.md", text)) == ["Fix the login"]
    boxed = text.replace("- main", "- [ ] main")
    assert shown(source("HANDOFF.md", boxed)) == ["main is green", "Fix the login"]


def test_what_every_session_begins_with_is_no_work():
    text = "# To do\n\n## NEXT SESSION — S7\n\n**Cold-start checklist:**\n- Pull main\n- Read the log\n\n"
    text += "**Agenda:**\n1. Fix the login\n2. **Issues: 0 open.**\n\n**Future enhancements**\n- Speak French\n"
    assert shown(source("tasks/todo.md", text)) == ["Fix the login"]
    assert shown(source("tasks/todo.md", text.replace("- Pull", "- [ ] Pull"))) == ["Pull main", "Fix the login"]


def test_a_next_list_inside_another_speaks_for_it():
    text = "## Start here\n\n**Next actions:**\n1. Fix the login\n\n**Splits:**\n- 2021\n\n**Blockers:**\n- The key\n"
    assert shown(source("HANDOFF.md", text)) == ["Fix the login", "The key"]


def test_an_order_of_priority_speaks_for_the_issues_that_it_ranks():
    text = "## Issues to fix\n\n### 1. The selector\n- It has a type\n\n### Priority order\n1. The selector\n"
    assert shown(source("HANDOFF.md", text)) == ["The selector"]


def test_what_is_left_is_told_in_several_lists():
    text = "## Known gaps and open items\n\n### Not built\n- The login\n\n### Carried-forward debt\n- The tests\n"
    assert shown(source("HANDOFF.md", text)) == ["The login", "The tests"]


def test_files_of_one_name_and_many_days_are_one_stream():
    reports = [
        source(f"HYGIENE-2026-04-{day}.md", f"## To do\n- Close number {day}\n- Open: {day}\n") for day in (20, 23)
    ]
    found = {one.item.text: one.why for one in outcomes(*reports)}
    assert set(found) == {"Close number 20", "Close number 23"}
    assert "in the newest hand-over" in found["Close number 23"]
    assert "not carried on" in found["Close number 20"]


def test_a_file_is_as_old_as_it_says():
    stale = source("STATUS.md", "# Status\n\nLast updated: 2026-04-01\n\n## Next\n- Paint the old door\n")
    fresh = source("HANDOFF.md", "# Handoff\n\n## Next\n- Oil the gate\n", changed=ago(3))
    assert shown(stale, fresh) == ["Oil the gate", "Paint the old door"]
    named = (
        stale.document.sections,
        source("STATUS.md", "## Next\n\n**As of 2026-04-01, at night:**\n- Paint the old door\n"),
    )
    assert shown(named[1], fresh) == ["Oil the gate", "Paint the old door"]


def test_the_hand_over_stands_in_front_of_other_documents_of_its_day():
    design = source("docs/design.md", "# Design\n\n## Open questions\n\n## Next\n- [ ] Decide on the colour\n")
    handoff = source("docs/handoff.md", "# Handoff\n\n## Next\n- Oil the gate\n")
    assert shown(design, handoff) == ["Oil the gate", "Decide on the colour"]


def test_a_document_that_sessions_have_left_behind_no_longer_leads():
    design = source("docs/report.md", "# Report\n\n## Next\n- [ ] Decide on the colour\n", changed=ago(9))
    boxes = source(
        "notes/ideas.md", "".join(f"- [ ] Draw the {word} picture\n" for word in "abcdefgh"), changed=ago(99)
    )
    found = {one.item.text: one for one in outcomes(design, boxes, journal(DAY, "## Next\n- Oil the gate\n"))}
    assert "not carried on" in found["Decide on the colour"].why
    drawn = [text for text, one in found.items() if one.fate is Fate.SHOWN]
    assert drawn == ["Oil the gate", "Decide on the colour", "Draw the a picture"]  # what lies still fills no page
    alone = outcomes(boxes)
    assert all(one.fate is Fate.SHOWN for one in alone)


def test_a_date_with_last_years_number_is_not_believed():
    text = "# Status\n\nLast updated: {}\n\n## Next\n- Paint the old door\n"
    fresh = source("HANDOFF.md", "# Handoff\n\n## Next\n- Oil the gate\n", changed=ago(9))
    assert shown(source("STATUS.md", text.format(ago(365))), fresh)[0] == "Paint the old door"
    assert shown(source("STATUS.md", text.format(ago(99))), fresh)[0] == "Oil the gate"


def test_where_sessions_leave_enough_other_documents_do_not_fill_the_page():
    lines = ["Oil the gate", "Sweep the yard", "Ring Ann", "Order paper", "Mend the roof tiles"]
    handoff = source("HANDOFF.md", "## Next\n" + "".join(f"- {line}\n" for line in lines))
    others = "".join(f"- [ ] Draw the {word} picture\n" for word in ("red", "green", "blue", "grey"))
    notes, todos = source("notes/art.md", others), source("projects/web/todos.md", others, Kind.PROJECT_TODOS)
    assert len(shown(handoff, notes)) == 7
    assert len(shown(handoff, todos)) == len(shown(handoff, source("TODO.md", others))) == 9
    assert len(shown(source("HANDOFF.md", "## Next\n- Oil the gate\n"), notes)) == 5


def test_a_plan_in_which_nothing_was_ticked_may_still_say_what_is_next():
    boxes = "".join(f"- [ ] Step {number}: build the part of {number}\n" for number in range(12))
    assert shown(source("docs/plans/web-plan.md", f"## Work\n{boxes}\n## Next steps\n- [ ] Ask for the budget\n")) == [
        "Ask for the budget"
    ]


def test_states_of_a_feedback_table():
    table = (
        "| ID | Title | Status |\n| --- | --- | --- |\n| 1 | Mobile client | triaged |\n| 2 | Rejoin | implemented |\n"
    )
    assert shown(source("docs/feedback.md", table)) == ["Mobile client"]


@pytest.mark.parametrize(
    ("columns", "listed"),
    [("Packet | Deps", True), ("Packet | Owner", True), ("Packet | Version", False)],
)
def test_a_table_whose_rows_have_somebody_or_wait_for_something_is_a_list(columns, listed):
    table = f"| ID | {columns} | Status |\n| --- | --- | --- | --- |\n| H6 | Memory panel | H5 | TODO |\n"
    assert shown(source("BOARD.md", table + "| H5 | The gate | H4 | DONE |\n")) == ["Memory panel"] * listed


def test_what_could_go_wrong_is_no_open_item():
    text = (
        "## Risks & open items\n\n| Risk | Level | Mitigation |\n| --- | --- | --- |\n| It leaks | High | Test it |\n"
    )
    assert shown(source("docs/search-design.md", text)) == []
    assert shown(source("docs/search-design.md", text.replace("Mitigation", "Remark"))) == ["It leaks"]


def test_meeting_notes_name_their_list_on_a_line_of_its_own():
    text = "# Friday\n\n## Call\n\nKey points\n\n- They like it\n\nAction items\n\nAnn\n\n- Fix the leaking machine\n"
    assert shown(journal(DAY, text)) == ["Fix the leaking machine"]
    assert shown(journal(DAY, text.replace("Action items", "We spoke of action items"))) == []


def test_an_old_report_is_urgent_no_longer():
    report = source("reports/audit.md", "- [ ] Mend the old feed ⏫\n", changed=ago(60))
    today = journal(DAY, "## Next\n- Oil the gate\n")
    assert shown(report, today) == ["Oil the gate", "Mend the old feed"]
    assert shown(source("reports/audit.md", "- [ ] Mend the old feed ⏫\n"), today)[0] == "Mend the old feed"


def test_what_an_earlier_session_left_does_not_fill_a_page_that_the_newest_filled():
    lines = "".join(f"- Write chapter {number}\n" for number in range(6))
    old = "".join(f"- Read the {word} letter\n" for word in ("first", "second", "third"))
    assert len(shown(journal(ago(1), f"## Next\n{old}"), journal(DAY, f"## Next\n{lines}"))) == 7
    assert len(shown(journal(ago(1), f"## Next\n{old}"), journal(DAY, "## Next\n- Write chapter 1\n"))) == 4


def test_a_file_of_work_in_progress_says_where_to_resume():
    assert shown(source("WIP_OPEN.md", "# WIP\n\n## Import\n\n**Resume:** run the import again\n")) == [
        "run the import again"
    ]


def test_a_table_that_says_what_the_states_mean_is_no_list():
    words = ("open", "triaged", "in progress", "implemented", "wontfix")
    rows = "".join(f"| {word} | The report was read and is {word} now |\n" for word in words)
    assert shown(source("docs/feedback.md", f"| Status | Meaning |\n| --- | --- |\n{rows}")) == []


def test_the_steps_of_a_plan_that_sessions_left_do_not_fill_the_page():
    boxes = "- [x] Step 1: write the test\n" + "".join(f"- [ ] Step {n}: run the suite {n}\n" for n in range(2, 9))
    plan = source("docs/plans/precision-plan.md", boxes, changed=ago(9))
    notes = journal(DAY, "## Next\n- Oil the gate\n- Ring Ann\n- Order the paper\n")
    assert shown(plan, notes) == ["Oil the gate", "Ring Ann", "Order the paper"]
    assert len(shown(plan)) == 7
    assert len(shown(source("docs/plans/precision-plan.md", boxes, changed=ago(1)), notes)) == 10
    phased = f"## Phase 2: the motion\n{boxes}"
    assert len(shown(source("work/task-temp.md", phased, changed=ago(2)), notes)) == 3
    assert len(shown(source("work/tasks.md", phased, changed=ago(2)), notes)) == 10


def test_a_line_of_a_list_may_say_that_it_is_next():
    text = "# Handoff\n\n## Closure\n\n- The guard is in place\n- Next: prepare the inputs\n"
    assert shown(source("NEXT_SESSION.md", text)) == ["Next: prepare the inputs"]
    assert shown(source("docs/design.md", text)) == []


def test_a_document_with_a_day_in_its_name_is_no_hand_over():
    spec = source("docs/specs/2026-04-24-search-design.md", "## Open items\n- [ ] Choose the colour\n", changed=DAY)
    handoff = source("docs/zeta-handoff.md", "## Next\n- Oil the gate\n")
    assert shown(spec, handoff) == ["Oil the gate", "Choose the colour"]


def test_a_log_that_went_on_leaves_what_its_old_entries_say_is_next():
    entries = [f"## {ago(n)} Session {40 - n}\n\nTidied the {n} sheds.\n\n" for n in range(9)]
    lists = "".join(f"- Send the {word} parcel\n" for word in ("red", "green", "blue", "grey"))
    log = [*entries, f"## {ago(12)} Session 3\n\n### Next steps\n\n{lists}"]
    today = source("PROGRESS.md", "## Next up\n- Oil the gate\n- Ring Ann\n")
    assert shown(source("docs/LOG.md", "".join(log)), today) == ["Oil the gate", "Ring Ann", "Send the red parcel"]
    assert len(shown(source("docs/LOG.md", "".join(log[8:])), today)) == 6
    said = why(source("docs/LOG.md", "".join(log)), today)["Send the red parcel"]
    assert "in none of 9 newer" in said


def test_what_stands_below_the_oldest_entry_of_a_log_is_as_old():
    log = "".join(f"### {ago(n)} - Work (Session {40 - n})\n\nDone this and that.\n\n" for n in range(12))
    rest = "## Next up\n- Send the red parcel\n- Send the green parcel\n- Send the blue parcel\n"
    fresh = source("PROGRESS.md", "## Next up\n- Oil the gate\n- Ring Ann\n- Order the paper\n")
    assert shown(source("docs/LOG.md", log + rest), fresh) == ["Oil the gate", "Ring Ann", "Order the paper"]
    assert len(shown(source("docs/NEXT_SESSION.md", log + rest), fresh)) == 6
    assert len(shown(source("docs/LOG.md", rest + log), fresh)) == 6


def test_a_list_that_lies_still_while_journals_are_written_does_not_lead():
    still = source("Projects/site.md", "# Site\n\n## Open items\n- Send the red parcel\n", changed=ago(52))
    assert "not carried on" not in why(still)["Send the red parcel"]
    found = outcomes(still, journal(DAY, "Wrote a letter.\n"), source("todo.md", "- [ ] Oil the gate\n"))
    assert [one.item.text for one in found if one.fate is Fate.SHOWN] == ["Oil the gate", "Send the red parcel"]
    many = "".join(f"- Send the {word} parcel\n" for word in ("red", "green", "blue", "grey", "pink"))
    quiet = source("Projects/site.md", f"# Site\n\n## Open items\n{many}", changed=ago(52))
    assert len(shown(quiet, journal(DAY, "Wrote a letter.\n"))) == 3
    assert len(shown(quiet)) == 5


BOARD = (
    "## Backlog\n- [ ] Paint the door\n- [ ] Mend the roof\n\n## {}\n{}\n\n## In flight\n- [ ] Oil the gate\n\n"
    "## Done\n- [x] Sweep the yard\n"
)


@pytest.mark.parametrize(
    ("path", "column", "cards", "page"),
    [
        ("Kanban.md", "To do", "", ["Oil the gate", "Paint the door", "Mend the roof"]),
        ("Kanban.md", "To do", "- [ ] Ring Ann\n", ["Ring Ann", "Oil the gate"]),
        ("docs/project-board.md", "Blocked", "", ["Oil the gate", "Paint the door", "Mend the roof"]),
    ],
)
def test_a_board_leads_with_what_is_begun_and_what_is_next(path, column, cards, page):
    others = source("docs/plan.md", "# Plan\n\n## Next\n- [ ] Buy a ladder\n", changed=ago(9))
    assert shown(source(path, BOARD.format(column, cards)), others) == [*page, "Buy a ladder"]


def test_a_table_of_states_without_a_column_of_work_is_no_list():
    rows = "| Login screen | missing |\n| Import of letters | ⬜ |\n| Search | open |\n"
    assert shown(source("docs/state.md", f"| Component | Status |\n| --- | --- |\n{rows}")) == []
    assert len(shown(source("docs/state.md", f"| Bug | Status |\n| --- | --- |\n{rows}"))) == 3
    assert len(shown(source("docs/state.md", f"## Next\n\n| Component | Status |\n| --- | --- |\n{rows}"))) == 3


def test_a_list_of_issues_in_which_nothing_is_ticked_is_no_plan_that_was_carried_out():
    words = ("door", "gate", "roof", "shed", "fence", "lamp", "sink", "stove", "floor", "wall", "bench")
    issues = [f"- [ ] #{90 - n}: Mend the {word}\n" for n, word in enumerate(words)]
    steps = [f"- [ ] {n}. Mend the {word}\n" for n, word in enumerate(words)]
    assert len(shown(source("docs/issues.md", "# Synced\n\n" + "".join(issues)))) == len(words)
    assert len(shown(source("docs/issues.md", "# Synced\n\n" + "".join(steps)))) == 3


def test_titled_notes_that_lie_still_for_two_weeks_fill_a_page_of_three_lines_only():
    parcels = "".join(f"- Send the {word} parcel\n" for word in ("red", "green", "blue", "grey", "pink"))
    day, old = ago(1), ago(16)
    note = source(f"Notes/{old} - Parcels.md", f"## Next\n{parcels}", kind=Kind.JOURNAL_NEXT, day=old)
    diary = source(f"Notes/{old}.md", f"## Next\n{parcels}", kind=Kind.JOURNAL_NEXT, day=old)
    today = source(f"Notes/{day} - Gate.md", "## Next\n- Oil the gate\n", kind=Kind.JOURNAL_NEXT, day=day)
    assert shown(note, today) == ["Oil the gate", "Send the red parcel", "Send the green parcel"]
    assert len(shown(diary, today)) == 6
    assert len(shown(note)) == 5
    boxes = source("Parcels.md", "- [ ] Send the pink parcel\n", changed=ago(40))
    assert why(boxes, today)["Send the pink parcel"].endswith(f"left on {ago(40)}, while other notes went on")


def test_who_comes_back_after_three_weeks_still_sees_where_work_was_left():
    parcels = "".join(f"- Send the {word} parcel\n" for word in ("red", "green", "blue", "grey", "pink"))
    handoff = source("HANDOFF.md", f"## Next\n{parcels}", changed=ago(21))
    assert len(shown(handoff, journal(DAY, "- [ ] Oil the gate\n"))) == 6


def test_older_lists_than_the_newest_come_behind_a_file_of_tasks_that_went_past_both():
    handoff = source("HANDOFF.md", "## Next\n- Oil the gate\n", changed=ago(1))
    phase = source("docs/PROGRESS-door.md", "## Next\n- Paint the door\n", changed=ago(2))
    tasks = source("TODO.md", "## Yard\n- [ ] Sweep the yard\n", changed=DAY)
    assert shown(handoff, phase, tasks) == ["Oil the gate", "Sweep the yard", "Paint the door"]


def test_an_urgent_line_of_a_list_that_was_left_two_weeks_ago_does_not_lead():
    table = source("Risks.md", "# Parcels\n\n- [ ] Send the red parcel ⏫\n", changed=ago(20))
    assert shown(table, source("TODO.md", "- [ ] Sweep the yard\n")) == ["Sweep the yard", "Send the red parcel"]


@pytest.mark.parametrize(
    "lead", ["Next steps:", "Still open:", "The new session's first move should be:", "남은 작업:"]
)
def test_a_line_in_front_of_a_list_names_it_like_a_heading(lead):
    text = (
        f"# Handoff\n\n## State\n\nAll is well.\n\n{lead}\n\n1. Oil the gate\n2. Ring Ann\n\nWhat was done:\n- Swept\n"
    )
    assert shown(source("HANDOFF.md", text)) == ["Oil the gate", "Ring Ann"]


@pytest.mark.parametrize(
    "lead",
    ["Done:", "The next model needs four levels:", "Next steps follow from what was learned in all of it since then:"],
)
def test_a_sentence_in_front_of_a_list_names_nothing(lead):
    assert shown(source("HANDOFF.md", f"# Handoff\n\n## State\n\n{lead}\n\n- Oil the gate\n")) == []


def test_beside_a_field_for_what_comes_next_others_say_how_things_are():
    fields = "- **Last touched:** today\n- **Status:** half painted\n- **next:** buy paint\n- [[2026-04-20-shed]]\n"
    assert shown(source("Next Up.md", f"# Next Up\n\n## Now\n\n### The shed\n{fields}- Oil the gate\n")) == [
        "**next:** buy paint",
        "Oil the gate",
    ]
    plain = "## Next\n- Status: ask Ann for it\n- [[2026-04-20-shed]]\n"
    assert len(shown(source("HANDOFF.md", plain))) == 2


def test_sessions_without_a_day_are_as_old_as_their_file():
    log = "## Session 1\n\n### Priority order\n\n- Sell the {0}\n\n## Session 2\n\n### Next\n\n- Send the {0}\n"
    old = source("ideas.md", log.format("parcel"), changed=ago(40))
    today = source("HANDOFF.md", "## Next\n- Oil the gate\n- Ring Ann\n- Sweep the yard\n")
    assert shown(old, today) == ["Oil the gate", "Ring Ann", "Sweep the yard"]


def test_the_last_hand_over_is_quiet_where_many_files_went_on_without_it():
    handoff = source(
        "HANDOFF.md", "".join(["## Next\n", *(f"- Send the {n}. parcel\n" for n in "abcde")]), changed=ago(20)
    )
    lists = [source(f"docs/{n}.md", f"- [x] Tidied shed {n}\n- [ ] Paint shed {n}\n") for n in range(6)]
    assert len(shown(handoff, lists[0])) == 6
    assert shown(handoff, *lists)[:6] == [f"Paint shed {n}" for n in range(6)]
    assert len(shown(handoff, *lists)) == 6


@pytest.mark.parametrize(
    "line", ["**Estimated Time**: 2-3 hours", "Read `CLAUDE.md` (boot injection)", "**Read this file** (the backlog)"]
)
def test_how_long_it_takes_and_what_to_read_is_no_work(line):
    assert shown(source("HANDOFF.md", f"## Next\n- {line}\n- Read `lexer.py` and mend the loop\n")) == [
        "Read `lexer.py` and mend the loop"
    ]
