"""Token counts: rarely too low, never far too high, whatever the language."""

from __future__ import annotations

import re
from itertools import groupby
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.public import needs, rows
from tests.support import CHECKOUT
from wrapgen.text.tokens import (
    conservative_tokens,
    estimate_tokens,
    exact_tokens,
    legacy_tokens,
    utf16_beginning,
    utf16_length,
)

COUNTED = sorted(rows("tokens/counts.jsonl"), key=lambda row: row["kind"])
BY_KIND = {kind: list(group) for kind, group in groupby(COUNTED, key=lambda row: row["kind"])}
exact = pytest.mark.skipif(exact_tokens("") is None, reason="needs the extra wrapgen[tokens]")
text = st.text(max_size=300)


def quantiles(ratios):
    """The ratio that 95 % of the texts reach, and the median."""
    ratios = sorted(ratios)
    return ratios[int(len(ratios) * 0.05)], median(ratios)


@needs(COUNTED)
@pytest.mark.parametrize("kind", BY_KIND)
def test_the_bounds_hold_for_every_kind_of_text(kind):
    ratios = [conservative_tokens(row["text"]) / row["o200k"] for row in BY_KIND[kind]]
    low, middle = quantiles(ratios)
    assert low >= 0.95
    assert middle <= 1.35


# True counts by the vocabulary o200k_base, of texts made up here.
@pytest.mark.parametrize(
    ("words", "true"),
    [
        ("Add retry to the uploader, then rotate the staging keys before Friday.\n" * 3, 42),
        ("배포 스크립트를 정리하고 로그인 오류를 고친 다음 결과를 검토합니다.\n" * 3, 63),
        ("修复登录错误，然后整理部署脚本并检查测试结果。\n" * 3, 42),
        ("ログインの不具合を直してから、配備の手順を見直します。\n" * 3, 63),
        ("🚀 ✅ 🎉 ⚠️ " * 10, 81),
        ("def load(path: Path) -> list[str]:\n    return path.read_text().splitlines()\n" * 3, 57),
        ("| file | change |\n|------|--------|\n| src/cache.py | created |\n" * 3, 51),
    ],
    ids=["english", "korean", "chinese", "japanese", "emoji", "code", "table"],
)
def test_a_text_of_every_script(words, true):
    if (count := exact_tokens(words)) is not None:
        assert count == true
    assert 0.95 <= conservative_tokens(words) / true <= 1.9


@exact
@needs(COUNTED)
def test_with_the_extra_the_count_is_exact():
    assert [estimate_tokens(row["text"]) for row in COUNTED] == [row["o200k"] for row in COUNTED]


@exact
@pytest.mark.parametrize("pattern", ["README.md", "tests/cases/*.md", "sample_vault/**/*.md", "wrapgen/**/*.py"])
def test_the_bounds_hold_for_the_projects_own_files(pattern):
    texts = [chunk for file in CHECKOUT.glob(pattern) for chunk in chunks(file.read_text(encoding="utf-8"))]
    assert len(texts) > 5
    low, middle = quantiles([conservative_tokens(chunk) / exact_tokens(chunk) for chunk in texts])
    assert low >= 0.95
    assert middle <= 1.35


def chunks(words):
    return [chunk for chunk in re.findall(r"(?:.*\n){1,12}", words) if len(chunk) > 100]


def test_without_the_extra_the_default_is_the_conservative_estimate(monkeypatch):
    monkeypatch.setattr("wrapgen.text.tokens._encoder", lambda: None)
    assert exact_tokens("로그인") is None
    assert estimate_tokens("로그인") == conservative_tokens("로그인")


@pytest.mark.parametrize(
    ("words", "tokens"),
    [("", 0), ("a", 2), ("abcd", 2), ("abcde", 3), ("가나다라", 2), ("😀", 2), ("x" * 1996, 500), ("x" * 1997, 501)],
)
def test_the_legacy_estimate_is_that_of_the_tools_before(words, tokens):
    assert legacy_tokens(words) == tokens


@pytest.mark.parametrize(("words", "units"), [("", 0), ("가a", 2), ("😀", 2), ("😀a🇰🇷", 7), ("\ud83d", 1)])
def test_lengths_in_utf_16(words, units):
    assert utf16_length(words) == units == len(words.encode("utf-16-le", "surrogatepass")) // 2


@given(text, text)
def test_a_longer_text_costs_no_less(one, other):
    assert conservative_tokens(one) <= conservative_tokens(f"{one}\n\t{other}")


@given(text)
def test_what_is_there_costs_something(words):
    assert (conservative_tokens(words) > 0) == (words != "")


@given(text, text)
def test_lines_cost_together_what_they_cost_alone(one, other):
    together = conservative_tokens(f"{one}a\nb{other}")
    assert abs(conservative_tokens(f"{one}a\n") + conservative_tokens(f"b{other}") - together) <= 1


@pytest.mark.parametrize(
    ("words", "units", "begin"),
    [
        ("", 0, ""),
        ("가a", 1, "가"),
        ("😀a", 1, ""),
        ("😀a", 2, "😀"),
        ("a😀", 2, "a"),
        ("ae\u0301", 2, "a"),
        ("ab", 9, "ab"),
    ],
)
def test_a_beginning_by_its_length_in_utf_16(words, units, begin):
    assert utf16_beginning(words, units) == begin
