"""The short form of the torture; and that its judges see what they are there to see."""

from __future__ import annotations

import json
import signal
import sys

import pytest

from tests.support import TODAY, wrap
from tests.torture.check import VANISHED, Standing, judge, leftovers, page_faults
from tests.torture.page import faults
from tests.torture.plan import FILES, Manner, Session, Task, Verb, plan
from tests.torture.reader import Reader
from tests.torture.torture import Settings, torture

SEED = 342  # its plan has every kind of errand, and each file at least twice
JOURNAL = next(file for file in FILES if file.manner is Manner.APPEND and file.route)
STALE = next(file for file in FILES if file.manner is Manner.RENAME and file.route)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL, which this system does not have")
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere an editor that saves at the worst moment is not noticed"
)
def test_nothing_is_lost(tmp_path):
    certificate = torture(tmp_path, Settings(runs=14, processes=8, seed=SEED))
    print(certificate)
    assert certificate.holds, str(certificate)
    assert len(certificate.runs) >= 14
    assert {run.verb for run in certificate.runs} == set(Verb)
    assert sum(certificate.kills.values()) >= 1
    assert certificate.verdict.standing + certificate.verdict.noticed >= 8
    assert min(certificate.verdict.waiting, certificate.verdict.skipped) >= 1
    assert certificate.verdict.editors >= 10
    assert certificate.pages >= 5


# --- the plan


def test_a_seed_gives_one_plan():
    assert plan(50, 7) == plan(50, 7) != plan(50, 8)


def test_a_plan_has_so_many_runs_of_every_kind():
    planned = plan(200, 1)
    verbs = [verb for errand in planned.errands for verb in errand.verbs]
    assert 200 <= len(verbs) <= 203
    assert set(verbs) == set(Verb)
    marks = [task.mark for _, task in planned.tasks]
    assert len(set(marks)) == len(marks)


# --- the judge of the lines


def judged(vault, *, answered=True, to=JOURNAL, saved=()):
    said = Session("s1", (Task("job1x", "mend the roof of job1x", to),), answered)
    verdict = judge(Standing.of(vault), [(said, said.tasks[0])], saved)
    return {name: found for name, found in vars_of(verdict).items() if found}


def vars_of(verdict):
    return {name: getattr(verdict, name) for name in verdict.__slots__}


def waiting(vault, reason=None, times=1):
    record = {"orphan": {"text": "mend the roof of job1x", "reason": reason}, "since": TODAY}
    vault.write(".wrapgen/state/pending.jsonl", f"{json.dumps(record)}\n" * times)


@pytest.fixture
def noted(vault):
    """A vault in which the one task stands where it was sent."""
    return vault({JOURNAL.path: "## Next\n\n- [ ] (web) mend the roof of job1x\n", STALE.path: "# infra\n"})


def test_a_line_that_stands(noted):
    assert judged(noted) == {"standing": 1}


def test_a_line_that_stands_nowhere(vault):
    assert "stands 0 times" in judged(vault())["lost"][0]


def test_a_line_that_stands_twice(noted):
    noted.write(STALE.path, "- [ ] mend the roof of job1x\n")
    assert "stands 2 times" in judged(noted)["twice"][0]


@pytest.mark.slow
def test_a_line_that_stands_and_waits(noted):
    waiting(noted, VANISHED)
    assert "waits 1 times" in judged(noted)["twice"][0]


def test_the_dashboard_and_the_programs_own_files_do_not_count(vault):
    built = vault({"ACTIVE-STATUS.md": "- (web) mend the roof of job1x\n", ".wrapgen/state/x.md": "job1x\n"})
    assert list(judged(built)) == ["lost"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("to", "reason", "expected"),
    [(STALE, VANISHED, "noticed"), (STALE, None, "lost"), (JOURNAL, VANISHED, "lost"), (JOURNAL, None, "lost")],
)
def test_a_line_that_vanished(vault, to, reason, expected):
    """It may only where an editor puts stale copies in place, and must be told as that."""
    built = vault()
    waiting(built, reason)
    assert list(judged(built, to=to)) == [expected]


