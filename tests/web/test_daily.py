"""The daily deal on the page: begun in the lobby, played on the table, compared afterwards, and sent to a friend."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser

CLICKED = 2
"""The moves made by touching; further ones are sent."""
THINKING = 240
"""The most seconds for which house players think before a question: on a busy machine they come last."""
DAY = "2026-11-29"
SHOWN = {
    "day": DAY,
    "begins_at": f"{DAY}T00:00:00.000Z",
    "ends_at": "2026-11-30T00:00:00.000Z",
    "ruleset": "joretsu",
    "name": "Joretsu",
    "players": 3,
    "open": False,
    "options": {},
    "try": {
        "game": "g_0123456789ABCDEFGHIJKL",
        "begun_at": f"{DAY}T08:00:00.000Z",
        "ended_at": f"{DAY}T08:10:00.000Z",
        "score": 23,
        "won": True,
        "counts": True,
    },
    "commitment": "0" * 64,
    "committed_at": "2026-11-27T00:00:00.000Z",
    "seed": None,
    "next": {"name": "Caravan", "commitment": "1" * 64, "committed_at": f"{DAY}T00:00:00.000Z"},
    "results": {
        "begun": 412,
        "finished": 397,
        "best": {"score": 31, "won": True},
        "outcomes": [
            {"score": 31, "won": True, "people": 7, "yours": False},
            {"score": 23, "won": True, "people": 210, "yours": True},
            {"score": -4, "won": False, "people": 180, "yours": False},
        ],
    },
    "played": 12,
    "in_a_row": 5,
}
"""A day on which many have played."""
LINES = {
    "steps": [
        {"own": "Bid 3♥", "best": "Bid 3♥", "same": True},
        {"own": "Pass", "best": "Bid A♣", "same": False},
        {"own": None, "best": "Pass", "same": False},
    ],
    "own": {"score": 23, "won": True},
    "best": {"score": 31, "won": True},
}


@pytest.mark.timeout(900)
def test_a_visitor_plays_the_deal_of_the_day(visit: Any, picture: Any) -> None:
    visitor, rng = visit(PHONE, bypass_csp=True), random.Random(7)
    page = visitor.open("/")
    page.locator("main a[href='/daily']").click()
    page.locator("#own-try button.main").wait_for()
    assert page.locator("#results").count() == 0, "nothing is told before"
    assert violations(visitor) == []
    assert visitor.wider_than_screen() == 0
    page.locator("#own-try button.main").click()
    visitor.give_name("Nobu")
    page.wait_for_selector(".play")
    moves = 0
    while moves < CLICKED and visitor.my_turn():
        visitor.choose(rng)
        moves += visitor.confirm()
    visitor.open("/daily")
    page.locator("#own-try a.main").click()
    page.wait_for_selector(".play")
    while visitor.answer(rng, THINKING):
        pass
    visitor.see_the_end()
    assert page.locator("#rematch").count() == 0, "there is one try"
    assert page.locator("a[download]").count() == 0, "its record would show the deal to others"
    page.locator("#others").click()
    page.locator("#results tr[aria-current=true]").wait_for()
    assert page.locator("#share").input_value().startswith(f"{visitor.url}/daily/2")
    assert violations(visitor) == []
    picture(visitor, "daily-own")
    page.locator("#calendar summary").click()
    page.locator("#calendar li a").first.wait_for()
    assert set(visitor.refusals) <= {409}


def staged(visitor: Any) -> None:
    """Answer with a day on which many have played."""
    page = visitor.page
    page.route("**/api/daily-deals/*/lines", lambda route: route.fulfill(json=LINES))
    page.route(f"**/api/daily-deals/{DAY}", lambda route: route.fulfill(json=SHOWN))


@pytest.mark.parametrize(("size", "locale"), [(PHONE, "en-GB"), (DESK, "ja-JP")])
def test_the_distribution_is_a_table_and_the_best_line_opens_by_keys(
    visit: Any, picture: Any, size: Any, locale: str
) -> None:
    visitor = visit(size, locale, bypass_csp=True)
    staged(visitor)
    page = visitor.open(f"/daily/{DAY}")
    rows = page.locator("#results tbody tr")
    expect(rows).to_have_count(3)
    assert rows.nth(1).get_attribute("aria-current") == "true"
    assert "210" in rows.nth(1).inner_text()
    bars = [each.bounding_box()["width"] for each in page.locator("#results progress").all()]
    assert len({round(each) for each in bars}) == 1
    assert page.locator("#results progress").nth(1).get_attribute("value") == "210"
    page.locator("#lines summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#lines tbody tr")).to_have_count(3)
    assert visitor.wider_than_screen() == 0
    assert violations(visitor) == []
    picture(visitor, f"daily-{locale}")


def test_a_link_tells_a_friend_points_and_no_cards(visit: Any) -> None:
    visitor = visit(PHONE)
    page = visitor.open("/daily/nosuch")
    page.locator("h1", has_text="Nothing here").wait_for()
    visitor.refusals.clear()
    staged(visitor)
    page = visitor.open(f"/daily/{DAY}")
    link = page.locator("#share").input_value()
    assert link == f"{visitor.url}/daily/{DAY}?friend=23w"
    page.unroute(f"**/api/daily-deals/{DAY}")
    unplayed = {**SHOWN, "open": True, "try": None, "results": None, "played": 0, "in_a_row": 0}
    page.route(f"**/api/daily-deals/{DAY}", lambda route: route.fulfill(json=unplayed))
    visitor.open(link)
    page.locator("main", has_text="A friend scored 23 points here and won.").wait_for()
    assert page.locator("#results, #lines").count() == 0
