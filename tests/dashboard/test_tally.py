"""The numbers of a rebuild add up, from one to the next."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.generate import Plan, plans
from tests.properties.test_cache_properties import change
from tests.support import examples
from wrapgen.dashboard.standing import standing_of, tally
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import run_pipeline
from wrapgen.workflows.vault_session import VaultSession

WORDS = ("add retry to the uploader", "fix the login", "nobody said that")


def run_of(built, today):
    from datetime import date

    return run_pipeline(VaultSession.look(App(vault=built.root, today=date.fromisoformat(today))))


@pytest.mark.slow
@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(plans(), st.data())
def test_the_numbers_add_up(plan: Plan, data: st.DataObject):
    with TemporaryDirectory() as folder:
        built = plan.build(Path(folder) / "vault")
        before, today = None, "2026-04-24"
        for _ in range(3):
            run = run_of(built, today)
            now = standing_of(run)
            numbers = tally(run, before, now, WORDS)
            assert numbers.open == numbers.fates["shown"] + numbers.fates["overflow"] == sum(numbers.ages.values())
            assert numbers.collected == sum(numbers.fates.values()) == sum(numbers.sources.values())
            before, today = now, change(data, built, today)


@pytest.mark.slow
@settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(plans())
def test_where_nothing_changed_nothing_is_new_or_resolved(plan: Plan):
    with TemporaryDirectory() as folder:
        built = plan.build(Path(folder) / "vault")
        run = run_of(built, "2026-04-24")
        numbers = tally(run, standing_of(run), standing_of(run), ())
        assert (numbers.new, numbers.resolved) == (0, 0)
