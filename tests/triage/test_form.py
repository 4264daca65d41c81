"""The form of `wrap triage`: a line an item, a key a verdict."""

import sys

import pytest

from tests.support import TODAY, audit, wrap
from wrapgen.model import TriageVerdict
from wrapgen.text.display import Size, cells
from wrapgen.triage.form import TriageForm, TriageRow
from wrapgen.workflows.apply_triage import answers


def rows(number=4):
    return [
        TriageRow(f"{at:012x}", f"Task {at}", "docs/plan.md", at, "Criteria" if at > 1 else "", "3 weeks", "a hint")
        for at in range(1, number + 1)
    ]


def pressed(*keys, number=4):
    form = TriageForm(rows(number))
    for key in keys:
        form.keys[key]()
    return form


def text(form, width=80, height=24):
    return ["".join(part for _, part in line) for line in form.draw(Size(width, height))]


def test_each_key_marks_its_row_and_goes_on():
    said = answers(pressed("d", "x", "p", "o"))
    assert [(one.handle[-1], one.verdict) for one in said.items] == [
        ("1", TriageVerdict.DONE), ("2", TriageVerdict.NOT_WORK), ("3", TriageVerdict.PARKED),
        ("4", TriageVerdict.OPEN),
    ]  # fmt: skip


def test_what_is_next_is_put_first_in_the_order_of_the_rows():
    said = answers(pressed("n", "down", "n", "x"))
    assert [one[-1] for one in said.first] == ["1", "3"]
    assert [(one.handle[-1], one.verdict) for one in said.items] == [("4", TriageVerdict.NOT_WORK)]
    assert not answers(pressed("n", "up", " ")).first
    assert not answers(pressed("n", "up", "d")).first


def test_words_are_shown_without_the_marks_of_markdown():
    form = TriageForm([TriageRow(f"{at:012x}", "**Book** `it`", "plan.md", at, "", "", "") for at in (1, 2)])
    assert [line.split("  ")[-1].strip(" 12") for line in text(form) if "Book" in line] == ["Book it", "Book it"]


def test_what_is_not_marked_says_nothing():
    assert answers(pressed("down", "d")).items[0].handle.endswith("2")
    assert not answers(pressed("d", "up", " ")).items


def test_the_same_as_the_one_above_is_never_the_same_as_one_that_goes():
    said = answers(pressed("down", "m", "m"))
    assert [one.other[-1] for one in said.items] == ["1", "1"]
    assert not answers(pressed("m")).items


def test_a_section_then_the_file_then_neither():
    assert [(one.path, one.section) for one in answers(pressed("down", "f")).sources] == [("docs/plan.md", "Criteria")]
    assert [(one.path, one.section) for one in answers(pressed("down", "f", "f")).sources] == [("docs/plan.md", "")]
    assert answers(pressed("down", "f", "f", "f")).sources == []
    assert [one.section for one in answers(pressed("f")).sources] == [""]


def test_two_rows_of_one_section_leave_it_out_once():
    assert len(answers(pressed("down", "f", "down", "f")).sources) == 1


@pytest.mark.parametrize("width", [30, 80, 140])
@pytest.mark.parametrize("height", [10, 24, 50])
def test_it_fits_every_screen_and_says_what_is_hidden(width, height):
    form = pressed("d", *["down"] * 9, number=20)
    lines = text(form, width, height)
    assert len(lines) <= height
    assert all(cells(line) <= width for line in lines)
    assert any("Task 11" in line for line in lines)
    if height < 24:
        assert any("more" in line for line in lines)


def test_the_row_that_is_pointed_to_shows_its_place_age_and_hint():
    shown = "\n".join(text(pressed("down")))
    assert "docs/plan.md:2 · 3 weeks" in shown
    assert "? a hint" in shown


def test_without_a_terminal_it_says_what_an_agent_does(vault):
    notes = vault({"docs/plan.md": "- [ ] Rotate the keys\n"}, config='[sources]\nlists = ["docs/*.md"]\n')
    result = wrap("triage", vault=notes)
    assert result.code == 1
    assert "wrap triage --review" in result.err


def test_where_nothing_is_open_nothing_is_asked(vault):
    assert "nothing to judge" in wrap("triage", vault=vault()).out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals as pexpect drives them exist on POSIX only")
def test_a_person_goes_through_twenty_with_the_keyboard_and_undoes_it(vault):
    from tests.terminal import DOWN, ENTER, ESC, Wrap

    plan = "# Plan\n\n" + "".join(f"- [ ] Task number {at} of the plan\n" for at in range(1, 23))
    criteria = "\n## Criteria\n\n- [ ] Pages load fast\n- [ ] Texts are translated\n"
    notes = vault({"docs/plan.md": plan + criteria})
    notes.write("wrapgen.toml", 'cap = 20\n[sources]\nlists = ["docs/*.md"] # ours\n')
    before = {name: notes.path(name).read_bytes() for name in ("docs/plan.md", "wrapgen.toml")}
    with Wrap("--vault", notes.root, "--today", TODAY, "triage", columns=80, lines=24) as terminal:
        terminal.see("20 items: what is next").press(ESC).see("nothing was changed")
        assert terminal.finish() == 0
    with Wrap("--vault", notes.root, "--today", TODAY, "triage", columns=80, lines=24) as terminal:
        terminal.see("20 items: what is next").press("d", "x", "p", "n", *[DOWN] * 15, "m").see("5 marked")
        terminal.press(ENTER)
        assert terminal.finish() == 0
    data = audit(notes).json
    assert (data["resolved"], data["duplicate"]) == (0, 1)  # what was ticked is no item any more
    assert wrap("next", "--json", vault=notes).json["next"][0]["text"] == "Task number 4 of the plan"
    assert notes.path("docs/plan.md").read_text("utf-8").count("[x]") == 1
    assert wrap("undo", vault=notes).code == 0
    assert {name: notes.path(name).read_bytes() for name in before} == before
    assert audit(notes).json["resolved"] == 0
