"""Any bytes in the place of any file that is read: a message or a listing, never an exception, and nothing is lost."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Self

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.followups import talks
from tests.support import FATES, TODAY, Vault, examples, wrap

quick = settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
FIX = "Fix the login"
KEYS = st.sampled_from((
    "orphan", "id", "text", "quote", "since", "at", "step", "lines", "path", "line", "changes", "turns", "role", "type",
    "message", "content", "uuid", "timestamp", "cwd", "answers", "schema", "route", "project", "task", "drop",
    "questions", "payload", "sessionId", "isMeta", "question", "header", "options", "multi", "answer", "label", "todos",
    "follow_ups", "dead_ends", "decisions", "n", "why", "tried", "failed", "name", "input", "status", "candidates",
))  # fmt: skip
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(("user", "assistant", "journal", "skip", "done", "planned", "../x", "web", f"{TODAY}T10:00:00Z",
                     "wrapgen.answers/1", "Next session: fix the login.", "TODO: add retry", "message", "text")),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=12
)
LINES = st.lists(VALUES.map(lambda value: json.dumps(value).encode()), max_size=5).map(b"\n".join)
GOOD = talks.claude(talks.said(talks.RETRY))
CUT = st.integers(0, len(GOOD)).map(lambda end: GOOD[:end])
DOCUMENTS = st.one_of(st.binary(max_size=80), VALUES.map(lambda value: json.dumps(value).encode()), LINES, CUT)


def sound(result, *codes: int):
    assert "defect" not in result.err, result.err
    assert result.code in (0, *codes), result
    return result


class Folder:
    """A vault for one example."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self.root = Path(self._folder.name).resolve()
        self.vault = Vault(self.root / "vault")
        self.vault.write(f"journals/{TODAY}.md", f"## Next\n- {FIX}\n")
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def file(self, data: bytes) -> Path:
        file = self.root / "given"
        file.write_bytes(data)
        return file

    def run(self, *words: str | Path, codes: tuple[int, ...] = ()):
        return sound(wrap(*words, vault=self.vault), *codes)


@pytest.mark.slow
@quick
@given(DOCUMENTS)
@example(b'{"turns": [{"role": "user", "text": null}]}')
@example(b'{"turns": null}')
@example(b"null")
@example(b'{"type":"user","sessionId":"\\ud800","message":{"content":"TODO: add \\ud800 retry"}}\n')
def test_transcripts(data):
    with Folder() as here:
        here.run("orphans", "--transcript", here.file(data), "--json", codes=(1,))
        here.run("--transcript", here.file(data), "--no-prompt", codes=(1,))


@pytest.mark.slow
@quick
@given(DOCUMENTS)
def test_answers_and_reviews(data):
    with Folder() as here:
        talk = here.root / "talk.jsonl"
        talk.write_bytes(GOOD)
        here.run("orphans", "--transcript", talk, "--ask")
        here.run("route", "--answers", here.file(data), codes=(1,))
        here.run("orphans", "--transcript", talk, "--review")
        here.run("orphans", "--transcript", talk, "--reviewed", here.file(data), codes=(1,))


@pytest.mark.slow
@quick
@given(DOCUMENTS, st.sampled_from(("pending", "skipped", "receipts", "asked", "conversations", "reviews", "readings")))
def test_memory(data, name):
    with Folder() as here:
        state = here.vault.write(f".wrapgen/state/{name}.jsonl", data)
        for words in (("audit",), ("regen",), ("--no-prompt",), ("orphans", "--ask")):
            here.run(*words, codes=(1,))
        here.run("orphans", "--transcript", here.file(GOOD), "--review", codes=(1,))
        here.run("undo", codes=(1, 2))
        if name in ("skipped", "receipts"):  # what is written for each run may be replaced
            kept = state.read_bytes()
            assert all(line in kept for line in data.split(b"\n") if line.strip())
        assert FIX in here.vault.path(f"journals/{TODAY}.md").read_text("utf-8")


@pytest.mark.slow
@quick
@given(DOCUMENTS, st.sampled_from(("last-run", *(f"files-{number:02}" for number in range(32)))))
def test_cache(data, name):
    with Folder() as here:
        here.run("regen")
        page = here.vault.page
        here.vault.write(f".wrapgen/cache/{name}", data)
        here.vault.dashboard.unlink()
        here.run("regen")
        assert here.vault.page == page


TOML = st.one_of(
    st.binary(max_size=60),
    st.builds(
        lambda table, key, value: f"{table}\n{key} = {json.dumps(value)}\n".encode(),
        st.sampled_from(("", "[sources]", "[sections]", "[followups]", "[projects.web]", "[brief]", "[[projects]]")),
        st.sampled_from(("output", "cap", "lock_timeout", "journals", "next", "cues", "paths", "aliases", "follow",
                         "dedup_threshold", "lock_timeout", "x")),
        st.one_of(SCALARS.filter(lambda value: value is not None), st.lists(st.text(max_size=6), max_size=3)),
    ),
)  # fmt: skip


@pytest.mark.slow
@quick
@given(TOML)
def test_settings(data):
    with Folder() as here:
        here.vault.write("wrapgen.toml", data)
        for words in (("audit",), ("regen",), ("list",), ("orphans", "--transcript", here.file(GOOD), "--dry-run")):
            result = here.run(*words, codes=(1, 4))
            if result.code == 1:
                assert "wrapgen.toml" in result.err or "ACTIVE" in result.err or str(here.root) in result.err
        assert FIX in here.vault.path(f"journals/{TODAY}.md").read_text("utf-8")


@pytest.mark.slow
@quick
@given(st.binary(max_size=120), st.binary(max_size=120), st.binary(max_size=120))
def test_notes(journal, tasks, progress):
    with Folder() as here:
        here.vault.write("journals/2026-04-23.md", b"## Next\n" + journal)
        here.vault.write("projects/web/actives/a/todos.md", tasks)
        here.vault.write("projects/web/PROGRESS.md", b"## Next Session\n" + progress)
        document = here.run("regen", "--json").json
        assert document["collected"] == sum(document[fate] for fate in FATES)
        here.run("list", "--all")
        here.run("orphans", "--transcript", here.file(GOOD), "--ask")
        (waiting,) = talks.state(here.vault, "pending.jsonl")
        before = talks.notes(here.vault)
        for where in ({"route": "active", "project": "web", "task": "a"}, {"route": "journal"}):
            answers = here.root / "answers.json"
            answers.write_text(talks.answers({"id": waiting["orphan"]["id"], **where}))
            if here.run("route", "--answers", answers, codes=(1,)).code == 0:
                here.run("undo")
        assert talks.notes(here.vault) == before
