"""The vault in one line."""

import json
import os
import time

import pytest

from tests.hooks import kit
from tests.support import wrap
from wrapgen.hooks.statusline import line_for
from wrapgen.vault import headline


def status(fields=None, raw=None):
    child = kit.start_hook("statusline")
    out, err = child.communicate(json.dumps(fields).encode() if raw is None else raw, timeout=kit.PATIENCE)
    assert (child.returncode, err) == (0, b"")
    return out.decode()


def test_counts_and_age(notes, code):
    notes.write("projects/web/todos.md", "# web\n\n## Next Session\n\n- [ ] Late 📅 2020-01-02\n- [ ] Early\n")
    wrap("regen", vault=notes, today=None)
    line = status({"workspace": {"current_dir": str(code)}, "cwd": "/"})
    assert line.startswith("wrap: 1 overdue · ")
    assert line.endswith(" · 0 pending · rebuilt just now\n")


def test_what_waits_is_counted_at_once(notes, waiting):
    wrap("regen", vault=notes, today=None)
    waiting(notes, "add retry to the uploader", "rotate the staging keys")
    assert " · 2 pending · " in line_for(str(notes.root), time.time())


def test_what_is_overdue_is_known_without_a_rebuild(notes):
    notes.write("projects/web/todos.md", "# web\n\n## Next Session\n\n- [ ] Soon 📅 2026-05-02\n")
    wrap("regen", vault=notes)
    noon = time.mktime((2026, 5, 2, 12, 0, 0, 0, 0, -1))
    assert line_for(str(notes.root), noon).startswith("wrap: 0 overdue")
    assert line_for(str(notes.root), noon + 86_400).startswith("wrap: 1 overdue")


def test_no_dashboard_yet(notes):
    assert line_for(str(notes.root), 0) == "wrap: 0 pending · no dashboard yet: wrap regen"


@pytest.mark.parametrize("raw", [b"", b"null", b"{", b'{"workspace": 3, "cwd": ["x"]}'])
def test_input_of_any_kind(notes, raw, monkeypatch):
    monkeypatch.chdir(notes.root)
    assert status(raw=raw).startswith("wrap: 0 pending")


def test_a_folder_that_has_nothing_to_do_with_the_vault(notes, home):
    assert notes.root.is_dir()
    assert status({"cwd": str(home)}) == ""


def test_no_vault(home):
    assert status({"cwd": str(home)}) == ""


def test_a_vault_that_was_moved_away(notes, code):
    notes.root.rename(notes.root.with_name("elsewhere"))
    assert status({"cwd": str(code)}) == ""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]\n",
        b'{"version": 0}\n',
        b"{\n",
        b'{"version": 1, "due": 3}\n',
        b'{"version": 1, "open": "\\u001b[2J", "due": {}}\n',
        b"\xff\xfe",
    ],
)
def test_a_short_form_that_is_damaged(notes, data):
    wrap("regen", vault=notes)
    notes.path(headline.FILE).write_bytes(data)
    assert "no dashboard yet" in line_for(str(notes.root), 0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (3599, "59 min ago"),
        (3600, "1 h ago"),
        (86_399, "23 h ago"),
        (86_400, "1 day ago"),
        (2e5, "2 days ago"),
    ],
)
def test_ages(seconds, words):
    assert headline.ago(seconds) == words


def test_the_age_is_that_of_the_last_look(notes):
    wrap("regen", vault=notes)
    file = notes.path(headline.FILE)
    os.utime(file, (0, 0))
    assert wrap("regen", vault=notes).out.startswith("ACTIVE-STATUS.md: unchanged")
    assert headline.counts(str(notes.root))["at"] > 1e9
