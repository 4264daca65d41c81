"""The numbers of a rebuild are the same whether all items were looked at or some were only counted."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.generate import Plan, plans
from tests.properties.test_cache_properties import change
from tests.support import examples
from wrapgen.dashboard.tally import standing_of, tally
from wrapgen.run_history import Standing
from wrapgen.workflows.app import App
from wrapgen.workflows.bulk_rebuild import BulkRebuild
from wrapgen.workflows.rebuild import run_pipeline
from wrapgen.workflows.vault_session import VaultSession

WORDS = ("add retry to the uploader", "fix the login", "nobody said that")


def both(built, today):
    """A run over all items, and one that counts most of them."""
    from datetime import date

    app = App(vault=built.root, today=date.fromisoformat(today))
    session = VaultSession.look(app)
    return run_pipeline(session), BulkRebuild(session, app.glance()).run()


def in_order(standing):
    return Standing(standing.day, sorted(standing.open), sorted(standing.merged))


@pytest.mark.slow
@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(plans(), st.data())
def test_a_run_in_bulk_counts_as_a_whole_one(plan: Plan, data: st.DataObject):
    with TemporaryDirectory() as folder:
        built = plan.build(Path(folder) / "vault")
        before, today = None, "2026-04-24"
        for _ in range(3):
            whole, bulk = both(built, today)
            now = standing_of(whole)
            assert in_order(standing_of(bulk)) == in_order(now)
            numbers = tally(whole, before, now, WORDS)
            assert tally(bulk, before, standing_of(bulk), WORDS) == numbers
            assert numbers.open == numbers.fates["shown"] + numbers.fates["overflow"] == sum(numbers.ages.values())
            assert numbers.collected == sum(numbers.fates.values()) == sum(numbers.sources.values())
            before, today = now, change(data, built, today)


@pytest.mark.slow
@settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(plans())
def test_where_nothing_changed_nothing_is_new_or_resolved(plan: Plan):
    with TemporaryDirectory() as folder:
        built = plan.build(Path(folder) / "vault")
        run, _ = both(built, "2026-04-24")
        numbers = tally(run, standing_of(run), standing_of(run), ())
        assert (numbers.new, numbers.resolved) == (0, 0)
