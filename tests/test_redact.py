"""Secrets are taken out, honest words stay."""

import pytest

from tests.security.more_secret_forms import more_secrets
from tests.security.secret_forms import ORDINARY, secrets
from tests.support import each
from wrapgen.redact import redact, redact_together
from wrapgen.redact.forms import prefixes

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


@each(
    [
        "add retry to the uploader",
        "refactor wrapgen/pipeline/matching.py and SimilarityIndexBuilderForTests",
        "see https://example.org/a/very/long/path/without/any/secret#fragment",
        "다음 세션에서 배포 스크립트 정리",
        "compare commit 0123456789abcdef0123456789abcdef01234567",
        "fix the sk-learn import",
        *ORDINARY.splitlines(),
    ]
)
def test_honest_words_stay(text: str) -> None:
    assert redact(text) == (text, 0)


@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        ("AKIA" + "Q3EGRIJ2T7HNY5XZ", "AWS access key"),
        ("ghp_" + "a1B2" * 9, "github pat"),
        ("github_pat_" + "a1B2c3D4" * 4, "github fine grained pat"),
        ("sk-ant-" + "api03-" + "Ab1" * 10, "anthropic api key"),
        ("AIza" + "S1b2c3d" * 5, "gcp api key"),
        ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "stripe access token"),
        (JWT, "JSON web token"),
    ],
)
def test_a_secret_is_replaced_and_counted(secret: str, kind: str) -> None:
    text, found = redact(f"rotate {secret} before Friday")
    assert text == f"rotate [redacted: {kind}] before Friday"
    assert found == 1


def test_a_private_key_is_replaced_to_its_end_even_when_that_is_missing() -> None:
    block = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"
    assert redact(f"a {block} b") == ("a [redacted: private key] b", 1)
    assert redact("a -----BEGIN PRIVATE KEY-----\nMIIE") == ("a [redacted: private key]", 1)


def test_the_password_of_an_address_is_replaced_alone() -> None:
    text, found = redact("check postgres://app:s3cretpass@db.internal/main")
    assert "s3cretpass" not in text
    assert text.startswith("check postgres://app:[redacted")
    assert found == 1


def test_of_a_private_key_without_end_only_what_looks_like_one_goes() -> None:
    line = "Ab1+" * 16
    assert redact(f"-----BEGIN EC PRIVATE KEY-----\n{line}\n{line}\nthen write the docs") == (
        "[redacted: private key]\nthen write the docs",
        1,
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_forms_in_which_secrets_are_written_are_known(seed: int) -> None:
    """A random value can read like words now and then, so one in twenty may stay."""
    forms = secrets(seed)
    stayed = [written for written, hidden in forms if hidden in redact(f"rotate {written} before Friday")[0]]
    assert len(stayed) <= len(forms) // 20, stayed


@pytest.mark.parametrize("seed", range(5))
def test_further_shapes_are_known_and_the_words_around_them_stay(seed: int) -> None:
    """Names in bold, in tables, on the line above and in other languages; commands; keys without their headers."""
    forms = more_secrets(seed)
    shown = [(f"rotate\n{written}\nbefore Friday", hidden) for written, hidden in forms]
    clean = [(redact(written)[0], hidden) for written, hidden in shown]
    stayed = [text for text, hidden in clean if hidden in text]
    assert len(forms) >= 180
    assert len(stayed) <= len(forms) // 50, stayed
    assert [text for text, _ in clean if not (text.startswith("rotate\n") and text.endswith("before Friday"))] == []


def test_what_is_cut_from_one_text_is_cut_from_another_that_says_the_same() -> None:
    quote = r"**Password** for it (see the *wiki*, it is Xk29\_sLqPz7): rotate it"
    cut, found = redact_together("rotate it, Password: Xk29_sLqPz7", quote)
    assert cut[0] == "rotate it, Password: [redacted: password]"
    assert cut[1] == "**Password** for it (see the *wiki*, it is [redacted: password]): rotate it"
    assert found == 1


def test_texts_without_a_secret_stay_together() -> None:
    assert redact_together("add a test", "Next: add a test") == (("add a test", "Next: add a test"), 0)


def test_only_the_column_of_a_table_that_is_named_so_is_cut() -> None:
    table = "| Host | User | Password |\n|---|---|---|\n| db-1a2b | root1! | Xk29sLqPz7 |\n| db-2 | root | - |\n"
    assert redact(table) == (table.replace("Xk29sLqPz7", "[redacted: password]"), 1)


def test_words_on_both_sides_of_a_secret_stay() -> None:
    for written, _ in secrets(0):
        text = redact(f"rotate {written} before Friday")[0]
        assert text.startswith("rotate ")
        assert text.endswith(" before Friday") or "BEGIN" in written


def test_the_table_of_beginnings_is_whole() -> None:
    table = prefixes()
    assert len(table) > 200
    assert {"npm_", "hf_", "dop_v1_", "ya29.", "GOCSPX-", "hvs.", "dapi", "shpat_", "lin_api_"} <= table.keys()
    assert all(kind and "\t" not in kind for kind in table.values())


def test_redacting_twice_changes_nothing() -> None:
    once, _ = redact(f"use {JWT} and AKIA" + "Q3EGRIJ2T7HNY5XZ")
    assert redact(once)[0] == once
