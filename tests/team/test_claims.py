"""The queue on the server: each follow-up is claimed by one router, and nobody waits for another."""

import threading

import psycopg
import pytest

from wrapgen.agents import sql
from wrapgen.agents.databases import PostgresStore, _translated
from wrapgen.agents.operations import Queue, QueueState, Settle, Wait

pytestmark = pytest.mark.xdist_group("postgres")
DAY = "2026-04-24"


class Desk:
    """One clone's queue."""

    def __init__(self, address, clone, vault="acme"):
        self.store = PostgresStore(address)
        self.queue = Queue(vault, clone, f"{clone}@desk")

    def wait(self, *ids, day=DAY, said=DAY, again=False):
        for one in ids:
            operation = Wait(vault=self.queue.vault, id=one, record=f"record of {one}", day=day, said=said, again=again)
            operation.do(self.store)

    def settle(self, one, day=DAY, state=QueueState.SETTLED):
        queue = self.queue
        operation = Settle(vault=queue.vault, id=one, state=state, record="", day=day, who=queue.who, clone=queue.clone)
        operation.do(self.store)

    def state(self, one):
        return self.queue.states(self.store, [one]).get(one, (None, None))[0]


@pytest.fixture
def desks(team):
    opened = []

    def open_desk(clone, vault="acme"):
        opened.append(Desk(team, clone, vault))
        return opened[-1]

    yield open_desk
    for one in opened:
        one.store.close()


class TestClaim:
    @pytest.mark.slow
    def test_one_gets_it_and_the_other_is_told_who(self, desks):
        ann, bob = desks("ann"), desks("bob")
        ann.wait("a", "b")
        assert ann.queue.claim(ann.store, ["a", "x"]) == {"a"}
        assert bob.queue.claim(bob.store, ["a", "b"]) == {"b"}
        assert bob.queue.states(bob.store, ["a", "b", "x"]) == {
            "a": (QueueState.CLAIMED, "ann@desk"),
            "b": (QueueState.CLAIMED, "bob@desk"),
        }
        assert ann.queue.claim(ann.store, ["a"]) == {"a"}

    def test_it_is_given_back_by_who_has_it_alone(self, desks):
        ann, bob = desks("ann"), desks("bob")
        ann.wait("a")
        ann.queue.claim(ann.store, ["a"])
        bob.queue.release(bob.store)
        assert ann.state("a") == QueueState.CLAIMED
        ann.queue.release(ann.store)
        assert bob.queue.claim(bob.store, ["a"]) == {"a"}

    def test_a_row_that_another_has_locked_is_passed_over_at_once(self, desks, team):
        ann = desks("ann")
        ann.wait("a", "b")
        with psycopg.connect(team) as other:
            other.execute("SELECT 1 FROM follow_ups WHERE id = 'a' FOR UPDATE")
            assert ann.queue.claim(ann.store, ["a", "b"]) == {"b"}
        assert ann.queue.claim(ann.store, ["a"]) == {"a"}

    @pytest.mark.slow
    def test_many_at_once_get_each_once(self, desks):
        ids = [f"{number:03}" for number in range(60)]
        routers = [desks(f"clone {number}") for number in range(6)]
        routers[0].wait(*ids)
        got = {}
        start = threading.Barrier(len(routers))

        def claim(number):
            start.wait()
            mine = set()
            for step in range(0, len(ids), 10):
                at = (step + number * 10) % len(ids)
                mine |= routers[number].queue.claim(routers[number].store, ids[at : at + 10])
            got[number] = mine

        threads = [threading.Thread(target=claim, args=(number,)) for number in range(len(routers))]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sorted(one for mine in got.values() for one in mine) == ids

    def test_other_vaults_are_others(self, desks):
        ann, other = desks("ann"), desks("ann", vault="other")
        ann.wait("a")
        other.wait("a")
        assert ann.queue.claim(ann.store, ["a"]) == {"a"}
        ann.queue.release(ann.store)
        other.queue.claim(other.store, ["a"])
        ann.queue.release(ann.store)
        assert (ann.state("a"), other.state("a")) == (QueueState.WAITING, QueueState.CLAIMED)


class TestSettling:
    @pytest.mark.parametrize(("said", "day", "state"), [
        (DAY, DAY, QueueState.SETTLED), ("", DAY, QueueState.SETTLED), ("2026-04-25", DAY, QueueState.WAITING),
    ])  # fmt: skip
    def test_an_answer_covers_what_was_said_up_to_its_day(self, desks, said, day, state):
        ann = desks("ann")
        ann.wait("a", said=said)
        ann.settle("a", day=day)
        assert ann.state("a") == state

    def test_and_what_was_claimed_for_it(self, desks):
        ann = desks("ann")
        ann.wait("a", said="2026-04-25")
        ann.queue.claim(ann.store, ["a"])
        ann.settle("a")
        assert ann.state("a") == QueueState.SETTLED

    @pytest.mark.parametrize(("said", "again", "state"), [
        (DAY, False, QueueState.SKIPPED), ("", False, QueueState.SKIPPED), ("2026-04-25", False, QueueState.WAITING),
        (DAY, True, QueueState.WAITING),
    ])  # fmt: skip
    def test_what_is_settled_is_opened_by_later_words_or_by_who_takes_it_back(self, desks, said, again, state):
        ann = desks("ann")
        ann.wait("a")
        ann.settle("a", state=QueueState.SKIPPED)
        ann.wait("a", said=said, again=again)
        assert ann.state("a") == state

    def test_words_that_are_said_again_before_an_old_answer_arrives(self, desks):
        ann = desks("ann")
        ann.wait("a")
        ann.wait("a", said="2026-04-27")
        ann.settle("a", day="2026-04-25")
        assert ann.queue.waiting(ann.store) == {"a": "record of a"}

    def test_what_was_never_heard_of_can_be_settled(self, desks):
        ann = desks("ann")
        ann.settle("a")
        assert [(one.id, one.state, one.who) for one in ann.queue.settled(ann.store, DAY)] == [
            ("a", QueueState.SETTLED, "ann@desk")
        ]

    def test_what_is_old_is_forgotten_and_what_waits_never(self, desks):
        ann = desks("ann")
        ann.wait("a", "b", day="2020-01-01", said="")
        ann.settle("b", day="2020-01-02")
        assert ann.queue.settled(ann.store, "2020-01-03") == []
        ann.queue.forget(ann.store, "2020-01-03")
        assert (ann.state("a"), ann.state("b")) == (QueueState.WAITING, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["WAITING", "SETTLED", "STATES", "CLAIM", "RELEASE", "FORGET"])
def test_an_index_finds_the_rows_of_one_vault(team, name):
    statement = getattr(sql, f"QUEUE_{name}")
    values = {"vault": "v7", "ids": ["5"], "since": "2026-04-01", "before": "2026-01-02", "clone": "c", "who": "w"}
    with psycopg.connect(team, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO follow_ups (vault, id, state, record, day, said)"
            " SELECT 'v' || n % 20, n::text, CASE WHEN n % 50 = 0 THEN 'waiting' ELSE 'settled' END, '{}',"
            " '2026-0' || (1 + n % 4) || '-01', '' FROM generate_series(1, 20000) AS n"
        )
        connection.execute("ANALYZE follow_ups")
        plan = connection.execute(b"EXPLAIN " + _translated(statement), {**values, "lease": 60}).fetchall()
    text = "\n".join(row for (row,) in plan)
    assert "Index" in text
    assert "Seq Scan" not in text, text
