"""Talk at the page: channels, marks of what is new, manners, notes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import DESK, PHONE
from tests.web.test_axe import violations
from tests.web.test_page import table_for_two_people
from tests.web.test_time import SLUG, show

pytestmark = pytest.mark.browser


def two_people(visit: Any, slug: str = SLUG) -> tuple[Any, Any]:
    """Mina at a phone, the host, and Ken at a desk, at a private table that has begun."""
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    table_for_two_people(mina, slug)
    ken.open(mina.page.locator("#invitation").input_value())
    ken.page.locator(".room button.main").click()
    ken.give_name("Ken")
    for visitor in (mina, ken):
        visitor.page.wait_for_selector(".play")
    return mina, ken


def say(visitor: Any, text: str) -> None:
    """Write something and send it by keys."""
    visitor.page.locator("#say").fill(text)
    visitor.page.keyboard.press("Control+Enter")
    visitor.page.locator(".talk .text", has_text=text).wait_for()


def test_what_is_new_is_marked_until_it_is_seen(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    show(ken, "talk")
    say(ken, "Good evening <b>Mina</b>")
    mina.page.locator(".tools .badge", has_text="1").wait_for()
    assert mina.page.locator("[data-drawer=talk]").get_attribute("aria-label") == "Talk, 1 new"
    mina.open("/").locator(".tables .badge").wait_for()
    mina.page.locator(".tables a").first.click()
    mina.page.wait_for_selector(".play")
    show(mina, "talk")
    mina.page.locator(".talk .text", has_text="Good evening <b>Mina</b>").wait_for()
    mina.page.locator(".badge").first.wait_for(state="detached")
    assert violations(mina) == []
    say(mina, "こんばんは")
    ken.page.locator(".talk .text", has_text="こんばんは").wait_for()
    assert ken.page.locator(".badge").count() == 0
    picture(mina, "talk")
    mina.page.set_viewport_size(PHONE)
    assert mina.wider_than_screen() == 0


def test_who_looks_on_talks_apart(visit: Any) -> None:
    player, onlooker = visit(DESK), visit(DESK)
    player.play_now(SLUG)
    onlooker.play_now(SLUG, "Zoe")
    onlooker.open(f"/#/games/{player.game_id}").wait_for_selector(".play")
    show(onlooker, "talk")
    onlooker.page.locator(".talk h2", has_text="Onlookers").wait_for()
    say(onlooker, "What a hand")
    show(player, "talk")
    player.page.locator(".talk h2", has_text="Players").wait_for()
    assert player.page.locator(".talk .text").count() == 0


def test_what_the_rules_ask_of_talk_stands_beside_it(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.play_now("blame-the-magic")
    show(visitor, "talk")
    visitor.page.locator(".side .rule").wait_for()


def test_hide_mute_report_and_block(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    show(ken, "talk")
    say(ken, "Something rude")
    show(mina, "talk")
    page = mina.page
    page.locator(".ways summary").click()
    picture(mina, "ways")
    page.set_viewport_size(PHONE)
    assert violations(mina) == []
    page.locator("[data-way=report]").click()
    page.locator("#why").fill("rude")
    page.locator("dialog button.main").click()
    page.locator(".notice", has_text="operator").wait_for()
    for way in ("mute", "block", "hide"):
        page.locator(f"[data-way={way}]").click()
        with page.expect_response(lambda answer: answer.request.method in {"POST", "DELETE"}):
            page.locator("dialog button.main").click()
    for visitor in (mina, ken):
        visitor.page.locator(".talk li", has_text="Hidden by the host").wait_for()
    ken.page.locator(".side", has_text="not write").wait_for()
    page.locator(".side summary", has_text="Who may not write").click()
    page.locator(".side .tokens li button").click()
    page.locator(".side", has_text="Everybody may write").wait_for()
    mina.open("/#/me").locator("#blocks li button").click()
    page.locator("#blocks").wait_for(state="detached")
    ken.page.locator("#say").wait_for()


def meet(visitor: Any, way: str) -> None:
    """Open what can be done about Ken, at his seat, and choose one of it."""
    visitor.page.locator(".others button.name", has_text="Ken").click()
    visitor.page.locator(f"dialog [data-way={way}]").click()


def test_a_person_is_met_at_the_seat(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    page = mina.page
    page.locator(".others button.name").focus()
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
        page.locator("dialog.sure button.main").click()
        page.locator(".notice", has_text="Ken").wait_for()
    ken.page.locator(".side", has_text="not write").wait_for()


def test_notes_are_kept_for_me_alone(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    visitor.play_now(SLUG)
    show(visitor, "talk")
    visitor.page.locator(".side summary", has_text="My notes").click()
    visitor.page.locator("#notes:enabled").fill("he never bids hearts")
    assert violations(visitor) == []
    with visitor.page.expect_response(lambda answer: answer.url.endswith("/notes")):
        visitor.page.keyboard.press("Tab")
    visitor.page.reload()
    visitor.page.wait_for_selector(".play")
    show(visitor, "talk")
    visitor.page.locator(".side summary", has_text="My notes").click()
    visitor.page.wait_for_function(
        "document.querySelector('#notes')?.value === 'he never bids hearts'"
    )
