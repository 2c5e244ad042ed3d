"""Talk at a table: channels, unread messages, muting, reporting, blocking, notes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.tables import SLUG, show, two_people

pytestmark = pytest.mark.browser

UNREAD = "[data-drawer=talk] .badge"
"""The number of unread messages; the house player at the table may have moved, which another badge counts."""


def say(visitor: Any, text: str) -> None:
    """Write a message and send it with the keyboard."""
    visitor.page.locator("#say").fill(text)
    visitor.page.keyboard.press("Control+Enter")
    visitor.page.locator(".talk .text", has_text=text).wait_for()


@pytest.mark.daily
def test_unread_messages_are_counted_until_read(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    show(ken, "talk")
    say(ken, "Good evening <b>Mina</b>")
    mina.page.locator(UNREAD, has_text="1").wait_for()
    assert mina.page.locator("[data-drawer=talk]").get_attribute("aria-label") == "Talk, 1 new"
    mina.open("/").locator(".tables .badge").wait_for()
    mina.page.locator(".tables a").first.click()
    mina.page.wait_for_selector(".play")
    show(mina, "talk")
    mina.page.locator(".talk .text", has_text="Good evening <b>Mina</b>").wait_for()
    mina.page.locator(UNREAD).wait_for(state="detached")
    assert violations(mina) == []
    say(mina, "こんばんは")
    ken.page.locator(".talk .text", has_text="こんばんは").wait_for()
    ken.page.locator(UNREAD).wait_for(state="detached")
    picture(mina, "talk")
    mina.page.set_viewport_size(PHONE)
    assert mina.wider_than_screen() == 0


def test_spectators_have_a_channel_of_their_own(visit: Any) -> None:
    player, onlooker = visit(DESK), visit(DESK)
    player.sit_down(SLUG)
    onlooker.sit_down(SLUG, "Zoe")
    onlooker.open(f"/games/{player.game_id}").wait_for_selector(".play")
    show(onlooker, "talk")
    onlooker.page.locator(".talk h2", has_text="Spectators").wait_for()
    say(onlooker, "What a hand")
    show(player, "talk")
    player.page.locator(".talk h2", has_text="Players").wait_for()
    assert player.page.locator(".talk .text").count() == 0


def test_a_rule_about_talk_is_shown(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.sit_down("blame-the-magic")
    show(visitor, "talk")
    visitor.page.locator(".side-panel .rule").wait_for()


def test_hide_mute_report_and_block(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    show(ken, "talk")
    say(ken, "Something rude")
    show(mina, "talk")
    page = mina.page
    page.locator(".message-menu summary").click()
    picture(mina, "ways")
    page.set_viewport_size(PHONE)
    assert violations(mina) == []
    page.locator("[data-way=report]").click()
    page.locator("#why").fill("rude")
    page.locator("dialog button.main").click()
    page.locator(".toast", has_text="operator").wait_for()
    for way in ("mute", "block", "hide"):
        page.locator(f"[data-way={way}]").click()
        with page.expect_response(lambda answer: answer.request.method in {"POST", "DELETE"}):
            page.locator("dialog button.main").click()
    for visitor in (mina, ken):
        visitor.page.locator(".talk li", has_text="Hidden by the host").wait_for()
    ken.page.locator(".side-panel", has_text="not write").wait_for()
    page.locator(".side-panel summary", has_text="Muted people").click()
    page.locator(".side-panel .item-list li button").click()
    page.locator(".side-panel", has_text="Nobody is muted").wait_for()
    mina.open("/me").locator("#blocks li button").click()
    page.locator("#blocks").wait_for(state="detached")
    ken.page.locator("#say").wait_for()


def name_of_ken(visitor: Any) -> Any:
    """His name at his seat; a house player's may begin with it."""
    return visitor.page.locator(".others").get_by_role("button", name="Ken", exact=True)


def meet(visitor: Any, way: str) -> None:
    """Open Ken's menu at his seat, and choose from it."""
    name_of_ken(visitor).click()
    visitor.page.locator(f"dialog [data-way={way}]").click()


def test_the_menu_of_a_person(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    page = mina.page
    name_of_ken(mina).focus()
    page.keyboard.press("Enter")
    page.locator("dialog.person", has_text="Ken").wait_for()
    assert violations(mina) == []
    picture(mina, "person")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    meet(mina, "report")
    page.locator("dialog", has_text="Ken has said nothing here").wait_for()
    page.keyboard.press("Escape")
    show(ken, "talk")
    for text in ("Something rude", "And again"):
        say(ken, text)
    meet(mina, "report")
    page.locator("#which").select_option(label="Something rude")
    assert violations(mina) == []
    with page.expect_request("**/reports") as reported:
        page.locator("dialog button.main").click()
    assert reported.value.post_data_json == {}
    for way in ("mute", "block"):
        meet(mina, way)
        page.locator("dialog.confirm-dialog button.main").click()
        page.locator(".toast", has_text="Ken").wait_for()
    ken.page.locator(".side-panel", has_text="not write").wait_for()


def test_notes_are_saved(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    visitor.sit_down(SLUG)
    show(visitor, "talk")
    visitor.page.locator(".side-panel summary", has_text="My notes").click()
    visitor.page.locator("#notes:enabled").fill("he never bids hearts")
    assert violations(visitor) == []
    with visitor.page.expect_response(lambda answer: answer.url.endswith("/notes")):
        visitor.page.keyboard.press("Tab")
    visitor.page.reload()
    visitor.page.wait_for_selector(".play")
    show(visitor, "talk")
    visitor.page.locator(".side-panel summary", has_text="My notes").click()
    visitor.page.wait_for_function(
        "document.querySelector('#notes')?.value === 'he never bids hearts'"
    )
