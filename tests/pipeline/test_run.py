"""The whole pipeline on parsed files: pure, in order, and with a ledger that cannot be fooled."""

from dataclasses import replace
from datetime import date
from itertools import permutations

import pytest
from msgspec import structs

from tests.pipeline.kit import item
from wrapgen.config import Config
from wrapgen.errors import LedgerError
from wrapgen.ledger import Concern, Outcome, Remark
from wrapgen.model import Fate
from wrapgen.notes import Contents, Kind, Source
from wrapgen.pipeline import collected
from wrapgen.pipeline import run as pipeline
from wrapgen.pipeline.collected import collect
from wrapgen.pipeline.projects import Projects
from wrapgen.vault.markdown.parse import parse

TODAY = date(2026, 4, 24)


def source(path, text, kind=Kind.JOURNAL_NEXT, day=None, project=None):
    return Source(path, kind, parse(text), day=day, project=project, changed=TODAY)


SOURCES = (
    source("a.md", "## Next\n- Fix the login\n- Rotate the signing keys\n", day=date(2026, 4, 20)),
    source("b.md", "## Done\n- Rotate the signing keys\n## Next\n- Fix the login\n", day=date(2026, 4, 21)),
    source("c.md", "## Next\n- Paint the door\n", day=date(2026, 1, 1)),
    source("d.md", "## Next Session\n- [ ] Fix the login\n- Translate the report\n", Kind.PROJECT_TODOS, project="web"),
)


def run(sources=SOURCES, **options):
    config = Config(**options)
    contents = Contents(tuple(sources), ("web",), ())
    projects = Projects.known(("web",), config.projects)
    return pipeline.run(collect(contents, projects, config), projects=projects, config=config, today=TODAY)


def test_nothing_in_nothing_out():
    result = run(())
    assert result.outcomes == ()
    assert [(one.kind, one.files, one.items) for one in result.sources] == [(kind, 0, 0) for kind in Kind]


def test_the_stages_stand_in_the_order_of_the_specification():
    stages = (*collected.COLLECTING, *pipeline.STAGES)
    assert [stage.__name__ for stage in stages] == ["extract", "tag", "judged", "resolve", "expire", "dedup", "rank"]


def test_the_order_of_the_sources_does_not_matter():
    expected = run()
    assert {fate: len(expected.of(fate)) for fate in Fate} == {
        Fate.SHOWN: 2, Fate.RESOLVED: 1, Fate.DUPLICATE: 2, Fate.OVERFLOW: 0, Fate.EXPIRED: 1,
    }  # fmt: skip
    for order in permutations(SOURCES):
        assert run(order) == expected


def lose(before, _):
    return replace(before, kept=before.kept[1:], dropped=())


def double(before, _):
    return replace(before, kept=(*before.kept, before.kept[0]), dropped=())


def invent(before, _):
    return replace(before, kept=(*before.kept, structs.replace(before.kept[0], id="f" * 12)), dropped=())


def swap(before, _):
    return replace(before, kept=(*before.kept[1:], structs.replace(before.kept[0], id="f" * 12)), dropped=())


@pytest.mark.parametrize("defect", [lose, double, invent, swap])
@pytest.mark.parametrize("position", range(1, 7))
def test_a_stage_that_loses_doubles_or_invents_is_caught(monkeypatch, defect, position):
    stages = [*collected.COLLECTING, *pipeline.STAGES]
    stages[position] = defect
    monkeypatch.setattr(collected, "COLLECTING", tuple(stages[:2]))
    monkeypatch.setattr(pipeline, "STAGES", tuple(stages[2:]))
    with pytest.raises(LedgerError):
        run()


def test_a_drop_without_the_item_is_caught(monkeypatch):
    rank = pipeline.STAGES[-1]

    def forget(before, context):
        return replace(rank(before, context), dropped=())

    monkeypatch.setattr(pipeline, "STAGES", (*pipeline.STAGES[:-1], forget))
    with pytest.raises(LedgerError) as caught:
        run(cap=1)
    assert str(caught.value) == (
        "the ledger does not balance: the stage `forget` was given 2 items and accounts for 1. Nothing was written. "
        "This is a bug in wrapgen: please report it with `wrap audit --json`."
    )


def test_what_is_collected_alone_is_every_open_item_and_all_evidence_tagged():
    said = source("e.md", "## Session: web\n### Next\n- Oil the gate\n### Done\n- (web) Mend the roof\n", day=TODAY)
    contents = Contents((*SOURCES, said), ("web",), ())
    projects = Projects.known(("web",), {})
    found = collect(contents, projects, Config()).found
    assert [(one.text, one.project) for one in found.kept] == [
        ("Fix the login", None), ("Rotate the signing keys", None), ("Fix the login", None), ("Paint the door", None),
        ("Oil the gate", "web"), ("Fix the login", "web"), ("Translate the report", "web"),
    ]  # fmt: skip
    assert [(one.text, one.project) for one in found.evidence] == [
        ("Rotate the signing keys", None),
        ("Mend the roof", "web"),
    ]


def test_an_item_that_is_collected_twice_is_caught(monkeypatch):
    extract, tag = collected.COLLECTING

    def twice(before, context):
        found = extract(before, context)
        return replace(found, kept=(*found.kept, found.kept[0]))

    monkeypatch.setattr(collected, "COLLECTING", (twice, tag))
    with pytest.raises(LedgerError, match="items were collected and"):
        run()


def test_sources_are_counted_by_kind():
    assert [(one.kind, one.files, one.items) for one in run().sources] == [
        (Kind.JOURNAL_NEXT, 3, 4), (Kind.ACTIVE_TODOS, 0, 0), (Kind.PROJECT_TODOS, 1, 2), (Kind.PROGRESS, 0, 0),
        (Kind.LISTS, 0, 0), (Kind.HAND_OVERS, 0, 0), (Kind.SAID, 0, 0),
    ]  # fmt: skip


class TestRemarks:
    """Only what somebody still needs to look at, by its place."""

    def outcomes(self, **fates):
        return tuple(Outcome(item(name, int(name[1:])), Fate(fate)) for name, fate in fates.items())

    def left(self, concern, outcomes):
        remarks = tuple(Remark(concern, one.item) for one in reversed(outcomes))
        return [one.item.text for one in pipeline.relevant(remarks, outcomes)]

    def test_an_untagged_item_that_is_gone_needs_no_tag(self):
        outcomes = self.outcomes(i1="shown", i2="overflow", i3="resolved", i4="duplicate", i5="expired")
        assert self.left(Concern.UNTAGGED, outcomes) == ["i1", "i2"]

    def test_nor_one_that_a_tagged_one_was_merged_into(self):
        bare, other = self.outcomes(i1="shown", i2="shown")
        merged = Outcome(structs.replace(bare.item, project="web"), Fate.SHOWN)
        remarks = tuple(Remark(Concern.UNTAGGED, one.item) for one in (bare, other))
        assert [one.item.text for one in pipeline.relevant(remarks, (merged, other))] == ["i2"]

    def test_what_is_probably_done_matters_while_it_is_open(self):
        outcomes = self.outcomes(i1="shown", i2="overflow", i3="resolved", i4="duplicate", i5="expired")
        assert self.left(Concern.PROBABLY_DONE, outcomes) == ["i1", "i2"]

    @pytest.mark.parametrize("concern", [Concern.CONFLICTS, Concern.STALE_BOXES])
    def test_what_the_files_say_is_told_whatever_became_of_it(self, concern):
        outcomes = self.outcomes(i1="shown", i2="resolved", i3="expired")
        assert self.left(concern, outcomes) == ["i1", "i2", "i3"]
