"""`wrap sources`: one table of what is read and what is not, and changing it."""

import pytest

from tests.support import audit, journal, next_list, wrap
from wrapgen.config import VAULT_FILE, Config, load

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
    assert "nots/*.md: no file fits this glob of `sources.lists`" in rows(built)
    assert "no file fits this glob of `sources.lists`" in wrap("doctor", vault=built).out


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
    assert "log/YYYY-MM-DD.md: no file fits this glob of `sources.journals`" in rows(built)
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


STATE = (
    "# State\n\n## Next\n\n- Finish the parser\n- Ring Ann\n\n## Later\n\n- [ ] Paint\n\n### Much later\n\n- [ ] Sail\n"
)


class TestSections:
    def test_one_is_added_and_shown_with_what_it_gives(self, vault):
        built = vault({"docs/STATE.md": STATE})
        said = wrap("sources", "add", "docs/STATE.md#Next", "--as", "hand_overs", vault=built).out.splitlines()
        assert said == ["sources.hand_overs: added `docs/STATE.md#Next`", "1 file, 2 open items"]
        assert "hand_overs docs/STATE.md#Next wrapgen.toml 1 2" in rows(built)
        wrap("sources", "add", "docs/STATE.md#Later", "--as", "ignore", vault=built)
        assert "ignore docs/STATE.md#Later wrapgen.toml 1 2" in rows(built)
        assert wrap("sources", "remove", "docs/STATE.md#Next", vault=built).code == 0
        assert "hand_overs docs/STATE.md#Next wrapgen.toml 1 2" not in rows(built)

    def test_each_line_is_counted_with_the_place_that_names_it(self, vault):
        config = '[sources]\nlists = ["docs/*.md", "docs/STATE.md#Later#Much*"]\n'
        found = rows(vault({"docs/STATE.md": STATE, "docs/a.md": "- [ ] Swim\n"}, config=config))
        assert "lists docs/*.md wrapgen.toml 2 3" in found
        assert "lists docs/STATE.md#Later#Much* wrapgen.toml 1 1" in found

    def test_only_some_kinds_have_sections(self, vault):
        result = wrap("sources", "add", "log.md#Next", "--as", "journals", vault=vault())
        assert (result.code, "names a section" in result.err) == (1, True)


class TestDrift:
    CONFIG = '[sources]\nhand_overs = ["docs/STATE.md#Next", "HANDOFF.md"]\nlists = ["notes/*.md"]\n'
    HEADING = "docs/STATE.md#Next: no heading is called so, which `sources.hand_overs` names"
    FILE = "HANDOFF.md: no file fits this glob of `sources.hand_overs`"

    def test_what_is_not_there_any_more_is_a_warning_of_the_next_run(self, vault):
        built = vault(
            {"docs/STATE.md": STATE, "HANDOFF.md": "- Swim\n", "notes/a.md": "- [ ] Dive\n"}, config=self.CONFIG
        )
        assert wrap(vault=built).code == 0
        assert audit(built).json["unreadable"] == []
        built.write("docs/STATE.md", STATE.replace("## Next", "## Baton"))
        built.path("HANDOFF.md").unlink()
        said = wrap(vault=built).out
        assert self.HEADING in said
        assert self.FILE in said
        assert {one["path"] for one in audit(built).json["unreadable"]} == {"docs/STATE.md#Next", "HANDOFF.md"}
        assert {self.HEADING, self.FILE} <= set(rows(built))
        found = " ".join(wrap("doctor", vault=built).out.split())
        assert "no heading is called so" in found

    def test_what_is_usual_or_left_out_is_none(self, vault):
        built = vault({"notes/a.md": "- [ ] Dive\n"}, config='[sources]\nlists = ["notes/*.md"]\nignore = ["old/**"]\n')
        assert audit(built).json["unreadable"] == []

    def test_a_new_file_that_reads_like_a_hand_over_is_named(self, vault):
        built = vault({"notes/a.md": "- [ ] Dive\n"}, config='[sources]\nlists = ["notes/*.md"]\n')
        assert "reads like" not in wrap("doctor", vault=built).out
        built.write("docs/handoff.md", "# Handoff\n\n## Next\n\n- Swim\n")
        found = " ".join(wrap("doctor", vault=built).out.split())
        assert "reads like what one session leaves to the next" in found
        assert "wrap sources add docs/handoff.md --as hand_overs" in found
        assert any("wrap sources add docs/handoff.md --as hand_overs" in row for row in rows(built))

    def test_a_new_heading_beside_a_declared_one_is_named(self, vault):
        built = vault({"docs/STATE.md": STATE}, config='[sources]\nhand_overs = ["docs/STATE.md#Next"]\n')
        assert "reads like" not in wrap("doctor", vault=built).out
        built.write("docs/STATE.md", STATE + "\n## Next session\n\n- Dive\n")
        assert any("wrap sources add 'docs/STATE.md#Next session' --as hand_overs" in row for row in rows(built))
        found = " ".join(wrap("doctor", vault=built).out.split())
        assert "docs/STATE.md#Next session" in found


class TestNames:
    CONFIG = '[sections]\nnext = ["Baton", "!Now"]\n'

    def test_those_in_force_are_shown(self, vault):
        built = vault(config=self.CONFIG)
        next_, *others = wrap("sources", "--names", vault=built).out.splitlines()
        assert next_.startswith("next: next, doing, ")
        assert next_.endswith(", Baton")
        assert "of these by sections.next: Baton, !Now" in others

    def test_the_document(self, vault):
        document = wrap("sources", "--names", "--json", vault=vault(config=self.CONFIG)).json
        assert document["schema"] == "wrapgen.names/1"
        assert {"next", "done", "backlog", "waiting", "ignore"} < set(document["names"])
        assert "now" not in document["names"]["next"]
        assert document["own"]["next"] == ["Baton", "!Now"]

    def test_they_go_with_the_table_alone(self, vault):
        assert wrap("sources", "--names", "add", "x.md", "--as", "lists", vault=vault()).code == 2


@pytest.mark.parametrize(
    "glob", ["C# notes/TODO #1.md", "C# notes/*.md", r"C\# notes/TODO \#1.md", "C# notes/TODO #1.md#Now"]
)
def test_a_number_sign_in_a_name_that_is_there_begins_no_heading(vault, glob):
    built = vault({"C# notes/TODO #1.md": "# Now\n\n- [ ] Water the plants\n"})
    assert wrap("sources", "add", glob, "--as", "lists", vault=built).code == 0
    (written,) = load(built.path(VAULT_FILE), Config).sources.lists
    assert written == r"C\# notes/" + glob.partition("/")[2].replace(r"\#", "#").replace(" #1", r" \#1")
    assert wrap("list", "--json", vault=built).json["items"][0]["text"] == "Water the plants"
