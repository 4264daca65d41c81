"""Secrets are taken out, honest words stay."""

import pytest

from wrapgen.redact import redact

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


@pytest.mark.parametrize(
    "text",
    [
        "add retry to the uploader",
        "refactor wrapgen/pipeline/matching.py and SimilarityIndexBuilderForTests",
        "see https://example.org/a/very/long/path/without/any/secret#fragment",
        "다음 세션에서 배포 스크립트 정리",
        "compare commit 0123456789abcdef0123456789abcdef01234567",
        "fix the sk-learn import",
    ],
)
def test_honest_words_stay(text: str) -> None:
    assert redact(text) == (text, 0)


@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        ("AKIA" + "Q3EGRIJ2T7HNY5XZ", "AWS Access Key"),
        ("ghp_" + "a1B2" * 9, "GitHub Token"),
        ("github_pat_" + "a1B2c3D4" * 4, "GitHub token"),
        ("sk-ant-" + "api03-" + "Ab1" * 10, "Anthropic key"),
        ("AIza" + "S1b2c3d" * 5, "Google API key"),
        ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "Stripe Access Key"),
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


def test_redacting_twice_changes_nothing() -> None:
    once, _ = redact(f"use {JWT} and AKIA" + "Q3EGRIJ2T7HNY5XZ")
    assert redact(once)[0] == once
