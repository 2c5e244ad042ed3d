"""Time at the page: the pace of a table, due times, resigning and coming back, what the table agrees on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.conftest import DESK, PHONE
from tests.web.test_axe import violations

pytestmark = pytest.mark.browser

SLUG = "boomerang-auction"


def table_of(host: Any, guests: list[Any], pace: str, slug: str = SLUG) -> None:
    """People at a table of this pace, and a house player if three sit there; everybody looks at it."""
    page = host.open(f"/#/new/{slug}")
    page.locator("[name=pace]").nth(PACES.index(pace)).check()
    page.locator("[name=takeover]").first.wait_for(state="attached")
    players = page.locator("[name=house]").count()
    page.locator("[name=house]").nth(players - 1 - len(guests)).check()
    assert violations(host) == []
    page.locator("form button.main").click()
    host.give_name("Mina")
    page.locator(".room", has_text="decision").wait_for()
    for n, guest in enumerate(guests):
        guest.open(f"/#/games/{host.game_id}").locator(".room button.main").click()
        guest.give_name(f"Ken{n}")
    for visitor in (host, *guests):
        visitor.page.wait_for_selector(".play")


PACES = ["none", "quick", "daily", "steady", "relaxed", "weekly"]


def show(visitor: Any, tab: str) -> None:
    """Open a drawer, or its tab beside a wide table."""
    visitor.page.locator(f"[data-drawer={tab}]:visible, .tab:visible").first.wait_for()
    drawer = visitor.page.locator(f"[data-drawer={tab}]:visible")
    if drawer.count():
        drawer.click()
    else:
        visitor.page.locator(".side-head .tab", has_text=tab.capitalize()).click()


def test_due_times_and_why(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    table_of(mina, [ken], "steady")
    for visitor in (mina, ken):
        visitor.page.locator(".ask .due time[datetime]").wait_for()
        visitor.page.locator(".ask .due", has_text="in 3 days").or_(
            visitor.page.locator(".ask .due", has_text="in 2 days")
        ).wait_for()
    assert mina.page.locator(".ask .due.near").count() == 0
    mina.page.locator(".seat.waiting .due").first.wait_for()
    show(mina, "time")
    mina.page.locator(".side .history li", has_text="was asked, with").first.wait_for()
    mina.page.locator(".side .times li", has_text="in store").first.wait_for()
    assert violations(mina) == []
    picture(mina, "time")
    mina.page.set_viewport_size(PHONE)
    assert mina.wider_than_screen() == 0
    mina.page.locator(".side .close").click()
    picture(mina, "due")
    show(ken, "time")
    assert violations(ken) == []


def test_a_pace_in_seconds_as_programs_open_it_can_be_read(visit: Any) -> None:
    mina = visit(PHONE)
    mina.play_now(SLUG)
    pace = {"kind": "decision", "seconds": 50}
    wish = {"ruleset": SLUG, "players": 3, "house": 2, "start": "full", "pace": pace}
    game = mina.context.request.post(f"{mina.url}/api/games", data=wish).json()
    mina.open(f"/#/games/{game['id']}").wait_for_selector("#confirm")
    due = mina.page.locator(".ask .due")
    first = due.inner_text()
    assert re.fullmatch(r"until \d\d:\d\d:\d\d \(in \d+ seconds\)", first)
    mina.page.wait_for_function(
        "was => document.querySelector('.ask .due').innerText !== was", arg=first
    )
    show(mina, "time")
    mina.page.locator(".side h2", has_text="50 seconds for each decision").wait_for()
    assert mina.wider_than_screen() == 0


def test_the_table_agrees_on_a_pause_and_to_go_on(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    table_of(mina, [ken], "daily")
    show(mina, "time")
    mina.page.locator(".propose", has=mina.page.locator("#pause")).locator("button").click()
    mina.page.locator(".side li", has_text="Yet to answer: Ken0").wait_for()
    ken.page.locator(".asks", has_text="would like to pause").wait_for()
    picture(ken, "asked-to-agree")
    assert violations(ken) == []
    ken.page.locator(".asks .main").focus()
    ken.page.keyboard.press("Enter")
    for visitor in (mina, ken):
        visitor.page.locator(".ask", has_text="The table pauses until").wait_for()
    mina.page.locator("button", has_text="Propose to go on").click()
    ken.page.locator(".asks .buttons button", has_text="Refuse").click()
    mina.page.locator(".side button", has_text="Propose to go on").wait_for()


def test_a_proposal_is_taken_back_and_more_time_is_given(visit: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK)
    table_of(mina, [ken], "daily")
    show(mina, "time")
    mina.page.locator("button", has_text="Offer a draw").click()
    ken.page.locator(".asks", has_text="draw").wait_for()
    mina.page.locator("button", has_text="Take it back").click()
    ken.page.locator(".asks").wait_for(state="detached")
    mina.page.locator("#extend-seat").select_option(label="Ken0")
    mina.page.locator("button", has_text="Ask for more time").click()
    ken.page.locator(".asks .main").click()
    mina.page.locator(".side li", has_text="The table agreed: Ken0 gets").or_(
        mina.page.locator(".side li", has_text="agreed on and not used yet")
    ).first.wait_for()


def test_resigning_and_taking_the_seat_back(visit: Any, picture: Any) -> None:
    mina, ken, zoe = visit(PHONE, bypass_csp=True), visit(DESK), visit(DESK)
    table_of(mina, [ken], "daily", "joretsu")
    show(mina, "time")
    mina.page.locator("#resign").click()
    mina.page.locator("dialog button.main").click()
    mina.page.locator("#take-back").wait_for()
    picture(mina, "gave-up")
    assert violations(mina) == []
    zoe.play_now(SLUG, "Zoe")
    zoe.open(f"/#/games/{mina.game_id}").wait_for_selector(".play")
    show(zoe, "time")
    zoe.page.locator("button", has_text="Offer to play on for").first.wait_for()
    mina.page.locator("#take-back").click()
    mina.page.locator(".seat.mine").wait_for()


def test_time_and_talk_in_japanese(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True, locale="ja-JP")
    table_of(mina, [ken], "quick")
    page = ken.page
    page.locator(".ask .due", has_text="まで（").wait_for()
    for tab in ("時間", "会話"):
        page.locator(".side-head .tab", has_text=tab).click()
        page.locator(".side-body section").first.wait_for()
        shown = page.locator("main").inner_text().replace("Mina", "").replace("Ken0", "")
        assert not re.findall(r"[A-Za-z]{3,}", shown), tab
        picture(ken, f"ja-{tab}")
        page.set_viewport_size(DESK)
        assert violations(ken) == []
    page.set_viewport_size(PHONE)
    assert ken.wider_than_screen() == 0
