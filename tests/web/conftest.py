"""Browser tests: an installed Chromium, visitors with browsers of their own, and screenshots."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.changed import is_due, of_page
from tests.support.servers.databases import Databases
from tests.support.servers.server import Server
from tests.web.support.lending import LentBrowsers
from tests.web.support.visitor import PATIENCE_MS, Visitor

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
"""The first has no windows, which halves the duration of these tests."""
FLAGS = (
    "--no-sandbox",  # the tests may run as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--renderer-process-limit=1",  # starting one takes longer than showing a page
    "--in-process-gpu",  # a tenth less CPU time
)
PHONE = {"width": 360, "height": 740}
ON_ITS_SIDE = {"width": 740, "height": 360}
DESK = {"width": 1280, "height": 800}

EMPTY_TABLE = """
() => {
  document.querySelector("main").className = "table";
  document.querySelector("main").replaceChildren();
}
"""

Visit = Callable[..., Visitor]

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to --thorough what no change can have altered; a browser walks through some games in any case."""
    for item in items:
        shown = item.get_closest_marker("browser") and not item.get_closest_marker("daily")
        if shown and not is_due(of_page(item.nodeid.partition("::")[0])):
            item.add_marker(pytest.mark.thorough)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The installed browser; without one the test is skipped."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": [*FLAGS]}


@pytest.fixture(scope="session")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all browsers: starting one takes longer than most of these tests."""
    folder = tmp_path_factory.mktemp("server")
    database = databases.fresh("sqlite", folder)
    with Server(folder, database, WEB_CONCURRENCY="1") as server:
        yield server


@pytest.fixture(scope="session")
def lent(browser: Browser) -> LentBrowsers:
    """Browsers that the tests of this process reuse."""
    return LentBrowsers(browser)


@pytest.fixture
def visit(lent: LentBrowsers, server: Server) -> Iterator[Visit]:
    """Opens a browser for a visitor, without a service worker unless it is allowed: it would respond in place of a
    test.

    Browsers are used again, unless one is to be somebody's `own`. At the end no console may contain an error.
    """
    visitors: list[Visitor] = []

    def opened(
        size: dict[str, int] = PHONE,
        locale: str = "en-GB",
        by: str = "mouse",
        *,
        own: bool = False,
        **more: Any,
    ) -> Visitor:
        options = {"locale": locale, "service_workers": "block", "has_touch": by == "touch", **more}
        visitors.append(lent.lend(server.url, by, size, own, **options))
        return visitors[-1]

    yield opened
    for visitor in visitors:
        lent.take_back(visitor)
    assert [error for visitor in visitors for error in visitor.errors] == []


@pytest.fixture
def keep_picture(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Saves a screenshot in the folder of --screenshots, if there is one."""
    folder = request.config.getoption("--screenshots")

    def kept(visitor: Visitor, name: str, **more: Any) -> None:
        if folder:
            visitor.page.screenshot(path=Path(folder) / f"{name}.png", **more)  # makes the folder

    return kept


@pytest.fixture
def picture(keep_picture: Callable[..., None]) -> Callable[[Visitor, str], None]:
    """Shows a screen on a desktop and on a phone, and saves screenshots if they are wanted."""

    def kept(visitor: Visitor, name: str) -> None:
        for size in (DESK, PHONE):
            visitor.page.set_viewport_size(size)
            keep_picture(visitor, f"{name}-{size['width']}")

    return kept


@pytest.fixture
def phone(visit: Visit) -> Page:
    """A phone with an empty table, to draw on."""
    return empty_table(visit(PHONE))


def empty_table(visitor: Visitor) -> Page:
    """A page that does not poll, with an empty table."""
    page = visitor.open("/me")
    page.evaluate(EMPTY_TABLE)
    page.evaluate("import('/base/words.js').then(words => words.loadLanguage('en'))")
    return page
