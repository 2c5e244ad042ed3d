"""The page of a player: numbers and drawings, each with a table; one's own, and one that nobody may see."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import register_at_the_page

pytestmark = pytest.mark.browser

HOURS = [
    {"answers_within": None if hour < 7 else 600 * (hour - 6), "answers": None}
    for hour in range(24)
]
PLAYED = {
    "ruleset": "caravan",
    "name": "Caravan",
    "games": 12,
    "places": [7, 5],
    "score": {"own": 81.5, "table": 74.2},
    "decisions": 240,
    "missed_per_hundred": 1.7,
    "answers_within": 1200,
    "hours": HOURS,
    "beaten": "strong",
    "rating": {"rating": 1612, "deviation": 80},
    "close": None,
}
ALICE = {
    "handle": "alice",
    "name": "Alice",
    "program": False,
    "you": False,
    "registered_on": "2026-03-01",
    "rulesets": [PLAYED],
    "together": [{"ruleset": "caravan", "name": "Caravan", "games": 4, "before": 1, "behind": 3}],
    "follow": None,
}
POINTS = [
    {"game": f"g_{n:022}", "players": 2, "ended_at": f"2026-11-{20 - n:02}T10:00:00.000Z"}
    | {"place": 1 + n % 2, "rating": 1612 - 20 * n, "deviation": 80 + 9 * n}
    for n in range(8)
]
GAME = {
    "id": "g_0123456789ABCDEFGHIJKL",
    "ended_at": "2026-11-20T10:00:00.000Z",
    "ruleset": {"slug": "caravan", "version": 1, "name": "Caravan"},
    "names": ["Alice", "Mina"],
    "private": False,
}
GAMES = [{"game": GAME, "place": 1, "score": 90, "table_score": 84.5, "close": True}]


def answer_as_alice(page: Any) -> None:
    """Let the API know alice."""
    answers = {
        "**/api/players/alice": ALICE,
        "**/api/players/alice/games*": {"games": GAMES, "next": None},
        "**/api/players/alice/ratings/caravan*": {"games": POINTS, "next": None},
    }
    for path, answer in answers.items():
        page.route(path, answering(answer))


def answering(answer: Any) -> Any:
    """What answers a request so."""
    return lambda route: route.fulfill(json=answer)


def test_a_page_has_numbers_and_drawings_that_are_tables_too(visit: Any, picture: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    answer_as_alice(mina.page)
    page = mina.open("/players/alice")
    page.locator("#played table").wait_for()
    assert page.title().startswith("Alice")
    text = page.locator("main").inner_text()
    for said in ("81.5", "1612 ± 80", "1.7 of 100", "20 minutes", "7 × place 1, 5 × place 2"):
        assert said in text
    assert page.locator("#together td").all_inner_texts() == ["4", "1", "3"]
    drawings = page.locator("figure.drawing")
    assert drawings.count() == 2
    page.locator(
        "main:not([data-appearing])"
    ).wait_for()  # till then a second Enter presses nothing
    for n in range(2):
        drawing = drawings.nth(n)
        assert drawing.locator("svg[role=img]").get_attribute("aria-label")
        drawing.locator("summary").press("Enter")
        drawing.locator("table").wait_for()
    assert drawings.nth(0).locator("tbody tr").count() == len(POINTS)
    assert drawings.nth(1).locator("rect").count() == 17
    assert drawings.nth(1).locator("tbody tr").count() == 24
    assert page.locator("#own").count() == 0
    assert mina.wider_than_screen() == 0
    assert violations(mina) == []
    picture(mina, "player")


def test_the_page_of_somebody_at_a_table_gets_its_own_address(visit: Any) -> None:
    mina = visit(PHONE)
    answer_as_alice(mina.page)
    mina.page.route("**/api/games/*/seats/*/player", answering(ALICE))
    page = mina.open("/players/of?game=g_0123456789ABCDEFGHIJKL&tenure=t_0123456789ABCDEFGHIJKL")
    page.locator("#played table").wait_for()
    assert page.url.endswith("/players/alice")


def test_who_sees_ones_own_page_is_chosen_in_the_settings(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    handle = register_at_the_page(mina)
    page = mina.open("/me")
    page.locator(f"#ratings a[href='/players/{handle}']").click()
    page.locator("#own").wait_for()
    assert "You have not finished a game yet" in page.locator("#player").inner_text()
    assert violations(mina) == []
    page.locator("#own a[href='/me/ratings']").click()
    page.locator("#page-for").wait_for()
    assert page.locator("#page-for").input_value() == "played"
    for choose in (
        lambda: page.locator("#page-for").select_option("everyone"),
        lambda: page.locator("#show-hours").check(),
    ):
        with page.expect_response(lambda answer: answer.url.endswith("/api/me/settings")):
            choose()
    page.reload()
    page.locator("#page-for").wait_for()
    assert page.locator("#page-for").input_value() == "everyone"
    assert page.locator("#show-hours").is_checked()
    stranger = visit(PHONE)
    there = stranger.open(f"/players/{handle}")
    there.locator("#player h1").wait_for()
    assert there.locator("#own").count() == 0


def test_a_page_that_nobody_may_see_is_not_there(visit: Any) -> None:
    mina = visit(PHONE)
    page = mina.open("/players/nobody-is-called-so")
    page.locator("h1", has_text="There is no page to see here").wait_for()


@pytest.mark.parametrize(
    ("locale", "follow", "end"),
    [("en-GB", "Follow", "Unfollow"), ("ja-JP", "フォローする", "フォローをやめる")],
)
def test_somebody_is_followed_by_keyboard(visit: Any, locale: str, follow: str, end: str) -> None:
    mina = visit(PHONE, locale, bypass_csp=True)
    page, sent = mina.page, list[Any]()
    answer_as_alice(page)
    page.route("**/api/players/alice", answering({**ALICE, "follow": {"id": None}}))

    def answer(route: Any) -> None:
        sent.append((route.request.method, route.request.post_data_json))
        made = {"id": "f_0123456789abcdef012345", "name": "Alice", "mutual": False}
        route.fulfill(status=201, json=made) if len(sent) == 1 else route.fulfill(status=204)

    page.route("**/api/me/follows**", answer)
    mina.open("/players/alice")
    button = page.locator("#follow")
    expect(button).to_have_text(follow)
    assert violations(mina) == []
    for words in (end, follow):
        page.locator("h1").click()
        page.keyboard.press("Tab")  # the Enter that follows is no second one
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_have_text(words)
        expect(button).to_be_focused()
        page.locator(".toast", has_text="Alice").wait_for()
    assert sent == [("POST", {"handle": "alice"}), ("DELETE", None)]
    assert mina.wider_than_screen() == 0


def test_nobody_follows_whom_they_cannot_follow(visit: Any) -> None:
    mina = visit(PHONE)
    answer_as_alice(mina.page)
    mina.open("/players/alice").locator("#together").wait_for()
    assert mina.page.locator("#follow").count() == 0
