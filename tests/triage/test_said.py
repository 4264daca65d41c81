"""What was said, folded: the newest counts, in whatever order the lines stand."""

from datetime import UTC, date, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import each, examples
from wrapgen.model import TriageVerdict
from wrapgen.triage.said import (
    DAYS,
    Filed,
    ItemBecame,
    LinesFiled,
    ListSaid,
    PersonSays,
    SaidEntry,
    VerdictSaid,
    decoded,
    encoded,
    filed_digest,
    fold_said,
    named_again,
)

TODAY = date(2026, 4, 24)
NOON = datetime(2026, 4, 24, 12, tzinfo=UTC)


def at(minutes=0, days=0):
    return NOON - timedelta(days=days) + timedelta(minutes=minutes)


def key(name):
    return (name.encode().hex() + "0" * 12)[:12]


def entry(name):
    return SaidEntry(key(name), f"{name}.md", 3, f"words of {name}")


def front(*names, minutes=0, days=0, how="front"):
    return PersonSays(said=at(minutes, days), how=how, next=tuple(map(entry, names)))


def clear(*names, minutes=0):
    return PersonSays(said=at(minutes), how="clear", ids=tuple(map(key, names)))


def agent(*names, minutes=0, days=0, project="web", by="agent"):
    return ListSaid(said=at(minutes, days), by=by, project=project, next=tuple(map(entry, names)))


def verdict(name, what="not_work", minutes=0, **more):
    return VerdictSaid(said=at(minutes), id=key(name), verdict=TriageVerdict(what), by="agent", **more)


def leads(*records, today=TODAY):
    return [one.entry.path.removesuffix(".md") for one in fold_said(records, today).work if one.said.leads]


def rest(*records, today=TODAY):
    return [one.entry.path.removesuffix(".md") for one in fold_said(records, today).work if not one.said.leads]


def test_what_a_person_puts_first_stands_before_what_stood_there():
    assert leads(front("a", "b"), front("c", "b", minutes=1)) == ["c", "b", "a"]
    assert leads(front("a", "b"), front("c", "a", minutes=1, how="behind")) == ["b", "c", "a"]


def test_what_is_cleared_leads_no_more_and_stays_open():
    said = (front("a", "b"), agent("c"), clear("a", "c", minutes=1))
    assert (leads(*said), rest(*said)) == (["b"], ["a", "c"])
    everything = PersonSays(said=at(2), how="clear")
    assert leads(front("a"), agent("b"), everything) == []
    assert leads(front("a"), agent("b"), everything, agent("b", minutes=3)) == ["b"]


def test_a_new_list_takes_the_place_of_the_former_one_of_its_project_alone():
    said = (agent("a", "b"), agent("x", project="api"), agent("b", "c", minutes=5))
    assert (leads(*said), rest(*said)) == (["b", "c", "x"], ["a"])


def test_a_person_comes_before_agents_and_a_reader_takes_the_place_of_neither():
    assert leads(agent("a", minutes=1), front("p"), agent("r", by="reader", minutes=2)) == ["p", "a"]
    assert leads(agent("r", by="reader"), front("p")) == ["p", "r"]
    assert leads(agent(minutes=1), agent("r", by="reader", minutes=2)) == []


def test_the_person_has_said_it_although_an_agent_says_it_later():
    (work,) = fold_said([front("a"), agent("a", minutes=1)], TODAY).work
    assert work.said.by == "person"


def test_after_two_weeks_a_list_leads_no_more_and_what_a_person_said_stays():
    late = TODAY + timedelta(days=DAYS)
    assert leads(agent("a"), front("p"), today=late - timedelta(days=1)) == ["p", "a"]
    assert leads(agent("a"), front("p"), today=late) == ["p"]
    said = fold_said([agent("a")], late)
    assert (said.work, [one.entry for one in said.past]) == ((), [entry("a")])


@each(["done", "not_work", "parked"])
def test_a_verdict_ends_what_was_said_before_and_is_lifted_by_what_is_said_later(what):
    assert leads(agent("a", "b"), verdict("a", what, minutes=1)) == ["b"]
    said = fold_said([verdict("a", what), agent("a", minutes=1)], TODAY)
    assert (len(said.work), said.judged) == (1, {})


@each(["open", "same_as"])
def test_other_verdicts_leave_what_is_said_alone(what):
    said = fold_said([agent("a"), verdict("a", what, minutes=1)], TODAY)
    assert (len(said.work), len(said.judged)) == (1, 1)


def test_the_newest_verdict_counts():
    judged = fold_said([verdict("a", "open", minutes=2), verdict("a", "parked")], TODAY).judged
    assert judged[key("a")].verdict is TriageVerdict.OPEN


def test_what_was_said_follows_an_item_that_was_reworded():
    became = ItemBecame(said=at(1), was=key("a"), id=key("z"), path="z.md", line=9, seen="new")
    said = fold_said([agent("a", "b"), verdict("b", "same_as", other=key("a")), became], TODAY)
    assert [(one.key, one.entry.path) for one in said.work] == [(key("z"), "z.md"), (key("b"), "b.md")]
    assert said.judged[key("b")].other == key("z")
    judged = fold_said([verdict("a", seen="old"), became], TODAY).judged
    assert (list(judged), judged[key("z")].seen) == ([key("z")], "new")