@pytest.mark.slow
def test_what_nobody_answered_waits_once(vault):
    built = vault()
    assert list(judged(built, answered=False)) == ["lost"]
    waiting(built)
    assert judged(built, answered=False) == {"waiting": 1}
    waiting(built, times=2)
    assert list(judged(built, answered=False)) == ["twice"]


def test_what_was_skipped_is_remembered_once(vault):
    built = vault()
    record = json.dumps({"orphan": {"text": "mend the roof of job1x"}, "on": TODAY}) + "\n"
    assert list(judged(built, to=None)) == ["lost"]
    built.write(".wrapgen/state/skipped.jsonl", record)
    assert judged(built, to=None) == {"skipped": 1}
    built.write(".wrapgen/state/skipped.jsonl", record * 2)
    assert list(judged(built, to=None)) == ["twice"]


def test_lines_of_editors(noted):
    noted.write(STALE.path, "- note the e1n1x\n- note the e1n2x\n- note the e1n2x\n")
    noted.write(".wrapgen/state/rescued/todos.md.1", "- note the e1n3x\n")
    found = judged(noted, saved=["e1n1x", "e1n2x", "e1n3x", "e1n4x"])
    assert found == {
        "standing": 1, "editors": 4, "twice": ["e1n2x of an editor stands 2 times"],
        "rescued": ["e1n3x of an editor"], "lost": ["e1n4x of an editor"],
    }  # fmt: skip


def test_a_torn_line_of_state(noted):
    noted.write(".wrapgen/state/receipts.jsonl", '{"id": 1}\n{"id": ')
    assert [line.partition(": ")[0] for line in Standing.of(noted).torn] == ["receipts.jsonl:2"]


@pytest.mark.parametrize(
    "name", [".todos.md.12.ab.wrapgen-tmp", ".todos.md.0123456789abcdef-3.ab.wrapgen-both", "pages.9.ab.wrapgen-tmp"]
)
def test_temporary_files(noted, name):
    assert leftovers(noted.root) == []
    noted.write(f".wrapgen/cache/{name}", "x")
    assert leftovers(noted.root) == [f".wrapgen/cache/{name}"]


# --- the judge of the pages


@pytest.fixture
def page(noted):
    assert wrap("regen", vault=noted).code == 0
    return noted.dashboard.read_bytes()


@pytest.mark.slow
def test_a_whole_page(noted, page):
    assert page_faults(page, Standing.of(noted)) == []


@pytest.mark.slow
def test_a_page_that_lacks_an_item(noted, page):
    noted.write(STALE.path, "## Next Session\n\n- [ ] one more\n")
    assert page_faults(page, Standing.of(noted)) == ["is made of 1 items where 2 boxes are open"]


@pytest.mark.slow
def test_every_torn_page_is_seen(page):
    assert all(faults(page[:length]) for length in range(len(page)))


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("old", "new"),
    [(b"collected: 1", b"collected: 2"), (b"| shown | | 1 |", b"| shown | | 0 |"), (b"- (untagged) ", b"- untagged "),
     (b"## Audit\n", b"## Audit\n\n## Audit\n")],
)  # fmt: skip
def test_a_page_that_does_not_agree_with_itself(page, old, new):
    assert old in page
    assert faults(page.replace(old, new))


def test_the_reader_sees_torn_pages_and_missing_ones(page):
    reader = Reader()
    for data in (None, page, page, page[:50], page, b"", None):
        reader.look(data)
    assert (reader.looks, reader.pages) == (7, 4)
    assert [one["faults"] for one in reader.torn] == [["begins without front matter"], ["empty"], ["is gone"]]
    assert json.loads(reader.report())["looks"] == 7
