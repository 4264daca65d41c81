"""Rows of hand-overs and journals: which list is the newest, and what its ticks say of older ones."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pipeline.kit import DAY
from tests.support import examples
from wrapgen.config import Config, Sources
from wrapgen.model import Fate
from wrapgen.notes import Contents, Kind, Source
from wrapgen.pipeline.collected import collect, without_history
from wrapgen.pipeline.hand_overs import day_of_path, journal_row
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.run import run
from wrapgen.pipeline.stage import Decisions
from wrapgen.text.folding import fold
from wrapgen.vault.markdown.parse import parse


def ago(days):
    return DAY - timedelta(days)


def source(path, text, kind=Kind.HAND_OVERS, day=None, changed=DAY):
    return Source(path, kind, parse(text), day=day, changed=changed)


def journal(day, text, name=""):
    return source(f"journals/{day}{name}.md", text, Kind.JOURNAL_NEXT, day, changed=day)


def ran(*sources, hand_overs=("LOG.md", "HANDOFF*.md"), filed=(), projects=("web", "api"), **options):
    config = Config(sources=Sources(hand_overs=tuple(hand_overs)), **options)
    known = Projects.known(projects, {})
    found = collect(Contents(tuple(sources), projects, ()), known, config)
    decisions = Decisions(filed={(path, fold(text).text) for path, text in filed})
    found = replace(found, found=without_history(found.found, decisions.filed, DAY))
    return run(found, projects=known, config=config, today=DAY, decisions=decisions)


def outcomes(*sources, **options):
    return ran(*sources, **options).outcomes


def shown(*sources, **options):
    return [one.item.text for one in outcomes(*sources, **options) if one.fate is Fate.SHOWN]


def why(*sources, **options):
    return {one.item.text: one.why for one in outcomes(*sources, **options)}


def backlog(*sources, **options):
    return [item.text for item in ran(*sources, **options).backlog]


def test_the_list_of_the_last_session_comes_before_older_ones():
    old = journal(ago(1), "## Next\n- Paint the door\n")
    new = journal(DAY, "## Next\n- Oil the gate\n- Sweep the yard\n")
    assert shown(old, new) == ["Oil the gate", "Sweep the yard", "Paint the door"]
    said = why(old, new)
    assert said["Sweep the yard"] == f"number 2: handed over in journals/{DAY}.md of {DAY}"
    assert said["Paint the door"] == f"number 3: open since {ago(1)}"


def test_journals_and_hand_overs_each_lead_the_newest_first():
    journals = journal(ago(2), "## Next\n- Paint the door\n"), journal(ago(3), "## Next\n- Mend the roof\n")
    handoff = source("HANDOFF.md", "## Next session\n- Oil the gate\n- Call the garage today\n", changed=ago(1))
    box = source("TODO.md", "- [ ] Buy nails for the fence\n", Kind.LISTS)
    assert shown(*journals, handoff, box) == [
        "Oil the gate", "Call the garage today", "Paint the door", "Buy nails for the fence", "Mend the roof",
    ]  # fmt: skip


LOG = "# Log\n\n## Session {}\n### Next\n- [ ] Paint the door\n\n## Session {}\n### Next\n- [ ] Oil the gate\n"


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
    assert shown(log) == [newest]
    assert why(log)[newest].startswith("number 1: handed over in LOG.md")
    assert backlog(log) == [text for text in ("Paint the door", "Oil the gate") if text != newest]


def test_a_row_goes_on_from_file_to_file():
    """A log of which a part was moved to another file of the same row is one log."""
    old = source("HANDOFF-2025.md", "## 2026-04-20\n### Next\n- [ ] Paint the door\n")
    new = source("HANDOFF.md", "## 2026-04-22\n### Next\n- [ ] Oil the gate\n")
    assert shown(old, new) == ["Oil the gate"]
    assert shown(old, new, hand_overs=("HANDOFF.md", "HANDOFF-2025.md")) == ["Oil the gate", "Paint the door"]


def test_what_wrapgen_filed_makes_nothing_old():
    older = source("HANDOFF-2026-04-20.md", "## Next\n- [ ] Paint the door\n")
    newer = source("HANDOFF-2026-04-22.md", "## Next\n- [ ] Oil the gate\n")
    filed = [("HANDOFF-2026-04-22.md", "Oil the gate")]
    assert shown(older, newer) == ["Oil the gate"]
    assert shown(older, newer, filed=filed) == ["Paint the door", "Oil the gate"]
    mixed = source("HANDOFF-2026-04-22.md", "## Next\n- [ ] Oil the gate\n- [ ] Mend the roof\n")
    assert shown(older, mixed, filed=filed) == ["Mend the roof", "Oil the gate"]
    days = journal(ago(1), "## Next\n- Paint the fence\n"), journal(DAY, "## Next\n- Ring Ann\n")
    said = why(*days, filed=[(f"journals/{DAY}.md", "Ring Ann")])
    assert said["Paint the fence"].startswith("number 1: handed over")
    assert said["Ring Ann"] == f"number 2: filed by wrap into journals/{DAY}.md of {DAY}"


def test_a_file_is_as_old_as_it_says():
    stale = source("HANDOFF-a.md", "# Handoff\n\nLast updated: 2026-04-01\n\n## Next\n- Paint the old door\n")
    fresh = source("HANDOFF-b.md", "## Next\n- Oil the gate\n", changed=ago(3))
    assert shown(stale, fresh) == ["Oil the gate"]


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

    def test_another_row_says_nothing_about_short_words(self):
        lists = source("TODO.md", "- [ ] Buy milk\n", Kind.LISTS, changed=ago(5))
        (one,) = outcomes(lists, journal(ago(1), "- [x] Buy milk\n"))
        assert one.fate is Fate.SHOWN


def test_open_boxes_beside_a_next_list_are_backlog_in_their_own_entry_alone():
    log = (
        "## 2026-04-20\n- [ ] Sweep the old yard\n## 2026-04-21\n### Next\n- [ ] Oil the gate\n### Then\n- [ ] Paint\n"
    )
    log_file = source("LOG.md", log, Kind.LISTS)
    assert shown(log_file, hand_overs=()) == ["Oil the gate", "Sweep the old yard"]
    assert backlog(log_file, hand_overs=()) == ["Paint"]


@pytest.mark.parametrize(
    ("path", "row"),
    [
        ("journals/2026/04/2026-04-24.md", "journals"), ("Daily/2026-04-24.md", "Daily"), ("2026-04-24.md", ""),
        ("notes/web/log/2026/04-April/2026-04-24.md", "notes/web/log"), ("a/2026-04/24.md", "a"),
    ],
)  # fmt: skip
def test_the_folder_of_journals(path, row):
    assert journal_row(path) == row


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("HANDOFF_20260420.md", date(2026, 4, 20)), ("2026-04-21/next.md", date(2026, 4, 21)),
        ("2026-04-21/2026.04.22-next.md", date(2026, 4, 22)), ("next.md", None), ("20261332.md", None),
        ("build-120260420.md", None),
    ],
)  # fmt: skip
def test_the_day_of_a_path(path, day):
    assert day_of_path(path) == day


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
def test_whatever_a_log_says_one_entry_of_it_leads(entries):
    text = "".join(
        f"## {day or ''} {f'Session {number}' if number else 'Work'}\n"
        f"### Next\n- [{'x' if done else ' '}] {tag}Thing {at}\n"
        for at, (day, number, done, tag) in enumerate(entries)
    )
    found = ran(source("LOG.md", f"# Log\n{text}"))
    assert all(one.why for one in found.outcomes)
    ranks = [one.rank for one in found.outcomes if one.fate is Fate.SHOWN]
    assert ranks == list(range(1, len(ranks) + 1))
    assert len(found.outcomes) + len(found.backlog) == sum(not done for _, _, done, _ in entries)
    days = {one.item.entry for one in found.outcomes}
    assert len(days) <= 1, "one entry of the log leads, with what is in none"
