"""`wrap` as somebody sees it in a terminal: one screen, whatever its size."""

from __future__ import annotations

import io
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals as pexpect drives them exist on POSIX only", allow_module_level=True)

from rich.console import Console

from tests.readme import SAMPLE_DAY
from tests.support import TODAY, finish, journal, next_list, spawn, wrap
from tests.terminal import Screen, Wrap
from wrapgen.commands.demo_ import copy_demo
from wrapgen.terminal.screen import print_screen
from wrapgen.text.display import without_marks
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import run_pipeline
from wrapgen.workflows.vault_session import VaultSession

DAY = SAMPLE_DAY.isoformat()
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3|4|9|10)[0-7](?:;\d+)*m")
PRIORITY = re.compile(r"^ *(\d+)  (?P<handle>[0-9a-f]{4,12}) +(\S+) +(\S.*?)(?:  +(\S.*))?$")
VERBS = ("Paint", "Sell", "Weigh", "Borrow", "Photograph", "Wash", "Measure", "Insure", "Carry", "Hide")
NOUNS = ("boat", "piano", "ladder", "curtain", "saddle", "engine", "mirror", "carpet", "kettle", "violin")


@pytest.fixture
def sample(tmp_path):
    copy_demo(tmp_path / "demo", SAMPLE_DAY)
    shutil.rmtree(tmp_path / "demo" / "conversations")  # nothing is asked
    return tmp_path / "demo"


def in_terminal(root, *words, today=DAY, **options):
    """The whole program in a real pseudo-terminal."""
    with Wrap("--vault", root, "--today", today, *words, **options) as terminal:
        assert terminal.finish() == 0, terminal.text
    return terminal


def drawn(root, columns, lines, news=(), **options):
    """The same screen drawn in this process, which is faster."""
    out = io.StringIO()
    app = App(vault=root, today=SAMPLE_DAY)
    app.console = Console(file=out, force_terminal=True, width=columns, height=lines, _environ={}, **options)
    print_screen(app, run_pipeline(VaultSession.look(app)), changed=True, news=news)
    return Screen(columns, lines).feed(out.getvalue().replace("\n", "\r\n"))


def priorities(screen):
    """The numbers of the lines of the screen that are priorities."""
    first, last = (
        next(y for y, line in enumerate(screen.lines) if line.startswith(parts))
        for parts in (("priorities ──",), ("audit ──", "needs attention ──", "collected"))
    )
    return [y for y in range(first, last) if PRIORITY.match(screen.lines[y])]


def document(root, *words):
    return wrap(*words, "--json", vault=root, today=DAY).json


def balance(root):
    return wrap("audit", vault=root, today=DAY).out.splitlines()[-1]


def squeezed(screen):
    """All that stands on the screen, its line breaks undone."""
    return " ".join(screen.text.split())


@pytest.mark.slow
@pytest.mark.sampled(6)
@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (80, 30), (60, 24), (120, 40), (40, 40), (200, 60)])
def test_all_of_it_fits_on_one_screen_and_the_balance_is_last(sample, columns, lines):
    screen = drawn(sample, columns, lines)
    assert screen.lines[0] == "ACTIVE-STATUS.md: rebuilt"
    assert screen.lines[-1] == "", "there is no room for the prompt"
    assert squeezed(screen).endswith(balance(sample))
    for part in ("priorities ──", "resolved", "needs attention ──", "wrap audit"):
        assert part in screen.text
    assert ("audit ──" in screen.text) == ("journal_next" in screen.text) == (lines > 30 and columns >= 80)


@pytest.mark.slow
def test_in_a_low_window_all_priorities_come_before_the_audit(sample):
    screen = drawn(sample, 80, 24)
    assert len(priorities(screen)) == document(sample, "audit")["shown"] == 15
    assert screen.lines[-1] == "", "there is no room for the prompt"


@pytest.mark.slow
def test_the_program_draws_it_in_a_terminal(sample):
    screen = drawn(sample, 80, 30)
    terminal = in_terminal(sample, columns=80, lines=30)
    assert terminal.lines == screen.lines
    assert terminal.links == screen.links


