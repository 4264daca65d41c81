"""The page as people meet it: in a browser, with a mouse, with keys alone, on a telephone, in the dark, by ear."""

import os
from pathlib import Path

import pytest

from tests.page.browser import SIZES, needs_browser, resize, running, shown
from tests.page.kit import HOSTILE, PAGE, demo, hostile
from tests.readme import SAMPLE_DAY
from tests.support import Vault, next_list, wrap

pytestmark = needs_browser
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
VISIBLE_ROWS = ".row:visible"


@pytest.fixture(scope="module")
def browser():
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    vault = demo(tmp_path_factory.mktemp("sample") / "demo", SAMPLE_DAY)
    assert wrap("page", vault=vault, today=SAMPLE_DAY.isoformat()).code == 0
    return vault


@pytest.fixture(scope="module")
def rough(tmp_path_factory):
    vault = Vault(tmp_path_factory.mktemp("rough") / "vault")
    for path, text in hostile().items():
        vault.write(path, text)
    assert wrap("page", vault=vault).code == 0
    return vault


@pytest.fixture(params=["sample", "rough"])
def either(request):
    return request.getfixturevalue(request.param)


@pytest.mark.slow
def test_it_asks_for_nothing_and_complains_about_nothing(browser, either):
    file = either.path(PAGE)
    with shown(browser, file) as (page, seen):
        page.evaluate(OPEN_ALL)
        for size in SIZES:
            resize(page, size)
            assert page.evaluate("window.sprung") is None
        assert seen.requests == [file.as_uri()]
        assert seen.messages == []


@pytest.mark.slow
def test_filter_by_text(browser, sample):
    with shown(browser, sample.path(PAGE)) as (page, seen):
        before = page.locator(VISIBLE_ROWS).count()
        page.get_by_label("Filter").fill("ReStore   runBOOK")
        texts = page.locator(f"{VISIBLE_ROWS} > div > .words").all_inner_texts()
        assert len(texts) > 1, "those of closed lists are found too"
        assert all("restore" in text.lower() and "runbook" in text.lower() for text in texts)
        assert page.locator("#found").inner_text() == f"{len(texts)} of the {page.locator('.row').count()} listed"
        page.get_by_label("Filter").fill("")
        assert page.locator(VISIBLE_ROWS).count() == before
        assert page.locator("#found").inner_text() == ""
        page.get_by_label("Filter").fill("no such words at all")
        assert page.locator(VISIBLE_ROWS).count() == 0
        assert page.locator("#found").inner_text().startswith("0 of")
        assert seen.messages == []


LINES = """(all) => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getClientRects().length;
})"""


@pytest.mark.slow
def test_the_filter_searches_every_open_item(browser, tmp_path):
    vault = Vault(tmp_path / "vault")
    vault.write("projects/web/todos.md", next_list(*(f"Look after thing n{n}" for n in range(700)), heading="## Next"))
    assert wrap("page", vault=vault).code == 0
    listed = wrap("list", "--all", "--json", vault=vault).json["items"]
    with shown(browser, vault.path(PAGE)) as (page, seen):
        before = page.locator(VISIBLE_ROWS).count()
        page.get_by_label("Filter").fill("thing n698")
        assert page.locator(f"{VISIBLE_ROWS} .words").all_inner_texts() == ["Look after thing n698"]
        handle = next(one["handle"] for one in listed if one["text"] == "Look after thing n698")
        for name in (handle, listed[0]["handle"]):
            page.get_by_label("Filter").fill(name)
            assert name in page.locator(f"{VISIBLE_ROWS} .handle").all_inner_texts()
        page.get_by_label("Filter").fill("")
        assert page.locator(VISIBLE_ROWS).count() == before
        page.set_viewport_size({"width": 390, "height": 740})
        page.evaluate(OPEN_ALL)
        assert page.locator(".number").evaluate_all(LINES) == [1] * 700, "three digits stand on one line, too"
        assert seen.messages == []


