"""Whatever is done to a vault between two runs, the page is that of a run that never saw it before."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.generate import PROJECTS, Plan, days, pages, plans
from tests.support import examples, wrap

if TYPE_CHECKING:
    from tests.support import Vault

STEPS = (
    "edit",
    "edit",
    "touch",
    "append",
    "tick",
    "tick",
    "delete",
    "rename",
    "new",
    "config",
    "tomorrow",
    "swap",
    "nothing",
)
CONFIGS = (
    "",
    "cap = 1\n",
    "cap = 3\nlookback_days = 5\n",
    "lookback_days = 1\n",
    "dedup_threshold = 60\n",
    "dedup_threshold = 100\n",
    '[sections]\nnext = ["done"]\n',
)
KINDS = {"journals": "journal", "todos": "todos", "PROGRESS": "progress"}


def kind_of(path: str) -> str:
    if path.startswith("journals"):
        return "journal"
    return "active" if "/actives/" in path else "progress" if path.endswith("PROGRESS.md") else "todos"


def change(data: st.DataObject, built: Vault, today: str) -> str:
    """Do something to the vault; the answer is the day of the next run."""
    files = sorted(path for folder in ("journals", "projects", "notes") for path in (built.root / folder).rglob("*.md"))
    names = [path.relative_to(built.root).as_posix() for path in files]
    step = data.draw(st.sampled_from(STEPS))
    if step == "config":
        built.write("wrapgen.toml", data.draw(st.sampled_from(CONFIGS)))
    elif step == "tomorrow":
        return data.draw(st.sampled_from(("2026-04-20", "2026-04-24", "2026-04-25", "2026-06-01")))
    elif step == "new" or not names:
        name = data.draw(
            st.sampled_from(
                (f"projects/{data.draw(st.sampled_from(PROJECTS))}/todos.md", f"journals/{data.draw(days)}.md")
            )
        )
        built.write(name, data.draw(pages(kind_of(name))).data, data.draw(days).isoformat())
    elif step != "nothing":
        name = data.draw(st.sampled_from(names))
        alter(data, built, step, name, data.draw(st.sampled_from(names)))
    return today


def alter(data: st.DataObject, built: Vault, step: str, name: str, other: str) -> None:
    path = built.path(name)
    match step:
        case "edit":
            path.write_bytes(data.draw(pages(kind_of(name))).data)
        case "touch":
            built.touch(name, data.draw(days).isoformat())
        case "append":
            status = path.stat()
            with path.open("ab") as file:
                file.write(b"\n- [ ] (web) Add retry to the uploader\n")
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        case "tick":
            path.write_bytes(path.read_bytes().replace(b"- [ ]", b"- [x]", 1))
        case "delete":
            path.unlink()
        case "rename":
            path.rename(path.with_name(f"{path.stem}-2.md" if kind_of(name) == "journal" else "PROGRESS.md"))
        case "swap":
            between = path.with_name("between")
            path.rename(between)
            if built.path(other).exists():
                built.path(other).rename(path)
            between.rename(built.path(other))


ASKED = (
    ("audit", "--json"), ("list", "--json"), ("list", "--all", "--json"), ("list", "--expired", "--json"),
    ("list", "--backlog", "--json"), ("explain", "login", "--json"), ("explain", "a", "--json"),
)  # fmt: skip
OF_THE_RUN = ("generated_at", "elapsed_ms", "written", "changed", "vault")


def answers(built: Vault, today: str) -> list[object]:
    """What each command says, without what is of its own run."""
    said = [wrap(*words, vault=built, today=today).json for words in ASKED]
    return [{key: value for key, value in one.items() if key not in OF_THE_RUN} for one in said]


def assert_as_new(built: Vault, today: str) -> None:
    looked = answers(built, today)  # by whoever only looks, before the rebuild has seen the change
    result = wrap("regen", vault=built, today=today)
    assert result.code == 0, result.err
    page = built.dashboard.read_bytes()
    whole = wrap("regen", "--check", "--json", vault=built, today=today)
    assert not whole.json["changed"], "the stages give another page for all items than for some"
    assert result.out.splitlines()[-1].startswith(f"collected {whole.json['collected']} = shown {whole.json['shown']} ")
    assert answers(built, today) == looked, "what only looks says something else than what remembers"
    cache = built.path(".wrapgen/cache")
    aside = built.root.with_name("aside")
    if cache.exists():
        cache.rename(aside)
    built.dashboard.unlink()
    assert answers(built, today) == looked, "without its cache the vault has other items"
    assert wrap("regen", vault=built, today=today).code == 0
    assert built.dashboard.read_bytes() == page, "without its cache the vault has another page"
    if aside.exists():
        shutil.rmtree(cache)
        aside.rename(cache)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(plans(), st.data())
@pytest.mark.slow
def test_any_sequence_of_changes(plan: Plan, data: st.DataObject):
    with TemporaryDirectory() as folder:
        built = plan.build(Path(folder) / "vault")
        today = "2026-04-24"
        assert_as_new(built, today)
        for _ in range(data.draw(st.integers(1, 4))):
            today = change(data, built, today)
            assert_as_new(built, today)
