"""Whatever somebody writes, the page keeps its shape."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.properties.test_vault_properties import markdownish
from tests.support import TODAY, Vault, examples, wrap

PLACE = f"journals/{TODAY}.md"
one_line = markdownish.map(lambda text: re.sub(r"\s+", " ", text).strip())
vaults_of_items = st.lists(one_line, min_size=1, max_size=6)


def rendered(texts: list[str]) -> tuple[str, list[dict]]:
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder).resolve() / "vault")
        lines = ["## Next", *(f"- {text}" for text in texts), ""]
        vault.write(PLACE, "\n".join(lines).encode("utf-8", "surrogatepass"))
        result = wrap("regen", "--json", vault=vault)
        assert result.code == 0, result.err
        return vault.page, result.json["items"]


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(vaults_of_items)
def test_each_shown_item_is_one_bullet_with_its_link(texts):
    page, items = rendered(texts)
    shown = sorted((item for item in items if item["fate"] == "shown"), key=lambda item: item["rank"])
    body = page.split("## Priorities\n", 1)[1].split("\n## ", 1)[0]
    tokens = MarkdownIt("commonmark", {"html": True}).parse(body)
    bullets = [token for token in tokens if token.type == "inline"] if shown else []
    assert sum(token.type == "list_item_open" for token in tokens) == len(bullets) == len(shown)
    for bullet, item in zip(bullets, shown, strict=True):
        assert bullet.content.startswith("(")
        targets = [child.attrs["href"] for child in bullet.children if child.type == "link_open"]
        assert f"{PLACE}#L{item['line']}" in targets


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(vaults_of_items)
def test_no_html_and_no_control_characters_reach_the_page(texts):
    page, _ = rendered(texts)
    front, body = page.removeprefix("---\n").split("\n---\n", 1)
    assert "\n---" not in front
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(body)
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or []}
    assert not kinds & {"html_block", "html_inline", "code_block", "fence"}
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069]", page)
    assert sum(token.type == "heading_open" and token.tag == "h1" for token in tokens) == 1


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(vaults_of_items)
def test_the_page_is_tidy(texts):
    page, _ = rendered(texts)
    assert page.endswith("\n")
    assert not page.endswith("\n\n")
    assert "\n\n\n" not in page
    assert not [line for line in page.splitlines() if line != line.rstrip()]