@pytest.mark.slow
def test_what_is_beyond_is_drawn_when_somebody_looks_for_it_and_springs_nothing(browser, tmp_path):
    vault = Vault(tmp_path / "vault")
    words = [f"{HOSTILE[n % len(HOSTILE)]} thing n{n}" for n in range(1_000)]
    vault.write("projects/web/todos.md", next_list(*words, heading="## Next"))
    assert wrap("page", vault=vault).code == 0
    with shown(browser, vault.path(PAGE)) as (page, seen):
        page.locator("#overflow > summary").click()
        page.locator(".rest > summary").click()
        assert page.locator(".rest .row").count() == 500
        page.get_by_role("button", name="Show 185 more").click()
        assert page.locator(".rest .row").count() == 685
        assert page.locator(".rest button").is_hidden()
        assert page.locator(".rest :is(script, img, svg, b)").count() == 0
        assert page.evaluate("window.sprung") is None
        page.locator(".rest a").last.click()
        page.wait_for_url("**/todos.md#L1002")
        assert seen.messages == []


@pytest.mark.slow
def test_filter_by_project(browser, sample):
    with shown(browser, sample.path(PAGE)) as (page, _):
        page.get_by_label("Project").select_option("결제")
        projects = page.locator(f"{VISIBLE_ROWS} > div > .meta > .project").all_inner_texts()
        assert projects
        assert set(projects) == {"결제"}
        page.get_by_label("Filter").fill("정산")
        fewer = page.locator(VISIBLE_ROWS).count()
        assert 0 < fewer < len(projects)


@pytest.mark.slow
def test_evidence_opens_and_its_link_leads_to_the_note(browser, sample):
    with shown(browser, sample.path(PAGE)) as (page, seen):
        page.locator("#resolved > summary").click()
        row = page.locator("#resolved .row").first
        row.locator("summary").click()
        link = row.locator(".evidence li a").first
        assert link.is_visible()
        path, _, line = link.inner_text().rpartition(":")
        link.click()
        page.wait_for_url(f"**/{Path(path).name}#L{line}")
        assert page.url == f"{sample.path(path).as_uri()}#L{line}"
        assert sample.path(path).read_text(encoding="utf-8").splitlines()[0] in page.locator("body").inner_text()
        assert seen.messages == []


@pytest.mark.slow
def test_a_source_link_leads_to_the_note(browser, sample):
    with shown(browser, sample.path(PAGE)) as (page, _):
        page.locator("#priorities .row .meta > a").first.click()
        page.wait_for_url("**/*.md#L*")
        words = wrap("list", "--json", vault=sample, today=SAMPLE_DAY.isoformat()).json["items"][0]["text"]
        assert words in page.locator("body").inner_text()


def focused(page):
    return page.evaluate(
        "(() => { const one = document.activeElement, style = getComputedStyle(one);"
        "return [one.id || one.className || one.tagName, style.outlineStyle, parseFloat(style.outlineWidth)]; })()"
    )


@pytest.mark.slow
def test_with_keys_alone(browser, sample):
    with shown(browser, sample.path(PAGE)) as (page, _):
        page.keyboard.press("Tab")
        assert focused(page) == ["skip", "solid", 2]
        assert page.locator(".skip").bounding_box()["x"] >= 0
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.row') !== null"), "the skip link skips"
        page.keyboard.press("Tab")
        assert focused(page)[1:] == ["solid", 2]
        assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
        page.keyboard.press("Enter")
        assert page.locator(".row .evidence[open]").count() == 1
        page.reload()
        for _ in range(40):
            page.keyboard.press("Tab")
            name, style, width = focused(page)
            assert (style, width) == ("solid", 2), name
            if name == "text":
                break
        page.keyboard.type("runbook")
        assert "runbook" in page.locator(VISIBLE_ROWS).first.inner_text()
        assert (
            page.locator("#found").inner_text()
            == f"{page.locator(VISIBLE_ROWS).count()} of the {page.locator('.row').count()} listed"
        )
        page.keyboard.press("Tab")
        assert focused(page)[0] == "project"


