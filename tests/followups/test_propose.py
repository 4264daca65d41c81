"""`wrap orphans --propose`: an agent's own finds, believed when their quote stands in the conversation."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tests.followups import talks
from tests.followups.talks import RETRY
from tests.support import TODAY, wrap

TURNS = [
    ("user", "Please fix the login form."),
    ("assistant", f"It works again. Next session: {RETRY}.\nThe cellar\n  lamp   flickers, somebody should see to it."),
    ("user", "Thanks."),
]
LAMP = "The cellar lamp flickers, somebody should see to it."


@pytest.fixture
def propose(tmp_path, talk):
    def run(vault, *finds, options=("--json",)):
        file = tmp_path / "finds.json"
        file.write_text(json.dumps({"followups": list(finds)}), "utf-8")
        return wrap("orphans", "--transcript", talk(talks.neutral(TURNS)), "--propose", file, *options, vault=vault)

    return run


def test_a_quote_that_stands_white_space_aside_is_taken_beside_the_scanners(vault, propose):
    built = vault()
    result = propose(built, {"quote": LAMP, "text": "mend the cellar lamp"})
    assert result.code == 0, result.err
    assert {one["text"] for one in result.json["orphans"]} == {RETRY, "mend the cellar lamp"}
    (lamp,) = [one for one in result.json["orphans"] if "lamp" in one["text"]]
    assert (lamp["turn"], lamp["role"], lamp["said_on"]) == (1, "assistant", TODAY)
    assert result.json["refused_proposals"] == []
    assert set(talks.pending(built)) == {RETRY, "mend the cellar lamp"}


@pytest.mark.parametrize(
    "quote", ["The cellar lamp flickers, nobody should see to it.", "the attic lamp flickers", "", " ", "lamp " * 50]
)
def test_a_quote_that_does_not_stand_is_refused_by_name(vault, propose, quote):
    built = vault()
    result = propose(built, {"quote": quote, "text": "mend the lamp"})
    assert [one["text"] for one in result.json["orphans"]] == [RETRY]
    (refused,) = result.json["refused_proposals"]
    assert refused["quote"] == quote
    assert refused["reason"]
    assert talks.pending(built) == [RETRY]


def test_what_the_scanner_found_is_not_doubled(vault, propose):
    result = propose(vault(), {"quote": f"Next session: {RETRY}.", "text": "add a retry to the uploader"})
    assert len(result.json["orphans"]) == 1


def test_the_same_find_twice_is_one(vault, propose):
    find = {"quote": LAMP, "text": "mend the cellar lamp"}
    built = vault()
    propose(built, find, find)
    assert talks.pending(built).count("mend the cellar lamp") == 1


def test_what_a_durable_source_holds_is_dismissed(vault, propose):
    built = vault({"projects/web/todos.md": "# web\n\n## Next Session\n\n- mend the cellar lamp\n"})
    document = propose(built, {"quote": LAMP, "text": "mend the cellar lamp"}).json
    assert [one["text"] for one in document["orphans"]] == [RETRY]
    assert [one["held_by"] for one in document["dismissed"]] == ["projects/web/todos.md:5"]


@pytest.mark.parametrize("text", ["", "a\nb", "\x1b[2J"])
def test_words_that_cannot_be_written_do_no_harm(vault, propose, text):
    built = vault()
    result = propose(built, {"quote": LAMP, "text": text})
    assert result.code == 0, result.err
    for words in talks.pending(built):
        assert words.strip()
        assert words.isprintable()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"followups": 3}', b'{"followups": [3]}', b"\xff"])
def test_a_document_that_holds_no_finds(vault, talk, tmp_path, data):
    file = tmp_path / "finds.json"
    file.write_bytes(data)
    result = wrap("orphans", "--transcript", talk(RETRY), "--propose", file, vault=vault())
    assert result.code == 1
    assert str(file) in result.err
    assert "defect" not in result.err


def test_from_standard_input(vault, talk, monkeypatch):
    built = vault()
    data = json.dumps({"followups": [{"quote": LAMP, "text": "mend the cellar lamp"}]}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    wrap("orphans", "--transcript", talk(talks.neutral(TURNS)), "--propose", "-", vault=built)
    assert "mend the cellar lamp" in talks.pending(built)


def test_a_dry_run_keeps_nothing(vault, propose):
    built = vault()
    before = built.snapshot()
    propose(built, {"quote": LAMP, "text": "mend the cellar lamp"}, options=("--json", "--dry-run"))
    assert built.snapshot() == before
