"""Time at a table: paces, due times, proposals, resigning and taking the seat back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.tables import show, table_of

pytestmark = pytest.mark.browser

SLUG = "boomerang-auction"


def test_due_times_and_their_history(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    table_of(mina, [ken], "steady")
    for visitor in (mina, ken):
        visitor.page.locator(".status-line .due time[datetime]").wait_for()
        visitor.page.locator(".status-line .due", has_text="in 3 days").or_(
            visitor.page.locator(".status-line .due", has_text="in 2 days")
        ).wait_for()
    assert mina.page.locator(".status-line .due.near").count() == 0
    show(mina, "time")
    mina.page.locator(".side-panel .history li", has_text="asked, with").first.wait_for()
    mina.page.locator(".side-panel .times li", has_text="time bank").first.wait_for()
    assert violations(mina) == []
    picture(mina, "time")
    mina.page.set_viewport_size(PHONE)
    assert mina.wider_than_screen() == 0
    mina.page.locator(".side-panel .close").click()
    picture(mina, "due")
    show(ken, "time")
    assert violations(ken) == []


def test_a_pace_in_seconds_is_readable(visit: Any) -> None:
    mina = visit(PHONE)
    mina.sign_up()
    pace = {"kind": "decision", "seconds": 50}
    wish = {"ruleset": SLUG, "players": 3, "house": 2, "start": "full", "pace": pace, "nonce": None}
    game = mina.context.request.post(f"{mina.url}/api/games", data=wish).json()
    mina.open(f"/games/{game['id']}").wait_for_selector("#confirm")
    due = mina.page.locator(".status-line .due")
    first = due.inner_text()
    assert re.fullmatch(r"until \d\d:\d\d:\d\d \(in \d+ seconds\)", first)
    mina.page.wait_for_function(
        "was => document.querySelector('.status-line .due').innerText !== was", arg=first
    )
    show(mina, "time")
    mina.page.locator(".side-panel h2", has_text="50 seconds for each decision").wait_for()
    assert mina.wider_than_screen() == 0


@pytest.mark.daily
def test_the_table_agrees_to_pause_and_resume(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    table_of(mina, [ken], "daily")
    show(mina, "time")
    mina.page.locator(".propose", has=mina.page.locator("#pause")).locator("button").click()
    mina.page.locator(".side-panel li", has_text="Yet to answer: Ken0").wait_for()
    ken.page.locator(".proposal", has_text="proposes a pause").wait_for()
    picture(ken, "asked-to-agree")
    assert violations(ken) == []
    ken.page.locator(".proposal .main").focus()
    ken.page.keyboard.press("Enter")
    for visitor in (mina, ken):
        visitor.page.locator(".status-line", has_text="The table is paused until").wait_for()
    mina.page.locator("button", has_text="Propose to continue").click()
    ken.page.locator(".proposal .buttons button", has_text="Reject").click()
    mina.page.locator(".side-panel button", has_text="Propose to continue").wait_for()


def test_a_proposal_is_withdrawn_and_time_is_extended(visit: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK)
    table_of(mina, [ken], "daily")
    show(mina, "time")
    mina.page.locator("button", has_text="Offer a draw").click()
    ken.page.locator(".proposal", has_text="draw").wait_for()
    mina.page.locator("button", has_text="Withdraw").click()
    ken.page.locator(".proposal").wait_for(state="detached")
    mina.page.locator("#extend-seat").select_option(label="Ken0")
    mina.page.locator("button", has_text="Ask for more time").click()
    ken.page.locator(".proposal .main").click()
    mina.page.locator(".side-panel li", has_text="The table agreed to give Ken0").or_(
        mina.page.locator(".side-panel li", has_text="agreed on and not used yet")
    ).first.wait_for()


def menu_item(visitor: Any, name: str) -> Any:
    """An item of the menu of the table, which is opened."""
    visitor.page.locator("[popovertarget=table-menu]").click()
    return visitor.page.locator(f"#table-menu [data-menu={name}]")


def test_the_menu_of_a_table(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK)
    table_of(mina, [ken], "daily", "joretsu")
    page, menu = mina.page, mina.page.locator("#table-menu")
    menu_item(mina, "pause").wait_for()
    assert menu.locator("a[href='/me/mails'], a[href='/me/vacation']").count() == 2
    assert violations(mina) == []
    picture(mina, "menu")
    page.set_viewport_size(PHONE)
    assert mina.wider_than_screen() == 0
    page.keyboard.press("Escape")
    menu.wait_for(state="hidden")
    menu_item(mina, "pause").click()
    page.locator(".side-panel.open #pause").wait_for()
    page.keyboard.press("Escape")
    menu_item(mina, "pause").wait_for()
    menu.locator("[lang=ja]").click()
    page.locator("html[lang=ja] .play").wait_for()


def test_resigning_and_taking_the_seat_back(visit: Any, picture: Any) -> None:
    mina, ken, zoe = visit(PHONE, bypass_csp=True), visit(DESK), visit(DESK)
    table_of(mina, [ken], "daily", "joretsu")
    show(mina, "time")
    mina.page.locator("#resign").click()
    mina.page.locator("dialog button[value='']").click()
    mina.page.keyboard.press("Escape")  # closes the drawer
    menu_item(mina, "resign").click()
    mina.page.locator("dialog button.main").click()
    mina.page.locator("#take-back").wait_for()
    picture(mina, "gave-up")
    assert violations(mina) == []
    zoe.sign_up("Zoe")
    zoe.open(f"/games/{mina.game_id}").wait_for_selector(".play")
    show(zoe, "time")
    zoe.page.locator("button", has_text="Offer to take over for").first.wait_for()
    mina.page.locator("#take-back").click()
    mina.page.locator(".seat.mine").wait_for()


def test_time_and_talk_in_japanese(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True, locale="ja-JP")
    table_of(mina, [ken], "quick")
    page = ken.page
    page.locator(".status-line .due", has_text="まで（").wait_for()
    for tab in ("時間", "会話"):
        page.locator(".side-panel-head .tab", has_text=tab).click()
        page.locator(".side-panel-body section").first.wait_for()
        shown = page.locator("main").inner_text().replace("Mina", "").replace("Ken0", "")
        assert not re.findall(r"[A-Za-z]{3,}", shown), tab
        picture(ken, f"ja-{tab}")
        page.set_viewport_size(DESK)
        assert violations(ken) == []
    page.set_viewport_size(PHONE)
    assert ken.wider_than_screen() == 0
