"""What holds for every vault."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.generate import Plan, plans, unrelated_pages
from tests.support import FATES, TODAY, Result, Vault, audit, examples, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

quick = settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@contextmanager
def written(plan: Plan) -> Iterator[Vault]:
    with tempfile.TemporaryDirectory() as folder:
        yield plan.build(Path(folder).resolve() / "vault")


def regen(vault: Vault) -> Result:
    result = wrap("regen", "--json", vault=vault)
    assert result.code == 0, result.err
    return result


@quick
@given(plans())
def test_the_ledger_balances(plan):
    with written(plan) as vault:
        document = audit(vault).json
    items = document["items"]
    assert document["collected"] == len(items) == sum(document[fate] for fate in FATES)
    assert Counter(item["fate"] for item in items) == {fate: document[fate] for fate in FATES if document[fate]}
    assert len({item["id"] for item in items}) == len(items)
    assert sum(source["items"] for source in document["sources"]) == len(items)
    ranks = sorted(item["rank"] for item in items if item["fate"] == "shown")
    assert ranks == list(range(1, len(ranks) + 1))
    assert all(item["rank"] is None for item in items if item["fate"] != "shown")


@pytest.mark.slow
@quick
@given(plans())
def test_every_open_item_of_every_source_is_collected_once(plan):
    with written(plan) as vault:
        items = audit(vault).json["items"]
    assert sorted((item["path"], item["line"]) for item in items) == plan.collected


@pytest.mark.slow
@quick
@given(plans())
def test_every_dropped_item_names_evidence_that_stands_there(plan):
    with written(plan) as vault:
        items = audit(vault).json["items"]
        kept = {item["id"] for item in items if item["fate"] not in ("duplicate", "resolved")}
        for item in items:
            because = item["because"]
            assert (because is not None) == (item["fate"] in ("resolved", "duplicate"))
            if because is None:
                continue
            lines = vault.path(because["path"]).read_bytes().decode("utf-8-sig").splitlines()
            assert lines[because["line"] - 1].strip()
            assert because["score"] >= 85
            assert (because["item"] in kept) == (item["fate"] == "duplicate")


@pytest.mark.slow
@quick
@given(plans())
def test_a_second_run_changes_nothing(plan):
    with written(plan) as vault:
        regen(vault)
        before = vault.snapshot()
        again = regen(vault)
        assert again.json["changed"] is False
        assert vault.snapshot() == before
        assert wrap("regen", "--check", vault=vault).code == 0


@pytest.mark.slow
@quick
@given(plans())
def test_a_clean_rebuild_gives_the_same_bytes(plan):
    with written(plan) as vault:
        regen(vault)
        before = vault.dashboard.read_bytes()
        vault.dashboard.unlink()
        for made in (".agents", ".wrapgen"):
            shutil.rmtree(vault.path(made), ignore_errors=True)
        regen(vault)
        assert vault.dashboard.read_bytes() == before


@contextmanager
def shuffled_folders(seed: int) -> Iterator[None]:
    """Let the file system list every folder in another order."""
    scandir, listdir = os.scandir, os.listdir
    order = random.Random(seed)

    class Shuffled:
        def __init__(self, path: str = ".") -> None:
            with scandir(path) as entries:
                self.entries = list(entries)
            order.shuffle(self.entries)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def close(self) -> None:
            pass

        def __iter__(self) -> Self:
            return self

        def __next__(self) -> os.DirEntry[str]:
            if not self.entries:
                raise StopIteration
            return self.entries.pop()

    def shuffled(path: str = ".") -> list[str]:
        names = listdir(path)
        order.shuffle(names)
        return names

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "scandir", Shuffled)
        patch.setattr(os, "listdir", shuffled)
        yield


@pytest.mark.slow
@quick
@given(plans(), st.integers(0, 99))
def test_the_order_in_which_folders_are_listed_does_not_matter(plan, seed):
    with written(plan) as vault:
        before = audit(vault).json
        regen(vault)
        page = vault.dashboard.read_bytes()
        with shuffled_folders(seed):
            after = audit(vault).json
            assert regen(vault).json["changed"] is False
        assert vault.dashboard.read_bytes() == page
    for document in (before, after):
        del document["elapsed_ms"], document["generated_at"], document["changed"]
    assert after == before


@pytest.mark.slow
@quick
@given(st.data())
def test_an_unrelated_file_removes_a_shown_item_only_by_rank(data):
    plan = data.draw(plans())
    path, page = data.draw(unrelated_pages(plan))
    with written(plan) as vault:
        before = audit(vault).json["items"]
        vault.write(path, page.data)
        after = {item["id"]: item["fate"] for item in audit(vault).json["items"]}
    for item in before:
        if item["fate"] in ("shown", "overflow"):
            assert after[item["id"]] in ("shown", "overflow")
        else:
            assert after[item["id"]] == item["fate"]


@pytest.mark.slow
@quick
@given(plans(), st.integers(0, 6))
def test_ids_stay_when_lines_move(plan, blank_lines):
    with written(plan) as vault:
        before = sorted((item["path"], item["id"], item["fate"]) for item in audit(vault).json["items"])
        for path, page in plan.pages.items():
            lead = [] if page.lines[:1] == ["---"] else [""] * blank_lines
            page.lines[:0] = lead
            vault.write(path, page.data, plan.changed[path])
        after = sorted((item["path"], item["id"], item["fate"]) for item in audit(vault).json["items"])
    assert after == before


PIECES = (
    "- ", "* ", "1. ", "- [ ] ", "- [x] ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", "# ", "## Next\n", "## Done\n",
    "## Session: web\n", "**Next**\n", "```\n", "> ", "| a | b |\n| --- | --- |\n| ", " | ", "---\n", "<!--", "-->",
    "<b>", "[[", "]]", "](", "`", "``", "~~", "*", "_", "\\", "✅", "📅 2026-05-30", "🔁 ", "P0 ", "(web) ", "\0",
    "\x1b[31m", "\u202e", "\ufeff", "\ud800", "e\u0301" * 3, "한글", "{{ x }}", "{% if %}", "$$", "&amp;", "https://a.b/c",
    "\x0c", "\x85", "\u2028",
)  # fmt: skip
markdownish = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(journal=markdownish, active=markdownish, listed=markdownish)
def test_any_text_is_accounted_for(journal, active, listed):
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder).resolve() / "vault")
        for path, text in (
            (f"journals/{TODAY}.md", "## Next\n" + journal),
            ("projects/web/actives/upload/todos.md", active),
            ("projects/web/todos.md", "## Next Session\n" + listed),
        ):
            vault.write(path, text.encode("utf-8", "surrogatepass"))
        document = regen(vault).json
        assert document["collected"] == sum(document[fate] for fate in FATES)
        assert wrap("regen", "--check", vault=vault).code == 0
        assert wrap(vault=vault).code == 0
        assert wrap("list", "--all", vault=vault).code == 0


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read(data):
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder).resolve() / "vault")
        vault.write(f"journals/{TODAY}.md", b"## Next\n- Fix the login\n\n## Notes\n\n" + data)
        assert "Fix the login" in [item["text"] for item in audit(vault).json["items"]]
