"""Ratings and leaderboards on the page."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import register_at_the_page

pytestmark = pytest.mark.browser

LONG = "N" * 40
"""A name of the greatest length."""


def entry(rank: int, name: str, **more: Any) -> dict[str, Any]:
    made = {"rank": rank, "name": name, "house": False, "handle": None, "program": False}
    made["you"] = False
    return {**made, "rating": 1800 - rank, "deviation": 60, "games": 40, **more}


def answer_with(
    page: Any, entries: list[dict[str, Any]], own: Any = None, following: Any = None
) -> None:
    """Respond with this leaderboard, and with `following` as its further page."""
    board = {"entries": entries, "own": own, "most_deviation": 100, "next": following and "more"}
    rest = {**board, "entries": following, "next": None}

    def answer(route: Any) -> None:
        route.fulfill(json=rest if "cursor=more" in route.request.url else board)

    page.route("**/api/rulesets/caravan/leaderboard*", answer)


def test_the_lobby_leads_to_ratings_and_these_to_leaderboards(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    page = visitor.open("/")
    page.locator("main a", has_text="Ratings and leaderboards").click()
    page.locator("main h1", has_text="Ratings").wait_for()
    links = page.locator(".tables a")
    assert links.count() == len(rules.slugs())
    assert "Ratings are for people with an account." in page.locator("main").inner_text()
    assert page.locator("main a[href='/enter']").count() == 1
    assert visitor.wider_than_screen() == 0
    assert violations(visitor) == []
    page.locator(".tables a[href='/ratings/caravan']").click()
    page.locator("main h1", has_text="Leaderboard: Caravan").wait_for()
    assert page.title().startswith("Leaderboard: Caravan")
    assert "± 100 or less" in page.locator("main").inner_text()
    page.locator("main a", has_text="All games").click()
    page.locator("main h1", has_text="Ratings").wait_for()


@pytest.mark.parametrize(("size", "locale"), [(PHONE, "en-GB"), (DESK, "ja-JP")])
def test_a_leaderboard_shows_places_and_my_own_by_keys_too(
    visit: Any, picture: Any, size: Any, locale: str
) -> None:
    visitor = visit(size, locale, bypass_csp=True)
    page = visitor.page
    shown = [
        entry(1, LONG),
        entry(2, "Suzuri", handle="suzuri", program=True),
        entry(3, "Mina", you=True),
    ]
    own = {"rank": 3, "listed": True, "sure": True, "rating": 1797, "deviation": 60, "games": 40}
    answer_with(page, shown, own, [entry(4, "Ken")])
    visitor.open("/ratings/caravan")
    rows = page.locator("tbody tr")
    page.wait_for_function("document.querySelectorAll('tbody tr').length === 3")
    assert rows.nth(2).get_attribute("aria-current") == "true"
    assert rows.nth(0).get_attribute("aria-current") is None
    assert "1797 ± 60" in rows.nth(2).inner_text()
    assert "3" in page.locator("#own-place").inner_text()
    assert page.locator("th[scope=row]").nth(1).inner_text() != "Suzuri", "a program says so"
    pages = [each.get_attribute("href") for each in page.locator("th[scope=row] a").all()]
    assert pages == ["/players/suzuri"], "where that page can be seen"
    assert visitor.wider_than_screen() == 0
    assert violations(visitor) == []
    picture(visitor, f"leaderboard-{locale}")
    page.locator("main button").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('tbody tr').length === 4")
    assert page.evaluate("document.activeElement.innerText").startswith("4"), "the reader goes on"
    assert page.locator("main button").count() == 0


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"listed": False, "sure": True}, "You have not asked to be listed."),
        ({"listed": True, "sure": False}, "Your rating is not certain enough for a place yet"),
        ({"listed": True, "sure": True}, "Your place is below place 1000."),
    ],
)
def test_whoever_has_no_place_reads_why(visit: Any, own: Any, said: str) -> None:
    visitor = visit(PHONE)
    points = {"rank": None, "rating": 1612, "deviation": 80, "games": 31}
    answer_with(visitor.page, [], points | own)
    page = visitor.open("/ratings/caravan")
    place = page.locator("#own-place")
    place.wait_for()
    assert "Your rating: 1612 ± 80." in place.inner_text()
    assert said in place.inner_text()
    assert place.locator("a[href='/me/ratings']").count() == (not own["listed"])
    assert "Nobody is listed yet." in page.locator("main").inner_text()


def test_my_ratings_stand_beside_the_games(visit: Any) -> None:
    mina = visit(PHONE)
    register_at_the_page(mina)
    page = mina.open("/ratings")
    page.locator("main p", has_text="You have no rating yet").wait_for()
    rated = {"ruleset": "caravan", "name": "Caravan", "rating": 1612, "deviation": 80, "games": 31}
    answer = {"ratings": [rated | {"ended_at": "2026-11-21T10:00:00.000Z"}]}
    page.route("**/api/me/ratings", lambda route: route.fulfill(json=answer))
    page.reload()
    page.locator("a[href='/ratings/caravan']", has_text="1612 ± 80").wait_for()
    assert page.locator("main", has_text="You have no rating yet").count() == 0


def test_there_is_no_leaderboard_of_a_game_that_is_not_there(visit: Any) -> None:
    visitor = visit(PHONE)
    visitor.open("/")
    visitor.go("/ratings/chess")
    visitor.page.locator("main h1", has_text="Nothing here").wait_for()
    visitor.refusals.clear()
