"""The history of a long game: entries out of view are not drawn, and unchanged ones are not drawn again."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import DESK, PHONE
from tests.web.support.staged import ID, Stage, event
from tests.web.support.tables import show

pytestmark = pytest.mark.browser

LONG = 1000
PAGE = 60
"""The number of events that the page loads at once."""
ENTRIES = ".history li"
COUNT = """
() => {
  window.made = 0;
  const make = document.createElement.bind(document);
  document.createElement = (...what) => { window.made += 1; return make(...what); };
}
"""
"""Counts the elements that the page makes."""
CARDS_DRAWN = """
() => {
  let papers = 0;
  const make = document.createElementNS;
  document.createElementNS = (space, name) => { papers += name === "rect"; return make.call(document, space, name); };
  const drawnBy = act => { papers = 0; act(); return papers; };
  const drawn = [
    drawnBy(() => document.querySelector(".tools [data-drawer=history]").click()),
    drawnBy(() => document.querySelector(".side-panel .close").click()),
    drawnBy(() => dispatchEvent(new Event("resize"))),
  ];
  document.createElementNS = make;
  return drawn;
}
"""
"""The number of cards that the page draws to open a phone's drawer, to close it, and to draw the table."""
OPEN_DRAWER = """
() => {
  document.querySelector(".tools [data-drawer=history]").click();
  return document.querySelectorAll(".history li").length;
}
"""
"""The number of entries as soon as a phone's drawer is open."""


def long_game(visit: Any, size: Any) -> Stage:
    """A thousand events."""
    stage = Stage(visit(size), number=LONG)
    stage.events = [event(n, f"Event {n}.") for n in range(1, LONG + 1)]
    return stage


def load_all(stage: Stage) -> None:
    """Loads every earlier event."""
    page, last = stage.page, stage.game["number"]
    for shown in range(PAGE + last - LONG, last, PAGE):
        expect(page.locator(ENTRIES)).to_have_count(shown)
        page.locator(".history > button").last.click()
    expect(page.locator(ENTRIES)).to_have_count(last)


def made_at_a_change(stage: Stage) -> int:
    """The number of elements that are made after an event."""
    page = stage.page
    page.evaluate("made = 0")
    stage.show()
    page.locator(f".play[data-number='{stage.game['number']}']").wait_for()
    found: int = page.evaluate("made")
    return found


def test_a_thousand_events_make_no_more_work_than_a_page_of_them(visit: Any) -> None:
    stage = long_game(visit, DESK)
    page = stage.open()
    page.locator(ENTRIES).first.wait_for()
    page.evaluate(COUNT)
    few = made_at_a_change(stage)
    load_all(stage)
    assert made_at_a_change(stage) <= few + LONG // 10
    expect(page.locator(ENTRIES).first).to_contain_text(f"Event {stage.game['number']}.")


def test_a_closed_drawer_draws_nothing(visit: Any) -> None:
    stage = long_game(visit, PHONE)
    page = stage.open()
    assert page.locator(ENTRIES).count() == 0
    show(stage.visitor, "history")
    expect(page.locator(ENTRIES).first).to_contain_text(f"Event {LONG}.")
    page.locator(".side-panel .close").click()
    expect(page.locator(ENTRIES)).to_have_count(0)
    page.set_viewport_size(DESK)
    page.locator(ENTRIES).first.wait_for()


def test_the_newest_entries_are_drawn_at_once_and_the_others_when_there_is_time(visit: Any) -> None:
    page = long_game(visit, PHONE).open()
    page.locator(".tools [data-drawer=history]").wait_for()
    at_once = page.evaluate(OPEN_DRAWER)
    assert at_once == 12
    expect(page.locator(ENTRIES)).to_have_count(PAGE)
    numbers = page.locator(ENTRIES).evaluate_all("all => all.map(each => Number(each.dataset.key))")
    assert numbers == list(range(LONG, LONG - PAGE, -1))
    page.locator(ENTRIES).last.scroll_into_view_if_needed()
    expect(page.locator(ENTRIES).last).to_be_in_viewport()
    expect(page.locator(ENTRIES).last).to_contain_text(f"Event {LONG - PAGE + 1}.")


def test_a_drawer_opens_and_closes_without_drawing_the_table_again(visit: Any) -> None:
    page = long_game(visit, PHONE).open()
    page.locator(".bottom-panel .hand").wait_for()
    opened, closed, table = page.evaluate(CARDS_DRAWN)
    assert (opened, closed) == (0, 0)
    assert table > 0


def test_each_page_is_right_after_it_has_changed(visit: Any) -> None:
    """Pages on screen are left alone, unless the marks in them have changed."""
    stage = long_game(visit, DESK)
    stage.page.route("**/views?*", lambda route: route.fulfill(json={"views": [], "next": None}))
    page = stage.open()
    page.locator(ENTRIES).first.wait_for()
    load_all(stage)
    for number in (LONG - 1, 3):
        page.locator(f"{ENTRIES}[data-key='{number}'] a").click()
        current = page.locator(f"{ENTRIES}[aria-current=step]")
        expect(current).to_have_count(1)
        expect(current).to_have_attribute("data-key", str(number))
    assert page.locator(ENTRIES).count() == LONG
    assert page.url.endswith(f"/games/{ID}?at=3")
