"""A double click, or a held key, does not act on what opens under it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.support.tables import SLUG

pytestmark = pytest.mark.browser

OPEN = """
async what => {
  const { h } = await import("/base/dom.js");
  const { confirmDialog } = await import("/base/controls/confirm_dialog.js");
  window.clicked = [];
  const note = name => () => window.clicked.push(name);
  const large = button => {
    button.style.cssText = "position: fixed; inset: 0; z-index: 9; inline-size: 100%; block-size: 100%";
    return button;
  };
  const first = h("button", { id: "first", onclick: () => {
    note("first")();
    if (what === "dialog") confirmDialog("Sure?", "", "Yes").then(sure => note(sure ? "yes" : "no")());
    if (what === "control") first.replaceWith(large(h("button", { id: "second", onclick: note("second") }, "Other")));
    if (what === "same") first.textContent = first.textContent.replace(/\\d+/, n => Number(n) + 1);
  } }, "First 1");
  document.body.append(large(first));
  first.focus();
}
"""
"""Put a button over the page: a click opens a dialog, or replaces it, or only counts."""
UNSETTLED = """
  window.unsettled = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const made = animate.call(this, frames, timing);
    if (!frames.length) {
      made.pause();
      unsettled.push(made);
    }
    return made;
  };
"""
"""A control that has just appeared settles when a test says so."""
MIDDLE = """
() => {
  const { x, y, width, height } = document.querySelector("dialog .main").getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
"""


@pytest.fixture
def page(visit: Any) -> Any:
    page = visit().open("/me")
    page.locator("main h1, main h2").first.wait_for()
    return page


def clicked(page: Any) -> list[str]:
    found: list[str] = page.evaluate("window.clicked")
    return found


def test_a_dialog_takes_no_click_at_first_and_then_it_does(page: Any) -> None:
    page.evaluate(OPEN, "dialog")
    page.mouse.click(5, 5)
    middle = page.evaluate(MIDDLE)
    page.locator("dialog .main").click()  # that was to know where it stands
    wait_until(lambda: clicked(page) == ["first", "yes"], "the answer")
    page.locator("dialog").wait_for(state="detached")
    page.evaluate(OPEN, "dialog")
    page.keyboard.press("Tab")  # so that the next click is none of a double click with the last one
    page.mouse.dblclick(*middle)
    assert clicked(page) == ["first"]
    page.locator("dialog .main").click()  # waits until it takes a click
    wait_until(lambda: clicked(page) == ["first", "yes"], "the answer")


@pytest.mark.parametrize("key", ["Enter", " "])
def test_a_key_that_is_held_or_pressed_twice_answers_no_dialog(page: Any, key: str) -> None:
    page.evaluate(OPEN, "dialog")
    page.keyboard.down(key)
    page.keyboard.down(key)  # repeats
    page.keyboard.up(key)
    page.locator("dialog .main").focus()
    page.keyboard.press(key)
    assert clicked(page) == ["first"]
    page.keyboard.press("Tab")  # whoever moves the focus has seen it
    page.locator("dialog .main").focus()
    page.keyboard.press(key)
    wait_until(lambda: clicked(page) == ["first", "yes"], "the answer")


def test_what_takes_the_place_of_what_was_clicked_takes_no_click(page: Any) -> None:
    page.evaluate(OPEN, "control")
    page.mouse.dblclick(50, 50)
    assert clicked(page) == ["first"]
    page.locator("#second").click()
    assert clicked(page) == ["first", "second"]


def test_the_same_control_can_be_clicked_as_fast_as_somebody_likes(page: Any) -> None:
    page.evaluate(OPEN, "same")
    for _ in range(4):
        page.mouse.click(50, 50)
    assert clicked(page) == ["first"] * 4


def test_a_double_click_on_the_first_button_of_the_site_only_asks_for_a_name(visit: Any) -> None:
    visitor = visit()
    page = visitor.open()
    first = page.locator(f"[data-play='{SLUG}']")
    first.scroll_into_view_if_needed()
    first.dblclick()
    page.locator("#name").wait_for()
    page.mouse.move(5, 5)
    assert page.locator("dialog").count() == 1
    page.locator("dialog button[type=button]").click()
    page.locator("dialog").wait_for(state="detached")


def test_a_screen_that_opens_takes_no_second_click(visit: Any) -> None:
    visitor = visit(own=True)
    visitor.page.add_init_script(UNSETTLED)
    page = visitor.open("/me")
    visitor.go("/")
    box = page.locator("[data-first]").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle)
    assert page.locator("dialog").count() == 0
    page.evaluate("unsettled.splice(0).forEach(each => each.finish())")
    page.locator("main:not([data-appearing])").wait_for()
    page.mouse.click(*middle)
    page.locator("dialog #name").wait_for()
