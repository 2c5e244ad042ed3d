"""Between a moment and the next question, and next to an earlier table, nothing is sent by accident."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.support.staged import ID, POLL, Stage, answer, arrived, hold
from tests.web.test_what_happened import GO_ON, HELD_TIMERS

pytestmark = pytest.mark.browser

HEARD = """
  window.heard = [];
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    const made = make.call(this);
    heard.push(made);
    return made;
  };
"""
APPEARING = "[data-appearing]"
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""The effects of a response are drawn by then."""
ONLY = [{"action": {"type": "bid", "cards": ["As"]}, "words": "Bid A♠"}]


def watched(visit: Any, **more: Any) -> Stage:
    """A table at which somebody else is asked, on a phone whose clock the test moves."""
    visitor = visit(PHONE, own=True, **more)
    visitor.page.add_init_script(HELD_TIMERS)
    stage = Stage(visitor)
    stage.game |= {"legal": [], "asked": None}
    return stage


def stop_at_a_moment(stage: Stage, legal: list[Any]) -> None:
    """Somebody's action is shown, after which the visitor is asked."""
    before = copy.deepcopy(stage.game["view"])
    stage.change(legal=legal, asked=1)
    stage.events[-1] |= {"moment": "opened"}
    after = {"number": stage.game["number"], "view": stage.game["view"], "moment": before}
    stage.views = [after]
    with stage.page.expect_response(f"**/api/games/{ID}/events?*"):
        stage.page.evaluate(POLL)
    stage.page.locator(GO_ON).wait_for()


@pytest.mark.parametrize("how", ["touch", "Enter"])
def test_whoever_goes_on_too_late_sends_nothing(visit: Any, how: str) -> None:
    stage = watched(visit, by="touch")
    page = stage.open()
    stop_at_a_moment(stage, ONLY)
    box = page.locator(GO_ON).bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("held.pop()()")  # it passes by itself just before the finger comes down
    if how == "touch":
        page.touchscreen.tap(*middle)
    else:
        page.keyboard.press("Enter")
    page.locator("#confirm").wait_for()
    page.locator(APPEARING).wait_for(state="detached")
    assert stage.sent == []
    page.touchscreen.tap(*middle)
    page.locator(".confirm-bar.idle").wait_for()
    assert [each["type"] for each in stage.sent] == ["bid"]


def test_a_touch_of_the_hand_goes_on_and_asks_nothing(visit: Any) -> None:
    stage = watched(visit, by="touch")
    asked: list[Any] = []
    stage.page.route("**/why-not", lambda route: asked.append(answer(route, {"why": None})))
    page = stage.open()
    stop_at_a_moment(stage, ONLY)
    drawn = page.evaluate("performance.now()")
    wait_until(lambda: page.evaluate("performance.now()") > drawn + 500, "it is no second click")
    page.locator(".hand-card").first.tap(position={"x": 6, "y": 12}, force=True)
    page.locator(GO_ON).wait_for(state="detached")
    assert asked == []


def test_who_is_asked_after_a_moment_is_called(visit: Any) -> None:
    stage = watched(visit)
    stage.visitor.sign_up()
    stage.page.add_init_script(HEARD)
    stage.page.evaluate("localStorage.setItem('tegami.sound', 'on')")
    page = stage.open()
    stop_at_a_moment(stage, ONLY)
    tones = "heard.map(each => each.frequency.value)"
    assert 880 not in page.evaluate(tones)
    page.evaluate("held.pop()()")
    wait_until(lambda: 880 in page.evaluate(tones), "the call")


@pytest.mark.parametrize("where", ["", ".side-panel-body"])
def test_enter_sends_nothing_beside_an_earlier_table(visit: Any, where: str) -> None:
    stage = Stage(visit(DESK, own=True))
    stage.game["legal"] = ONLY
    numbers = range(1, stage.game["number"] + 1)
    view = stage.game["view"]
    stage.views = [{"number": each, "view": view, "moment": None} for each in numbers]
    page = stage.open()
    page.locator("#confirm:enabled").wait_for()
    page.locator(".history li a").last.click()
    page.locator(".past .seat").first.wait_for()
    page.evaluate("document.activeElement.blur()")
    if where:
        page.locator(where).focus()
    page.keyboard.press("Enter")
    page.locator(APPEARING).wait_for(state="detached")
    assert stage.sent == []


@pytest.mark.parametrize("first", ["poll", "answer"])
def test_a_question_that_was_answered_is_not_asked_again_while_what_came_of_it_loads(
    visit: Any, first: str
) -> None:
    """Two responses cross: to the own action, and to a poll, which knows more."""
    stage = Stage(visit(PHONE, own=True))
    page = stage.open()
    page.locator(".hand-card[data-card='As']").click(position={"x": 6, "y": 12})
    sent, events = hold(stage, "**/actions"), hold(stage, f"**/api/games/{ID}/events?*")
    page.locator("#confirm").click()
    route = arrived(stage, sent)
    before = copy.deepcopy(stage.game["view"])
    stage.change(asked=None, legal=[])
    own = {"number": stage.game["number"], "game": copy.deepcopy(stage.game)}
    stage.change(asked=7)
    stage.events[-1] |= {"moment": "opened"}
    stage.views = [{"number": stage.game["number"], "view": stage.game["view"], "moment": before}]
    if first == "answer":
        answer(route, own, 201)
        arrived(stage, events)
    with page.expect_response(f"**/api/games/{ID}"):
        page.evaluate(POLL)
    if first == "poll":
        arrived(stage, events)
        answer(route, own, 201)
    page.evaluate(TWO_FRAMES)
    assert page.locator("#confirm").count() == 0
    events[0].fallback()
    page.locator(GO_ON).wait_for()
