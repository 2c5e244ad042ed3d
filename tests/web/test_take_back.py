"""At the table a choice is changed while others choose; taking back what others have seen needs their consent, and the
history says so.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.cast import BOOMERANG, CARAVAN
from tests.web.conftest import DESK
from tests.web.support.accessibility import violations
from tests.web.support.tables import show, two_people, who_is_asked

pytestmark = pytest.mark.browser


def test_a_choice_is_changed_by_keyboard(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit, CARAVAN)
    mina.act("open")
    button = mina.page.get_by_role("button", name="Change my choice")
    button.wait_for()
    box = button.bounding_box()
    assert box["height"] >= 44
    assert violations(mina) == []
    picture(mina, "change-my-choice")
    button.focus()
    mina.page.keyboard.press("Enter")
    mina.settled()
    assert button.count() == 0
    assert violations(mina) == []
    picture(mina, "changing-my-choice")
    show(ken, "history")
    assert "takes the choice back" not in ken.page.locator(".side-panel").inner_text()
    mina.page.get_by_role("button", name="Keep my choice").click()
    button.wait_for()
    button.press("Enter")
    mina.settled()
    at = f"{mina.url}/api/games/{mina.page.url.split('/')[4].partition('?')[0]}"
    event = mina.context.request.get(at).json()["take_back"]["event"]
    possible = mina.context.request.get(f"{at}/take-back?event={event}").json()
    for card in possible["game"]["legal"][-1]["action"]["cards"]:
        mina.page.locator(f".hand-card[data-card='{card}']").press(" ")
    mina.page.locator("#confirm:enabled").press("Enter")
    ken.page.locator(".side-panel", has_text="Mina takes the choice back").wait_for()
    button.wait_for()
    assert mina.refusals == [], "what a changed choice would do is not asked"


def test_what_others_have_seen_is_asked_for(visit: Any, picture: Any) -> None:
    first, other = who_is_asked(*two_people(visit, BOOMERANG))
    first.page.set_viewport_size(DESK)  # on a phone the hint comes first
    first.act("bid")
    first.page.get_by_role("button", name="Ask to take back").click()
    other.page.locator(".proposal", has_text="take the last move back").wait_for()
    picture(other, "asked-to-take-back")
    assert violations(other) == []
    other.page.locator(".proposal .main").click()
    first.settled()
