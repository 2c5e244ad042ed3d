"""Tables with several people, and the tabs of the side panel."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations

SLUG = "boomerang-auction"
"""A game with a hand to choose from."""


def table_for_two_people(visitor: Any, slug: str, name: str = "Mina") -> None:
    """Opens a private table with house players and one free seat."""
    page = visitor.open(f"/new/{slug}")
    page.locator("input[name=private]").nth(1).check()
    house = page.locator("input[name=house]")
    house.nth(house.count() - 2).check()
    page.locator("form button.main").click()
    visitor.give_name(name)
    page.locator(".waiting-room").wait_for()


def two_people(visit: Any, slug: str = SLUG) -> tuple[Any, Any]:
    """Mina, the host, on a phone, and Ken on a desktop, at a private table that has started."""
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    table_for_two_people(mina, slug)
    ken.open(mina.page.locator("#invitation").input_value())
    ken.page.locator(".waiting-room button.main").click()
    ken.give_name("Ken")
    for visitor in (mina, ken):
        visitor.page.wait_for_selector(".play")
    return mina, ken


def table_of(host: Any, guests: list[Any], pace: str, slug: str = SLUG) -> None:
    """Seats a host and guests at a table of this pace, with a house player in any seat left."""
    page = host.open(f"/new/{slug}")
    page.locator("[name=pace]").nth(PACES.index(pace)).check()
    page.locator("[name=takeover]").first.wait_for(state="attached")
    players = page.locator("[name=house]").count()
    page.locator("[name=house]").nth(players - 1 - len(guests)).check()
    assert violations(host) == []
    page.locator("form button.main").click()
    host.give_name("Mina")
    page.locator(".waiting-room", has_text="decision").wait_for()
    for n, guest in enumerate(guests):
        guest.open(f"/games/{host.game_id}").locator(".waiting-room button.main").click()
        guest.give_name(f"Ken{n}")
    for visitor in (host, *guests):
        visitor.page.wait_for_selector(".play")


PACES = ["none", "quick", "daily", "steady", "relaxed", "weekly"]


def show(visitor: Any, tab: str) -> None:
    """Opens a tab of the side panel, on a phone its drawer."""
    visitor.page.locator(f"[data-drawer={tab}]:visible, .tab:visible").first.wait_for()
    drawer = visitor.page.locator(f"[data-drawer={tab}]:visible")
    if drawer.count():
        drawer.click()
    else:
        visitor.page.locator(".side-panel-head .tab", has_text=tab.capitalize()).click()
