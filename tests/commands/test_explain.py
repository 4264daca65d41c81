"""`wrap explain`: line, fate and evidence of each item that is meant."""

import pytest

from tests.support import audit, journal, next_list, wrap

FILES = {
    **journal("2026-04-22", next_list("Rotate the signing keys", "Fix the login", "Pay Ann")),
    **journal("2026-04-23", "## Done\n- Rotate the signing keys\n## Next\n- Fix the login\n"),
    **journal("2026-01-05", next_list("Paint the door")),
}


def test_no_item_is_meant(vault):
    result = wrap("explain", "nothing like that", vault=vault(FILES))
    assert result.code == 1
    assert "nothing like that" in result.err


def test_a_resolved_item(vault):
    out = wrap("explain", "rotate the signing KEYS", vault=vault(FILES)).out
    assert "journals/2026/04/2026-04-22.md:3" in out
    assert "resolved" in out
    assert "journals/2026/04/2026-04-23.md:2" in out


def test_a_duplicate_and_the_item_that_stands_for_it(vault):
    out = wrap("explain", "login", vault=vault(FILES)).out
    assert "journals/2026/04/2026-04-22.md:4" in out
    assert "merged" in out
    assert "journals/2026/04/2026-04-23.md:4" in out
    assert "shown" in out


def test_expired_and_cut_items(vault):
    assert "expired" in wrap("explain", "door", vault=vault(FILES)).out
    assert "not shown" in wrap("explain", "Pay Ann", vault=vault(FILES, config="cap = 1\n")).out


def test_a_number_of_the_list_is_that_item(vault):
    built = vault({"todos.md": "", **journal("2026-04-23", next_list("Pay 2 bills", "Fix the login", "Call 9 people"))})
    wrap("list", vault=built)
    for row in wrap("list", "--json", vault=built).json["items"]:
        (found,) = wrap("explain", str(row["number"]), "--json", vault=built).json["items"]
        assert found["id"] == row["id"]
    result = wrap("explain", "9", vault=built)
    assert (result.code, "Call 9 people" in result.out) == (2, True)
    assert "the list that was printed last has no number 9" in result.err


def test_a_number_or_an_id_says_nothing_of_lines_that_contain_it(vault):
    root = vault(journal("2026-04-23", "## Done\n- Sent letter 1\n## Notes\n- room 1 is cold\n## Next\n- Pay Ann\n"))
    wrap("list", vault=root)
    out = wrap("explain", "1", vault=root).out
    assert "Pay Ann" in out
    assert "letter" not in out
    assert "room" not in out
    assert "letter" in wrap("explain", "letter 1", vault=root).out


def test_a_number_of_what_is_gone_means_nothing_else(vault):
    built = vault({"projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Fix it\n- [ ] Call 1 man\n"})
    wrap("list", vault=built)
    todos = built.path("projects/web/todos.md")
    todos.write_text(todos.read_text(encoding="utf-8").replace("- [ ] Fix it\n", ""), encoding="utf-8")
    result = wrap("explain", "1", vault=built)
    assert (result.code, result.out) == (1, "")
    assert 'number 1 was "Fix it"' in result.err


@pytest.mark.parametrize("length", [4, 8, 12])
def test_an_id_or_its_beginning(vault, length):
    built = vault(FILES)
    item = next(one for one in audit(built).json["items"] if one["text"] == "Pay Ann")
    found = wrap("explain", item["id"][:length], "--json", vault=built).json["items"]
    assert item["id"] in [one["id"] for one in found]


def test_a_place(vault):
    built = vault(FILES)
    found = wrap("explain", "journals/2026/04/2026-04-22.md:5", "--json", vault=built).json["items"]
    assert [one["text"] for one in found] == ["Pay Ann"]


def test_the_document(vault):
    document = wrap("explain", "keys", "--json", vault=vault(FILES)).json
    assert document["schema"] == "wrapgen.explain/1"
    because = {"path": "journals/2026/04/2026-04-23.md", "line": 2, "score": 100.0, "item": None}
    assert [(one["line"], one["fate"], one["because"]) for one in document["items"]] == [(3, "resolved", because)]


def test_words_are_folded(vault):
    built = vault(journal("2026-04-23", next_list("Fix **the** `Login` of [the page](https://example.org)")))
    assert wrap("explain", "FIX THE LOGIN of the page", vault=built).code == 0


ALIKE = {
    **journal("2026-04-22", next_list("(web) Write chapter 3 of the manual", "(web) Paint the garden fence")),
    **journal("2026-04-21", "## Done\n- Paint the garden fence\n"),
    "projects/web/todos.md": next_list("[ ] Write chapter 5 of the manual", "[x] Write chapter 7 of the manual"),
    "projects/api/todos.md": "## Next Session\n- [ ] Write chapter 3 of the manual\n",
}


def test_what_reads_like_it_but_is_other_work(vault):
    item = next(
        one
        for one in wrap("explain", "chapter 3", "--json", vault=vault(ALIKE)).json["items"]
        if one["project"] == "web"
    )
    assert item["fate"] == "shown"
    assert [(one["path"], one["line"], one["done"], one["rule"]) for one in item["refused"]] == [
        ("projects/api/todos.md", 2, False, "other project: web / api"),
        ("projects/web/todos.md", 3, False, "swapped number: 3 / 5"),
        ("projects/web/todos.md", 4, True, "swapped number: 3 / 7"),
    ]


