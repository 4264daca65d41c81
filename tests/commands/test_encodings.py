"""What is no plain UTF-8: byte order marks at every door, files that are no text, names that are no UTF-8."""

from __future__ import annotations

import codecs
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import audit, wrap
from wrapgen.text.encodings import other_form
from wrapgen.workflows.given_files import read_bytes

MARK = codecs.BOM_UTF8
LIST = "# web\n\n- [ ] Paint the fence\n"
TODOS = "projects/web/todos.md"
TURNS = {"turns": [{"role": "user", "text": "Tidy it."}, {"role": "assistant", "text": "Next session: mend the lamp."}]}


@pytest.mark.parametrize(
    "words",
    [
        ("sources", "add", "notes/*.md", "--as", "lists"),
        ("projects", "add", "boat"),
        ("sources", "add", "old/*.md", "--as", "ignore"),
    ],
)
def test_a_configuration_keeps_its_mark_when_it_is_changed(vault, words):
    built = vault({"notes/a.md": "- [ ] a\n"}, config="cap = 5\n")
    built.write("wrapgen.toml", MARK + built.path("wrapgen.toml").read_bytes())
    result = wrap(*words, vault=built)
    after = built.path("wrapgen.toml").read_bytes()
    assert (result.code, after.startswith(MARK), after.count(MARK), b"cap = 5" in after) == (0, True, 1, True), (
        result.err
    )
    assert words[2].split("/")[0] in after.decode()


def test_the_users_own_configuration_keeps_its_mark(vault):
    own = Path(os.environ["XDG_CONFIG_HOME"]) / "wrapgen" / "config.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_bytes(MARK + b"[reader]\nper_day = 3\n")
    assert wrap("trust", vault=vault({})).code == 0
    assert own.read_bytes().startswith(MARK)
    assert b"per_day = 3" in own.read_bytes()
    assert b"trusted_vaults" in own.read_bytes()


@pytest.mark.parametrize("encode", [lambda text: MARK + text.encode(), lambda text: text.encode("utf-16")])
def test_json_that_is_handed_in_may_begin_with_a_mark(vault, tmp_path, encode):
    built = vault({TODOS: LIST})
    talk, answers, review, pairs = (tmp_path / name for name in ("t.json", "a.json", "r.json", "p.jsonl"))
    talk.write_text(json.dumps(TURNS), "utf-8")
    assert wrap("--no-prompt", "--transcript", talk, vault=built).code == 0
    (one,) = wrap("orphans", "--json", vault=built).json["orphans"]
    answer = {"schema": "wrapgen.answers/1", "answers": [{"id": one["id"], "route": "journal"}]}
    answers.write_bytes(encode(json.dumps(answer)))
    review.write_bytes(encode('{"follow_ups": [], "drop": []}'))
    pairs.write_bytes(encode('{"id": 1, "a": {"text": "Mend the lamp"}, "b": {"text": "Mend the lamp"}}\n'))
    for words in (
        ("route", "--dry-run", "--answers", answers),
        ("orphans", "--reviewed", review, "--transcript", talk),
        ("match", "--pairs", pairs),
    ):
        result = wrap(*words, vault=built)
        assert result.code == 0, (words, result.err)


def test_a_conversation_may_begin_with_a_mark(vault, tmp_path):
    built = vault({TODOS: LIST})
    gemini = {"sessionId": "s", "projectHash": "x", "messages": []}
    gemini["messages"] = [
        {"id": str(at), "type": kind, "content": one["text"], "timestamp": "2026-04-23T10:00:00Z"}
        for at, (kind, one) in enumerate(zip(("user", "gemini"), TURNS["turns"], strict=True))
    ]
    for name, text in (("a.json", json.dumps(TURNS)), ("session-b.json", json.dumps(gemini, indent=2))):
        file = tmp_path / name
        file.write_bytes(MARK + text.encode())
        found = wrap("orphans", "--dry-run", "--json", "--transcript", file, vault=built)
        assert [one["text"] for one in found.json["orphans"]] == ["mend the lamp"], found.err


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (LIST.encode("utf-16"), "UTF-16"), (LIST.encode("utf-16-le"), "UTF-16"), (LIST.encode("utf-16-be"), "UTF-16"),
        (LIST.encode("utf-32"), "UTF-16"), (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xd8", "no text"),
        (LIST.encode(), ""), (LIST.encode("utf-8-sig"), ""), (LIST.encode() + bytes(900), ""),
        ("Café".encode("latin-1"), ""), (b"", ""), (("가" * 1400).encode() + b"\0", ""),
    ],
)  # fmt: skip
def test_what_is_no_text(data, form):
    assert other_form(data) == form


