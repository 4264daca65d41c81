"""What the page says: all that the dashboard says, with the same numbers, and nothing that does harm."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.followups import talks
from tests.page.kit import PAGE, Parsed, demo, hostile, page, source_of
from tests.readme import SAMPLE_DAY
from tests.support import FATES, TODAY, Vault, audit, journal, next_list, wrap
from wrapgen.text.display import visible
from wrapgen.vault.markdown.safe import spans

DAY = SAMPLE_DAY.isoformat()
ALLOWED = {
    "html", "head", "meta", "title", "style", "script", "body", "header", "nav", "main", "aside", "section", "footer",
    "search", "form", "label", "input", "select", "option", "h1", "h2", "h3", "p", "a", "ul", "li", "dl", "div", "dt",
    "dd", "span", "b", "code", "em", "strong", "s", "time", "details", "summary", "figure", "figcaption", "table",
    "thead", "tbody", "tr", "th", "td", "svg", "g", "path", "rect", "text", "tspan", "noscript", "button",
}  # fmt: skip


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return demo(tmp_path_factory.mktemp("sample") / "vault", SAMPLE_DAY)


def table(text):
    """The ledger's table: items by source or fate."""
    rows = re.findall(r'<th scope="row">([a-z_ -]+)</th><td>\d*</td><td>(\d+)</td>', text)
    return {name: int(number) for name, number in rows}


@pytest.mark.slow
def test_the_page_the_audit_and_the_terminal_have_the_same_numbers(sample):
    text = page(sample, today=DAY)
    document = audit(sample, today=DAY).json
    counts = table(text)
    shown_as = {"duplicate": "merged", "overflow": "not shown"}
    assert {name: counts[shown_as.get(name, name)] for name in ("collected", *FATES)} == {
        name: document[name] for name in ("collected", *FATES)
    }
    kinds = (
        "journals", "active tasks", "project lists", "progress", "other lists", "hand-overs", "said to be next",
    )  # fmt: skip
    assert [counts.get(kind, 0) for kind in kinds] == [one["items"] for one in document["sources"]]
    last = wrap("audit", vault=sample, today=DAY).out.splitlines()[-1]
    assert Parsed.of(text).texts("p", "audit") == [last]
    drawn = dict(re.findall(r'class="value">([\d,]+)</tspan> <tspan>([a-z ]+)<', text))
    assert drawn[str(document["resolved"])] == "resolved"


@pytest.mark.slow
def test_the_priorities_are_those_of_the_list_with_links_to_their_lines(sample):
    text = page(sample, today=DAY)
    part = text[text.index('<section id="priorities"') : text.index("</section>")]
    words = Parsed.of(part + "</section>").texts("p", "words")
    items = wrap("list", "--json", vault=sample, today=DAY).json["items"]
    assert len(items) == 15
    plain = [visible("".join(span.text for span in spans(item["text"], item["path"]))) for item in items]
    assert [one for one in words if one in plain] == plain
    assert Parsed.of(part + "</section>").texts("code", "handle") == [item["handle"] for item in items]
    links = {link for link in Parsed.of(part + "</section>").attributes("href") if "#L" in link}
    sources = {source_of(sample, link) for link in links}
    for item in items:
        assert sample.path(item["path"]).read_text(encoding="utf-8").split("\n")[item["line"] - 1] in sources


def test_what_nothing_says_to_be_next_stands_below_a_heading_of_its_own(vault):
    built = vault({"projects/web/todos.md": "- [ ] Fix the login\n"})
    text = page(built)
    assert "Nothing says what is next; to name it: wrap next." in text
    assert text.index("Nothing says") < text.index(">Also open<") < text.index("Fix the login")
    built.write("journals/2026/04/2026-04-23.md", next_list("Draw the map"))
    text = page(built)
    assert "Nothing says" not in text
    assert text.index("Draw the map") < text.index(">Also open<") < text.index("Fix the login")
    built.path("projects/web/todos.md").unlink()
    assert ">Also open<" not in page(built)


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


@pytest.mark.slow
def test_pending_follow_ups_are_listed_with_their_words_and_where_they_were_said(vault, tmp_path):
    built = vault({"projects/web/todos.md": ""})
    talk = Vault(tmp_path / "talks").write(
        "talk.json", talks.neutral(talks.said(f"(web) {talks.RETRY}", "check the <img src=x> of the login page"))
    )
    orphans = talks.orphans(built, talk).json["orphans"]
    text = page(built)
    part = text[text.index('id="pending"') : text.index("</main>")]
    for one in orphans:
        assert f'<code class="handle">{one["handle"]}</code>' in part
        assert f"said by the assistant on {TODAY}, talk.json:{one['line']}" in part
    assert talks.RETRY in part
    assert f"{talk}, line {orphans[0]['line']}" in part
    assert "<img" not in part
    assert "Next session: check the &lt;img src=x&gt; of the login page." in part


