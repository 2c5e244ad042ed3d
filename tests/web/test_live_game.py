"""A whole game of 2459n that five people play live, each in a browser, until the clock has run out."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.test_live_table import act, draw

pytestmark = [pytest.mark.browser, pytest.mark.thorough, pytest.mark.timeout(600)]

SEATS = 5
LIVE = {"ruleset": "2459n", "players": SEATS, "options": {"tempo": "live", "minutes": 1}}


def seated(visitors: list[Any]) -> str:
    """The path of a table at which these people sit, and which their browsers show."""
    asks = [visitor.context.request for visitor in visitors]
    for n, ask in enumerate(asks):
        name = f"Person {n} {random.randrange(10**9)}"
        ask.post(f"{visitors[0].url}/api/players", data={"name": name})
    game = asks[0].post(f"{visitors[0].url}/api/games", data=LIVE).json()
    path = f"{visitors[0].url}/api/games/{game['id']}"
    for visitor in visitors:
        visitor.open(f"/games/{game['id']}")
    for ask in asks[1:]:
        ask.post(f"{path}/seats", data={})
    return path


def ready(visitors: list[Any], path: str) -> None:
    """Everybody says that they are there, and waits for the first question."""
    for visitor in visitors:
        visitor.page.get_by_role("button", name="I am here").click()
    for visitor in visitors:
        visitor.page.locator(".play").wait_for()
    asked = visitors[0].context.request
    wait_until(lambda: asked.get(path).json()["legal"], "something can be done")


def all_draw(visitors: list[Any], path: str) -> None:
    """Each person draws on their page, and the page of the next one is told without asking for it anew."""
    is_told = lambda told: told.url == path and told.status == 200  # noqa: E731
    for visitor, watcher in zip(visitors, [*visitors[1:], visitors[0]], strict=True):
        with watcher.page.expect_response(is_told) as seen:
            draw(visitor, path)
        assert "wait=" in seen.value.request.headers.get("prefer", "")


def lose_the_line(lost: Any, other: Any, path: str) -> None:
    """The line of one person breaks, somebody else goes on, and the line is mended."""
    lost.context.set_offline(True)
    lost.page.locator(".offline").wait_for()
    act(other.context.request, path)
    lost.context.set_offline(False)
    lost.page.locator(".offline").wait_for(state="detached")
    draw(lost, path)
    assert all("DISCONNECTED" in each for each in lost.errors)
    lost.errors.clear()


def test_five_people_play_a_whole_game_at_once(visit: Any) -> None:
    visitors = [visit(PHONE if n % 2 else DESK, bypass_csp=True) for n in range(SEATS)]
    path = seated(visitors)
    ready(visitors, path)
    all_draw(visitors, path)
    lose_the_line(visitors[-1], visitors[0], path)
    asked = visitors[0].context.request
    over = lambda: asked.get(path).json()["status"] == "over"  # noqa: E731
    wait_until(over, "the clock to run out", patience=180)
    result = asked.get(path).json()["result"]
    assert result["reason"] in ("time-up", "mascot")
    for visitor in visitors:
        visitor.see_the_end()
    assert [visitor.errors for visitor in visitors] == [[]] * SEATS