@pytest.mark.parametrize("data", [LIST.encode("utf-16"), LIST.encode("utf-16-le"), b"\xff\xd8\xff\xe0\0\x10JFIF\0"])
def test_nobody_says_that_nothing_is_open_in_a_list_that_is_no_text(vault, data):
    built = vault({TODOS: data, "projects/boat/todos.md": "## Next\n- [x] Mend the sail\n"})
    wrap("trust", vault=built)
    said = f"{TODOS} cannot be read, so nobody knows what is open in it: wrap audit"
    assert wrap("list", vault=built).out.strip() == said
    assert wrap("list", "-p", "web", vault=built).out.strip() == said
    assert said in wrap("sources", vault=built).out
    assert [one["path"] for one in wrap("sources", "--json", vault=built).json["unreadable"]] == [TODOS]
    assert "every open box" not in wrap("sources", vault=built).out
    doctor = wrap("doctor", vault=built).out
    assert "every open box" not in doctor
    assert TODOS in doctor
    ((path, error),) = [(one["path"], one["error"]) for one in audit(built).json["unreadable"]]
    assert (path, error.startswith("decoded with errors: it is ")) == (TODOS, True)
    added = wrap("add", "-p", "web", "Call", "the", "bank", vault=built)
    assert (added.code, f"wrap: {TODOS}: is " in added.err) == (1, True)
    assert built.path(TODOS).read_bytes() == data


def test_beside_what_is_open_the_list_names_what_cannot_be_read(vault):
    built = vault({TODOS: LIST, "projects/boat/todos.md": LIST.encode("utf-16")})
    out = wrap("list", vault=built).out
    assert "Paint the fence" in out
    assert "projects/boat/todos.md cannot be read" in out


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names there are Unicode")
def test_a_file_whose_name_is_no_utf8_is_opened_and_changed_as_it_is_listed(vault, tmp_path, monkeypatch):
    built = vault({})
    todos = Path(os.fsdecode(os.fsencode(built.root) + b"/projects/w\xe9b/todos.md"))
    todos.parent.mkdir(parents=True)
    todos.write_text(LIST, "utf-8")
    shown = tmp_path / "shown"
    monkeypatch.setenv("EDITOR", f'sh -c \'printf %s "$2" > "{shown}"\' x')
    place = r"projects/w\udce9b/todos.md"
    assert place in wrap("list", vault=built).out
    assert wrap("open", "paint", vault=built).code == 0
    assert shown.read_bytes() == os.fsencode(todos)
    assert wrap("edit", f"{place}:3", "Paint the gate", vault=built).code == 0
    assert wrap("add", "-p", r"w\udce9b", "Oil", "the", "door", vault=built).code == 0
    assert wrap("done", "paint", vault=built).code == 0
    assert todos.read_text("utf-8") == "# web\n\n- [x] Paint the gate\n- [ ] Oil the door\n"
    for _ in range(3):
        assert wrap("undo", vault=built).code == 0
    assert todos.read_text("utf-8") == LIST
    assert list(built.path("projects").iterdir()) == [todos.parent]


def test_a_folder_that_was_deleted_is_named(tmp_path):
    program = f"mkdir {tmp_path}/gone; cd {tmp_path}/gone; rmdir {tmp_path}/gone; {sys.executable} -m wrapgen list"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, "the current folder is no longer there" in done.stderr) == (1, True), done.stderr


def test_bytes_that_are_no_utf16_stay_as_they_are(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(codecs.BOM_UTF16_LE + b"\x00\xd8a")
    assert read_bytes(str(file)) == codecs.BOM_UTF16_LE + b"\x00\xd8a"
