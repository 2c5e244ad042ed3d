"""A player whom a block keeps apart from a person at a table is asked before they sit down, and finds fewer tables."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser

AUCTION = "abbott-auction"


def test_who_would_sit_down_is_asked_and_the_lobby_says_what_it_leaves_out(visit: Any) -> None:
    aki, bo, host = visit(), visit(), visit()
    for person, name in ((aki, "Aki"), (bo, "Bo"), (host, "Cleo")):
        person.sign_up(name)
    wish = {"ruleset": AUCTION, "players": 4, "options": {}}
    met, table = (host.post("/games", **wish)["id"] for _ in range(2))
    for person in (aki, bo):
        tenure = person.post(f"/games/{met}/seats")["tenure"]
    aki.post("/me/blocks", game=met, tenure=tenure)
    bo.post(f"/games/{table}/seats")

    page = aki.open("/")
    page.locator("#left-out").click()
    page.locator(f"a[href='/games/{table}']").first.click()
    page.locator("button", has_text="Sit down").click()
    page.locator(".confirm-dialog", has_text="kept apart").wait_for()
    page.locator(".confirm-dialog button[value='']").click()
    page.locator(".confirm-dialog").wait_for(state="detached")
    assert all(not seat["you"] for seat in aki.game()["seats"])
    page.locator("button", has_text="Sit down").click()
    page.locator(".confirm-dialog .main").click()
    page.locator("button", has_text="Leave").first.wait_for()
    assert any(seat["you"] for seat in aki.game()["seats"])
    aki.refusals.clear()
