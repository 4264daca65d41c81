"""Properties of every vault: routing inserts only, writes each follow-up once, and is taken back without a trace."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.followups import talks
from tests.followups.talks import answer, is_subsequence
from tests.properties.generate import plans
from tests.support import TODAY, Vault, examples, wrap

TASKS = (
    "calibrate seven telescopes",
    "repaint harbour cranes",
    "translate botanical labels",
    "inventory spare gaskets",
)
WORDINGS = ("# mind the gap", "- [x] already?", "10. things", "call 📅 2026-05-01", "P1 polish (A) brass", "a | b",
            "`x` <b> & *y*", "끝내기 전에 확인", "> reply", "~~no~~ yes")  # fmt: skip
PROJECTS = ("web", "api", "infra")

quick = settings(deadline=None, max_examples=examples(20), suppress_health_check=list(HealthCheck))


@st.composite
def decisions(draw):
    """A destination for some of the tasks, other words for some of those."""
    found = {}
    for task in TASKS:
        kind = draw(st.sampled_from(("journal", "project", "active", "skip", "later")))
        if kind == "later":
            continue
        given_answer = {"route": kind}
        if kind in ("project", "active"):
            given_answer["project"] = draw(st.sampled_from(PROJECTS))
        if kind == "active":
            given_answer["task"] = "upload"
        if kind != "skip" and draw(st.booleans()):
            given_answer["text"] = f"{draw(st.sampled_from(WORDINGS))} {task.split()[-1]}"
        found[task] = given_answer
    return found


@pytest.fixture
def place():
    """A folder that each example empties."""
    folder = Path(tempfile.mkdtemp(prefix="wrapgen-property-"))
    yield folder
    shutil.rmtree(folder)


def build(plan, place):
    shutil.rmtree(place / "vault", ignore_errors=True)
    vault = plan.build(place / "vault")
    for project in PROJECTS:
        vault.path(f"projects/{project}/actives/upload").mkdir(parents=True, exist_ok=True)
    talk = Vault(place / "talks").write("talk.json", talks.neutral(talks.said(*TASKS)))
    ids = {one["text"]: one["id"] for one in talks.orphans(vault, talk).json["orphans"]}
    assert set(ids) == set(TASKS)
    return vault, ids


def collected(vault):
    result = wrap("audit", "--json", vault=vault)
    assert result.code == 0, result.err
    return sorted((item["path"], item["text"]) for item in result.json["items"])


@quick
@given(plan=plans(), decided=decisions())
def test_only_insertions_each_once_and_nothing_left_after_undo(place, plan, decided):
    vault, ids = build(plan, place)
    before, items = talks.notes(vault), collected(vault)
    given_answers = [answer(ids[task], **fields) for task, fields in decided.items()]
    result = talks.route(vault, place / "answers.json", *given_answers, options=["--json"])
    assert result.code == 0, result.err
    after = talks.notes(vault)
    for path, data in before.items():
        assert is_subsequence(data, after[path]), path
    routed = [fields for fields in decided.values() if fields["route"] != "skip"]
    assert len(result.json["routed"]) == len(routed)
    new = collected(vault)
    for item in items:
        new.remove(item)
    assert len(new) == len(routed), new
    assert {path for path, _ in new} == {line["path"] for line in result.json["routed"]}
    assert len(talks.pending(vault)) == len(TASKS) - len(decided)

    again = wrap("route", "--answers", place / "answers.json", vault=vault)
    assert again.code == 0, again.err
    assert talks.notes(vault) == after

    if decided:
        undone = wrap("undo", vault=vault)
        assert undone.code == 0, undone.err
    assert talks.notes(vault) == before
    assert sorted(talks.pending(vault)) == sorted(TASKS)


@pytest.mark.slow
@quick
@given(plan=plans(), text=st.one_of(st.sampled_from(WORDINGS), st.text(min_size=1, max_size=40)))
def test_whatever_is_added_is_one_item_or_refused(place, plan, text):
    shutil.rmtree(place / "vault", ignore_errors=True)
    vault = plan.build(place / "vault")
    before, items = talks.notes(vault), collected(vault)
    result = wrap("add", "--", text, vault=vault)
    assert "defect" not in result.err
    new = collected(vault)
    if result.code:
        assert talks.notes(vault) == before
        return
    assert len(new) - len(items) == (talks.notes(vault) != before)
    wrap("undo", vault=vault)
    assert talks.notes(vault) == before


@pytest.mark.slow
@quick
@given(plan=plans(), data=st.data())
def test_done_finishes_the_item_and_no_other(place, plan, data):
    shutil.rmtree(place / "vault", ignore_errors=True)
    vault = plan.build(place / "vault")
    listed = wrap("list", "--all", "--json", vault=vault).json["items"]
    if not listed:
        return
    before = talks.notes(vault)
    chosen = data.draw(st.sampled_from(listed))
    result = wrap("done", f"{chosen['path']}:{chosen['line']}", vault=vault)
    assert result.code == 0, result.err
    after = talks.notes(vault)
    changed = [path for path in after if before.get(path) != after[path]]
    assert len(changed) == 1
    if changed[0] in before and len(after[changed[0]]) == len(before[changed[0]]):
        old, new = before[changed[0]].decode(), after[changed[0]].decode()  # a ballot is a letter of several bytes
        assert sum(one != other for one, other in zip(old, new, strict=True)) == 1
    else:
        assert is_subsequence(before.get(changed[0], b""), after[changed[0]])
    still = {item["id"] for item in wrap("list", "--all", "--json", vault=vault).json["items"]}
    assert chosen["id"] not in still, f"{chosen} is still open on {TODAY}"
    assert wrap("undo", vault=vault).code == 0
    assert talks.notes(vault) == before
