"""Text twice as large, or a window at 400 %: nothing is cut, and everything can be reached by scrolling.

And a phone whose browser or keyboard takes much of its screen is no such window.
"""

from __future__ import annotations

from typing import Any

import pytest

import rules
from tests.web.conftest import DESK, PHONE
from tests.web.support.in_view import covered
from tests.web.support.phases import moments
from tests.web.support.staged import ID, Stage
from tests.web.support.walked_table import WalkedTable

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

AT_400 = {"width": 320, "height": 256}
"""1280 × 1024 at 400 %, in pixels of the page."""
GAMES = ("joretsu", "caravan", "auction-draw", "2459n")
MOMENTS = 3
"""The number of moments of each game that are examined every day."""
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
"""Parts that cannot be reached, parts that are cut off, and whether the page scrolls sideways."""


def lost(page: Any) -> Any:
    """The same, as soon as a newly shown screen can be touched."""
    page.locator("main:not([data-appearing])").wait_for()
    return page.evaluate(LOST)


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
        assert lost(page) == [], (about, "400 %")
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            page.evaluate(LARGER)
            page.locator(".magnified .play").wait_for()
            assert lost(page) == [], (about, "200 %", size)
            page.evaluate("document.documentElement.style.fontSize = ''")
        page.set_viewport_size(DESK)
        page.locator("html:not(.magnified)").wait_for()


WITH_A_BAR = ({"width": 740, "height": 280}, {"width": 640, "height": 290})
"""Phones in landscape, with the browser's bar on part of the screen."""
WITH_A_KEYBOARD = ({"width": 360, "height": 500}, {"width": 360, "height": 250})
TYPE = """() => {
  const field = document.createElement("textarea");
  document.body.append(field);
  field.focus();
}"""
STAYS = "document.documentElement.classList.contains('magnified')"
OPENS_AT_400 = {"width": 320, "height": 200}


def test_a_phone_is_no_zoomed_window(visit: Any) -> None:
    """The table still fits: it does not scroll away under the hand."""
    stage = Stage(visit(PHONE))
    page = stage.open()
    for size in WITH_A_BAR:
        page.set_viewport_size(size)
        page.locator(".play.fits").wait_for()
        page.wait_for_function("innerWidth > innerHeight")
        assert not page.evaluate(STAYS), size
        assert covered(page) == [], size
    page.set_viewport_size(PHONE)
    page.evaluate(TYPE)
    for size in WITH_A_KEYBOARD:
        page.set_viewport_size(size)
        page.wait_for_function("height => innerHeight === height", arg=size["height"])
        stage.show()
        assert not page.evaluate(STAYS), size


def test_whoever_types_in_a_zoomed_window_stays_there(visit: Any) -> None:
    stage = Stage(visit(AT_400))
    page = stage.open()
    page.locator(".magnified .play").wait_for()
    page.evaluate(TYPE)
    page.set_viewport_size(OPENS_AT_400)
    stage.show()
    assert page.evaluate(STAYS)


def test_an_earlier_table_is_not_covered_by_its_bar(visit: Any) -> None:
    """It is opened in a window at 400 %, where it is the first thing that is drawn."""
    stage = Stage(visit(AT_400))
    stage.views = [{"number": n, "view": stage.game["view"]} for n in (1, 2, 3)]
    page = stage.page
    stage.visitor.open(f"/games/{ID}?at=2")
    page.locator(".past .seat").first.wait_for()
    page.locator(".magnified .replay").wait_for()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.locator(".replay").bounding_box()["y"] < 0
    assert lost(page) == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_text_is_as_large_as_the_browser_is_set_to_show_it(visit: Any, size: Any) -> None:
    """This holds even if somebody has chosen a size in the browser's settings instead of zooming."""
    visitor = visit(size, own=True)
    page = visitor.page
    settings = visitor.context.new_cdp_session(page)
    stage = Stage(visitor)
    for pixels in (20, 24, 32):
        settings.send("Page.setFontSizes", {"fontSizes": {"standard": pixels}})
        for path, seen in (
            ("/", ".shelf"),
            ("/rules/caravan", ".worked-table .middle"),
            ("/new/caravan", "form"),
            (f"/games/{ID}", ".magnified .play"),
        ):
            visitor.open(path).locator(seen).first.wait_for()
            assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == pixels
            assert lost(page) == [], (path, pixels)
    assert stage.game