def test_what_is_probably_done_is_said_with_its_reason_where_it_is_asked_about_and_where_it_is_listed(vault):
    built = vault(
        {
            **journal("2026-04-20", next_list("(web) Document the upload retry behaviour in the handbook")),
            **journal("2026-04-22", "## Done\n\n- (web) Document upload retry behaviour in handbook\n"),
            "projects/web/todos.md": "",
        },
    )
    (found,) = audit(built).json["probably_done"]
    text = page(built)
    assert text.count(f"not certain: {found['doubt']}") == 3
    assert f"<span>not certain: {found['doubt']}</span>" in text[text.index('id="probably_done"') :]
    assert '<span class="mark doubted">probably done</span>' in text
    assert found["doubt"] in wrap("audit", vault=built).out


def test_what_was_skipped_is_no_longer_open_and_not_lost(vault, tmp_path):
    built = vault({"projects/web/todos.md": ""})
    talk = Vault(tmp_path / "talks").write("talk.json", talks.neutral(talks.said(talks.RETRY)))
    (one,) = talks.orphans(built, talk).json["orphans"]
    talks.route(built, tmp_path / "answers.json", talks.answer(one["id"], "skip"))
    text = page(built)
    assert 'id="skipped"' in text[text.index('id="past"') :]
    assert 'id="lost"' not in text


def test_evidence_of_many_names_the_command_that_has_all_of_it(vault):
    days = [f"2026-04-{day:02}" for day in range(5, 24)]
    files = {}
    for day in days:
        files |= journal(day, next_list("(web) Document the upload retry behaviour in the handbook"))
    built = vault({**files, "projects/web/todos.md": ""})
    text = page(built)
    (kept,) = [one for one in audit(built).json["items"] if one["fate"] == "shown"]
    assert text.count("<p>also in ") == 10
    assert f"and 8 more: <code>wrap explain {kept['id']}</code>" in text
    assert "audit --json" not in text


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
    assert "No history yet" in page(vault({"projects/web/todos.md": ""}))


def test_an_empty_vault_has_a_page(vault):
    parsed = Parsed.of(page(vault()))
    assert parsed.texts("h1") == ["Nothing is open"]


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_crowd_keeps_every_open_item_in_one_line_and_says_what_is_left_out(vault):
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
    assert f"<summary>and {document['overflow'] - 300} more</summary>" in text
    data = json.loads(Parsed.of(text).by_id("further"))
    assert [row[0] for row in data["rows"]] == list(
        range(document["shown"] + 301, document["shown"] + document["overflow"] + 1)
    )
    assert {item["text"] for item in document["items"] if item["fate"] in ("shown", "overflow")} <= {
        words.removesuffix("…") for words in [*Parsed.of(text).texts("p", "words"), *(row[1] for row in data["rows"])]
    }
    assert f"and {document['expired'] - 50} more: <code>wrap list --expired</code>" in text
    assert built.path(PAGE).stat().st_size < 1_000_000


def test_what_somebody_snoozed_is_marked_among_what_is_next_in_line(tmp_path):
    built = Vault(tmp_path / "vault")
    built.write("projects/web/todos.md", "- [ ] Water the plants\n- [ ] Paint the fence\n")
    assert wrap("snooze", "plants", "2026-05-04", vault=built).code == 0
    text = page(built)
    marked = [row for row in text.split('<li class="row"') if "snoozed until 2026-05-04" in row]
    assert len(marked) == 1
    assert "Water the plants" in marked[0]


def test_one_item_without_a_project_is_not_told(tmp_path):
    built = Vault(tmp_path / "vault")
    built.write("projects/web/todos.md", "- [ ] Water the plants\n")
    built.write("projects/api/todos.md", "- [ ] Paint the fence\n")
    for items, said in ((["Buy milk"], False), (["Buy milk", "Buy eggs", "Buy bread"], True)):
        built.write("journals/2026/04/2026-04-23.md", next_list(*items))
        text = page(built)
        assert ('id="untagged"' in text) is said
        assert ('Untagged</h3> <span class="count">3<' in text) is said