@pytest.mark.slow
def test_a_priority_has_its_number_of_the_list_its_project_its_words_and_what_presses(sample):
    screen = drawn(sample, 100, 40)
    rows = [PRIORITY.match(screen.lines[y]).groups() for y in priorities(screen)]
    listed = document(sample, "list")["items"]
    assert [(int(number), handle, project) for number, handle, project, _, _ in rows] == [
        (item["number"], item["handle"], item["project"] or "untagged") for item in listed
    ]
    for (_, _, _, words, _), item in zip(rows, listed, strict=True):
        assert without_marks(item["text"]).startswith(words.rstrip("…").rstrip())
    pressing = [when for _, _, _, _, when in rows]
    assert pressing[:4] == ["overdue 2 days", "due in 3 days", "🔁 due in 3 days", "🔺 9 days"]


def test_what_is_probably_done_says_so_at_its_line(vault):
    ticked = {"plan.md": "- [x] Send the order mail\n", "TODO.md": "- [ ] Send the order mail\n- [ ] Fix the door\n"}
    built = vault(ticked, config="project = 'shop'\n[sources]\nlists = ['*.md']\n")
    for columns in (80, 50):
        screen = drawn(built.root, columns, 30)
        row = next(at for at, line in enumerate(screen.lines) if "Send the order mail" in line)
        assert "probably done" in "".join(screen.lines[row : row + 2])
        assert screen.text.count("probably done") == 2, "there and among what needs a look"


def test_what_nothing_says_to_be_next_stands_below_a_rule_of_its_own(vault):
    built = vault({"projects/web/todos.md": "- [ ] Fix the login\n"})
    screen = drawn(built.root, 80, 30)
    assert screen.text.index("Nothing says what is next") < screen.text.index("also open ──")
    built.write("journals/2026/04/2026-04-23.md", next_list("Draw the map"))
    screen = drawn(built.root, 80, 30)
    assert "Nothing says" not in screen.text
    rows = [PRIORITY.match(screen.lines[y]).groups()[:4] for y in priorities(screen)]
    assert [(number, words.strip()) for number, _, _, words in rows] == [("1", "Draw the map"), ("2", "Fix the login")]
    between = screen.text[screen.text.index("Draw the map") : screen.text.index("Fix the login")]
    assert "also open ──" in between
    starts = {screen.lines[y].index(words) for y, (*_, words) in zip(priorities(screen), rows, strict=True)}
    assert len(starts) == 1, "both lists have the same columns"


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80, 129])
def test_wide_characters_keep_the_columns_aligned(sample, columns):
    screen = drawn(sample, columns, 60)
    # A wide character fills two cells, of which the second holds nothing.
    cells = ["".join(screen.buffer[y][x].data or "_" for x in range(columns)) for y in priorities(screen)]
    assert any(re.search("[가-힣]_", line) for line in cells)
    starts = [re.match(r"^ *\d+  \S+ +(\S+) +(\S)", line) for line in cells]
    for column in (1, 2):
        assert len({one.start(column) for one in starts}) == 1
    pressing = [bool(PRIORITY.match(screen.lines[y])[5]) for y in priorities(screen)]
    assert len({len(line.rstrip()) for line, presses in zip(cells, pressing, strict=True) if presses}) == 1


@pytest.mark.slow
def test_every_priority_opens_its_note(sample):
    links = drawn(sample, 80, 40).links
    assert {urlsplit(link).scheme for link in links} == {"file"}
    notes = [Path(unquote(urlsplit(link).path)) for link in links]
    assert all(note.is_file() for note in notes[1:])
    listed = [sample / item["path"] for item in document(sample, "list")["items"]]
    assert notes[: len(listed) + 1] == [sample / "ACTIVE-STATUS.md", *listed]


@pytest.mark.slow
def test_a_wide_window_names_the_place_of_each_priority(sample):
    screen = drawn(sample, 160, 40)
    for item in document(sample, "list")["items"]:
        assert f"{item['path']}:{item['line']}" in screen.text


@pytest.mark.slow
def test_what_is_not_named_is_counted(sample):
    audited = document(sample, "audit")
    small, large = (drawn(sample, 120, lines) for lines in (24, 60))
    stale = len(audited["stale_boxes"])
    assert f"stale boxes {stale} ·" in squeezed(small)
    assert re.search(rf"^{stale}  stale boxes  +\S", large.text, re.MULTILINE)
    hidden = sum(max(len(audited[name]) - 3, 0) for name in ("untagged", "conflicts", "stale_boxes", "probably_done"))
    assert f"and {hidden} more: wrap audit" in large.lines
    for screen in (small, large):
        more = audited["shown"] + audited["overflow"] - len(priorities(screen))
        assert f"{more} more: wrap list --all" in screen.text


