"""A secret that was said is in no file that the program makes, wherever in a sentence it stands."""

from __future__ import annotations

import base64
import json
import random
import re
import string
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.followups import talks
from tests.support import TODAY, Vault, examples, wrap
from wrapgen.redact import MARK, redact
from wrapgen.redact.judges import is_random

if TYPE_CHECKING:
    from collections.abc import Iterator

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
LETTERS = UPPER + LOWER + DIGITS


def some(alphabet: str, least: int, most: int | None = None) -> st.SearchStrategy[str]:
    """Letters as a machine draws them: "AAAAAAAB" only fills a gap in an example."""
    return st.builds(
        lambda seed, length: "".join(random.Random(seed).choices(alphabet, k=length)),
        st.integers(0, 2**64), st.integers(least, most or least),
    )  # fmt: skip


def token(prefix: str, tail: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, str]]:
    """What is written, and the part of it that must not stand anywhere."""
    return tail.filter(is_random).map(lambda text: (prefix + text, text))


def pem(text: str) -> tuple[str, str]:
    return f"-----BEGIN RSA PRIVATE KEY----- {text} -----END RSA PRIVATE KEY-----", text


KINDS: dict[str, st.SearchStrategy[tuple[str, str]]] = {
    "AWS": some(UPPER + DIGITS, 16).map(lambda text: (f"AKIA{text}", text)),
    "GitHub": st.one_of(*(token(f"gh{kind}_", some(LETTERS, 36)) for kind in "pousr")),
    "GitHub, fine-grained": token("github_pat_", some(LETTERS, 22, 60)),
    "Slack": st.builds(
        lambda kind, one, two, tail: (f"xox{kind}-{one}-{two}-{tail}", tail),
        st.sampled_from("bpars"), some(DIGITS, 11), some(DIGITS, 12), some(LOWER + DIGITS, 24),
    ),
    "Anthropic": token("sk-ant-api03-", some(LETTERS + "-_", 40, 95)),
    "OpenAI": st.one_of(token("sk-proj-", some(LETTERS + "_", 48, 90)), token("sk-", some(LETTERS, 48))),
    "JSON web token": st.builds(
        lambda head, body, sign: (f"eyJ{head}.eyJ{body}.{sign}", sign),
        some(LETTERS, 17), some(LETTERS + "_-", 20, 60), some(LETTERS + "_", 43),
    ),
    "private key": some(LETTERS + "+/", 64, 128).map(pem),
    "bearer": token("Bearer ", some(LETTERS, 24, 60)),
    "password of an address": st.builds(
        lambda text: (f"postgres://app:{text}@db.internal/main", text), some(LETTERS, 8, 30)
    ),
}  # fmt: skip

# Around the secret; a verb in front keeps it from being all there is to do.
SENTENCES = (
    "rotate the key {} before Friday",
    "replace {}",
    "replace the key\n{} in the vault",
    "move `{}` into the vault",
    "키{}를 교체",
    "修复密钥{}的配置",
    "replace the key ({}), then deploy",
    'replace "{}" in the settings',
    "{} has to be revoked by us",
)
FRAMES = ("Next session: {}.", "TODO: {}", "Next steps:\n\n- {}\n- write the docs", "나중에 {}", "下次 {}", "- [ ] {}")
secrets = st.sampled_from(sorted(KINDS)).flatmap(lambda kind: KINDS[kind])


@pytest.mark.slow
@settings(max_examples=examples(300), deadline=None)
@given(secrets, st.sampled_from(SENTENCES))
def test_no_sentence_hides_a_secret(secret, sentence):
    written, hidden = secret
    text, found = redact(sentence.format(written))
    assert hidden not in text
    assert found >= 1
    assert redact(text) == (text, 0), "what stands for a secret is one itself"


@pytest.mark.parametrize("kind", sorted(KINDS))
@settings(max_examples=examples(20), deadline=None)
@given(st.data())
def test_each_kind_alone_and_between_letters_of_every_script(kind, data):
    written, hidden = data.draw(KINDS[kind])
    for before, behind in (
        *pairwise(("키", "를", "密", "的", "鍵", "を", "é", "", "=", ";", "'", "\t", "\r")),
        ("", ""),
    ):
        assert hidden not in redact(f"{before}{written}{behind}")[0], (before, behind)


