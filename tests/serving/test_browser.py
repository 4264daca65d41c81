"""The served page as people meet it: it shows, loads itself again, and its links lead to the notes."""

from dataclasses import dataclass

import pytest

from tests.followups import talks
from tests.page.browser import PATIENCE, needs_browser, resize, running, shown
from tests.serving.kit import NOTE
from tests.support import next_list, wrap

pytestmark = needs_browser


@dataclass
class Address:
    """An address where a file is expected."""

    text: str

    def as_uri(self):
        return self.text


@pytest.fixture(scope="module")
def browser():
    with running() as started:
        yield started


@pytest.mark.slow
def test_it_loads_itself_again_when_a_note_changes(browser, served):
    with shown(browser, Address(served.address)) as (page, seen):
        page.get_by_text("Fix the login").first.wait_for()
        for text in ("Paint the door", "Oil the hinges"):
            served.vault.write(NOTE, next_list(f"(web) {text}"))
            page.get_by_text(text).first.wait_for()
        assert page.get_by_text("Fix the login").count() == 0
        assert seen.messages == []
        assert all(one.startswith(served.address) for one in seen.requests)


@pytest.mark.slow
def test_its_filter_works_as_in_the_file(browser, served):
    with shown(browser, Address(served.address)) as (page, seen):
        page.get_by_label("Filter").fill("login")
        assert page.locator("#priorities .row:visible").count() == 1
        assert seen.messages == []


@pytest.mark.slow
def test_a_source_link_shows_the_note(browser, served):
    with shown(browser, Address(served.address)) as (page, seen):
        page.locator(f'#priorities a[href*="{NOTE}"]').first.click()
        page.wait_for_url(f"**/{NOTE}#L*")
        assert "- (web) Fix the login" in page.inner_text("body")
        assert seen.messages == []


@pytest.mark.slow
def test_another_page_in_the_same_browser_gets_nothing(browser, served, serve):
    """It runs on this machine too, and even knows the address."""
    other = serve()
    with shown(browser, Address(other.address)) as (page, _):
        page.route("**/foreign", lambda route: route.fulfill(body="<p>foreign</p>", content_type="text/html"))
        page.goto(f"http://localhost:{other.port}/foreign")
        for mode in ("cors", "no-cors"):
            found = page.evaluate(
                "([url, mode]) => fetch(url, {mode}).then((one) => one.text(), (error) => `refused: ${error}`)",
                [served.address, mode],
            )
            assert "login" not in found
        page.goto(served.address, referer="http://evil.example/")
        assert "login" not in page.content()


def rows(page, number):
    from playwright.sync_api import expect

    expect(page.locator("#priorities .row")).to_have_count(number, timeout=PATIENCE)


@pytest.mark.slow
def test_a_click_ticks_and_another_takes_it_back(browser, served):
    with shown(browser, Address(served.address)) as (page, seen):
        page.get_by_role("button", name="Done: Fix the login").click()
        rows(page, 1)
        page.get_by_text("Done: Fix the login", exact=True).wait_for()
        assert "Fix the login" in served.vault.path(NOTE).read_text("utf-8").partition("## Done")[2]
        page.get_by_role("button", name="Undo").click()
        rows(page, 2)
        page.get_by_text("Undone").wait_for()
        assert seen.messages == []


@pytest.mark.slow
def test_the_keyboard_alone_hides_one_and_keeps_its_place(browser, served):
    from playwright.sync_api import expect

    with shown(browser, Address(served.address)) as (page, seen):
        first = page.locator("#priorities .row").first
        first.get_by_role("button", name="First").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Until tomorrow"
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.textContent") == "More"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        rows(page, 1)
        expect(page.locator("#priorities .row :focus")).to_have_count(1, timeout=PATIENCE)
        page.get_by_text("Hidden, until tomorrow").wait_for()
        assert seen.messages == []


