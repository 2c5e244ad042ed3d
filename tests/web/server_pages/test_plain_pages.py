"""The pages without scripts in a browser with scripts switched off: some moves on a phone, and the look of
the pages.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.support.servers.server import wait_until
from tests.web.support.accessibility import violations
from tests.web.support.visitor import Visitor

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
NARROW = {"width": 320, "height": 640}
MOVES = 3


def arrive(visitor: Visitor, slug: str) -> None:
    """Go from the page that needs scripts to a table of this game."""
    page = visitor.page
    page.goto(visitor.url)
    press(page, "body a.main")
    press(page, "main a.main")
    page.locator("#name").fill("Aki")
    press(page, "button.seal")
    press(page, "a.main")
    press(page, f'a[href="/plain/new/{slug}"]')
    press(page, "button.seal")
    assert "/plain/games/" in page.url


def press(page: Page, what: str) -> None:
    """Press the first such link or button, and wait for the page to which it leads."""
    with page.expect_navigation():
        page.locator(what).first.click()


def play_one_move(visitor: Visitor) -> None:
    """Wait for a question, take the first choice at each step, and confirm."""
    page = visitor.page
    table = page.url

    def asked() -> bool:
        page.goto(table)
        return page.locator(".choices a").count() > 0

    wait_until(asked, "a question")
    while not page.locator("form button.seal").count():
        press(page, ".choices a")
    press(page, "form button.seal")
    assert page.url == table


@pytest.mark.parametrize(
    ("locale", "scheme", "size"),
    [
        ("ja", "dark", NARROW),
        pytest.param("en-GB", "light", PHONE, marks=pytest.mark.thorough),
    ],
)
def test_a_browser_without_scripts_plays_some_moves(
    visit: Any, keep_picture: Any, locale: str, scheme: str, size: dict[str, int]
) -> None:
    player = visit(size, locale, java_script_enabled=False, color_scheme=scheme)
    looker = visit(size, locale, color_scheme=scheme, bypass_csp=True)  # axe sets inline styles
    look(looker, player, keep_picture, ("/plain", "/plain/enter"))
    arrive(player, "caravan")
    for _ in range(MOVES):
        play_one_move(player)
    table = player.page.url.removeprefix(player.url)
    pages = ("", "/history", "/talk", "/proposals", "/resignation", "/replay?event=2", "/notes")
    others = ("/plain", "/plain/me", "/plain/new/boomerang-auction", "/plain/finished")
    others += (
        "/plain/vacations",
        "/plain/blocks",
        "/plain/tokens",
        "/plain/people",
        "/plain/ratings",
        "/plain/ratings/caravan",
    )
    look(looker, player, keep_picture, (*(f"{table}{each}" for each in pages), *others))


def look(looker: Visitor, player: Visitor, keep_picture: Any, paths: tuple[str, ...]) -> None:
    """Look at pages as the player is shown them, with scripts only for axe."""
    looker.context.add_cookies(player.context.cookies())  # type: ignore[arg-type]
    for path in paths:
        looker.page.goto(looker.url + path)
        name = re.sub(r"\W+|g_\w+", "-", path)
        keep_picture(looker, f"plain{name}", full_page=True)
        assert looker.wider_than_screen() == 0, path
        assert violations(looker) == [], path
