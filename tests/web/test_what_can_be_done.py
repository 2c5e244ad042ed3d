"""Possible actions: the only one is already chosen; a destructive one has to be named, and shows what would be lost."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.games.caravan.components import saleable
from tests.support.cast import CARAVAN
from tests.web.support.phases import played
from tests.web.support.staged import PLAYED, Stage, answer
from tests.web.support.walked_table import WalkedTable

pytestmark = pytest.mark.browser


def test_the_only_action_is_chosen_already_and_sent_by_nobody_else(visit: Any) -> None:
    stage = Stage(visit())
    stage.game["legal"] = [{"action": {"type": "bid", "cards": ["As"]}, "words": "Bid A♠"}]
    page = stage.open()
    page.locator("#confirm:enabled").wait_for()
    assert page.locator("#sentence").inner_text() == "Bid A♠"
    assert page.locator(".hand-card[data-card='As']").get_attribute("aria-pressed") == "true"
    assert page.locator(".undo").count() == 0
    page.locator(".hand-card[data-card='As']").click()
    page.keyboard.press("Escape")
    assert page.locator("#confirm").is_enabled(), "there is nothing else to choose"
    assert stage.sent == []
    page.locator("#confirm").click()
    page.locator(PLAYED).wait_for()
    assert stage.sent == [{"type": "bid", "cards": ["As"]}]


def test_the_only_action_is_not_chosen_if_it_gives_up(visit: Any) -> None:
    stage = Stage(visit())

    def changed(route: Any) -> None:
        told = route.fetch().json()
        told["actions"]["pass"] |= {"usual": False, "destroys": True}
        answer(route, told)

    stage.page.route("**/api/rulesets/*?*", changed)
    stage.game["legal"] = [{"action": {"type": "pass"}, "words": "Leave for good"}]
    page = stage.open()
    page.locator(".option", has_text="Leave for good").wait_for()
    assert page.locator("#confirm").is_disabled()
    page.locator(".option").click()
    assert page.locator("#confirm").is_enabled()


def test_a_lane_is_started_again_only_by_its_button_and_what_goes_is_struck_through(
    visit: Any,
) -> None:
    visitor = visit()
    visitor.sign_up()
    visitor.open()
    page, ruleset = visitor.page, rules.load(CARAVAN)
    state, seat, card = trading(ruleset)
    WalkedTable(visitor, ruleset).show(state, seat)
    lane = page.locator(f"[data-spot='zone row/{seat}/0']")
    glowing = page.locator(".spot.glows")
    sold = {f"zone row/{seat}/{each}" for each in saleable(state, seat)}
    begun = set(glowing.evaluate_all("all => all.map(each => each.dataset.spot)"))
    assert begun == sold, "a card is picked first, but whatever can be sold is sold without one"
    page.locator(f".hand-card[data-card='{card}']").click()
    assert lane.count() == 0, (
        "the card does not fit there, and its lane is not taken down by a touch"
    )
    page.locator(".option", has_text="Start a row again").click()
    lane.evaluate("each => each.click()")
    assert page.locator("#sentence").inner_text().endswith(f"start lane 1 again with {named(card)}")
    page.locator(".zone.near .is-going").first.wait_for()
    assert page.locator(".near .is-going").count() == len(state.rows[seat][0])
    page.keyboard.press("Escape")
    page.locator(".is-going").first.wait_for(state="detached")


def named(card: str) -> str:
    """A number card in running text."""
    return card[0].replace("T", "10") + dict(zip("shdc", "♠♥♦♣", strict=True))[card[1]]


def trading(ruleset: Any) -> tuple[Any, int, str]:
    """A trade in which a number card does not fit the first lane, but another one."""
    for step in next(played(ruleset, 2)):
        for seat in ruleset.turn(step.after).waiting:
            legal = ruleset.legal(step.after, seat)
            lanes: dict[str, set[int]] = {}
            for each in legal:
                if each["type"] == "play" and each["card"][0] not in "JQK":
                    lanes.setdefault(each["card"], set()).add(each["lane"])
            found = [card for card, fit in lanes.items() if 0 not in fit]
            renewed = {each["lane"] for each in legal if each["type"] == "renew"}
            if found and 0 in renewed:
                return step.after, seat, found[0]
    raise AssertionError("every card fits the first lane")


WHY = ".sentence .why-not"


def test_what_is_dimmed_says_why_not_when_it_is_touched(visit: Any) -> None:
    """A card of the hand by touch, a card of the table by keys; the next step takes the answer away."""
    stage = Stage(visit())
    stage.game["legal"] = [
        {"action": {"type": "bid", "cards": [card]}, "words": f"Bid {card}"}
        for card in ("4s", "5c")
    ]
    good = stage.zone("good") | {"cards": ["5c", "2c"], "count": 2}
    stage.game["view"]["zones"] = [
        good if each["name"] == "good" else each for each in stage.game["view"]["zones"]
    ]
    asked: list[Any] = []

    def said(route: Any, request: Any) -> None:
        asked.append(request.post_data_json)
        answer(route, {"why": "low", "words": "The bid has to be more than 3."})

    stage.page.route("**/why-not", said)
    page = stage.open()
    page.locator(".hand-card[data-card='2s']").evaluate("each => each.click()")
    page.locator(WHY, has_text="The bid has to be more than 3.").wait_for()
    nothing = {"type": None, "values": {}, "picked": []}
    assert asked == [{"asked": stage.game["asked"], "chosen": nothing, "touched": {"card": "2s"}}]
    page.locator(".hand-card[data-card='4s']").click()
    page.locator(WHY).wait_for(state="detached")
    page.locator(".middle .passed-over:has([data-code='2c'])").focus()
    page.keyboard.press("Enter")
    page.locator(WHY).wait_for()
    assert page.locator("#sentence").inner_text().startswith("Bid 4s")
    assert page.locator("#confirm").is_enabled()
    assert asked[1]["touched"] == {"zone": "good", "card": "2c", "place": 1}
    assert stage.sent == [], "Enter on a dimmed card confirms nothing"
    page.keyboard.press("Escape")
    page.locator(WHY).wait_for(state="detached")


def test_cards_of_the_hand_are_asked_for_whatever_their_place_on_the_table(visit: Any) -> None:
    visitor = visit()
    visitor.sign_up()
    visitor.open()
    ruleset = rules.load("joretsu")
    states = (step.after for game in played(ruleset, 3) for step in game)
    showdown = next(each for each in states if type(each).__name__ == "Showdown")
    seats = ruleset.turn(showdown).waiting
    seat = max(seats, key=lambda each: len(ruleset.legal(showdown, each)))
    WalkedTable(visitor, ruleset).show(showdown, seat)
    assert visitor.page.locator("#sentence").inner_text() == "Tap your cards"
