"""`wrap match`: would these two be merged. The rules themselves are tested beside the pipeline."""

import json

import pytest

from tests.support import wrap


def pairs(tmp_path, *lines):
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def pair(number, a, b):
    return json.dumps(
        {"id": number, "a": {"text": a, "path": "a.md", "line": 1}, "b": {"text": b, "path": "b.md", "line": 2}}
    )


def test_it_needs_no_vault():
    result = wrap("match", "Fix the login", "fix the login.")
    assert result.code == 0
    assert "100" in result.out


def test_a_swapped_number_is_named():
    result = wrap("match", "Run step 5", "Run step 3")
    assert result.code == 0
    assert "no match" in result.out


def test_different_words():
    assert "no match" in wrap("match", "Fix the login", "Translate the report").out


def test_the_document(tmp_path):
    file = pairs(tmp_path, pair(3, "Run step 5", "Run step 3"), pair("x", "Fix the login", "fix the login"))
    document = wrap("match", "--pairs", file, "--json").json
    assert document["schema"] == "wrapgen.match/1"
    first, second = document["pairs"]
    assert (first["id"], first["match"]) == (3, False)
    assert "number" in first["refused"]
    assert isinstance(first["score"], float)
    assert (second["id"], second["match"], second["refused"], second["score"]) == ("x", True, None, 100.0)


@pytest.mark.parametrize("line", ["{", '{"id": 1}', "[]", '{"id": 1, "a": {"text": 3}, "b": {"text": "x"}}'])
def test_a_line_that_is_no_pair_is_named(tmp_path, line):
    file = pairs(tmp_path, pair(1, "a", "b"), line)
    result = wrap("match", "--pairs", file, "--json")
    assert (result.code, result.out) == (1, "")
    assert f"{file}:2" in result.err


def test_a_file_that_is_not_there(tmp_path):
    result = wrap("match", "--pairs", tmp_path / "none.jsonl")
    assert result.code == 1
    assert "none.jsonl" in result.err


def test_the_threshold_of_the_vault_counts(vault, monkeypatch):
    monkeypatch.chdir(vault(config="dedup_threshold = 100\n").root)
    words = (
        "match",
        "Document the upload retry behaviour in the handbook",
        "Document upload retry behaviour in handbook",
    )
    assert "no match" in wrap(*words).out
    monkeypatch.chdir("/")
    assert "no match" not in wrap(*words).out


def verdict(tmp_path, one, other, **options):
    halves = {"id": 1, "a": one, "b": other}
    (found,) = wrap("match", "--pairs", pairs(tmp_path, json.dumps(halves)), "--json", **options).json["pairs"]
    return found["match"], found["refused"]


def at(path, line=1, text="Write the migration guide"):
    return {"text": text, "path": path, "line": line}


TASK, OTHER_TASK = "projects/web/actives/upload/todos.md", "projects/web/actives/login/todos.md"


@pytest.mark.parametrize(
    ("one", "other", "refused"),
    [
        (at(TASK), at(OTHER_TASK), "place: two lists: task web/upload / task web/login"),
        (at(TASK), at("projects/web/todos.md"), "place: two lists: task web/upload / project web"),
        (at("projects/web/PROGRESS.md"), at("projects/web/todos.md"), None),
        (at("journals/2026/04/2026-04-24.md"), at(TASK), None),
        (at("journals/2026/04/2026-04-24.md"), at("journals/2026/04/2026-04-24.md", 90), None),
        (at(TASK), at(TASK, 90), "place: one file: lines 1 / 90"),
        (at("elsewhere/a.md"), at("elsewhere/b.md"), None),
        (at(TASK, text="Pay Ann 📅 2026-05-01"), at(None, text="Pay Ann 📅 2026-06-01"),
         "place: two due dates: 2026-05-01 / 2026-06-01"),
    ],
)  # fmt: skip
def test_what_the_places_say(tmp_path, one, other, refused):
    assert verdict(tmp_path, one, other) == (refused is None, refused)


def test_the_lists_of_a_vault_are_places(tmp_path, vault):
    built = vault({}, config='[sources]\nlists = ["plans/*.md"]\n')
    found = verdict(tmp_path, at("plans/a.md"), at("plans/b.md"), vault=built)
    assert found == (False, "place: two lists: plans/a.md / plans/b.md")
