"""Series on the page: setting one up in a circle, joining it, its standings and rounds, leaving and ending it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.test_circles import found_circle, verified

pytestmark = pytest.mark.browser


@pytest.fixture
def people(visit: Any, server: Any) -> tuple[Any, Any, str]:
    """Mina on a phone, in Japanese Ken at a desk, and the address of the circle of both."""
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, "ja-JP", bypass_csp=True)
    verified(mina, server, "Mina")
    verified(ken, server, "Ken")
    address = found_circle(mina, "Monday club").removeprefix(mina.url)
    joining = ken.open(address)
    joining.locator("#join").click()
    joining.locator(".item-list li", has_text="Ken").wait_for()
    return mina, ken, address.partition("#")[0]


def look_now(server: Any, address: str, done: Callable[[Any], Any], *visitors: Any) -> None:
    """Let the worker look at all series, as it does once a minute; when that is `done`, the visitors look too."""
    path, seen = server.database.removeprefix("sqlite:///"), visitors[0]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE series SET look_at = 0 WHERE status != 'over'")
    series = f"{seen.url}/api{address}"
    wait_until(lambda: done(seen.context.request.get(series).json()), "a look at the series")
    for visitor in visitors:
        visitor.page.evaluate("dispatchEvent(new Event('focus'))")  # polls at once


def games(shown: Any) -> list[str]:
    """The ids of the games that have begun."""
    return [each["game"] for each in shown["tables"] if each["game"]]


def set_up(page: Any, name: str, starts_in: str = "1", rounds: str = "1") -> str:
    """Sets up a series from the page of a circle, with the keyboard; returns its address."""
    page.locator("section[data-key=series] a[href$='/series']").click()
    page.locator("a[href$='/series?ruleset=caravan']").focus()
    page.keyboard.press("Enter")
    page.locator("#series-name").fill(name)
    page.locator("#series-starts_in").fill(starts_in)
    page.locator("#series-rounds").fill(rounds)
    page.keyboard.press("Enter")
    page.locator("main h1", has_text=name).wait_for()
    return str(page.evaluate("location.pathname"))


def assert_fine(visitor: Any) -> None:
    """Check that nothing is too wide for the screen, and that axe finds nothing."""
    assert visitor.wider_than_screen() == 0
    assert violations(visitor) == []


def test_a_series_is_set_up_from_a_circle_and_played(
    people: Any, server: Any, picture: Any
) -> None:
    mina, ken, circle = people
    page = mina.open(circle)
    address = set_up(page, "Winter league")
    page.locator("[data-key=waiting]", has_text="Nobody has joined yet.").wait_for()
    assert_fine(mina)
    picture(mina, "series-open")
    page.locator("#join-series [type=radio]").nth(1).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.locator("#leave-series").wait_for()
    assert page.locator("#my-series [type=radio]:checked").get_attribute("value") == "1"
    theirs = ken.open(address)
    theirs.locator("#join-series button.main").click()
    theirs.locator("#leave-series").wait_for()
    look_now(server, address, games, mina, ken)
    game_path = plays(mina)
    assert plays(ken) == game_path
    picture(ken, "series-running")
    ken.post(f"{game_path}/resignation")
    look_now(server, address, lambda shown: shown["status"] == "over", mina)
    assert_is_over(mina)
    picture(mina, "series-over")


def plays(visitor: Any) -> str:
    """The path of the table that comes up among the visitor's own."""
    game = visitor.page.locator("section[data-key=mine] a[href^='/games/']")
    game.wait_for()
    assert visitor.page.locator("section[data-key=standings] tbody tr").count() == 2
    assert_fine(visitor)
    return str(game.get_attribute("href"))


def assert_is_over(visitor: Any) -> None:
    """Check that the page has followed to the end."""
    page = visitor.page
    page.locator("main", has_text="It is over.").wait_for()
    first = page.locator("section[data-key=standings] tbody tr").first.inner_text().split()
    assert first == ["1", "Minayou", "1", "1", "1", "0.5", "0", "0"]
    page.locator("[data-key=round-1]", has_text="1. Mina, 2. Ken").wait_for()
    assert page.locator("section[data-key=mine]").count() == 0
    assert_fine(visitor)


def test_wrong_terms_are_shown_beside_their_fields(people: Any, picture: Any) -> None:
    mina, _, circle = people
    page = mina.open(f"{circle}/series?ruleset=caravan")
    page.locator("#series-starts_in").fill("91")
    page.locator("form.sheet button.main").click()
    page.locator("#series-name-wrong", has_text="Please fill this in.").wait_for()
    assert "from 1 to 90" in page.locator("#series-starts_in-wrong").inner_text()
    assert page.evaluate("document.activeElement.id") == "series-name"
    page.locator("details.more summary").first.click()
    assert page.locator("[name=pace]").count() > 1
    assert page.locator("[name=house], [name=start], [name=private]").count() == 0
    assert mina.wider_than_screen() == 0
    assert violations(mina) == []
    picture(mina, "series-new")


def test_a_series_is_left_and_ended(people: Any, picture: Any) -> None:
    mina, ken, circle = people
    address = set_up(mina.open(circle), "Spring league", starts_in="7", rounds="")
    theirs = ken.open("/series")
    theirs.locator("a", has_text="Spring league").click()
    assert theirs.locator("#end-series").count() == 0
    theirs.locator("#join-series button.main").click()
    theirs.locator("#leave-series").click()
    theirs.locator(".confirm-dialog .main").click()
    theirs.locator("#join-series").wait_for()
    page = mina.page
    page.locator("#end-series").click()
    page.locator(".confirm-dialog .main").click()
    page.locator("main h1", has_text="Series: Monday club").wait_for()
    assert page.locator(f"a[href='{address}']").count() == 0
    assert violations(mina) == []
    picture(mina, "series-list")
    ken.refusals.clear()
    theirs.reload()
    theirs.locator("main h1", has_text="ここには何もありません").wait_for()
    ken.refusals.clear()


def test_strangers_are_told_what_they_need(visit: Any) -> None:
    visitor = visit(PHONE, "ja-JP", bypass_csp=True)
    page = visitor.open("/series")
    page.locator("main h1", has_text="シリーズ").wait_for()
    assert violations(visitor) == []
    visitor.go("/series/e_0123456789abcdef0123")
    page.locator("main h1", has_text="ここには何もありません").wait_for()
    visitor.refusals.clear()
