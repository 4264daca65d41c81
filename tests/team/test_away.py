"""The team's server is away: what waits here is used, nothing is lost, and all of it is sent on when it is back."""

import json

import pytest

from tests.support import wrap

pytestmark = pytest.mark.xdist_group("postgres")
GATE, ROOF, WELL = "mend the gate", "mend the roof", "mend the well"
NOWHERE = "postgresql://tester@127.0.0.1:1/none"


@pytest.fixture
def away(monkeypatch, team):
    """Takes the server away, or gives it back."""

    def switch(*, back=False):
        monkeypatch.setenv("WRAPGEN_STORE", team if back else NOWHERE)

    return switch


@pytest.mark.slow
def test_routing_goes_on_and_is_told_later(people, away):
    ann, bob = people
    ids = ann.says(GATE, ROOF)
    assert bob.waiting == [GATE, ROOF]
    away()
    assert ann.waiting == [GATE, ROOF]
    assert ann.routes(**{ids[GATE]: "project", ids[ROOF]: "skip"}).code == 0
    assert list(ann.says(WELL, name="later")) == [WELL]
    assert ann.holds(GATE) == 1
    away(back=True)
    assert bob.waiting == [GATE, ROOF]
    assert ann.waiting == [WELL]
    assert bob.waiting == [WELL]
    assert [one["text"] for one in wrap("audit", "--json", vault=bob).json["skipped"]] == [ROOF]


@pytest.mark.slow
def test_one_line_says_so_however_often_a_run_would_ask(people, away, tmp_path):
    ann, _ = people
    away()
    result = wrap("--no-prompt", vault=ann)
    assert result.code == 0
    assert [line for line in result.err.splitlines() if "unreachable" in line] == result.err.splitlines()
    assert len(result.err.splitlines()) == 1


@pytest.mark.slow
def test_what_both_route_meanwhile_waits_for_nobody_afterwards(people, away):
    ann, bob = people
    key = ann.says(GATE)[GATE]
    assert bob.waiting == [GATE]
    away()
    for one in people:
        assert one.routes(**{key: "project"}).code == 0
    away(back=True)
    assert ann.waiting == bob.waiting == []
    # Nobody could know of the other: both have it, as two people who write the same down have.
    assert (ann.holds(GATE), bob.holds(GATE)) == (1, 1)


@pytest.mark.slow
def test_what_was_routed_elsewhere_meanwhile_is_not_opened_by_an_old_mention(people, away):
    ann, bob = people
    key = ann.says(GATE)[GATE]
    bob.routes(**{key: "project"})
    ann.path(".wrapgen/state/elsewhere.jsonl").unlink(missing_ok=True)
    ann.path(".wrapgen/state/pending.jsonl").unlink()
    away()
    assert list(ann.says(GATE, name="again")) == [GATE]  # this clone has not heard of it
    away(back=True)
    assert ann.waiting == bob.waiting == []


@pytest.mark.slow
def test_what_was_said_again_since_is_opened_by_it(people, away):
    ann, bob = people
    key = ann.says(GATE)[GATE]
    bob.routes(**{key: "skip"})
    away()
    assert list(ann.says(GATE, today="2026-04-27", name="again")) == [GATE]
    away(back=True)
    assert ann.waiting == bob.waiting == [GATE]


@pytest.mark.slow
def test_a_memory_that_was_deleted_comes_back(people):
    ann, bob = people
    ann.says(GATE)
    ann.path(".wrapgen/state/pending.jsonl").unlink()
    assert ann.waiting == bob.waiting == [GATE]


@pytest.mark.slow
def test_a_store_that_was_emptied_gets_what_the_clones_know(people, team):
    import psycopg

    ann, bob = people
    ann.says(GATE)
    assert bob.waiting == [GATE]
    with psycopg.connect(team, autocommit=True) as connection:
        connection.execute("TRUNCATE follow_ups")
    assert bob.waiting == ann.waiting == [GATE]


@pytest.mark.slow
@pytest.mark.parametrize("change", ["{}", "no JSON", "another id", "a line break"])
def test_a_record_that_nobody_here_understands_stays_there(people, team, change):
    import psycopg

    ann, bob = people
    ann.says(GATE)
    with psycopg.connect(team, autocommit=True) as connection:
        ((good,),) = connection.execute("SELECT record FROM follow_ups").fetchall()
        bad = {
            "another id": good,
            "a line break": good.replace(GATE, "mend\\n- [ ] steal").replace('"id":"', '"id":"x'),
        }
        connection.execute(
            "INSERT INTO follow_ups (vault, id, state, record, day, said) VALUES ('acme', %s, 'waiting', %s, '', '')",
            ("x" + json.loads(good)["orphan"]["id"], bad.get(change, change)),
        )
    assert bob.waiting == [GATE]
    with psycopg.connect(team) as connection:
        assert connection.execute("SELECT count(*) FROM follow_ups").fetchone() == (2,)


@pytest.mark.slow
def test_a_page_of_ones_own_counts_what_waits_for_the_team(people):
    ann, bob = people
    ann.says(GATE)
    assert bob.waiting == [GATE]
    assert wrap("regen", vault=bob).code == 0
    assert "Pending follow-ups" in bob.page
    assert json.loads(wrap("audit", "--json", vault=bob).out)["follow_ups"]["pending"] == 1
