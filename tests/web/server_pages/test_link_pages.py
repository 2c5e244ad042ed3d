"""The pages behind the links of turn mails in a browser without scripts and without a sign-in, and their look."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from service.notifications.mail_texts.mail_links import purpose_link, table_link
from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}
TOO_SMALL = """
() => [...document.querySelectorAll("main a, main button, main input")]
    .filter(each => each.getBoundingClientRect().height < 43.5).map(each => each.outerHTML)
"""
"""Controls that are hard to touch."""


@pytest.mark.parametrize(
    ("locale", "scheme"),
    [("ja", "dark"), pytest.param("en-GB", "light", marks=pytest.mark.thorough)],
)
def test_links_work_without_scripts(
    visit: Any, server: Any, keep_picture: Any, locale: str, scheme: str
) -> None:
    player = visit(NARROW, locale)
    player.sit_down("boomerang-auction")
    game = player.game()
    person: Any = SimpleNamespace(tenure=game["tenure"], asked=game["asked"])
    reader = visit(NARROW, locale, java_script_enabled=False, color_scheme=scheme)
    looker = visit(NARROW, locale, color_scheme=scheme, bypass_csp=True)  # axe sets inline styles
    table = table_link(server.config, person)
    purposes = ("extensions", "vacations", "mails")
    links = {name: purpose_link(server.config, name, game["tenure"]) for name in purposes}
    for name, url in {**links, "table": table, "past": f"{table}?event=1"}.items():
        looker.page.goto(url)
        keep_picture(looker, f"link-{name}-{scheme}", full_page=True)
        assert looker.wider_than_screen() == 0, name
        assert violations(looker) == [], name
        assert looker.page.evaluate(TOO_SMALL) == [], name
    page = reader.page
    page.goto(links["vacations"])
    page.locator("#first").fill("2027-01-04")
    page.locator("#last").fill("2027-01-05")
    press(page, "form[method=get] button")
    press(page, "form[method=post] button")
    assert "2027-01-04" in page.inner_text("main")
    press(page, "form[method=post] button")
    assert page.locator("#first").count() == 1
    page.goto(f"{table}?event=1")
    press(page, 'a[href$="event=2"]')
    assert "2" in page.inner_text("main p")
    assert reader.context.cookies() == []


def press(page: Any, what: str) -> None:
    """Press the first such link or button, and wait for the page to which it leads."""
    with page.expect_navigation():
        page.locator(what).first.click()
