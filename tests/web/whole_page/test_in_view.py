"""Question, middle and own area are in view and stay there, with the most players, in the first phases of all games."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

ON_ITS_SIDE = {"width": 740, "height": 360}
DECISIONS = 8
"""Of the visitor; each phase that comes up is looked at once."""
DOCK, HAND = 0.43, 140
"""How much of a phone's height the panel with hand and buttons takes, and how many pixels a hand."""

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


def covered(page: Any) -> list[str]:
    """The parts that lie outside the window or below the panel; the page is scrolled to its top."""
    places = page.evaluate(PLACES)
    panel, height = places.pop("panel"), places.pop("height")
    beside = panel["left"] > 0 and panel["top"] <= 0
    floor = height if beside else panel["top"]
    places.pop("hand")
    confirm = places.pop("confirm")
    hidden = [name for name, box in places.items() if box and box["bottom"] > floor + 1]
    return hidden + (["confirm"] if confirm and confirm["bottom"] > height else [])


def moved(before: Any, after: Any) -> list[str]:
    """The parts that are not where they were."""
    named = [name for name, box in before.items() if name != "height" and box and after[name]]
    return [name for name in named if abs(before[name]["top"] - after[name]["top"]) > 1]


@pytest.mark.parametrize("slug", rules.slugs())
def test_the_table_is_in_view_in_every_phase(slug: str, visit: Any) -> None:
    locale = ("en-GB", "ja-JP")[rules.slugs().index(slug) % 2]
    visitor, rng = visit(PHONE, locale=locale), random.Random(slug)
    players = max(rules.load(slug).players)
    wish = {"ruleset": slug, "players": players, "house": players - 1, "start": "full"}
    request = visitor.context.request
    request.post(f"{visitor.url}/api/players", data={"name": "Mina"})
    made = request.post(f"{visitor.url}/api/games", data={**wish, "nonce": None}).json()
    page, seen = visitor.open(f"/games/{made['id']}"), set[str]()
    for _ in range(DECISIONS):
        shown = wait_until(visitor.asked, "a question, or the end")
        if shown["status"] == "over":
            break
        if shown["view"]["phase"] not in seen:
            seen.add(shown["view"]["phase"])
            _look(page, shown)
        visitor.answer(rng)


def _look(page: Any, shown: Any) -> None:
    for size in (PHONE, ON_ITS_SIDE, DESK):
        page.set_viewport_size(size)
        page.reload()
        page.locator("#confirm").wait_for()
        assert covered(page) == [], (shown["view"]["phase"], size)
        places = page.evaluate(PLACES)
        if size is PHONE:
            dock = places["panel"]["bottom"] - places["panel"]["top"]
            assert dock <= DOCK * size["height"], shown["view"]["phase"]
            hand = places["hand"]
            assert hand is None or hand["bottom"] - hand["top"] <= HAND
            _choose_halfway(page)
            assert covered(page) == [], (shown["view"]["phase"], "halfway through a choice")
            assert moved(places, page.evaluate(PLACES)) == [], shown["view"]["phase"]


def _choose_halfway(page: Any) -> None:
    """Picks the first card that can be picked, or takes the first option or place."""
    first = page.locator(".hand-card:not([aria-disabled=true]), .option, .spot").first
    first.evaluate("each => each.click()")
    page.locator("#confirm").wait_for()
