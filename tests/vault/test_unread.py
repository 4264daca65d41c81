"""Open boxes that no source reads are counted and said, whichever way a rebuild takes."""

import os
import shutil
import subprocess

import pytest

from tests.support import audit, journal, next_list, wrap
from wrapgen.vault.disk import LARGEST_FILE

GOOD = journal("2026-04-23", next_list("Fix the login"))
NOTES = {
    "notes/boat.md": "# Boat\n\n## Hull\n\n- [ ] Paint the hull\n- [x] Sand it\n- [ ] Varnish the deck\n",
    "notes/plain.md": "Nothing to do, only words.\n",
    "shopping.md": "- [ ] Buy a lamp\n",
}
LINE = "3 open boxes in 2 files are not read: wrap sources"


def unread(built):
    return audit(built).json["unread"]


def test_they_are_counted_by_folder_and_heading(vault):
    assert unread(vault({**GOOD, **NOTES})) == {
        "boxes": 3,
        "files": 2,
        "by": [
            {"folder": "notes", "heading": "Hull", "boxes": 2},
            {"folder": "", "heading": "", "boxes": 1},
        ],
        "rest": 0,
    }


def test_one_is_said_in_the_singular(vault):
    built = vault({"shopping.md": NOTES["shopping.md"]})
    assert "1 open box in 1 file is not read: wrap sources" in wrap("audit", vault=built).out


def test_every_place_says_so_and_none_that_nothing_is_open(vault, tmp_path):
    built = vault(NOTES)
    assert LINE in wrap(vault=built).out
    assert LINE in wrap("audit", vault=built).out
    assert LINE in wrap("list", vault=built).out
    assert "3 open boxes in 2 files are not read → wrap sources" in wrap("doctor", vault=built).out
    assert "3 open boxes in 2 files are not read: `wrap sources`" in built.page
    assert "notes › Hull · 2" in built.page
    wrap("page", "--out", tmp_path / "page.html", vault=built)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert LINE in page
    assert not any("nothing is open" in said.lower() for said in (built.page, page, wrap("list", vault=built).out))


@pytest.mark.parametrize(
    "path", [".trash/a.md", "notes/.history/a.md", "notes/a.txt", "ACTIVE-STATUS.md", "snapshots/T-0001.snapshot.md"]
)
def test_what_is_hidden_or_the_programs_own_is_not_counted(vault, path):
    assert unread(vault({**GOOD, path: "- [ ] Never\n"}))["boxes"] == 0


def test_what_is_ignored_is_neither_read_nor_counted(vault):
    config = '[sources]\nlists = ["notes/**/*.md"]\nignore = ["**/templates/**"]\n'
    built = vault({"notes/a.md": "- [ ] Sell the car\n", "notes/templates/b.md": "- [ ] TITLE\n"}, config=config)
    assert set(audit(built).fates) == {"Sell the car"}
    assert unread(built)["boxes"] == 0


def test_another_vault_inside_is_not_counted(vault):
    assert unread(vault({**GOOD, "demo/wrapgen.toml": "", "demo/a.md": "- [ ] Never\n"}))["boxes"] == 0


@pytest.mark.parametrize("command", [("regen",), (), ("--no-prompt",)])
def test_both_routes_of_a_rebuild_say_the_same(vault, command):
    built = vault({**GOOD, **NOTES})
    wrap(*command, vault=built)
    first = built.page
    shutil.rmtree(built.path(".wrapgen/cache"))
    built.dashboard.unlink()
    wrap("regen", vault=built)
    assert built.page == first
    wrap("regen", vault=built)
    assert built.page == first


def test_a_change_of_an_unread_file_is_seen(vault):
    built = vault({**GOOD, **NOTES})
    for path in built.root.rglob("*.md"):
        os.utime(path, (1, 1))
    wrap("regen", vault=built)
    wrap("regen", vault=built)
    built.write("shopping.md", "- [ ] Buy a lamp\n- [ ] Buy a rug\n")
    assert wrap("regen", vault=built).out.startswith("ACTIVE-STATUS.md: rebuilt")
    assert "4 open boxes in 2 files" in built.page
    built.path("shopping.md").unlink()
    wrap("regen", vault=built)
    assert "2 open boxes in 1 file" in built.page


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize(
    ("lines", "left_out"),
    [
        ("", ""),
        ("notes/", "notes/a.md notes/deep/b.md"),
        ("/notes\n", "notes/a.md notes/deep/b.md"),
        ("b.md", "notes/deep/b.md"),
        ("*.md\n!a.md\n", "notes/deep/b.md top.md"),
        ("notes/**/b.md", "notes/deep/b.md"),
        ("**/deep", "notes/deep/b.md"),
        ("deep/*\n# top.md\n\\#x\n", ""),
        ("notes/[a-c].md", "notes/a.md"),
        ("t?p.md   ", "top.md"),
    ],
)
def test_what_git_leaves_out_is_not_counted(vault, lines, left_out):
    paths = {"notes/a.md", "notes/deep/b.md", "top.md"}
    built = vault(dict.fromkeys(paths, "- [ ] Sell the car\n") | {".gitignore": lines})
    assert unread(built)["boxes"] == 3  # no repository yet
    subprocess.run(["git", "init", "-q", built.root], check=True)
    said = subprocess.run(
        ["git", "-C", built.root, "ls-files", "--others", "--ignored", "--exclude-standard", "*.md"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert set(said.stdout.split()) == set(left_out.split())
    assert unread(built)["boxes"] == 3 - len(left_out.split())


@pytest.mark.parametrize("command", [("regen", "--json"), ("audit", "--json")])
def test_one_that_is_too_large_to_look_at_is_named(vault, command):
    built = vault({"large.md": "- [ ] Sort the shelves\n" + "\n" * LARGEST_FILE})
    assert [one["path"] for one in wrap(*command, vault=built).json["unreadable"]] == ["large.md"]


def test_by_the_fast_route_too_and_after_nothing_changed(vault):
    built = vault({"large.md": "- [ ] Sort the shelves\n" + "\n" * LARGEST_FILE})
    for _ in range(2):
        assert wrap("regen", vault=built).code == 0
        assert "large.md" in built.path("ACTIVE-STATUS.md").read_text()


def test_every_box_is_counted_once_also_where_no_source_reads(vault):
    text = "- [ ] Paint\n- [ ]\n- [>] Moved\n- [!] Not a task\n\n```\n- [ ] code\n```\n\n> - [ ] quoted\n"
    states = '[tasks]\nstates = { ">" = "cancelled", "!" = "ignored" }\n'
    built = vault({**GOOD, "notes/a.md": text}, config=states)
    for _ in range(2):  # the second time from the cache
        wrap(vault=built)
        document = audit(built).json
        assert document["unread"]["boxes"] == 1
        assert {name: document[name] for name in ("empty", "ignored")} == {"empty": 1, "ignored": 3}


def test_the_doctor_names_a_note_that_is_too_large_to_be_looked_at(vault):
    built = vault({**GOOD, "notes/a.md": "- [ ] Paint\n" + "\n" * LARGEST_FILE})
    said = wrap("doctor", vault=built).out
    assert "notes/a.md" in said
    assert "nobody knows what is open in it" in said
    assert "every open box of the notes is read" not in said
