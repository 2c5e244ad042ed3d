"""A card of the hand is dragged to a lane, and a lane is chosen by keyboard."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from tests.support.cast import CARAVAN
from tests.web.conftest import PHONE
from tests.web.support.phases import played
from tests.web.support.walked_table import WalkedTable

pytestmark = pytest.mark.browser


def trading(visitor: Any) -> tuple[Any, str]:
    """A page at a trade of Caravan, and a number card that fits several lanes."""
    visitor.sign_up()
    visitor.open()
    ruleset = rules.load(CARAVAN)
    for step in next(played(ruleset, 2)):
        for seat in ruleset.turn(step.after).waiting:
            plays = [each for each in ruleset.legal(step.after, seat) if each["type"] == "play"]
            numbers = [each["card"] for each in plays if each["card"][0] not in "JQK"]
            several = [card for card in numbers if numbers.count(card) > 1]
            if several:
                WalkedTable(visitor, ruleset).show(step.after, seat)
                return visitor.page, several[0]
    raise AssertionError("no card fits two lanes")


def test_a_card_is_dragged_to_a_lane_and_steps_are_taken_back(visit: Any) -> None:
    page, card = trading(visit(PHONE))
    hand, lane = page.locator(f".hand-card[data-card='{card}']"), page.locator(LANE)
    hand.click()
    there = lane.first.bounding_box()
    hand.click()
    drag(page, hand, lane.first)
    page.locator(f"{LANE}[aria-pressed=true]").wait_for()
    assert lane.first.bounding_box() == there, "nothing moves under the finger"
    assert page.locator(".ghost").count() == 1
    page.keyboard.press("Backspace")
    assert page.locator(f"{LANE}[aria-pressed=true]").count() == 0
    assert hand.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Backspace")
    assert hand.get_attribute("aria-pressed") == "false"
    drag(page, hand, page.locator(".status-line"))
    assert hand.get_attribute("aria-pressed") == "false", "it was dropped nowhere"


def test_a_lane_is_chosen_by_keyboard(visit: Any) -> None:
    page, card = trading(visit(PHONE))
    hand = page.locator(f".hand-card[data-card='{card}']")
    hand.focus()
    page.keyboard.press("Space")
    for _ in range(12):
        if page.evaluate(f'document.activeElement.matches("{LANE}")'):
            break
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.locator(f"{LANE}[aria-pressed=true]").wait_for()


LANE = "[data-spot^='zone row/']"


def drag(page: Any, what: Any, where: Any) -> None:
    """Drag with the mouse, from the middle to the middle of the target once it is lifted."""
    what.hover()  # once it lies still
    x, y = middle(what)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20)
    page.locator(".dragged").wait_for()
    page.mouse.move(*middle(where), steps=4)
    page.mouse.up()
    page.locator(".dragged").wait_for(state="detached")


def middle(where: Any) -> tuple[float, float]:
    """The middle of an element, in pixels."""
    box = where.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
