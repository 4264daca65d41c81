"""Former snapshots stand beside the latest, newest first; nothing is lost between."""

import os

import pytest

from tests.stage.kit import FILE, TASK, write, written
from tests.support import wrap


def former(vault, number):
    return vault.path(f"snapshots/{TASK}.{number}.snapshot.md")


def numbers(vault):
    return sorted(int(path.name.split(".")[1]) for path in vault.path("snapshots").glob(f"{TASK}.*.snapshot.md"))


def test_the_last_three_are_kept(vault):
    built = vault()
    datas = [written(built, f"text {number}\n") for number in range(6)]
    assert built.path(FILE).read_bytes() == datas[5]
    assert numbers(built) == [1, 2, 3]
    assert [former(built, number).read_bytes() for number in (1, 2, 3)] == [datas[4], datas[3], datas[2]]


def test_three_are_kept(vault):
    built = vault()
    for number in range(8):
        written(built, f"text {number}\n")
    assert numbers(built) == [1, 2, 3]


def test_the_same_again_adds_nothing(vault):
    built = vault()
    for _ in range(3):
        data = written(built, "the same\n")
    assert numbers(built) == []
    assert built.path(FILE).read_bytes() == data


def test_a_gap_is_closed_and_a_second_name_is_no_former_one(vault):
    """What a run leaves that dies: number 1 moved up, or the latest linked as number 1 already."""
    built = vault()
    datas = [written(built, f"text {number}\n") for number in range(3)]
    former(built, 1).rename(former(built, 3))
    datas.append(written(built, "text 3\n"))
    assert numbers(built) == [1, 2, 3]
    assert [former(built, n).read_bytes() for n in (1, 2, 3)] == [datas[2], datas[0], datas[1]]
    former(built, 3).unlink()
    former(built, 2).rename(former(built, 3))
    former(built, 1).rename(former(built, 2))
    os.link(built.path(FILE), former(built, 1))
    shown = wrap("stage", "show", TASK, "--json", vault=built).json
    assert shown["formers"] == [f"snapshots/{TASK}.{n}.snapshot.md" for n in (2, 3)]
    written(built, "text 4\n")
    assert [former(built, n).read_bytes() for n in (1, 2, 3)] == [datas[3], datas[2], datas[0]]


def test_tasks_whose_ids_begin_alike_do_not_mix(vault):
    built = vault()
    for task in ("TUNE-0254", "TUNE-02541"):
        for text in ("one", "two"):
            assert write(built, text, task=task).code == 0
    assert numbers(built) == [1]
    assert wrap("stage", "archive", "TUNE-0254", vault=built).code == 0
    left = sorted(path.name for path in built.path("snapshots").iterdir())
    assert left == [".gitignore", "TUNE-02541.1.snapshot.md", "TUNE-02541.snapshot.md"]


# Archive


def archived(vault, area="general"):
    folder = vault.path(f"archive/{area}/snapshots")
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".gitignore"}


def test_the_latest_and_the_former_ones_are_moved_byte_for_byte(vault):
    built = vault()
    datas = [written(built, f"text {number}\n") for number in range(3)]
    before = built.path(FILE).stat().st_ino
    result = wrap("stage", "archive", TASK, "--json", vault=built)
    assert result.code == 0
    assert archived(built) == {
        f"{TASK}-final-stage.md": datas[2],
        f"{TASK}-final-stage.1.md": datas[1],
        f"{TASK}-final-stage.2.md": datas[0],
    }
    assert built.path(f"archive/general/snapshots/{TASK}-final-stage.md").stat().st_ino == before, "moved, not copied"
    assert [path.name for path in built.path("snapshots").iterdir()] == [".gitignore"]
    assert {pair["to"] for pair in result.json["moved"]} == {
        f"archive/general/snapshots/{name}" for name in archived(built)
    }


def test_an_earlier_one_is_kept(vault):
    built = vault()
    datas = []
    for number in range(3):
        datas.append(written(built, f"text {number}\n"))
        assert wrap("stage", "archive", TASK, "--area", "web", vault=built).code == 0
    assert list(map(archived(built, "web").get, [f"{TASK}-final-stage{n}.md" for n in ("", "-2", "-3")])) == datas


@pytest.mark.parametrize("verb", ["show", "next", "diff"])
def test_what_was_archived_is_named(vault, verb):
    built = vault()
    for area in ("web", "api", "web"):
        written(built, area)
        assert wrap("stage", "archive", TASK, "--area", area, vault=built).code == 0
    result = wrap("stage", verb, TASK, vault=built)
    assert result.code == 1
    assert f"archive/web/snapshots/{TASK}-final-stage-2.md" in result.err
    assert "archive" not in wrap("stage", verb, f"{TASK}1", vault=built).err


def test_nothing_to_archive(vault):
    built = vault()
    result = wrap("stage", "archive", TASK, vault=built)
    assert (result.code, result.err) == (0, "")
    assert "nothing to archive" in result.out
    assert not built.path("archive").exists()
    assert wrap("stage", "archive", TASK, "--json", vault=built).json["moved"] == []


@pytest.mark.parametrize("area", ["", "..", "../x", "a/b", "/x", ".hidden", "a\n", "a\0b", "x" * 300, "a\\b", " "])
def test_an_area_is_one_name(vault, area):
    built = vault()
    written(built)
    before = built.snapshot()
    assert wrap("stage", "archive", TASK, "--area", area, vault=built).code == 2
    assert built.snapshot() == before


def test_an_area_in_any_script(vault):
    built = vault()
    written(built)
    assert wrap("stage", "archive", TASK, "--area", "결제 팀", vault=built).code == 0
    assert f"{TASK}-final-stage.md" in archived(built, "결제 팀")


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_an_archive_that_leads_out_of_the_vault_is_refused(vault, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    built = vault()
    data = written(built)
    built.path("archive").symlink_to(outside)
    assert wrap("stage", "archive", TASK, vault=built).code == 1
    assert built.path(FILE).read_bytes() == data
    assert list(outside.iterdir()) == []


def test_a_snapshot_that_a_person_changed_is_moved_as_it_is(vault):
    built = vault()
    written(built)
    built.path(FILE).write_bytes(b"mine\r\n\xff")
    assert wrap("stage", "archive", TASK, vault=built).code == 0
    assert archived(built)[f"{TASK}-final-stage.md"] == b"mine\r\n\xff"
