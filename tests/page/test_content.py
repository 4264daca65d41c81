"""What the page says: all that the dashboard says, with the same numbers, and nothing that does harm."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.kit import PAGE, Parsed, demo, hostile, page, source_of
from tests.readme import SAMPLE_DAY
from tests.support import FATES, audit, journal, next_list, wrap
from wrapgen.text import visible
from wrapgen.vault.markdown.spans import spans

DAY = SAMPLE_DAY.isoformat()
ALLOWED = {
    "html", "head", "meta", "title", "style", "script", "body", "header", "nav", "main", "aside", "section", "footer",
    "search", "form", "label", "input", "select", "option", "h1", "h2", "h3", "p", "a", "ul", "li", "dl", "div", "dt",
    "dd", "span", "b", "code", "em", "strong", "s", "time", "details", "summary", "figure", "figcaption", "table",
    "thead", "tbody", "tr", "th", "td", "svg", "g", "path", "rect", "text", "tspan",
}  # fmt: skip


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return demo(tmp_path_factory.mktemp("sample") / "vault", SAMPLE_DAY)


def table(text):
    """The ledger's table: items by source or fate."""
    rows = re.findall(r'<th scope="row">([a-z_ -]+)</th><td>\d*</td><td>(\d+)</td>', text)
    return {name: int(number) for name, number in rows}


def test_the_page_the_audit_and_the_terminal_have_the_same_numbers(sample):
    text = page(sample, today=DAY)
    document = audit(sample, today=DAY).json
    counts = table(text)
    assert {name: counts[name] for name in ("collected", *FATES)} == {
        name: document[name] for name in ("collected", *FATES)
    }
    assert {one["kind"]: one["items"] for one in document["sources"]}.items() <= counts.items()
    last = wrap("audit", vault=sample, today=DAY).out.splitlines()[-1]
    assert Parsed.of(text).texts("p", "audit") == [last]
    drawn = dict(re.findall(r'class="value">([\d,]+)</tspan> <tspan>([a-z ]+)<', text))
    assert drawn[str(document["resolved"])] == "resolved"


def test_the_priorities_are_those_of_the_list_with_links_to_their_lines(sample):
    text = page(sample, today=DAY)
    part = text[text.index('<section id="priorities"') : text.index("</section>")]
    words = Parsed.of(part + "</section>").texts("p", "words")
    items = wrap("list", "--json", vault=sample, today=DAY).json["items"]
    assert len(items) == 15
    plain = [visible("".join(span.text for span in spans(item["text"], item["path"]))) for item in items]
    assert [one for one in words if one in plain] == plain
    links = {link for link in Parsed.of(part + "</section>").attributes("href") if "#L" in link}
    sources = {source_of(sample, link) for link in links}
    for item in items:
        assert sample.path(item["path"]).read_text(encoding="utf-8").split("\n")[item["line"] - 1] in sources


def test_evidence_names_the_place_and_its_words(vault):
    built = vault(
        {
            **journal("2026-04-20", next_list("(web) Write the upload retry into the handbook")),
            **journal("2026-04-22", "## Done\n\n- (web) Write the upload retry in to the handbook\n"),
            "projects/web/todos.md": "",
        }
    )
    text = page(built)
    part = text[text.index('id="resolved"') :]
    assert "journals/2026/04/2026-04-22.md:3</a> · 9" in part
    assert "Write the upload retry in to the handbook" in part


def test_every_link_within_the_page_has_its_target(sample):
    parsed = Parsed.of(page(sample, today=DAY))
    ids = parsed.attributes("id")
    assert len(set(ids)) == len(ids)
    inner = {href[1:] for href in parsed.attributes("href") if href.startswith("#")}
    assert inner <= set(ids)
    named = {name for value in parsed.attributes("aria-labelledby") for name in value.split()}
    assert named | set(parsed.attributes("for")) <= set(ids)


def test_languages_are_told_by_their_script(vault):
    built = vault(
        journal("2026-04-23", next_list("로그인 오류 수정", "修复登录错误", "ログインを直す", "Fix the login"))
    )
    words = {
        "".join(texts).strip(): attributes.get("lang")
        for name, attributes, texts in Parsed.of(page(built)).elements
        if name == "p" and attributes.get("class") == "words"
    }
    assert words == {"로그인 오류 수정": "ko", "修复登录错误": "zh", "ログインを直す": "ja", "Fix the login": None}