@pytest.mark.slow
@pytest.mark.parametrize("how", ["keys", "drag"])
def test_rows_are_put_in_order_by_keys_and_by_dragging(browser, served, how):
    from playwright.sync_api import expect

    served.vault.write(NOTE, next_list("(web) Fix the login", "(web) Paint the door", "(web) Oil the hinges"))
    with shown(browser, Address(served.address)) as (page, seen):
        words = page.locator("#priorities .row > div > .words")
        expect(words).to_have_count(4, timeout=PATIENCE)
        before = [one.strip() for one in words.all_inner_texts()]
        if how == "keys":
            page.get_by_role("button", name="Done: Oil the hinges").focus()
            page.keyboard.press("Alt+ArrowUp")
        else:
            at = before.index("Oil the hinges")
            rows = page.locator("#priorities .row")
            rows.nth(at).locator(".number").drag_to(rows.nth(at - 1))
        page.get_by_text("Number 2: Oil the hinges").wait_for()
        after = [before[0], "Oil the hinges", before[1], *before[3:]]
        expect(words).to_have_text(after, timeout=PATIENCE)
        if how == "keys":
            assert "Oil the hinges" in page.evaluate("document.activeElement.closest('.row').textContent")
            page.keyboard.press("Alt+ArrowDown")
            expect(words).to_have_text(before, timeout=PATIENCE)
            page.keyboard.press("Control+ArrowDown")  # no key of the page
        page.get_by_role("button", name="Undo").first.click()
        expect(words).to_have_text(after if how == "keys" else before, timeout=PATIENCE)
        assert seen.messages == []


@pytest.mark.slow
def test_what_is_being_typed_outlives_a_change_made_elsewhere(browser, served, tmp_path):
    talk = tmp_path / "talk.json"
    talk.write_bytes(talks.neutral(talks.said("Ask the neighbours")))
    assert wrap("orphans", "--transcript", talk, vault=served.vault).code == 0
    with shown(browser, Address(served.address)) as (page, seen):
        page.locator("#pending > summary").click()
        page.get_by_label("Words").fill("Ask all neighbours")
        served.vault.write(NOTE, next_list("(web) Paint the door"))
        page.get_by_text("changed elsewhere").wait_for()
        assert page.get_by_label("Words").input_value() == "Ask all neighbours"
        page.get_by_role("button", name="File").click()
        page.get_by_text("Filed in").wait_for()
        page.get_by_text("Paint the door").first.wait_for()
        assert page.locator("#pending").count() == 0
        assert "Ask all neighbours" in "".join(
            one.read_text("utf-8") for one in served.vault.root.rglob("*.md") if one.name != "ACTIVE-STATUS.md"
        )
        assert seen.messages == []


@pytest.mark.slow
def test_axe_finds_nothing_and_nothing_is_too_wide(browser, served):
    from axe_playwright_python.sync_playwright import Axe

    with shown(browser, Address(served.address)) as (page, _):
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for size in ("light", "dark", "narrow"):
            resize(page, size)
            results = Axe().run(page, options={"resultTypes": ["violations"]})
            assert [f"{one['id']}: {one['nodes'][0]['html']}" for one in results.response["violations"]] == [], size
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size


@pytest.mark.slow
def test_an_item_is_added_and_each_row_is_one_line_in_a_wide_window(browser, served):
    text = "Ask everybody who was there " + "what they have seen and heard " * 6
    with shown(browser, Address(served.address)) as (page, seen):
        resize(page, "light")
        page.get_by_label("New item").fill(text)
        page.get_by_label("Its project").select_option("web")
        page.get_by_label("New item").press("Enter")
        page.get_by_text("what they have seen and heard").first.wait_for()
        page.get_by_role("button", name="Undo").wait_for()
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "New item"
        heights = page.locator("#priorities .row").evaluate_all("all => all.map((one) => one.offsetHeight)")
        assert len(heights) == 3
        assert max(heights) < 48
        page.locator("#priorities .row", has_text="Ask everybody").locator(".menu summary").click()
        assert page.locator("#priorities .row", has_text="Ask everybody").bounding_box()["height"] > 48
        assert seen.messages == []
