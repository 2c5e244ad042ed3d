"""Keyboard users stay where they are: the focus is never lost when its control disappears."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import DESK
from tests.web.support.staged import PLAYED, Stage, arrived, event, hold

pytestmark = pytest.mark.browser

FOCUSED = "(document.activeElement.dataset.card ?? document.activeElement.className)"
CARDS = ".hand [data-card]"


@pytest.fixture
def stage(visit: Any) -> Stage:
    stage = Stage(visit(DESK))
    stage.open()
    return stage


def hand(stage: Stage) -> list[str]:
    """The cards in the hand, in their order."""
    found: list[str] = stage.page.eval_on_selector_all(
        CARDS, "all => all.map(each => each.dataset.card)"
    )
    return found


def without(stage: Stage, card: str) -> None:
    """The hand lacks this card from now on."""
    zone = stage.zone("hand", 0)
    zone["cards"].remove(card)
    zone["count"] -= 1


def test_the_focus_stays_at_its_place_in_the_hand_when_that_card_is_played(stage: Stage) -> None:
    page, cards = stage.page, hand(stage)
    page.locator(f".hand [data-card='{cards[1]}']").focus()
    page.keyboard.press("Space")
    without(stage, cards[1])
    page.keyboard.press("Enter")
    page.locator(PLAYED).wait_for()
    assert hand(stage) == [cards[0], *cards[2:]]
    assert page.evaluate(FOCUSED) == cards[2]


def test_the_focus_moves_to_the_last_card_when_that_is_played(stage: Stage) -> None:
    page, cards = stage.page, hand(stage)
    page.locator(f".hand [data-card='{cards[-1]}']").focus()
    page.keyboard.press("Space")
    without(stage, cards[-1])
    page.keyboard.press("Enter")
    page.locator(PLAYED).wait_for()
    assert page.evaluate(FOCUSED) == cards[-2]


def test_what_is_asked_next_has_the_focus_after_the_button_that_confirms(stage: Stage) -> None:
    page = stage.page
    page.locator(CARDS).first.click()
    held = hold(stage, "**/actions")
    page.locator("#confirm").press("Space")
    page.locator(".confirm-bar.idle").wait_for()
    assert page.evaluate(FOCUSED) == "status-line mine"
    arrived(stage, held).fallback()
    page.locator(PLAYED).wait_for()
    assert page.evaluate(FOCUSED) == "status-line"


def test_a_button_that_is_gone_gives_the_focus_away(stage: Stage) -> None:
    page = stage.page
    page.locator(CARDS).first.click()
    page.locator(".undo").press("Space")
    page.locator(".undo").wait_for(state="detached")
    assert page.evaluate(FOCUSED) == "status-line mine"


def test_the_focus_stays_in_the_history_when_all_of_it_is_loaded(visit: Any) -> None:
    stage = Stage(visit(DESK), number=70)
    stage.events = [event(n, f"Event {n}.") for n in range(1, 71)]
    page = stage.open()
    page.locator(".history > button").last.press("Space")
    page.locator(".history li", has_text="Event 1.").first.wait_for()
    assert page.evaluate(FOCUSED) == "side-panel-body"