def test_a_page_without_history_says_so(vault):
    assert "There is no history to draw yet" in page(vault({"projects/web/todos.md": ""}))


def test_an_empty_vault_has_a_page(vault):
    parsed = Parsed.of(page(vault()))
    assert parsed.texts("h1") == ["Nothing is open"]


def test_it_loads_nothing_and_runs_nothing_but_its_own_script(sample):
    text = page(sample, today=DAY)
    parsed = Parsed.of(text)
    assert not parsed.attributes("src")
    assert "@import" not in text
    assert "url(" not in text
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not parsed.attributes("style")
    assert len(parsed.texts("script")) == len(parsed.texts("style")) == 1


def harmless(parsed):
    """No element, handler or address that notes have made."""
    assert {name for name, _, _ in parsed.elements} <= ALLOWED
    assert len(parsed.texts("script")) == 1
    for _, attributes, _ in parsed.elements:
        assert not [name for name in attributes if name.startswith("on")]
    for href in parsed.attributes("href"):
        assert re.match(r"#|\.\./|https?://|mailto:", href), href


def test_hostile_words_show_what_they_are(vault):
    built = vault(hostile())
    text = page(built)
    parsed = Parsed.of(text)
    harmless(parsed)
    shown = " ".join(parsed.texts("p", "words"))
    for words in (
        "<script>window.sprung = 1</script>",
        "onmouseover=",
        "\\u202egnol",
        "\\x1b[31mred",
        "👩‍👩‍👧‍👦🏳️‍🌈🇰🇷",
        "x" * 300 + "…",
    ):
        assert words in shown
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert "javascript:alert(1)" in parsed.texts("span", "project")
    assert "javascript:alert%281%29" in " ".join(parsed.attributes("href"))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=5))
def test_no_words_do_harm(texts):
    """Of anything: the text of the spans is all there is, and links lead to the web, to people or into the vault."""
    for text in texts:
        for span in spans(" ".join(text.split()), "journals/a.md"):
            assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", span.text)
            assert set(span.styles) <= {"em", "strong", "s", "code"}
            assert not re.match(r"(?i)\s*(javascript|data|vbscript|file):|[/\\]", span.href)


SCHEMES = st.sampled_from(
    [
        "javascript:",
        "JAVASCRIPT:",
        "data:",
        "vbscript:",
        "file:",
        "//",
        "\\\\",
        "java\tscript:",
        "&#106;avascript:",
        "x:",
        "http:",
        "",
    ]
)


@given(SCHEMES, st.text("aä /:#?&;()[]<>\\\"'%\t\x01", max_size=12))
def test_links_lead_to_the_web_or_into_the_vault(scheme, rest):
    for text in (
        f"[words]({scheme}{rest})",
        f"[words](<{scheme}{rest}>)",
        f"![words]({scheme}{rest})",
        f"<{scheme}{rest}>",
    ):
        for span in spans(" ".join(text.split()), "journals/a.md"):
            assert re.match(r"(https?:|mailto:)|(?![A-Za-z][A-Za-z0-9+.-]*:|[/\\])", span.href), span


def test_a_crowd_is_cut_and_says_what_is_left_out(vault):
    many = [f"(web) Look after thing number {number} of the {'long ' * 40}list" for number in range(900)]
    old = [f"(web) Forget about matter {number} {'가나다 ' * 60}" for number in range(400)]
    built = vault(
        {
            **journal("2026-04-23", next_list(*many)),
            **journal("2026-01-01", next_list(*old)),
            "projects/web/todos.md": "",
        }
    )
    text = page(built)
    document = audit(built).json
    assert document["overflow"] > 500
    assert document["expired"] > 300
    assert f"and {document['overflow'] - 300} more: <code>wrap list --all</code>" in text
    assert f"and {document['expired'] - 50} more: <code>wrap list --expired</code>" in text
    assert built.path(PAGE).stat().st_size < 1_000_000