@pytest.mark.slow
def test_a_dashboard_of_hundreds_is_cut_to_the_window(vault):
    words = [f"{verb} the {noun}" for verb in VERBS for noun in NOUNS]
    built = vault(journal(DAY, next_list(*words)), config="cap = 1000\n")
    screen = drawn(built.root, 80, 24)
    assert screen.lines[0] == "ACTIVE-STATUS.md: rebuilt"
    assert screen.lines[-1] == ""
    top = document(built.root, "audit")["shown"]
    more = top - len(priorities(screen))
    assert more > 60
    assert f"{len(priorities(screen))} of {top}: your window is 24 lines high" in screen.text
    assert f"{more} more: wrap list --all" in screen.text


@pytest.mark.slow
def test_what_was_written_stands_right_above_the_balance(sample):
    screen = drawn(sample, 200, 40, news=["routed: one", "routed: \x1b[31mtwo"])
    written = [line for line in screen.lines if line]
    assert written[-3:] == ["routed: one", r"routed: \x1b[31mtwo", balance(sample)]


@pytest.mark.slow
def test_colours_are_the_terminals_own_so_that_they_suit_light_and_dark(sample):
    raw = drawn(sample, 80, 40, color_system="truecolor").raw
    assert COLOUR.search(raw)
    assert not re.search(r"\x1b\[(?:\d+;)*[34]8;", raw), "a colour is fixed"
    assert not re.search(r"\x1b\[(?:\d+;)*(?:30|37|90|97|4\d|10\d)(?:;\d+)*m", raw), "black, white, or a background"


@pytest.mark.slow
@pytest.mark.parametrize(("words", "more"), [(["--no-color"], {}), ([], {"NO_COLOR": "1"})])
def test_without_colour_there_is_none(sample, words, more):
    raw = in_terminal(sample, *words, **more).raw
    assert "overdue 2 days" in raw
    assert not COLOUR.search(raw)


@pytest.mark.slow
def test_a_terminal_that_cannot_draw_gets_plain_text_of_its_width(sample):
    terminal = in_terminal(sample, columns=40, lines=40, term="dumb")
    assert "\x1b" not in terminal.raw
    assert max(map(len, terminal.raw.splitlines())) <= 40
    assert squeezed(terminal).endswith(balance(sample))


@pytest.mark.slow
def test_what_a_note_holds_never_reaches_the_terminal_raw(vault):
    evil = "\x1b]0;mine\x07 \x1b[2J \u202e"
    built = vault(
        {
            **journal("2026-04-23", next_list(f"Fix {evil} the login")),
            "projects/web\x1b[31m/todos.md": "## Next Session\n- [ ] Paint it\n",
        }
    )
    for words in ((), ("list",)):
        terminal = in_terminal(built.root, *words, today=TODAY)
        for raw in ("\x1b]0;", "\x1b[2J", "\u202e", "web\x1b"):
            assert raw not in terminal.raw
        assert r"\x1b]0;mine\x07" in terminal.text
        assert r"web\x1b[31m" in terminal.text


def test_an_empty_vault(vault):
    screen = drawn(vault().root, 80, 24)
    assert "nothing is open" in screen.lines
    assert "needs attention" not in screen.text
    assert squeezed(screen).endswith("pending 0")


@pytest.mark.slow
def test_a_pipe_gets_the_whole_audit_as_plain_text_even_when_colour_is_forced(sample, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = finish(spawn("--vault", sample, "--today", DAY))
    assert result.out == f"ACTIVE-STATUS.md: rebuilt\n\n{wrap('audit', vault=sample, today=DAY).out}"
    assert "\x1b" not in result.out


# `wrap list`


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80, 120, 200])
def test_the_list_in_a_terminal_opens_notes_and_loses_no_word(sample, columns):
    terminal = in_terminal(sample, "list", columns=columns, lines=160)
    items = document(sample, "list")["items"]
    unbroken = re.sub(r"\s", "", terminal.text)
    for item in items:
        assert all(
            word in unbroken for word in f"({item['project'] or 'untagged'}) {without_marks(item['text'])}".split()
        )
        assert item["handle"] in terminal.text
        assert (sample / item["path"]).as_uri() in terminal.links
        place = f"{item['path']}:{item['line']}"
        assert columns < 120 or (place if columns == 200 else place[-12:]) in terminal.text
    assert "`wrap open N` opens the note" in squeezed(terminal)


@pytest.mark.slow
def test_only_a_terminal_is_told_what_takes_numbers(sample):
    assert "wrap open N" in in_terminal(sample, "list", "--expired").text
    assert "wrap open N" not in wrap("list", vault=sample, today=DAY).out
