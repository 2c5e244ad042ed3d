"""Text twice as large, or a window at 400 %: nothing is cut, and everything can be reached by scrolling."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from tests.web.conftest import DESK, PHONE
from tests.web.support.phases import moments
from tests.web.support.walked_table import WalkedTable

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

AT_400 = {"width": 320, "height": 256}
"""1280 × 1024 at 400 %, in pixels of the page."""
GAMES = ("joretsu", "caravan", "auction-draw")
MOMENTS = 3
"""Of each game that are looked at every day."""
LARGER = "() => { document.documentElement.style.fontSize = '200%'; dispatchEvent(new Event('resize')); }"
LOST = """() => {
  const lost = [];
  const told = each => each.ariaLabel || each.innerText || each.className;
  const visible = each => each.checkVisibility() && !each.closest(".hidden, .room, [inert]");
  for (const each of document.querySelectorAll("main :is(button, a[href], summary, input):not(:disabled)")) {
    if (!visible(each)) continue;
    each.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
    const hit = ([x, y]) => {
      const at = document.elementFromPoint(left + x * width, top + y * height);
      return at && (each.contains(at) || each.closest("label")?.contains(at));
    };
    const reached = [[.5, .5], [.1, .1], [.1, .5], [.9, .9], [.5, .1]].some(hit);
    if (!reached || left < -1 || right > innerWidth + 1) {
      lost.push(["unreachable", told(each), left, right, top, bottom]);
    }
  }
  for (const each of document.querySelectorAll("main :is(p, h1, h2, li, span, button, header, section, div)")) {
    if (!visible(each) || !each.innerText?.trim() || each.closest(".program")) continue;
    const { overflowX, overflowY } = getComputedStyle(each);
    const cutAcross = each.scrollWidth > each.clientWidth + 2 && ["hidden", "clip"].includes(overflowX);
    const cutBelow = each.scrollHeight > each.clientHeight + 2 && ["hidden", "clip"].includes(overflowY);
    if (each.clientWidth && (cutAcross || cutBelow)) lost.push(["cut", told(each)]);
  }
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) lost.push(["sideways", page.scrollWidth]);
  scrollTo(0, 0);
  return lost;
}"""
"""What cannot be reached, what is cut, and whether the page scrolls sideways."""


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[] if slug in GAMES else [pytest.mark.thorough])
        for slug in rules.slugs()
    ],
)
def test_nothing_is_lost_when_everything_is_larger(slug: str, visit: Any) -> None:
    visitor = visit(DESK)
    visitor.open()
    ruleset = rules.load(slug)
    table = WalkedTable(visitor, ruleset)
    found = moments(ruleset, max(ruleset.players))
    for moment in found[:: max(1, len(found) // MOMENTS)]:
        about = moment.state.phase
        table.show(moment.state, moment.seat)
        page = table.page
        page.set_viewport_size(AT_400)
        page.locator(".magnified .play").wait_for()
        assert page.evaluate(LOST) == [], (about, "400 %")
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            page.evaluate(LARGER)
            page.locator(".magnified .play").wait_for()
            assert page.evaluate(LOST) == [], (about, "200 %", size)
            page.evaluate("document.documentElement.style.fontSize = ''")
        page.set_viewport_size(DESK)
        page.locator("html:not(.magnified)").wait_for()
