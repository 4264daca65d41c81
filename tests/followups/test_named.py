"""What is named is what changes: other terminals, editors that save meanwhile, a run that dies between two files."""

from __future__ import annotations

import base64
import json
import subprocess
import sys

import pytest

from tests.followups import talks
from tests.followups.test_items import WEB
from tests.followups.test_move import INFRA
from tests.support import child_environment, wrap
from wrapgen.workflows import file_writer, listed

LIST = "# web\n\n## Next Session\n\n- [ ] Rotate keys\n- [ ] Fix the login\n- [ ] Fix the login of the admin page\n"


@pytest.fixture
def lists(vault):
    return vault({WEB: LIST, INFRA: "# infra\n\n## Next Session\n\n- [ ] Paint the fence\n"})


@pytest.fixture
def at(monkeypatch):
    """Sits down at a terminal."""
    return lambda name: monkeypatch.setattr(listed, "_terminal", lambda: name)


def test_numbers_mean_what_this_terminal_printed(lists, at):
    at("tty1 7")
    wrap("list", "login", vault=lists)
    at("tty2 9")
    wrap("list", vault=lists)
    at("tty1 7")
    assert wrap("done", "3", vault=lists).code == 0
    assert "- [x] Fix the login\n" in lists.path(WEB).read_text("utf-8")
    at("tty3 9")
    refused = wrap("done", "1", vault=lists)
    assert (refused.code, "Rotate keys" in refused.out) == (2, True)
    assert "no list has been printed here" in refused.err


def test_numbers_of_the_json_document(lists):
    wrap("list", vault=lists)
    lists.write(WEB, LIST.replace("- [ ] Rotate", "- [ ] Zeta 📅 2020-01-01\n- [ ] Rotate"))
    listed = wrap("list", "--json", vault=lists).json["items"]
    assert next(one["text"] for one in listed if one["number"] == 1) == "Zeta"
    assert wrap("done", "1", vault=lists).code == 2, "a person read another item with this number"
    assert "Zeta" in wrap("done", "1", vault=lists).out, "the list was printed with the refusal"


def test_a_line_that_an_editor_puts_above_is_not_taken_for_the_item(lists, monkeypatch):
    real, saved = file_writer.rewrite, []

    def rewrite(file, transform, *, root):
        if not saved:
            saved.append(file)
            file.write_text(LIST.replace("- [ ] Rotate", "- [ ] A new line on top\n- [ ] Rotate"), "utf-8")
        return real(file, transform, root=root)

    monkeypatch.setattr(file_writer, "rewrite", rewrite)
    assert wrap("done", f"{WEB}:6", vault=lists).code == 0
    ticked = [line for line in lists.path(WEB).read_text("utf-8").splitlines() if "[x]" in line]
    assert ticked == ["- [x] Fix the login"]


class Died(BaseException):
    """A run that ends at once."""


def test_a_move_that_dies_between_its_files_is_finished(lists, monkeypatch):
    before = talks.notes(lists)

    def rewrite(file, transform, *, root):
        if file == lists.path(WEB):
            raise Died
        return real(file, transform, root=root)

    real = file_writer.rewrite
    with monkeypatch.context() as patch:
        patch.setattr(file_writer, "rewrite", rewrite)
        with pytest.raises(Died):
            wrap("move", f"{WEB}:6", "infra", vault=lists)
    both = lists.path(WEB).read_text("utf-8") + lists.path(INFRA).read_text("utf-8")
    assert both.count("Fix the login\n") == 2
    assert wrap("--no-prompt", vault=lists).code == 0
    assert "Fix the login\n" not in lists.path(WEB).read_text("utf-8")
    assert "Fix the login\n" in lists.path(INFRA).read_text("utf-8")
    assert wrap("undo", vault=lists).code == 0
    assert talks.notes(lists) == before


def test_what_counts_as_done_is_open_again_when_it_is_added(vault):
    built = vault({WEB: "# web\n\n## Next Session\n\n- other thing entirely\n"})
    wrap("add", "Water the office plants", "-p", "web", vault=built, today="2026-04-02")
    wrap("done", "office plants", vault=built, today="2026-04-02")
    added = wrap("add", "Water the office plants", "-p", "web", vault=built, today="2026-04-09")
    assert "open again" in added.out
    assert "Water" in wrap("list", vault=built, today="2026-04-09").out
    wrap("undo", vault=built, today="2026-04-09")
    assert "Water" not in wrap("list", "--all", vault=built, today="2026-04-09").out


def test_what_an_added_item_makes_backlog_is_said(vault):
    built = vault({WEB: "# web\n\n## Next Session\n\n## Features\n\n- [ ] Write the importer\n- [ ] Write tests\n"})
    added = wrap("add", "Call the bank", "-p", "web", vault=built)
    assert f"2 other items of {WEB} are backlog now" in added.out


def test_a_due_day_in_the_words_of_a_new_item(lists):
    added = wrap("add", "Call the bank due:2w prio:high colour:red", "-p", "web", "--json", vault=lists)
    (item,) = [one for one in wrap("list", "--all", "--json", vault=lists).json["items"] if "bank" in one["text"]]
    assert (item["text"], item["due"], item["priority"]) == ("Call the bank colour:red", "2026-05-08", "high")
    assert added.code == 0


