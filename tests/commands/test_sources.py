"""`wrap sources`: one table of what is read and what is not, and changing it."""

import pytest

from tests.support import audit, journal, next_list, wrap

FILES = {
    **journal("2026-04-23", next_list("Fix the login")),
    "notes/boat.md": "# Boat\n\n- [ ] Paint the hull\n- [ ] Sell the sail\n",
    "notes/old/car.md": "- [ ] Wash the car\n",
}
CONFIG = '# Ours.\ncap = 7  # few\n\n[sources]\n# The lists.\nlists = ["notes/*.md"]\n\n[stage]\ndir = "kept"\n'


def toml(built):
    return built.path("wrapgen.toml").read_text(encoding="utf-8")


def rows(built):
    return [" ".join(line.split()) for line in wrap("sources", vault=built).out.splitlines()]


def test_the_table(vault):
    found = rows(vault(FILES, config=CONFIG))
    assert "journals journals/**/YYYY-MM-DD*.md as usual 1 1" in found
    assert "lists notes/*.md wrapgen.toml 1 2" in found
    assert "1 open box in 1 file is not read" in found
    assert "notes/old 1" in found
    assert "wrap sources add 'notes/old/*.md' --as lists (1 file, 1 open item)" in found


def test_nothing_unread(vault):
    found = rows(vault(journal("2026-04-23", next_list("Fix the login"))))
    assert "every open box of the notes is read or ignored" in found


def test_conversations_are_proposed_as_nothing_else(vault):
    built = vault(
        {"talks/2026-04-23.md": "# Talk\n\n- [ ] Paint the hull\n", "notes/boat.md": "- [ ] Sell the sail\n"},
        config='[sources]\ntranscripts = ["talks/*.md"]\n',
    )
    assert [row for row in rows(built) if "wrap sources add" in row] == [
        "wrap sources add 'notes/*.md' --as lists (1 file, 1 open item)"
    ]


def test_the_document(vault):
    document = wrap("sources", "--json", vault=vault(FILES, config=CONFIG)).json
    assert document["schema"] == "wrapgen.sources/1"
    assert document["sources"][-1] == {
        "kind": "lists", "glob": "notes/*.md", "what": "wrapgen.toml", "files": 1, "items": 2,
    }  # fmt: skip
    assert document["unread"]["by"] == [{"folder": "notes/old", "heading": "", "boxes": 1}]
    assert [one["add"] for one in document["proposals"]] == ["wrap sources add 'notes/old/*.md' --as lists"]


def test_a_glob_that_fits_no_file_is_named(vault):
    built = vault(FILES, config='[sources]\nlists = ["nots/*.md"]\n')
    assert "no file fits `nots/*.md` of sources.lists" in rows(built)
    assert "`nots/*.md` of `sources.lists` fits no file" in wrap("doctor", vault=built).out


def test_add_keeps_comments_and_all_else(vault):
    built = vault(FILES, config=CONFIG)
    result = wrap("sources", "add", "notes/old/*.md", "--as", "lists", vault=built)
    assert (result.code, result.out.splitlines()) == (
        0,
        ["sources.lists: added `notes/old/*.md`", "1 file, 1 open item"],
    )
    assert toml(built) == CONFIG.replace('["notes/*.md"]', '["notes/*.md", "notes/old/*.md"]')
    assert "Wash the car" in audit(built).fates
    assert "already" in wrap("sources", "add", "notes/old/*.md", "--as", "lists", vault=built).out


def test_add_keeps_what_is_read_as_usual(vault):
    built = vault(FILES)
    wrap("sources", "add", "log/YYYY-MM-DD.md", "--as", "journals", vault=built)
    assert "no file fits `log/YYYY-MM-DD.md` of sources.journals" in rows(built)
    assert "Fix the login" in audit(built).fates


def test_ignored_boxes_are_no_longer_unread(vault):
    built = vault(FILES, config=CONFIG)
    said = wrap("sources", "add", "notes/old/**", "--as", "ignore", vault=built).out.splitlines()
    assert said == ["sources.ignore: added `notes/old/**`", "1 file, 1 open box"]
    assert audit(built).json["unread"]["boxes"] == 0


@pytest.mark.parametrize("glob", ["[A-Z]*.md", "!notes/*.md", "../x.md", "<client>/a.md", "*a*b*c*d.md"])
def test_what_cannot_be_used_is_refused_and_nothing_is_written(vault, glob):
    built = vault(FILES, config=CONFIG)
    result = wrap("sources", "add", "--as", "lists", "--", glob, vault=built)
    assert (result.code, result.out) == (1, "")
    assert f"`{glob}`" in result.err
    assert toml(built) == CONFIG


def test_what_is_ignored_is_counted_although_a_list_would_read_it(vault):
    built = vault(FILES, config='[sources]\nlists = ["**/*.md"]\nignore = ["notes/old/**"]\n')
    assert "ignore notes/old/** wrapgen.toml 1 1" in rows(built)


def test_comments_inside_of_a_list_stay(vault):
    text = """[sources]
lists = [
  # Mine.
  "notes/*.md",  # the boat
  # Cars, too:
  "notes/old/*.md"  # the car
]
"""
    built = vault(FILES, config=text)
    wrap("sources", "add", "notes/new/*.md", "--as", "lists", vault=built)
    added = text.replace('.md"  # the car', '.md",  # the car\n  "notes/new/*.md"')
    assert toml(built) == added
    wrap("sources", "remove", "notes/*.md", vault=built)
    assert toml(built) == added.replace('  "notes/*.md",  # the boat\n', "")


def test_remove(vault):
    built = vault(FILES, config=CONFIG)
    result = wrap("sources", "remove", "notes/*.md", vault=built)
    assert result.out.splitlines() == [
        "sources.lists: removed `notes/*.md`", "3 open boxes in 2 files are not read: wrap sources",
    ]  # fmt: skip
    assert toml(built) == CONFIG.replace('["notes/*.md"]', "[]")


def test_remove_names_the_nearest(vault):
    built = vault(FILES, config=CONFIG)
    result = wrap("sources", "remove", "note/*.md", vault=built)
    assert result.code == 1
    assert "`notes/*.md`" in result.err
