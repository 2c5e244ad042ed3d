"""What people do at the page besides choosing: coming back, inviting, looking up, changing how it looks."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import rules
from tests.web.conftest import DESK, PHONE

pytestmark = pytest.mark.browser

SLUG = "boomerang-auction"
"""A game with a hand from which one chooses."""


def table_for_two_people(visitor: Any, slug: str, name: str = "Mina") -> None:
    """Opens a private table that house players fill but for one place."""
    page = visitor.open(f"/#/new/{slug}")
    page.locator("input[name=private]").nth(1).check()
    house = page.locator("input[name=house]")
    house.nth(house.count() - 2).check()
    page.locator("form button.main").click()
    visitor.give_name(name)
    page.locator(".room").wait_for()


def test_a_secret_link_brings_a_guest_back(visit: Any) -> None:
    mina = visit()
    mina.play_now(SLUG)
    address = mina.page.url
    link = mina.open("/#/me").locator("#my-link").input_value()

    elsewhere = visit()
    page = elsewhere.open(link)
    page.locator(".me-link", has_text="Mina").wait_for()
    assert page.url == elsewhere.url + "/"
    page.locator(".tables a[href^='#/games/']").first.wait_for()
    elsewhere.open(address)
    assert elsewhere.my_turn()


def test_a_secret_link_that_was_renewed_says_so(visit: Any) -> None:
    mina = visit()
    mina.play_now(SLUG)
    page = mina.open("/#/me")
    old = page.locator("#my-link").input_value()
    with page.expect_response(lambda answer: answer.url.endswith("/me/link")):
        page.locator("button", has_text="Make a new secret link").click()
    page.wait_for_function("old => document.querySelector('#my-link').value !== old", arg=old)

    stranger = visit()
    stranger.open(old)
    stranger.page.locator(".notice").wait_for()
    assert stranger.page.locator(".me-link").inner_text() == "Guest"
    assert stranger.refusals == [401]


def test_a_friend_sits_down_by_the_invitation_link(visit: Any) -> None:
    host, friend = visit(), visit(DESK)
    table_for_two_people(host, SLUG)
    link = host.page.locator("#invitation").input_value()
    assert "invitation=" in link

    friend.open(link)
    friend.page.locator(".room button.main").click()
    friend.give_name("Ken")
    friend.page.wait_for_selector(".play")
    host.page.wait_for_selector(".play")
    assert host.page.locator(".seat", has_text="Ken").is_visible()
    assert friend.page.locator(".seat", has_text="Mina").is_visible()


def test_without_its_invitation_a_private_table_is_not_there(visit: Any) -> None:
    host, stranger = visit(), visit()
    table_for_two_people(host, SLUG)
    page = stranger.open(f"/#/games/{host.game_id}")
    page.locator("h1", has_text="There is no such table here").wait_for()
    assert page.locator("main a[href='#/']").is_visible()
    assert set(stranger.refusals) == {404}


def test_the_host_fills_the_table_and_starts_when_asked_to(visit: Any) -> None:
    host = visit()
    page = host.open(f"/#/new/{SLUG}")
    page.locator("input[name=start]").nth(1).check()
    page.locator("form button.main").click()
    host.give_name()
    free = page.locator(".chairs .free button")
    page.locator(".room").wait_for()
    for left in range(free.count() - 1, -1, -1):
        free.first.click()
        page.wait_for_function(
            "left => document.querySelectorAll('.chairs .free').length === left", arg=left
        )
    page.locator(".room button.main").click()
    page.wait_for_selector(".play")


def test_who_only_looks_on_is_offered_nothing(visit: Any) -> None:
    player, spectator = visit(), visit(DESK)
    player.play_now(SLUG)
    spectator.open(f"/#/games/{player.game_id}")
    spectator.page.locator(".seat", has_text="Mina").wait_for()
    assert spectator.page.locator("[data-control]").count() == 0


def test_everything_can_be_read_in_the_other_language(visit: Any) -> None:
    visitor = visit()
    visitor.play_now(SLUG)
    assert visitor.my_turn()
    visitor.open("/#/").locator(".head button[lang=ja]").click()
    visitor.page.wait_for_selector("html[lang=ja]")
    visitor.page.locator(".tables a").first.click()
    visitor.my_turn()
    shown = visitor.page.locator("main").inner_text()
    assert "あなたの番です" in shown
    # What is left in Latin letters: a name, the ranks of cards.
    assert not re.findall(r"[A-Za-z]{3,}", shown.replace("Mina", ""))
    assert (
        visitor.page.locator(".pick")
        .first.get_attribute("aria-label")
        .endswith(("A", "K", *"23456789"))
    )


def test_a_browser_that_prefers_japanese_is_answered_in_japanese(visit: Any) -> None:
    page = visit(locale="ja-JP").open()
    assert page.locator("html").get_attribute("lang") == "ja"
    assert page.locator("h1").inner_text() == "手紙のように遊ぶカードゲーム"


def brightness(page: Any) -> float:
    """Of the paper: 0 black, 255 white."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def test_dark_and_light_follow_the_device_until_somebody_chooses(visit: Any) -> None:
    visitor = visit(color_scheme="dark")
    page = visitor.open()
    assert brightness(page) < 60
    page.locator(".head button:has(.moon)").click()
    assert brightness(page) > 200
    page.reload()
    page.wait_for_selector(".games")
    assert brightness(page) > 200