def became(was, now, minutes, **more):
    return ItemBecame(
        said=at(minutes), was=key(was), id=key(now), path=f"{now}.md", line=9, quote=f"words of {now}", **more
    )


def test_what_another_clone_says_of_the_item_that_it_was_means_what_it_is_by_now():
    """Two clones, of which one moves an item and the other, which does not know that, speaks of it later."""
    moved = [became("a", "b", 1, seen="b"), became("b", "c", 2, seen="c")]
    judged = fold_said([*moved, verdict("a", "parked", 3, seen="a")], TODAY).judged
    assert (list(judged), judged[key("c")].seen) == ([key("c")], "c")
    assert fold_said([*moved, verdict("z", "same_as", 3, other=key("a"))], TODAY).judged[key("z")].other == key("c")
    assert leads(*moved, agent("a", "z", minutes=3)) == ["c", "z"]
    assert leads(*moved, front("c", "z"), clear("a", minutes=3)) == ["z"]
    assert leads(*moved, verdict("c", "parked", 3), front("a", minutes=4)) == ["c"]
    back = [*moved, became("c", "a", 3)]
    assert leads(*back, front("a", "b", "c", minutes=4)) == ["a"]


def test_an_item_of_the_words_that_another_one_had_is_another_one():
    moved = became("a", "b", 1)
    new = [*named_again([moved], [verdict("a", "parked", 2), front("a", "z", minutes=3)])]
    assert [(one.was, one.id, one.said) for one in new] == [(key("a"), key("a"), at(2)), (key("a"), key("a"), at(3))]
    assert list(fold_said([moved, *new, verdict("a", "parked", 2)], TODAY).judged) == [key("a")]
    assert not [*named_again([moved, *new], [verdict("a", "parked", 4)])]
    assert not [*named_again([moved], [became("b", "c", 4), clear(minutes=4), LinesFiled(said=at(), lines=())])]


def test_filed_lines():
    said = fold_said([LinesFiled(said=at(), lines=(filed_digest("a.md", "words"),))], TODAY)
    assert ("a.md", "words") in said.filed
    assert ("b.md", "words") not in said.filed
    assert ("a.md", "words") not in Filed()


def test_odd_lines_are_named_and_the_others_read():
    good = encoded([agent("a")])
    odd = [
        b'{"kind":"next"}', b"nonsense", b'{"kind":"later","said":"2026-04-24T12:00:00Z"}', b"\xff\xfe", b"[" * 5000,
        b'{"kind":"first","said":"2026-04-24T12:00:00","how":"front"}',
        encoded([agent("a")]).replace(b"a.md", b"../a.md").strip(),
        encoded([agent("a")]).replace(b'"line":3', b'"line":99999999999999999999999').strip(),
        encoded([agent("a")]).replace(b'"line":3', b'"line":true').strip(),
    ]  # fmt: skip
    records, numbers = decoded(b"\xef\xbb\xbf" + good + b"\n".join([*odd, b"", good]))
    assert len(records) == 2
    assert numbers == list(range(2, 2 + len(odd)))


names = st.sampled_from("abcd")
several = st.lists(names, max_size=3, unique=True)
minutes = st.integers(0, 3)
records = st.one_of(
    st.builds(lambda n, m, how: front(*n, minutes=m, how=how), several, minutes, st.sampled_from(["front", "behind"])),
    st.builds(lambda n, m: clear(*n, minutes=m), several, minutes),
    st.builds(
        lambda n, m, p, by: agent(*n, minutes=m, project=p, by=by), several, minutes,
        st.sampled_from(["web", None]), st.sampled_from(["agent", "reader"]),
    ),
    st.builds(
        lambda n, w, m, o: verdict(n, w, minutes=m, other=key(o)), names, st.sampled_from(list(TriageVerdict)), minutes,
        names,
    ),
    st.builds(
        lambda a, b, m: ItemBecame(said=at(m), was=key(a), id=key(b), path="z.md", line=1), names, names, minutes
    ),
    st.builds(lambda n, m: LinesFiled(said=at(m), lines=(n,)), names, minutes),
)  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(records, max_size=4))
def test_two_clones_lines_give_the_same_in_any_order_and_however_often(some):
    folded = fold_said(some, TODAY)
    for order in permutations(some):
        assert fold_said(order, TODAY) == folded
    assert fold_said([*some, *some], TODAY) == folded
    assert fold_said(decoded(encoded(some))[0], TODAY) == folded


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(records, max_size=8))
def test_nothing_is_named_twice_and_what_ended_is_not_named(some):
    said = fold_said(some, TODAY)
    keys = [one.key for one in said.work]
    assert len(keys) == len(set(keys))
    ended = {key for key, one in said.judged.items() if one.verdict in ("done", "not_work", "parked")}
    assert ended.isdisjoint(keys) or any(isinstance(one, ItemBecame) for one in some)


@pytest.mark.parametrize("project", ["web", None])
def test_a_list_knows_its_day_and_project(project):
    (one,) = fold_said([agent("a", project=project, days=2)], TODAY).lists
    assert (one.project, one.day, one.size) == (project, TODAY - timedelta(days=2), 1)