def test_what_was_finished_before_it_was_raised(vault):
    out = wrap("explain", "fence", vault=vault(ALIKE)).out
    assert "not done by  journals/2026/04/2026-04-21.md:2 Paint the garden fence" in out
    assert "finished too early: 2026-04-21" in out


def test_what_matched_is_not_refused(vault):
    assert all(one["refused"] == [] for one in wrap("explain", "login", "--json", vault=vault(FILES)).json["items"])


def test_a_snoozed_item(vault):
    built = vault(FILES)
    first = next(one for one in audit(built).json["items"] if one["rank"] == 1)
    assert wrap("snooze", first["id"], "7", vault=built).code == 0
    (snoozed,) = [one for one in audit(built).json["items"] if one["fate"] == "overflow"]
    assert "fate         snoozed until 2026-05-01: " in wrap("explain", snoozed["id"], vault=built).out
    (found,) = wrap("explain", snoozed["id"], "--json", vault=built).json["items"]
    assert found["snoozed_until"] == "2026-05-01"
    out = wrap("explain", snoozed["id"], vault=built, today="2026-05-01").out
    assert "snoozed" not in out


def test_an_item_that_is_probably_done_says_by_what_and_why_it_is_not_believed(vault):
    built = vault(
        {
            **journal("2026-04-20", next_list("Document the upload retry behaviour in the handbook")),
            **journal("2026-04-22", "## Done\n- Document upload retry behaviour in handbook\n"),
        },
    )
    (found,) = wrap("explain", "upload", "--json", vault=built).json["items"]
    assert found["fate"] == "shown"
    assert found["probably_done"]["path"] == "journals/2026/04/2026-04-22.md"
    assert found["probably_done"]["doubt"]
    place, doubt = "journals/2026/04/2026-04-22.md:2", found["probably_done"]["doubt"]
    out = wrap("explain", "upload", vault=built).out
    assert f"probably     done by {place}" in out
    assert doubt in out
    printed = wrap("audit", vault=built).out
    assert f"match with {place}: {doubt})" in printed


def test_what_is_aside_says_why(vault):
    notes = {
        "notes/a.md": "## Waiting for\n- [ ] The answer of the bank\n",
        "notes/b.md": "---\nstatus: archived\n---\n- [ ] Answer the letter\n",
    }
    built = vault(notes, config='[sources]\nlists = ["notes/*.md"]\n')
    assert "not shown: waiting" in wrap("explain", "bank", vault=built).out
    assert "not shown: its note says `archived`" in wrap("explain", "letter", vault=built).out


def rules(built, words, **options):
    return [near["rule"] for one in wrap("explain", words, "--json", vault=built, **options).json["items"]
            for near in one["refused"]]  # fmt: skip


def test_finished_work_that_two_projects_claim(vault):
    built = vault(
        {
            "projects/web/todos.md": "- [ ] Rewrite the upload retry loop\n",
            "projects/api/todos.md": "- [ ] Rewrite the upload retry loop\n",
            **journal("2026-04-23", "## Done\n- Rewrite the upload retry loop\n"),
        }
    )
    assert "may mean several projects: web / api (projects/api/todos.md:1)" in rules(built, "upload retry")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("- [x] Rewrite the upload retry loop\n- [ ] Rewrite the upload retry loop\n", "same file: added again"),
        (
            "## Session: web\n### Done\n- Rewrite the upload retry loop\n### Next\n- Rewrite the upload retry loop\n",
            "same session block",
        ),
    ],
)
def test_why_it_was_not_finished_there(vault, text, rule):
    (said,) = rules(vault(journal("2026-04-23", text)), "upload retry")
    assert said.startswith(rule)


HANDED = {
    **journal("2026-04-22", "## Next\n- Paint the garden door\n"),
    **journal(
        "2026-04-23", "# A day\n- rain all day\n## Done\n- Sweep the garden path\n## Next\n- Oil the garden gate\n"
    ),
    "projects/web/todos.md": "## Next Session\n- [ ] Water the garden (web)\n## Ideas\n- [ ] Dig a garden pond\n",
    "notes/a.md": "- [ ] Draw the garden\n",
}


def test_every_line_that_was_read_is_explained(vault):
    document = wrap("explain", "garden", "--json", vault=vault(HANDED)).json
    assert {(one["text"], one["what"]) for one in document["lines"]} == {
        ("Dig a garden pond", "backlog"), ("Sweep the garden path", "finished"), ("Draw the garden", "not read"),
    }  # fmt: skip
    why = {one["text"]: one["why"] for one in document["items"]}
    path = "journals/2026/04/2026-04-{}.md of 2026-04-{}".format
    assert why["Oil the garden gate"].endswith(f"handed over in {path(23, 23)}")
    assert why["Paint the garden door"].endswith("open since 2026-04-22")


def test_what_was_left_out_says_so_and_words_need_no_quotes(vault):
    out = wrap("explain", "rain", "all", "day", vault=vault(HANDED)).out
    assert "left out: no box, and in no list that says what is next" in out


def test_what_is_not_shown_names_what_stands_before_it(vault):
    built = vault({**HANDED, "wrapgen.toml": "cap = 1\n"})
    out = wrap("explain", "garden", "door", vault=built).out
    assert "not shown: number 3, open since 2026-04-22, behind 1 handed over" in out