def below(root: Path) -> Iterator[tuple[str, str]]:
    """Every file that the program made, with what it says, bytes in it decoded too."""
    for file in [*root.glob(".wrapgen/**/*"), *root.glob(".agents/**/*"), root / "ACTIVE-STATUS.md"]:
        if file.is_file() and "cache" not in file.parts:
            text = file.read_bytes().decode("utf-8", "replace")
            yield file.name, text
            for packed in re.findall(r'"([A-Za-z0-9+/]{8,}={0,2})"', text):
                try:
                    yield file.name, base64.b64decode(packed).decode("utf-8", "replace")
                except ValueError:
                    continue


@pytest.mark.slow
@settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(secrets, st.sampled_from(SENTENCES), st.sampled_from(FRAMES), st.sampled_from(("journal", "project", "skip")))
@example(("AKIA" + "Q3EGRIJ2T7HNY5XZ", "Q3EGRIJ2T7HNY5XZ"), SENTENCES[0], FRAMES[0], "journal")
@example(pem("Q3EGRIJ2T7HNY5XZ" * 4), "{} has to be revoked by us", FRAMES[0], "journal")
def test_no_store_holds_it(secret, sentence, frame, where):
    written, hidden = secret
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder).resolve() / "vault")
        vault.write("projects/web/todos.md", "## Next Session\n")
        talk = Path(folder) / "talk.jsonl"
        talk.write_bytes(talks.claude([("assistant", frame.format(sentence.format(written)))]))

        def clean() -> None:
            for name, text in below(vault.root):
                assert hidden not in text, (name, text)

        document = wrap("--transcript", talk, "--no-prompt", "--json", vault=vault).json
        clean()
        waiting = talks.state(vault, "pending.jsonl")
        said_with_it = [one for one in waiting if MARK in json.dumps(one)]
        assert document["follow_ups"]["redacted"] >= len(said_with_it)
        for words in (("orphans", "--ask"), ("orphans", "--transcript", talk, "--ask"), ("--transcript", talk)):
            assert wrap(*words, vault=vault).code == 0
            clean()
        if waiting:
            given_answers = [talks.answer(one["orphan"]["id"], where, project="web") for one in waiting]
            routed = talks.route(vault, Path(folder) / "answers.json", *given_answers)
            assert routed.code == 0, routed.err
            clean()
            assert wrap("--transcript", talk, "--no-prompt", vault=vault).code == 0
            clean()
            assert wrap("undo", vault=vault).code == 0
            clean()


@pytest.mark.slow
@pytest.mark.parametrize("line", ["- [ ] rotate {}", "- rotate {}"])
def test_receipts_about_own_lines_do_not_hold_it(tmp_path, line):
    secret = "AKIA" + "Q3EGRIJ2T7HNY5XZ"
    vault = Vault(tmp_path / "vault")
    vault.write(f"journals/{TODAY}.md", f"## Next\n{line.format(secret)}\n- [ ] write the docs\n")
    for words in (("add", f"replace {secret}"), ("list",), ("edit", "1", f"use {secret}"), ("undo",), ("done", "1"),
                  ("snooze", "1", "3"), ("undo",)):  # fmt: skip
        result = wrap(*words, vault=vault)
        assert result.code in (0, 1, 2)
        for name, text in below(vault.root):
            assert secret not in text or name == "ACTIVE-STATUS.md", (words, name)


@pytest.mark.slow
def test_the_printed_audit_says_that_secrets_were_taken_out(tmp_path):
    vault = Vault(tmp_path / "vault")
    talk = tmp_path / "talk.jsonl"
    talk.write_bytes(talks.claude([("assistant", "Next session: rotate AKIA" + "Q3EGRIJ2T7HNY5XZ before Friday.")]))
    result = wrap("--transcript", talk, "--no-prompt", vault=vault)
    assert "1 secret was removed from what is stored" in result.out
