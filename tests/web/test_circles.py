"""Circles, following and inviting people by name, on the page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import PASSWORD, handles, link, use

pytestmark = pytest.mark.browser


def verified(visitor: Any, server: Any, name: str) -> str:
    """Registers a new person with this name and a confirmed address; returns the handle."""
    handle = next(handles)
    visitor.sign_up(name)
    address = f"{handle}@example.org"
    visitor.post("/me/registration", handle=handle, address=address, password=PASSWORD)
    use(visitor, link(server, address, "verify"))
    return handle


def found_circle(visitor: Any, name: str) -> str:
    """Founds a circle at the page; returns the link with which others join."""
    page = visitor.open("/people")
    page.locator("#circle-name").fill(name)
    page.keyboard.press("Enter")
    page.locator("main h1", has_text=name).wait_for()
    return str(page.locator("#circle-link").input_value())


def say(page: Any, text: str) -> None:
    page.locator("#say-text").fill(text)
    page.keyboard.press("Enter")
    page.locator(".talk .text", has_text=text).wait_for()


def test_a_circle_is_founded_joined_and_played_in(visit: Any, server: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK)
    verified(mina, server, "Mina")
    verified(ken, server, "Ken")
    address = found_circle(mina, "Monday club")
    assert violations(mina) == []
    joining = ken.open(address.removeprefix(ken.url))
    joining.locator("main", has_text="Mina invites you to this circle").wait_for()
    joining.locator("#join").click()
    joining.locator(".item-list li", has_text="Ken").wait_for()
    say(joining, "Who plays <b>tonight</b>?")
    page = mina.page
    page.locator(".talk .text", has_text="Who plays <b>tonight</b>?").wait_for()
    page.locator("details[data-key=new] summary").click()
    page.locator("a[href^='/new/caravan?circle=']").click()
    page.locator("form.sheet button.main").click()
    page.wait_for_url("**/games/*")
    ken.go(f"/circles/{address.partition('/circles/')[2].partition('#')[0]}")
    joining.locator(".tables a", has_text="Caravan").wait_for()
    assert violations(mina) == []
    mina.page.go_back()
    mina.page.go_back()
    page.locator("main h1", has_text="Monday club").wait_for()
    assert mina.wider_than_screen() == 0
    assert violations(mina) == []
    picture(mina, "circle")


def test_a_table_opens_each_week(visit: Any, server: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    verified(mina, server, "Mina")
    found_circle(mina, "Weekly club")
    page = mina.page
    page.locator("details[data-key=new] summary").click()
    page.locator("a[href^='/new/caravan?circle=']").click()
    page.locator("details[data-key=weekly] summary").click()
    page.locator("#weekday").select_option("1")
    page.locator("form.sheet button.main").click()
    page.locator("section[data-key=weeklies] li", has_text="Caravan: opens next on").wait_for()
    assert violations(mina) == []
    page.locator("section[data-key=weeklies] li button").click()
    page.locator("section[data-key=weeklies]").wait_for(state="detached")
    assert mina.wider_than_screen() == 0


def test_the_host_removes_somebody_who_then_sees_nothing(visit: Any, server: Any) -> None:
    mina, ken = visit(DESK), visit(PHONE)
    verified(mina, server, "Mina")
    verified(ken, server, "Ken")
    address = found_circle(mina, "Tuesday club")
    theirs = ken.open(address.removeprefix(ken.url))
    theirs.locator("#join").click()
    theirs.locator(".item-list li", has_text="Ken").wait_for()
    assert theirs.locator("[data-way=remove]").count() == 0
    page = mina.page
    page.reload()
    page.locator("[data-way=remove]").click()
    page.locator(".confirm-dialog .main").click()
    page.locator("details[data-key=removed]").wait_for()
    ken.refusals.clear()
    theirs.reload()
    theirs.locator("main h1", has_text="Nothing here").wait_for()
    ken.refusals.clear()
    page.locator("#end-circle").click()
    page.locator(".confirm-dialog .main").click()
    page.locator("main h1", has_text="My people").wait_for()
    assert page.locator("a", has_text="Tuesday club").count() == 0


def test_somebody_is_followed_at_a_table_and_invited_to_the_next(visit: Any, server: Any) -> None:
    mina, ken = visit(DESK, bypass_csp=True), visit(DESK)
    verified(mina, server, "Mina")
    handle = verified(ken, server, "Ken")
    first = mina.post("/games", ruleset="caravan", start="full", nonce=None)["id"]
    ken.post(f"/games/{first}/seats")
    page = mina.open(f"/games/{first}")
    page.locator("button.name", has_text="Ken").first.click()
    page.locator("[data-way=follow]").click()
    page.locator(".toasts", has_text="You follow Ken.").wait_for()
    second = mina.post("/games", ruleset="caravan", nonce=None)["id"]
    page = mina.open(f"/games/{second}")
    page.locator("button", has_text="Ken").click()
    page.locator(".invite .item-list li", has_text="Ken").wait_for()
    assert violations(mina) == []
    third = mina.post("/games", ruleset="caravan", nonce=None)["id"]
    page = mina.open(f"/games/{third}")
    page.locator("#invite-by-name-handle").fill(handle)
    page.keyboard.press("Enter")
    page.locator(".invite .item-list li", has_text="Ken").wait_for()
    theirs = ken.open("/")
    theirs.wait_for_function("document.querySelectorAll('[data-key=invitations] li').length === 2")
    theirs = ken.open("/people")
    theirs.locator("section[data-key=followers] li button").click()
    theirs.locator("section[data-key=followers] li").wait_for(state="detached")
    page = mina.open("/people")
    page.locator("section[data-key=follows]").wait_for()
    assert page.locator("section[data-key=follows] li").count() == 0


def test_guests_are_told_what_is_needed(visit: Any) -> None:
    visitor = visit(PHONE, "ja-JP", bypass_csp=True)
    visitor.sign_up()
    page = visitor.open("/people")
    page.locator("main h1", has_text="仲間").wait_for()
    page.locator("main a[href='/me']").wait_for()
    assert violations(visitor) == []
    visitor.go("/circles/c_0123456789abcdef0123")
    page.locator("main h1", has_text="ここには何もありません").wait_for()
    visitor.refusals.clear()
