"""`wrap brief` at the border: what it reads, what it prints, which language, which exit code."""

import io
import json
import os

import pytest

from tests.brief.reading import read
from tests.support import finish, spawn, wrap

STATE = {"task_description": "Write the brief", "files": [{"path": "a.py"}], "pending": ["Test it"]}
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


@pytest.fixture(autouse=True)
def no_locale(monkeypatch):
    for name in LOCALES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def state(tmp_path):
    def write(document, name="state.json"):
        file = tmp_path / name
        file.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
        return file

    return write


def given(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_block_of_a_state(state):
    result = wrap("brief", "--state", state(STATE))
    made = read(result.out.rstrip("\n"), "en")
    assert (result.code, result.err) == (0, "")
    assert (made.task, made.lists["files"], made.lists["pending"]) == (
        "Write the brief", ["a.py (modified)"], ["Test it"]
    )  # fmt: skip
    assert made.as_of is None


def test_from_standard_input(monkeypatch):
    given(monkeypatch, json.dumps(STATE).encode())
    assert "Write the brief" in wrap("brief", "--state", "-").out


def test_json_is_a_state_too(state):
    first = wrap("brief", "--state", state(STATE), "--format", "json")
    document = first.json
    assert document["schema"] == "wrapgen.brief/1"
    assert document["task_description"] == "Write the brief"
    assert document["files"] == [{"path": "a.py", "change_type": "modified"}]
    assert document["omitted"] == {"files": 0, "decisions": 0, "teammates": 0, "pending": 0}
    assert document["generated_at"] is document["branch"] is None
    assert document["block"] == wrap("brief", "--state", state(STATE)).out.rstrip("\n")
    again = wrap("brief", "--state", state(first.out.encode(), "again.json"), "--format", "json")
    assert again.json == document


def test_json_holds_everything_and_says_what_the_block_leaves_out(state):
    document = wrap("brief", "--state", state({"pending": ["p" * 90] * 99}), "--format", "json").json
    assert len(document["pending"]) == 99
    assert document["omitted"]["pending"] > 50
    assert document["tokens"] <= 500


@pytest.mark.parametrize("words", [b"null", b"[]", b"[1, 2]", b"5", b'"words"', b"{}", b"\xef\xbb\xbf{}", b"NaN"])
def test_json_that_is_no_object_is_an_empty_state(state, words):
    result = wrap("brief", "--state", state(words))
    assert result.code == 0
    assert read(result.out.rstrip("\n"), "en").lists["pending"] == []


@pytest.mark.parametrize(
    ("words", "line", "why"),
    [
        (b"", 1, "JSON"),
        (b'{"a": 1,\n "b": ', 2, "column"),
        (b'{"a": 1}\n{"b": 2}\n', 2, "Extra data"),
        (b'{\n"a": "\xff"}', 2, "UTF-8"),
        (b"[" * 100_000, 1, "deep"),
    ],
    ids=["nothing", "half", "two", "no text", "deep"],
)
def test_what_is_not_json_is_an_error_that_says_where(state, words, line, why):
    file = state(words)
    for option in ("--state", "--since"):
        result = wrap("brief", option, file, *(() if option == "--state" else ("--state", state(STATE, "good.json"))))
        assert (result.code, result.out) == (1, "")
        assert f"{file}:{line}: " in result.err
        assert why in result.err


def test_numbers_of_thousands_of_digits_are_nobodys_trouble(state):
    result = wrap("brief", "--state", state(b'{"pending": [%s, "do"]}' % (b"9" * 10_000)))
    assert read(result.out.rstrip("\n"), "en").lists["pending"] == ["do"]


def test_halves_of_surrogate_pairs(state):
    result = wrap("brief", "--state", state(b'{"task_description": "a\\ud83d", "pending": ["\\ude00"]}'))
    assert read(result.out.rstrip("\n"), "en").task == "a"


@pytest.mark.parametrize("name", ["missing.json", "", "nul\0l", "."])
def test_a_file_that_cannot_be_read(name):
    result = wrap("brief", "--state", name)
    assert result.code == 1
    assert "cannot be read" in result.err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no /dev")
@pytest.mark.parametrize("option", ["--state", "--since", "--count"])
def test_input_without_an_end_is_refused(option, state):
    result = finish(spawn("brief", *(("--state", state(STATE)) if option == "--since" else ()), option, "/dev/zero"))
    assert result.code == 1
    assert "larger than" in result.err


# Language


def language(*words):
    block = wrap("brief", *words).out.rstrip("\n")
    found = [lang for lang in ("ko", "en", "zh", "ja") if _reads(block, lang)]
    assert len(found) == 1
    return found[0]


def _reads(block, lang):
    try:
        read(block, lang)
    except AssertionError:
        return False
    return True


def test_the_language_of_the_option_then_the_vault_then_the_system_then_english(state, vault, monkeypatch):
    file = state(STATE)
    assert language("--state", file) == "en"
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert language("--state", file) == "ja"
    monkeypatch.setenv("LC_MESSAGES", "zh-TW")
    assert language("--state", file) == "zh"
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert language("--state", file) == "en"
    monkeypatch.chdir(vault(config='lang = "ko"\n').root)
    assert language("--state", file) == "ko"
    assert language("--state", file, "--lang", "ja") == "ja"


def test_a_language_without_labels_is_an_error_where_it_was_chosen(state, vault, monkeypatch):
    assert wrap("brief", "--state", state(STATE), "--lang", "tlh").code == 2
    monkeypatch.chdir(vault(config='lang = "tlh"\n').root)
    result = wrap("brief", "--state", state(STATE))
    assert result.code == 1
    assert "wrapgen.toml:1" in result.err


def test_a_state_needs_no_vault_and_a_named_one_must_be_one(state, tmp_path):
    assert wrap("brief", "--state", state(STATE)).code == 0
    assert wrap("brief", "--state", state(STATE), "--lang", "en", vault=tmp_path).code == 0
    assert wrap("brief").code == 1


# Budget, and what changed


def test_a_budget(state):
    document = wrap("brief", "--state", state({"pending": ["p" * 90] * 99}), "--budget", "200", "--format", "json").json
    assert document["tokens"] <= 200


def test_a_budget_too_small_for_anything_gives_the_empty_block_and_says_so(state):
    result = wrap("brief", "--state", state(STATE), "--budget", "5")
    assert result.code == 0
    assert read(result.out.rstrip("\n"), "en").task == ""
    assert "--budget 5" in result.err
    assert wrap("brief", "--state", state(STATE), "--budget", "0").code == 2


def test_only_what_changed_since_a_state_or_an_earlier_brief(state):
    old = state({**STATE, "decisions": ["One"]}, "old.json")
    earlier = state(wrap("brief", "--state", old, "--format", "json").out.encode(), "earlier.json")
    new = state({**STATE, "decisions": ["One", "Two"], "pending": ["Test it", "Ship it"]}, "new.json")
    for since in (old, earlier):
        made = read(wrap("brief", "--state", new, "--since", since).out.rstrip("\n"), "en")
        assert made.task == ""
        assert made.lists == {"files": [], "decisions": ["Two"], "teammates": [], "pending": ["Ship it"]}


# Counting


def test_counting_a_file(tmp_path):
    file = tmp_path / "text.md"
    file.write_text("로그인 오류 😀", encoding="utf-8")
    document = wrap("brief", "--count", file, "--format", "json").json
    assert document["schema"] == "wrapgen.tokens/1"
    assert (document["characters"], document["legacy"]) == (8, 4)
    assert document["conservative"] >= 7
    printed = wrap("brief", "--count", file).out
    assert f"conservative  {document['conservative']}\n" in printed
    assert "legacy        4\n" in printed


def test_counting_standard_input(monkeypatch):
    given(monkeypatch, b"a b\xff c")
    assert wrap("brief", "--count", "-", "--format", "json").json["characters"] == 6


def test_counting_goes_with_nothing_else(state):
    assert wrap("brief", "--count", state(STATE), "--state", state(STATE)).code == 2
    assert wrap("brief", "--count", state(STATE), "--since", state(STATE)).code == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no named pipes")
def test_a_state_from_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = spawn("brief", "--state", pipe, "--lang", "en")
    pipe.write_text(json.dumps(STATE), encoding="utf-8")
    assert "Write the brief" in finish(child).out
