"""A table before the start: inviting, joining, filling the seats, starting."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.servers.server import Server
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import handles, link, register, use
from tests.web.support.staged import PLAYED, Stage
from tests.web.support.tables import SLUG, table_for_two_people, unfold

pytestmark = pytest.mark.browser


def test_guests_get_the_address_hint_once(visit: Any) -> None:
    mina = visit(DESK, bypass_csp=True)
    mina.play_now("boomerang-auction")
    hint = mina.page.locator(".hint")
    mina.my_turn()
    assert hint.count() == 0, "first a move"
    before = top_of_the_tab(mina)
    mina.choose(random.Random(0))
    assert mina.confirm()
    hint.wait_for()
    assert mina.page.locator(".side-panel > .hint").count() == 1, "beside the table"
    assert top_of_the_tab(mina) == before, "nothing shifts under the pointer"
    assert violations(mina) == []
    mina.page.reload()
    hint.wait_for()
    hint.locator("button").click()
    hint.wait_for(state="detached")
    mina.open().locator("[data-play=joretsu]").click()
    mina.page.wait_for_selector(".play")
    assert hint.count() == 0


def top_of_the_tab(mina: Any) -> float:
    """Where the content of the side panel begins, in CSS pixels."""
    return float(mina.page.locator(".side-panel-body").bounding_box()["y"])


def test_on_a_phone_the_hint_stands_where_it_is_said_that_others_are_to_act(visit: Any) -> None:
    stage = Stage(visit({"width": 360, "height": 640}, bypass_csp=True), waiting=[])
    stage.visitor.sign_up()
    page = stage.open()
    hint = page.locator(".hint:visible")
    page.locator("#confirm").wait_for()
    page.locator(".hand-card[data-card='As']").click()
    page.locator("#confirm").click()
    page.locator(".confirm-bar.idle .hint").wait_for()
    assert hint.count() == 1
    assert stage.visitor.wider_than_screen() == 0
    assert violations(stage.visitor) == []
    hint.get_by_role("button", name="Not now").click()
    page.locator(PLAYED).wait_for()
    assert page.locator(".hint").count() == 0


def test_an_invitation_by_mail_is_declined(visit: Any, server: Server, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    for visitor in (mina, ken):
        address = f"{register(visitor)}@example.org"
        use(visitor, link(server, address, "verify"))
        visitor.page.locator(".pairs dd", has_text=address).wait_for()
    page = mina.open(f"/new/{SLUG}")
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


def test_whoever_comes_by_a_mailed_invitation_gets_mails_there_at_one_touch(
    visit: Any, server: Server
) -> None:
    mina, zoe = visit(PHONE), visit(PHONE, bypass_csp=True)
    host, guest = (f"{name}@example.org" for name in (register(mina), next(handles)))
    use(mina, link(server, host, "verify"))
    mina.page.locator(".pairs dd", has_text=host).wait_for()
    page = mina.open(f"/new/{SLUG}")
    page.locator("form button.main").click()
    page.locator("#invite-address").fill(guest)
    page.keyboard.press("Enter")
    page.locator(".invite li", has_text=guest).wait_for()

    there = zoe.open(link(server, guest, "invitation"))
    there.locator(".invited button").click()
    zoe.give_name("Zoe")
    hint = there.locator(".hint", has_text=f"{guest[0]}…@example.org")
    hint.wait_for()
    assert violations(zoe) == []
    assert zoe.wider_than_screen() == 0
    hint.locator("#take-address").click()
    there.locator(".hint").wait_for(state="detached")
    there.goto(server.url + "/me")
    there.locator(".pairs dd", has_text=guest).wait_for()


def test_whoever_is_invited_sees_by_whom_to_what_and_one_button(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE), visit(PHONE, bypass_csp=True)
    table_for_two_people(mina, "caravan")
    page = ken.open(mina.page.locator("#invitation").input_value())
    shown = page.locator(".invited")
    shown.locator(".facts", has_text="about 50 decisions").wait_for()
    assert "Mina invites you to Caravan" in shown.locator("h2").inner_text()
    assert "sell rows of 21 to 26 points" in shown.inner_text()
    assert shown.locator(".stamp use").get_attribute("href").endswith("#caravan")
    assert page.locator(".waiting-room button.main").count() == 1
    button = shown.locator("button").bounding_box()
    assert button["y"] + button["height"] <= PHONE["height"]
    assert violations(ken) == []
    picture(ken, "invited")
    page.set_viewport_size(PHONE)
    shown.locator("button").click()
    ken.give_name("Ken")
    page.wait_for_selector(".play")


def test_without_a_verified_address_friends_are_invited_by_link_only(visit: Any) -> None:
    mina = visit()
    table_for_two_people(mina, SLUG)
    mina.page.locator(".invite", has_text="Once your email address is confirmed").wait_for()
    assert mina.page.locator("#invite-address").count() == 0


@pytest.mark.daily
def test_a_friend_joins_by_the_invitation_link(visit: Any) -> None:
    host, friend = visit(), visit(DESK)
    table_for_two_people(host, SLUG)
    link = host.page.locator("#invitation").input_value()
    assert "invitation=" in link

    friend.open(link)
    friend.page.locator(".waiting-room button.main").click()
    friend.give_name("Ken")
    friend.page.wait_for_selector(".play")
    host.page.wait_for_selector(".play")
    assert host.page.get_by_role("region", name="Ken", exact=True).is_visible()
    assert friend.page.get_by_role("region", name="Mina", exact=True).is_visible()


def test_the_host_changes_the_link(visit: Any) -> None:
    host, friend = visit(), visit(DESK)
    table_for_two_people(host, SLUG)
    field = host.page.locator("#invitation")
    old = field.input_value()
    host.page.locator("#new-link").click()
    host.page.wait_for_function(
        "old => document.querySelector('#invitation').value !== old", arg=old
    )
    friend.open(old)
    friend.page.locator("h1", has_text="Table not found").wait_for()
    friend.open(field.input_value())
    friend.page.locator(".waiting-room button.main").wait_for()


def test_a_private_table_is_hidden_without_its_invitation(visit: Any) -> None:
    host, stranger = visit(), visit()
    table_for_two_people(host, SLUG)
    page = stranger.open(f"/games/{host.game_id}")
    page.locator("h1", has_text="Table not found").wait_for()
    assert page.locator("main a[href='/']").is_visible()
    assert set(stranger.refusals) == {404}


def test_the_host_fills_the_table_and_starts(visit: Any) -> None:
    host = visit()
    page = host.open(f"/new/{SLUG}")
    unfold(page)
    page.locator("input[name=start]").nth(1).check()
    page.locator("form button.main").click()
    host.give_name()
    free = page.locator(".seat-list .free button")
    page.locator(".waiting-room").wait_for()
    for left in range(free.count() - 1, -1, -1):
        free.first.click()
        page.wait_for_function(
            "left => document.querySelectorAll('.seat-list .free').length === left", arg=left
        )
    page.locator(".waiting-room button.main").click()
    page.wait_for_selector(".play")


def test_the_host_chooses_how_well_house_players_play(visit: Any) -> None:
    """Each is marked as a program, with its version."""
    mina = visit(PHONE, bypass_csp=True)
    page = mina.open("/new/joretsu")
    page.locator("form button.main").click()
    mina.give_name()
    page.locator(".seat-list .free button").first.wait_for()
    page.locator("input[name=level]").nth(2).check()
    page.locator(".seat-list .free button").first.click()
    page.locator(".seat-list .tag", has_text="house player, strong").wait_for()
    page.locator("input[name=level]").nth(0).check()
    page.locator("#fill").click()
    page.locator(".others .program", has_text="house player, easy").wait_for(state="attached")
    assert page.locator(".others .program", has_text="house player, strong").count() == 1
    page.locator(".others button.name").first.click()
    page.locator("dialog", has_text="Version: ").wait_for()
    assert violations(mina) == []


SHARING = "navigator.share = async told => { window.shared = told; }"


def test_whoever_opens_a_table_alone_is_asked_for_house_players(visit: Any) -> None:
    """A host is not left at an empty table; one who waits for people first gets the link, to share and to read."""
    mina = visit(PHONE, own=True, bypass_csp=True)
    mina.context.add_init_script(SHARING)
    page = mina.open("/new/joretsu")
    page.locator("form button.main").click()
    mina.give_name()
    asked = page.locator(".question", has_text="Shall house players take the free seats?")
    asked.wait_for()
    code = page.locator(".code img")
    code.wait_for()
    assert code.evaluate("each => each.decode().then(() => each.naturalWidth)") > 0
    assert violations(mina) == []
    asked.locator("#wait").click()
    asked.wait_for(state="detached")
    link, first = (
        page.locator("#invitation").bounding_box(),
        page.locator(".seat-list").bounding_box(),
    )
    assert link["y"] < first["y"] and link["y"] + link["height"] <= PHONE["height"]
    page.locator("#share").click()
    shared = page.wait_for_function("window.shared").json_value()
    assert shared["url"] == page.locator("#invitation").input_value()
    assert "Joretsu" in shared["title"]
    page.reload()
    page.locator("#fill").wait_for()
    assert asked.count() == 0, "once"
    assert mina.wider_than_screen() == 0

    page = mina.open("/new/joretsu")
    page.locator("form button.main").click()
    page.locator(".question #fill").click()
    page.wait_for_selector(".play")


def test_where_nothing_can_be_shared_there_is_no_button_for_it(visit: Any) -> None:
    mina = visit(PHONE, own=True)
    mina.context.add_init_script("delete Navigator.prototype.share")
    table_for_two_people(mina, SLUG)
    mina.page.locator("#invitation").wait_for()
    assert mina.page.locator("#share").count() == 0
    assert mina.page.locator(".question").count() == 0, "a house player sits there"
