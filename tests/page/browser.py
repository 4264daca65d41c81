"""A headless Chromium of the system; tests that look skip, and say why, where there is none."""

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

CHROMIUM = os.environ.get("WRAPGEN_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 120_000  # milliseconds: the machine may be busy
SIZES = {"light": (1280, 900, "light"), "dark": (1280, 900, "dark"), "narrow": (360, 740, "light")}

needs_browser = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (package `chromium`, or WRAPGEN_CHROMIUM)"),
    pytest.mark.xdist_group("browser"),  # one browser, not one a worker
]


@dataclass
class Seen:
    """What the browser did beside showing the page."""

    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


@contextmanager
def running():
    """A browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)  # as root too: without its sandbox
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def shown(browser, file, size="light", **options):
    """A file in a window of some size; whatever it asks for or complains about must be nothing."""
    width, height, scheme = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options)
    context.set_default_timeout(PATIENCE)
    seen = Seen()
    page = context.new_page()
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.messages.append(message.text))
    page.on("pageerror", lambda error: seen.messages.append(str(error)))
    page.on("dialog", lambda dialog: seen.messages.append(dialog.message))
    page.goto(file.as_uri())
    try:
        yield page, seen
    finally:
        context.close()


def resize(page, size):
    """Give a page that stands there another window and scheme of colours, without loading it again."""
    width, height, scheme = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
