"""Whether question, middle and own area are in view on a screen and stay there while somebody chooses."""

from __future__ import annotations

import random
from typing import Any

from tests.support.servers.server import wait_until
from tests.web.conftest import PHONE
from tests.web.support.visitor import SENTENCE

TOUCHES = 4
"""The steps of a choice, at each of which nothing moves."""
DOCK, HAND = 0.43, 140
"""The share of a phone's height for the panel with hand and buttons, and the pixels for a hand."""

PLACES = """() => {
  const box = where => {
    const found = document.querySelector(where);
    if (!found) return null;
    const { left, right, top, bottom } = found.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  return {
    middle: box(".middle"), mine: box(".seat.mine"), status: box(".status-line"), others: box(".others"),
    panel: box(".bottom-panel"), hand: box(".hand"), confirm: box("#confirm"), height: innerHeight,
  };
}"""
HANDS = "() => [...document.querySelectorAll('.hand')].map(each => each.offsetHeight)"
CUT_OFF = """() => [...document.querySelectorAll(".options:not(.room), #sentence")]
  .filter(each => each.scrollHeight > each.clientHeight + 1).map(each => each.innerText)"""
PRESSED = """() => [...document.querySelectorAll("main [aria-pressed=true]")]
  .map(each => each.dataset.spot ?? (each.ariaLabel || each.innerText))"""
"""Selectors of pressed controls, by what does not change while they are pressed."""
NOT_REACHED = """() => {
  const shown = [...document.querySelectorAll("main [data-control]:not(:disabled)")]
    .filter(each => each.checkVisibility());
  const [reached, left] = [new Set(), [shown[0]]];
  while (left.length) {
    const from = left.pop();
    if (reached.has(from)) continue;
    reached.add(from);
    for (const way of ["Left", "Right", "Up", "Down"]) {
      from.focus({ preventScroll: true });
      from.dispatchEvent(new KeyboardEvent("keydown", { key: `Arrow${way}`, bubbles: true }));
      left.push(document.activeElement);
    }
  }
  document.activeElement.blur();
  return shown.filter(each => !reached.has(each)).map(each => each.ariaLabel || each.innerText);
}"""
"""Controls to which no arrow keys lead."""
PREVIEWS = """performance.getEntriesByType("resource")
  .filter(each => each.name.endsWith("/preview")).length"""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
TO_TOUCH = ", ".join(
    (
        ".hand-card:not([aria-disabled=true], .up)",
        ".options:not(.room) > .option:not(.up, [aria-pressed=true])",
        ".number > button:enabled",
        ".spot:not(.up)",
    )
)
"""Controls that continue a choice, or change it."""


def covered(page: Any) -> list[str]:
    """The parts outside the window or under the panel; the page is scrolled to its top."""
    places = page.evaluate(PLACES)
    panel, height = places.pop("panel"), places.pop("height")
    beside = panel["left"] > 0 and panel["top"] <= 0
    floor = height if beside else panel["top"]
    places.pop("hand")
    confirm = places.pop("confirm")
    hidden = [name for name, box in places.items() if box and box["bottom"] > floor + 1]
    return hidden + (["confirm"] if confirm and confirm["bottom"] > height else [])


def moved(before: Any, after: Any) -> list[str]:
    """The parts that have moved."""
    named = [name for name, box in before.items() if name != "height" and box and after[name]]
    return [name for name in named if abs(before[name]["top"] - after[name]["top"]) > 1]


def assert_in_view(page: Any, size: Any, about: Any) -> None:
    """Check that everything for a decision is in view on a screen of this size, and that every control can
    be reached.
    """
    page.set_viewport_size(size)
    page.locator("#confirm").wait_for()
    page.evaluate(DRAWN)
    assert covered(page) == [], (about, size)
    assert max(page.evaluate(HANDS), default=0) <= HAND, (about, size)
    assert page.evaluate(NOT_REACHED) == [], (about, size)
    if size is PHONE:
        panel = page.evaluate(PLACES)["panel"]
        assert panel["bottom"] - panel["top"] <= DOCK * size["height"], about
        assert page.evaluate(CUT_OFF) == [], about


def assert_nothing_moves(page: Any, rng: random.Random, about: Any) -> None:
    """Touch everything that continues a choice, and take it back: neither table nor hand moves."""
    places, touched, states = page.evaluate(PLACES), [], [_state(page)]
    for _ in range(TOUCHES):
        controls = page.locator(TO_TOUCH)
        if not controls.count():
            break
        control = controls.nth(rng.randrange(controls.count()))
        touched.append(control.evaluate("each => each.ariaLabel || each.innerText"))
        _touch(page, control)
        states.append(_state(page))
        assert moved(places, page.evaluate(PLACES)) == [], (about, touched)
        assert covered(page) == [], (about, touched)
        assert page.evaluate(CUT_OFF) == [], (about, touched)
    if page.viewport_size == PHONE:
        _take_back_each(page, states)
    page.keyboard.press("Escape")
    assert _state(page) == states[0], (about, touched)
    assert moved(places, page.evaluate(PLACES)) == [], (about, touched, "taken back")


def _take_back_each(page: Any, states: list[Any]) -> None:
    """Check that one key takes back one step: each time the previous choice is there, in the end nothing."""
    while page.locator(".undo:enabled").count():
        page.keyboard.press("Backspace")
        assert _state(page) in states[:-1], (_state(page), states)
        states = states[: states.index(_state(page)) + 1]
    assert len(states) == 1


def _state(page: Any) -> Any:
    """The present choice."""
    return page.evaluate(SENTENCE), page.evaluate(PRESSED)


def _touch(page: Any, control: Any) -> None:
    """Touch it, and wait until the effects of a ready action are shown."""
    was, previews = page.evaluate(SENTENCE), page.evaluate(PREVIEWS)
    control.evaluate("each => each.click()")
    now = page.evaluate(SENTENCE)
    if now["ready"] and now != was:
        wait_until(lambda: page.evaluate(PREVIEWS) > previews, "what it would change")
    page.evaluate(DRAWN)