@pytest.mark.parametrize("slip", ["prio:huge", "due:frday", "due:fri prio:huge"])
def test_a_misspelt_mark_alone_does_not_take_the_place_of_the_words(lists, slip):
    edited = wrap("edit", "Rotate", *slip.split(), vault=lists)
    assert (edited.code, "means no day and no priority" in edited.err) == (2, True)
    assert lists.path(WEB).read_text("utf-8") == LIST


def test_nothing_is_written_into_an_unfinished_merge(lists):
    merging = LIST + "<<<<<<< HEAD\n- [ ] said by Ann\n=======\n- [ ] said by Bob\n>>>>>>> o\n"
    lists.write(WEB, merging)
    for words in (
        ["done", "Rotate"],
        ["edit", "Rotate", "Turn"],
        ["move", "Rotate", "infra"],
        ["add", "Call", "-p", "web"],
    ):
        refused = wrap(*words, vault=lists)
        assert (refused.code, "unfinished merge" in refused.err) == (1, True)
    assert lists.path(WEB).read_text("utf-8") == merging
    assert wrap("audit", "--strict", vault=lists).code == 3


TOKEN = "ghp_" + "a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5F6g7H8"
SECRETS = f"""\
# web

## Next Session

- [ ] deploy it
  - token {TOKEN}
- [ ] password=Sup3rS3cretPassw0rd
- [ ] rotate {TOKEN} 📅 2026-04-24 🔁 every week
- [ ] write the docs
"""
ABOUT_SECRETS = [
    ("done", f"{WEB}:7"),
    ("done", f"{WEB}:8"),
    ("done", f"{WEB}:7", f"{WEB}:8", f"{WEB}:9"),
    ("edit", f"{WEB}:7", "due:fri"),
    ("edit", f"{WEB}:8", f"replace {TOKEN}"),
    ("add", f"revoke {TOKEN}", "-p", "infra"),
    ("move", f"{WEB}:5", "infra"),
    ("move", f"{WEB}:5", f"{WEB}:7", f"{WEB}:8", "infra"),
]


@pytest.mark.parametrize("words", ABOUT_SECRETS, ids=" ".join)
def test_no_receipt_keeps_a_secret_and_undo_gives_it_back(lists, words):
    lists.write(WEB, SECRETS)
    before = talks.notes(lists)
    assert wrap(*words, vault=lists).code == 0
    assert talks.notes(lists) != before
    if words[0] != "add":
        wrap("add", "An item above", "-p", "infra", vault=lists)
        wrap("undo", vault=lists)
    for file in lists.path(".wrapgen/state").glob("*.jsonl"):
        kept = file.read_bytes()
        kept += b"".join(base64.b64decode(one["after"]) + base64.b64decode(one["before"]) for one in changes_in(kept))
        assert TOKEN.encode() not in kept
        assert b"Sup3rS3cret" not in kept
    undone = wrap("undo", vault=lists)
    assert undone.code == 0, undone.err
    assert talks.notes(lists) == before


def changes_in(lines):
    return [change for line in lines.splitlines() for change in json.loads(line).get("changes", ())]


def test_a_line_with_a_secret_is_found_again_where_it_stands_now(lists):
    lists.write(WEB, SECRETS)
    wrap("done", f"{WEB}:7", vault=lists)
    text = lists.path(WEB).read_text("utf-8")
    lists.write(WEB, text.replace("## Next Session", "Words above.\n\n## Next Session"))
    assert wrap("undo", vault=lists).code == 0
    assert lists.path(WEB).read_text("utf-8") == SECRETS.replace("## Next Session", "Words above.\n\n## Next Session")


def test_a_secret_that_stands_nowhere_any_more_is_not_put_back_and_that_is_said(lists):
    lists.write(WEB, SECRETS)
    wrap("edit", f"{WEB}:7", "use the vault", vault=lists)
    reworded = talks.notes(lists)
    for _ in range(2):
        undone = wrap("undo", vault=lists)
        assert undone.code == 1
        assert "undone:" not in undone.out
        assert f"{WEB}: - [ ] password=[redacted" in undone.out
        assert talks.notes(lists) == reworded
    lists.write(WEB, SECRETS)
    assert wrap("undo", vault=lists).code == 0


def test_projects_that_differ_in_case_alone(vault):
    built = vault({WEB: "# web\n\n## Next Session\n\n- [ ] small\n", "projects/Web/todos.md": "# Web\n"})
    assert wrap("add", "Call the bank", "-p", "Web", vault=built).code == 0
    assert "bank" in built.path("projects/Web/todos.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the shell is that of POSIX")
def test_a_list_that_a_program_printed_into_nothing_is_not_what_the_person_read(vault):
    built = vault({"projects/web/todos.md": "- [ ] Oil the hinges\n- [ ] Wash the curtains\n- [ ] Air the cellar\n"})
    # A shell runs the last command of a subshell in its place: its parent is the person's shell.
    run = '"$0" -m wrapgen'
    lines = (
        f"{run} list >list.txt",
        f"({run} done projects/web/todos.md:1; {run} list) >/dev/null </dev/null",
        f"{run} done 2",
    )
    ran = subprocess.run(
        ["bash", "-c", "\n".join(lines), sys.executable],
        cwd=built.root, env=child_environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Wash the curtains" in ran.stdout, ran.stderr
