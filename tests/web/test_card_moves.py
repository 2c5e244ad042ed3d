"""Moving cards glide from their earlier place, or from the seat that laid them, and show who moved them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import DESK
from tests.web.support.staged import ID, POLL, Stage

pytestmark = pytest.mark.browser

WATCHED = """
  window.glided = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    if (frames.length) window.glided.push([this.dataset.code, timing.duration]);  // else it only counts frames
    return animate.call(this, frames, timing);
  };
"""
LAID = ".middle [data-code='7h']"


def lay_and_see(visit: Any, **more: Any) -> Any:
    """A table at which seat 1 lays a card from its hidden hand."""
    visitor = visit(DESK, own=True, **more)
    visitor.page.add_init_script(WATCHED)
    stage = Stage(visitor)
    page = stage.open()
    assert page.evaluate("glided") == []
    stage.zone("bid", 1).update(cards=["7h"], count=1)
    stage.show()
    page.locator(LAID).wait_for()
    return stage


def test_a_card_glides_from_the_seat_that_laid_it(visit: Any) -> None:
    page = lay_and_see(visit).page
    assert page.evaluate("glided") == [["7h", 400]]
    page.locator(".hand-card").first.click(position={"x": 6, "y": 12})
    page.locator(".hand-card.up").wait_for()
    assert len(page.evaluate("glided")) == 1, "choosing moves nothing"


def test_nothing_glides_for_people_who_asked_for_less_motion(visit: Any) -> None:
    assert lay_and_see(visit, reduced_motion="reduce").page.evaluate("glided") == []


def test_a_new_card_says_who_laid_it(visit: Any) -> None:
    stage = lay_and_see(visit)
    stage.zone("bid", 1).update(cards=["7h", "8h"], count=2)
    stage.change()
    action = {"type": "bid", "cards": ["8h"]}
    stage.events[-1].update(action=action, lines=[{"line": "bid", "words": "Ken bids."}])
    stage.show()
    card = stage.page.locator(".middle .fresh[data-code='8h']")
    card.wait_for()
    assert card.get_attribute("title") == "Ken bids."


def test_each_card_glides_from_the_seat_of_its_player_one_after_the_other(visit: Any) -> None:
    """They do not all come from the seat that acted last."""
    visitor = visit(DESK, own=True)
    visitor.page.add_init_script(
        WATCHED.replace("timing.duration]", "timing.delay, frames[0].transform]")
    )
    stage = Stage(visitor)
    page = stage.open()
    for seat, card in ((1, "7h"), (2, "8h")):
        stage.zone("bid", seat).update(cards=[card], count=1)
    opened = [
        {"seat": s, "action": {"type": "bid", "cards": [c]}} for s, c in ((1, "7h"), (2, "8h"))
    ]
    stage.change()
    stage.events[-1].update(seat=2, action=opened[1]["action"], opened=opened)
    with page.expect_response(f"**/{ID}/events?*"):
        page.evaluate(POLL)
    page.locator(LAID).wait_for()
    (first, delay, start), (second, later, other) = page.evaluate("glided")
    assert {first, second} == {"7h", "8h"}
    assert sorted([delay, later]) == [0, 250] and start != other