# What a rule finds depends on the scheme if it is about colours, and on the width if it is not. The rough page has no
# colours of its own.
AXE = {
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
    "narrow": {"rules": {"color-contrast": {"enabled": False}}},
}


@pytest.mark.slow
@pytest.mark.parametrize(("vault", "sizes"), [("sample", list(AXE)), ("rough", ["light", "narrow"])])
def test_axe_finds_nothing(browser, request, vault, sizes):
    from axe_playwright_python.sync_playwright import Axe

    with shown(browser, request.getfixturevalue(vault).path(PAGE)) as (page, _):
        page.evaluate(OPEN_ALL)
        for size in sizes:
            resize(page, size)
            # All that is not wrong would be told as well, at greater length than it is looked for.
            results = Axe().run(page, options={"resultTypes": ["violations"], **AXE[size]})
            found = [f"{one['id']}: {one['nodes'][0]['html']}" for one in results.response["violations"]]
            assert found == [], size


@pytest.mark.sampled(2)
@pytest.mark.slow
def test_nothing_is_wider_than_the_window(browser, either):
    with shown(browser, either.path(PAGE), "narrow") as (page, _):
        for opened in (False, True):
            if opened:
                page.evaluate(OPEN_ALL)
            for width in (320, 360, 700, 1100, 1280):
                page.set_viewport_size({"width": width, "height": 740})
                assert page.evaluate(OVERFLOW) <= 0, (width, opened)


OUTSIDE = """() => [...document.querySelectorAll('main *, aside *')].filter((one) => {
  const column = one.closest('main, aside').getBoundingClientRect();
  return [...one.getClientRects()].some((box) => box.left < column.left - 1 || box.right > column.right + 1);
}).map((one) => one.textContent)"""
LARGEST = "document.querySelectorAll('.flow .value').forEach((one) => { one.textContent = '12,345'; })"


@pytest.mark.slow
def test_no_label_leaves_its_column(browser, either):
    with shown(browser, either.path(PAGE), "narrow") as (page, _):
        page.evaluate(OPEN_ALL)
        page.evaluate(LARGEST)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate(OUTSIDE) == [], width


@pytest.mark.slow
def test_without_its_script_everything_but_the_filter_is_there(browser, sample):
    with shown(browser, sample.path(PAGE), java_script_enabled=False) as (page, _):
        assert not page.locator(".filter").is_visible()
        page.locator("#resolved > summary").click()
        assert page.locator("#resolved .row").first.is_visible()


@pytest.mark.slow
def test_korean_keeps_its_words_together_and_has_its_own_type(browser, sample):
    with shown(browser, sample.path(PAGE), "narrow") as (page, _):
        style = "(one) => ['wordBreak', 'lineBreak', 'fontFamily'].map((name) => getComputedStyle(one)[name])"
        word_break, line_break, family = page.locator(".words[lang=ko]").first.evaluate(style)
        assert (word_break, line_break) == ("keep-all", "strict")
        assert "Noto Sans CJK KR" in family
        assert page.locator(".words:not([lang])").first.evaluate(style)[0] == "normal"


@pytest.mark.slow
def test_pictures_to_look_at(browser, sample, tmp_path):
    folder = Path(os.environ.get("WRAPGEN_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    with shown(browser, sample.path(PAGE)) as (page, _):
        page.locator("#priorities .row").first.locator("summary").click()
        for size in SIZES:
            resize(page, size)
            page.screenshot(path=folder / f"page-{size}.png", full_page=True)
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (folder / f"page-{size}.png").stat().st_size > 10_000
            assert (sum(map(int, background.removeprefix("rgb(").rstrip(")").split(","))) < 200) == (size == "dark")
