"""Killed at any system call: the former or the new snapshot stands whole, and no stage that was kept is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.followups.crashes import about, crashes
from tests.stage.kit import AT, FILE, PLAN, TASK, front, written
from tests.support import Vault, wrap

NEW, OTHER = "the new text\n", "the text after\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL"),
    pytest.mark.xdist_group("stages, killed everywhere once"),
]


def words(folder, text):
    file = folder / f"{len(text)}.md"
    file.write_text(text, "utf-8")
    return ["stage", "write", *PLAN, "--captured-at", AT, "--body-file", str(file)]


def snapshots(files):
    """The snapshots by name, without what a kill left half-written beside."""
    return {
        Path(name).name: data.encode("latin-1")
        for name, data in files.items()
        if name.startswith(("snapshots/", "archive/")) and not Path(name).name.startswith(".")
    }


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A vault whose task has as many former snapshots as are kept, with their bytes, oldest first."""
    vault = Vault(tmp_path_factory.mktemp("full") / "vault")
    return vault, [written(vault, f"text {number}\n") for number in range(4)]


@pytest.fixture(scope="module")
def found(full, tmp_path_factory):
    """A write over it, killed everywhere once for all tests of it."""
    folder = tmp_path_factory.mktemp("write")
    return crashes(full[0], words(folder, NEW), words(folder, OTHER))


class TestWrite:
    def test_at_every_moment_the_former_or_the_new_one_stands_whole(self, full, found):
        latest = {one["n"]: snapshots(one["crashed"])[f"{TASK}.snapshot.md"] for one in found}
        assert set(latest.values()) == {full[1][3], latest[found[-1]["n"]]}
        assert NEW.encode() in latest[found[-1]["n"]]
        for data in latest.values():
            front(data)

    def test_at_every_moment_every_stage_that_is_kept_stands_somewhere(self, full, found):
        for one in found:
            stands = set(snapshots(one["crashed"]).values())
            kept = full[1] if stands == set(full[1]) else full[1][1:]
            assert set(kept) <= stands, about(one)
            published = NEW.encode() in snapshots(one["crashed"])[f"{TASK}.snapshot.md"]
            assert published or set(full[1]) <= stands, f"the oldest is gone before the new one is there, {about(one)}"

    def test_the_next_write_puts_everything_in_order(self, full, found):
        for one in found:
            assert one["second"] == 0, about(one)
            stands = snapshots(one["after"])
            assert OTHER.encode() in stands.pop(f"{TASK}.snapshot.md"), about(one)
            assert sorted(stands) == [f"{TASK}.{number}.snapshot.md" for number in (1, 2, 3)], about(one)
            newest = [stands[f"{TASK}.{number}.snapshot.md"] for number in (1, 2, 3)]
            ours = [data for data in newest if NEW.encode() in data]
            assert [data for data in newest if data not in ours] == full[1][::-1][: 3 - len(ours)], about(one)
            hidden = [name for name in one["after"] if Path(name).name.startswith(".") and "snapshots" in name]
            assert hidden == ["snapshots/.gitignore"], about(one)


class TestFirst:
    def test_a_first_snapshot_is_whole_or_not_there_and_git_never_sees_it(self, tmp_path):
        vault = Vault(tmp_path / "vault")
        found = crashes(vault, words(tmp_path, NEW), words(tmp_path, OTHER))
        for one in found:
            for data in snapshots(one["crashed"]).values():
                front(data)
            assert one["second"] == 0, about(one)
            assert OTHER.encode() in snapshots(one["after"])[f"{TASK}.snapshot.md"], about(one)
            assert one["after"]["snapshots/.gitignore"].strip() == "*", about(one)


class TestArchive:
    def test_every_snapshot_stands_and_the_next_run_finishes(self, full, tmp_path):
        vault, datas = full
        found = crashes(vault, ["stage", "archive", TASK], ["stage", "archive", TASK])
        for one in found:
            assert set(snapshots(one["crashed"]).values()) == set(datas), about(one)
            assert one["second"] == 0, about(one)
            after = snapshots(one["after"])
            assert after == {
                f"{TASK}-final-stage.md": datas[3],
                **{f"{TASK}-final-stage.{number}.md": datas[3 - number] for number in (1, 2, 3)},
            }, about(one)


def test_the_driver_works_on_a_copy(full):
    assert full[0].path(FILE).read_bytes() == full[1][3]
    assert wrap("stage", "show", TASK, vault=full[0]).code == 0
