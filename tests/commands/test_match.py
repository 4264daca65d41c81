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
