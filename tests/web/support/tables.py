"""Tables with several people, and the tabs of the side panel."""

from __future__ import annotations

from typing import Any

import rules
from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE

SLUG = "boomerang-auction"
"""A game with a hand to choose from."""


def unfold(page: Any) -> None:
    """Unfold the details of opening a table."""
    page.locator("details.more:not([open]) > summary").click()


def table_for_two_people(visitor: Any, slug: str, name: str = "Mina") -> None:
    """Opens a private table with house players and one free seat."""
    page = visitor.open(f"/new/{slug}")
    page.locator("input[name=private]").nth(1).check()
    unfold(page)
    house = page.locator("input[name=house]")
    house.nth(house.count() - 2).check()
    page.locator("form button.main").click()
    visitor.give_name(name)
    page.locator(".waiting-room").wait_for()


def two_people(visit: Any, slug: str = SLUG) -> tuple[Any, Any]:
    """Mina, the host, on a phone, and Ken on a desktop, at a private table that has started."""
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    mina.sign_up("Mina")
    ken.sign_up("Ken")
    _seat(mina, [ken], slug, private=True)
    return mina, ken


def who_is_asked(*visitors: Any) -> tuple[Any, ...]:
    """The same people, the one who is asked first; waits until one of them is asked and shown the question."""
    one = wait_until(lambda: next((each for each in visitors if each.asked()), None), "a question")
    one.settled()
    return one, *(each for each in visitors if each is not one)


def table_of(host: Any, guests: list[Any], pace: str, slug: str = SLUG) -> None:
    """Seats a host and guests at a table of this pace, with a house player in any seat left."""
    host.sign_up("Mina")
    for n, guest in enumerate(guests):
        guest.sign_up(f"Ken{n}")
    paces = host.context.request.get(f"{host.url}/api/paces").json()["paces"]
    (chosen,) = (each for each in paces if each["preset"] == pace)
    terms = ("kind", "seconds", "reserve", "increment", "cap")
    _seat(host, guests, slug, pace={name: chosen[name] for name in terms if name in chosen})


def _seat(host: Any, guests: list[Any], slug: str, **wish: Any) -> None:
    """Open a table of the host, seat the guests and open it for all of them."""
    ruleset = rules.load(slug)
    players = max(2, ruleset.players[0])
    seats = {"players": players, "house": players - 1 - len(guests), "start": "full"}
    game = host.post("/games", ruleset=slug, nonce=None, **seats, **wish)
    key = game["invitation"] and {"Invitation": game["invitation"]["key"]}
    for guest in guests:
        guest.post(f"/games/{game['id']}/seats", key)
    for visitor in (host, *guests):
        visitor.open(f"/games/{game['id']}").wait_for_selector(".play")


def show(visitor: Any, tab: str) -> None:
    """Open a tab of the side panel, on a phone its drawer."""
    visitor.page.locator(f"[data-drawer={tab}]:visible, .tab:visible").first.wait_for()
    drawer = visitor.page.locator(f"[data-drawer={tab}]:visible")
    if drawer.count():
        drawer.click()
    else:
        visitor.page.locator(".side-panel-head .tab", has_text=tab.capitalize()).click()