def test_a_move_by_keys_alone(visit: Any) -> None:
    visitor = visit(DESK)
    page = visitor.open()
    page.locator(f"[data-play='{SLUG}']").focus()
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for()
    page.keyboard.type("Mina")
    page.keyboard.press("Enter")
    assert visitor.my_turn()
    asked = visitor.game()["asked"]
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        if page.locator("#confirm:enabled").count():
            break
    page.keyboard.press("Escape")
    assert page.locator("#confirm:disabled").count() == 1
    page.keyboard.press("?")
    page.locator("dialog.keys").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    with page.expect_response(lambda answer: answer.url.endswith("/actions")) as sent:
        page.keyboard.press("Enter")
    assert sent.value.request.post_data_json["asked"] == asked
    assert sent.value.status == 201


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_nothing_is_wider_than_a_small_phone(visit: Any, locale: str) -> None:
    visitor = visit(PHONE, locale=locale)
    table_for_two_people(visitor, SLUG, name="Wolfeschlegelsteinhausenbergerdorff")
    assert visitor.wider_than_screen() == 0
    for address in (
        "/",
        "/#/me",
        *(f"/#/{page}/{slug}" for slug in rules.slugs() for page in ("new", "rules")),
    ):
        visitor.open(address)
        assert visitor.wider_than_screen() == 0, address
    visitor.open().locator(f"[data-play='{SLUG}']").click()
    visitor.my_turn()
    for drawer in ("history", "rules"):
        visitor.page.locator(f"[data-drawer={drawer}]").click()
        visitor.page.locator(".side.open").wait_for()
        assert visitor.wider_than_screen() == 0, drawer
        visitor.page.keyboard.press("Escape")


def test_the_rules_beside_the_table_show_drawn_cards(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.play_now(SLUG)
    visitor.page.locator(".tab", has_text="Rules").click()
    visitor.page.locator(".side .rules h1").wait_for()
    cards = visitor.page.locator(".side .rules .cards-in-text [role=img]")
    assert cards.count() > 0
    assert " of " in cards.first.get_attribute("aria-label")


def test_history_tells_what_happened_and_that_the_shuffles_are_fair(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.play_now(SLUG)
    visitor.my_turn()
    visitor.page.locator(".history li", has_text="The game begins.").wait_for()
    visitor.page.locator(".side", has_text="✓ A random number of this browser").wait_for()


def test_an_answer_to_a_table_that_has_moved_on_says_so(visit: Any) -> None:
    visitor = visit()
    visitor.play_now(SLUG)
    while visitor.my_turn() and len(visitor.game()["legal"]) < 2:
        visitor.choose(random.Random(0))
        visitor.confirm()
    late = visitor.tab()
    late.goto(visitor.page.url)
    late.wait_for_selector("#confirm")
    late.route(f"**/{visitor.game_id}", lambda route: route.fulfill(status=304))
    visitor.choose(random.Random(0))
    early = visitor.page.locator("#sentence").inner_text()
    visitor.confirm()

    visitor.page = late
    for seed in range(50):
        visitor.choose(random.Random(seed))
        if late.locator("#sentence").inner_text() != early:
            break
        late.keyboard.press("Escape")
    visitor.confirm()
    late.locator(".notice", has_text="You have already answered this").wait_for()
    assert visitor.refusals == [409]


def test_without_a_connection_the_last_table_stays(visit: Any) -> None:
    visitor = visit()
    visitor.play_now(SLUG)
    visitor.my_turn()
    visitor.context.set_offline(True)
    visitor.page.locator(".notice", has_text="No connection").wait_for()
    assert visitor.page.locator(".seat").first.is_visible()
    visitor.context.set_offline(False)
    with visitor.page.expect_response(lambda answer: visitor.game_id in answer.url):
        pass
    visitor.errors.clear()  # the browser reports each request that failed


def test_title_and_icon_show_whose_turn_it_is(visit: Any) -> None:
    visitor = visit()
    visitor.play_now(SLUG)
    visitor.my_turn()
    assert visitor.page.title().startswith("● Your turn")
    assert visitor.page.locator("link[rel=icon]").get_attribute("href") == "/icon-turn.svg"
    visitor.open()
    visitor.page.locator(".tables").first.wait_for()
    assert visitor.page.locator(".tables .turn").inner_text() == "Your turn"


def test_a_name_and_a_token_can_be_changed(visit: Any) -> None:
    visitor = visit()
    page = visitor.open("/#/me")
    page.locator("main .main").click()
    visitor.give_name()
    page.locator("#my-name").fill("Mio")
    page.locator("#my-name").press("Enter")
    page.locator(".me-link", has_text="Mio").wait_for()
    page.locator("#make-label").fill("my bot")
    page.locator("#make-label").press("Enter")
    assert page.locator("#token").input_value().startswith("tgm_")
    visitor.open("/").locator(".games").wait_for()
    visitor.open("/#/me").locator(".tokens button").click()
    page.locator(".tokens button").wait_for(state="detached")


def test_after_signing_out_the_page_knows_nobody(visit: Any) -> None:
    visitor = visit()
    visitor.play_now(SLUG)
    page = visitor.open("/#/me")
    page.locator("button", has_text="Sign out here").click()
    page.locator(".me-link", has_text="Guest").wait_for()
    visitor.open("/#/me")
    assert page.locator("#my-link").count() == 0
