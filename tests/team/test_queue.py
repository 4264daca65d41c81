"""`pending = "store"`: what one's sessions put off waits for all, and is routed once."""

import json

import pytest

from tests.support import TODAY, Vault, finish, wrap
from tests.team.conftest import Person

pytestmark = pytest.mark.xdist_group("postgres")
GATE, ROOF = "mend the gate", "mend the roof"


def state(person, name):
    file = person.path(f".wrapgen/state/{name}.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


class TestOneQueue:
    @pytest.mark.slow
    def test_what_one_puts_off_waits_for_both(self, people):
        ann, bob = people
        ann.says(GATE)
        bob.says(ROOF)
        assert bob.waiting == ann.waiting == [GATE, ROOF]

    @pytest.mark.slow
    def test_what_one_routes_waits_for_nobody(self, people):
        ann, bob = people
        ids = ann.says(GATE, ROOF)
        assert bob.waiting == [GATE, ROOF]
        assert [one["text"] for one in bob.routes(**{ids[GATE]: "project"}).json["routed"]] == [GATE]
        assert ann.waiting == bob.waiting == [ROOF]
        assert (ann.holds(GATE), bob.holds(GATE)) == (0, 1)

    @pytest.mark.slow
    def test_the_second_answer_is_told_that_it_was_routed(self, people):
        ann, bob = people
        ids = ann.says(GATE)
        assert bob.waiting
        assert ann.routes(**{ids[GATE]: "journal"}).code == 0
        result = bob.routes(**{ids[GATE]: "project"})
        assert (result.code, result.json["already_routed"], result.json["routed"]) == (0, [ids[GATE]], [])
        assert bob.holds(GATE) == 0

    @pytest.mark.slow
    def test_nobody_is_asked_again_about_what_was_said_before_it_was_routed(self, people):
        ann, bob = people
        ids = ann.says(GATE)
        ann.routes(**{ids[GATE]: "project"})
        assert bob.says(GATE) == {}
        assert list(bob.says(GATE, today="2026-04-27", name="later")) == [GATE]
        assert ann.waiting == []

    @pytest.mark.slow
    def test_what_both_say_is_one(self, people):
        ann, bob = people
        assert ann.says(GATE) == bob.says(GATE)
        assert ann.waiting == bob.waiting == [GATE]

    @pytest.mark.slow
    def test_a_skip_counts_for_both_and_can_be_taken_back(self, people):
        ann, bob = people
        ids = ann.says(GATE)
        assert ann.routes(**{ids[GATE]: "skip"}).code == 0
        assert bob.waiting == []
        assert bob.says(GATE, name="before") == {}
        assert [one["text"] for one in wrap("audit", "--json", vault=bob).json["skipped"]] == [GATE]
        assert wrap("undo", vault=ann).code == 0
        assert bob.waiting == ann.waiting == [GATE]

    @pytest.mark.slow
    def test_what_was_routed_can_be_taken_back(self, people):
        ann, bob = people
        ids = ann.says(GATE)
        ann.routes(**{ids[GATE]: "project"})
        assert bob.waiting == []
        assert wrap("undo", vault=ann).code == 0
        assert bob.waiting == [GATE]
        assert bob.routes(**{ids[GATE]: "project"}).code == 0
        assert (ann.holds(GATE), bob.holds(GATE), ann.waiting) == (0, 1, [])

    @pytest.mark.slow
    def test_a_line_that_vanished_waits_for_both(self, people):
        ann, bob = people
        ids = ann.says(GATE)
        before = ann.list
        ann.routes(**{ids[GATE]: "project"})
        ann.write("projects/web/todos.md", before)
        assert ann.waiting == bob.waiting == [GATE]

    @pytest.mark.slow
    def test_what_stands_in_somebodys_notes_by_his_own_hand_waits_for_nobody(self, people):
        ann, bob = people
        ann.says(GATE)
        assert bob.waiting
        bob.write("projects/web/todos.md", bob.list + f"- [ ] {GATE}\n")
        assert bob.waiting == ann.waiting == []

    @pytest.mark.slow
    def test_another_vault_has_another_queue(self, people, tmp_path):
        ann, _ = people
        ann.says(GATE)
        assert Person(tmp_path / "carl", vault="other").waiting == []

    @pytest.mark.slow
    def test_what_waited_before_the_queue_was_there_is_brought_along(self, people):
        ann, bob = people
        ann.write("wrapgen.toml", "")
        ann.says(GATE)
        assert bob.waiting == []
        ann.write("wrapgen.toml", 'pending = "store"\nvault = "acme"\n')
        assert ann.waiting == bob.waiting == [GATE]

    @pytest.mark.slow
    def test_a_secret_is_sent_to_nobody(self, people, team):
        import psycopg

        ann, _ = people
        ann.says(f"rotate the key AKIA{'QWERTYUIOPASDFGH'} of the uploader")
        with psycopg.connect(team) as connection:
            kept = connection.execute("SELECT record FROM follow_ups").fetchall()
        assert len(kept) == 1
        assert "QWERTYUIOP" not in kept[0][0]


class TestAtTheSameTime:
    @pytest.mark.slow
    def test_two_routers_route_each_once(self, people):
        ann, bob = people
        tasks = [f"mend house {number}" for number in range(8)]
        ids = ann.says(*tasks)
        assert bob.waiting == sorted(tasks)
        both = [one.routing(**dict.fromkeys(ids.values(), "project")) for one in people]
        results = [finish(child) for child in both]
        assert {result.code for result in results} <= {0, 1}, results
        assert {task: ann.holds(task) + bob.holds(task) for task in tasks} == dict.fromkeys(tasks, 1)
        assert ann.waiting == bob.waiting == []


class TestConfiguration:
    def test_without_an_address_the_key_is_named(self, people, monkeypatch):
        ann, _ = people
        monkeypatch.delenv("WRAPGEN_STORE")
        result = wrap("orphans", vault=ann)
        assert result.code == 1
        assert "[agents] store" in result.err
        assert "WRAPGEN_STORE" in result.err
        found = wrap("doctor", "--json", vault=ann).json["findings"]
        assert [one["level"] for one in found if one["check"] == "follow-ups"] == ["wrong"]

    def test_without_a_name_the_key_is_named(self, vault):
        result = wrap("regen", vault=vault(config='pending = "store"\n'))
        assert result.code == 1
        assert "wrapgen.toml:1" in result.err
        assert "vault = " in result.err

    def test_a_vault_that_is_not_trusted_sends_nothing(self, people, tmp_path):
        stranger = Vault(tmp_path / "stranger")
        stranger.write("wrapgen.toml", 'pending = "store"\nvault = "acme"\n')
        result = wrap("orphans", vault=stranger)
        assert (result.code, "wrap trust" in result.err) == (1, True)

    def test_finishing_an_item_needs_no_server(self, people, monkeypatch):
        ann, _ = people
        monkeypatch.delenv("WRAPGEN_STORE")
        first = wrap("list", "--json", vault=ann).json["items"][0]
        assert wrap("done", first["handle"], vault=ann).code == 0


@pytest.mark.slow
def test_state_files_are_known_to_doctor(people):
    ann, bob = people
    ids = ann.says(GATE)
    ann.routes(**{ids[GATE]: "project"})
    assert bob.waiting == []
    assert [one["id"] for one in state(bob, "elsewhere")] == [ids[GATE]]
    found = wrap("doctor", "--json", vault=bob).json["findings"]
    assert [one["level"] for one in found if one["check"] == "memory"] == ["ok"]
    assert TODAY in bob.path(".wrapgen/state/elsewhere.jsonl").read_text()
