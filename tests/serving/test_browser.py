"""The served page as people meet it: it shows, loads itself again, and its links lead to the notes."""

from dataclasses import dataclass

import pytest

from tests.page.browser import needs_browser, running, shown
from tests.serving.kit import NOTE
from tests.support import next_list

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
