"""A router that is killed anywhere, while somebody else asks for the same: routed once, or still waiting."""

import os
import signal

import psycopg
import pytest

from tests.support import TODAY
from tests.team.dying import dying

pytestmark = [
    pytest.mark.xdist_group("postgres"),
    pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL"),
]
GATE = "mend the gate"
WRITING = "wrapgen.workflows.file_writer"
POINTS = (
    "wrapgen.agents.operations:Queue.claim:before:1",
    "wrapgen.agents.operations:Queue.claim:after:1",
    f"{WRITING}:rewrite:before:1",  # the receipt is planned
    f"{WRITING}:rewrite:after:1",  # the line stands
    "wrapgen.agents.spool:Spool.append:before:1",
    "wrapgen.agents.spool:Spool.append:after:1",
    "wrapgen.workflows.memory:Memory.close:before:1",  # it waits no more, as far as this clone knows
    "wrapgen.workflows.memory:Memory.close:after:1",
    "wrapgen.workflows.team_queue:Sharing.__exit__:before:1",  # the server has not heard of it
    "wrapgen.agents.operations:Settle.do:after:1",  # it has, and does not keep it
    "wrapgen.agents.spool:Spool.drain:after:1",
    "wrapgen.agents.operations:Queue.release:after:2",
)
BEFORE_THE_FILE = POINTS[:3]


def killed(person, point, **routes):
    words = ["--vault", person.root, "--today", TODAY, "route", "--answers", person.answers(**routes)]
    from tests.forked import forked  # which needs POSIX

    result = forked(point, *words, patience=60, run=dying)
    assert result.code == -signal.SIGKILL, result


@pytest.mark.slow
@pytest.mark.sampled(12)
@pytest.mark.parametrize("point", POINTS)
def test_killed_at(people, point):
    ann, bob = people
    key = ann.says(GATE)[GATE]
    assert bob.waiting == [GATE]
    killed(ann, point, **{key: "project"})
    stood = ann.holds(GATE)
    assert stood == (0 if point in BEFORE_THE_FILE else 1)
    bob.routes(**{key: "project"})
    assert ann.holds(GATE) + bob.holds(GATE) <= 1
    ann.waiting  # noqa: B018 - it runs again, and puts in order what it left
    bob.routes(**{key: "project"})
    assert ann.holds(GATE) + bob.holds(GATE) == 1
    assert ann.waiting == bob.waiting == []


@pytest.mark.slow
def test_a_claim_whose_router_never_comes_back_is_free_after_its_lease(people, team):
    ann, bob = people
    key = ann.says(GATE)[GATE]
    assert bob.waiting == [GATE]
    killed(ann, "wrapgen.agents.operations:Queue.claim:after:1", **{key: "project"})
    busy = bob.routes(**{key: "project"})
    assert busy.code == 1
    assert "right now" in busy.json["refused"][0]["reason"]
    with psycopg.connect(team, autocommit=True) as connection:
        connection.execute("UPDATE follow_ups SET changed_at = changed_at - interval '61 minutes'")
    assert bob.routes(**{key: "project"}).code == 0
    assert (ann.waiting, bob.holds(GATE)) == ([], 1)


@pytest.mark.slow
def test_what_somebody_else_has_filed_meanwhile_is_not_written_once_more(people, team):
    ann, bob = people
    key = ann.says(GATE)[GATE]
    assert bob.waiting == [GATE]
    killed(ann, f"{WRITING}:rewrite:before:1", **{key: "project"})
    with psycopg.connect(team, autocommit=True) as connection:
        connection.execute("UPDATE follow_ups SET changed_at = changed_at - interval '61 minutes'")
    assert bob.routes(**{key: "project"}).code == 0
    assert (ann.waiting, ann.holds(GATE), bob.holds(GATE)) == ([], 0, 1)
