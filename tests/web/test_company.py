"""Company at the page: finding tables, inviting, asking somebody to play, playing again, looking back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.service.server import Server, wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.test_account import link, register, use
from tests.web.test_axe import violations
from tests.web.test_page import table_for_two_people
from tests.web.test_talk import two_people
from tests.web.test_time import SLUG, show

pytestmark = pytest.mark.browser


def test_strangers_tables_are_found_by_game_pace_and_free_seats(visit: Any, picture: Any) -> None:
    host, guest = visit(DESK), visit(PHONE, bypass_csp=True)
    page = host.open(f"/#/new/{SLUG}")
    page.locator("[name=pace]").nth(5).check()
    page.locator("[name=start]").nth(1).check()
    page.locator("form button.main").click()
    host.give_name("Wanda")
    page.locator(".room").wait_for()
    mine = guest.open().locator(".tables li", has_text="Wanda")
    mine.wait_for()
    assert "A move a week" in mine.inner_text()
    picture(guest, "lobby")
    guest.page.set_viewport_size(PHONE)
    assert violations(guest) == []
    guest.page.locator("#filter-pace").select_option("reserve")
    mine.wait_for(state="detached")
    guest.page.locator("#filter-pace").select_option("decision")
    mine.wait_for()
    guest.page.locator("#filter-ruleset").select_option("joretsu")
    mine.wait_for(state="detached")
    guest.page.locator("#filter-ruleset").select_option(SLUG)
    guest.page.locator("#filter-free").select_option("2")
    mine.wait_for()
    for name in ("ruleset", "pace", "free"):
        guest.page.locator(f"#filter-{name}").select_option("")
    page.locator("#fill").click()
    page.wait_for_selector(".play")


AT_ONCE = """
    for (const [name, value] of [["ruleset", "joretsu"], ["free", "2"]]) {
        const select = document.querySelector(`#filter-${name}`);
        select.value = value;
        select.dispatchEvent(new Event("change"));
    }
"""


def test_two_filters_that_are_chosen_at_once_both_hold(visit: Any) -> None:
    page = visit(PHONE).open()
    page.locator("#filter-free").wait_for()
    both = re.compile(r"status=open.*ruleset=joretsu.*free=2")
    with page.expect_request(both):
        page.evaluate(AT_ONCE)


def test_an_invitation_by_mail_is_declined(visit: Any, server: Server, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    for visitor in (mina, ken):
        address = f"{register(visitor)}@example.org"
        use(visitor, link(server, address, "verify"))
        visitor.page.locator(".pairs dd", has_text=address).wait_for()
    page = mina.open(f"/#/new/{SLUG}")
    page.locator("form button.main").click()
    page.locator("#invite-address").fill(address)
    page.keyboard.press("Enter")
    page.locator(".invite li", has_text=address).wait_for()
    assert violations(mina) == []
    picture(mina, "room")
    there = ken.open("/").locator("section", has_text="You are invited").locator("li").last
    there.wait_for()
    assert violations(ken) == []
    there.locator("button").click()
    there.wait_for(state="detached")
    page.reload()
    page.locator(".invite .tag", has_text="declined").wait_for()


def test_who_keeps_everybody_waiting_is_asked_to_play(visit: Any) -> None:
    mina, ken = two_people(visit)
    people = (mina, ken)

    def waiting_for_one() -> Any:
        games = [visitor.game() for visitor in people]
        waiting = {each["seat"] for each in games[0]["waiting"]}
        asked = [n for n, game in enumerate(games) if game["seat"] in waiting]
        return people[1 - asked[0]] if len(asked) == 1 else None

    other = wait_until(waiting_for_one, "one of two people who is waited for")
    other.page.locator("#nudge").click()
    other.page.locator(".notice", has_text="gets a mail").wait_for()


def test_again_with_the_same_people_and_looking_back(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    old = mina.game_id
    show(mina, "time")
    mina.page.locator("button", has_text="Offer a draw").click()
    ken.page.locator(".asks .main").click()
    ken.page.locator("#rematch").wait_for()
    assert violations(ken) == []
    ken.page.locator("#rematch").click()
    ken.page.locator(".room").wait_for()
    assert ken.game_id != old
    mina.open("/").locator("li", has_text="Ken invites you").locator("a").click()
    mina.page.locator(".room button.main").click()
    for visitor in (mina, ken):
        visitor.page.wait_for_selector(".play")
    assert visitor.game_id == ken.game_id != old
    mina.open(f"/#/games/{old}").locator("a", has_text="your games together").first.click()
    mina.page.locator("h1", has_text="My finished games").wait_for()
    mina.page.locator(f".tables a[href='#/games/{old}']").wait_for()
    assert violations(mina) == []
    picture(mina, "finished")
    mina.page.locator("#of").select_option("joretsu")
    mina.page.locator("main p", has_text="None yet").wait_for()


def test_a_friend_may_be_invited_before_the_address_is_verified_by_link_only(visit: Any) -> None:
    mina = visit()
    table_for_two_people(mina, SLUG)
    mina.page.locator(".invite", has_text="Once your mail address is verified").wait_for()
    assert mina.page.locator("#invite-address").count() == 0
