"""Whether every face-up card on the table is wide enough, its rank and suit can be read, and no mark lies on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CARD, TILE = 34, 12
"""The least width of a face-up card, and the shorter side of a tile: pixels."""
LETTERS = 13
"""The least size of the letters of a rank: pixels."""
CONTRAST, PALE = 4.5, 3
"""The least contrast of rank and suit with the paper: for a card that lies there, and for one that will."""

FAULTS = Path(__file__).with_name("unreadable.js").read_text()


FITTED = """() => {
  const { className, style } = document.querySelector(".play");
  return [className, style.getPropertyValue("--fit")];
}"""
"""The step at which the table is drawn small enough."""
OPENED = ".strip > .fold:visible"


def assert_readable(page: Any, about: Any) -> None:
    """Check that every face-up card can be read, now and with another seat opened; then everything is as large as
    before.
    """
    assert unreadable(page) == [], about
    folds, fitted = page.locator(OPENED), page.evaluate(FITTED)
    if folds.count():
        folds.first.evaluate("each => each.click()")
        page.locator(".strip.opened").wait_for()
        assert unreadable(page) == [], (about, "with a seat opened")
        folds.first.evaluate("each => each.click()")
        page.locator(".strip.opened").wait_for(state="detached")
        assert page.evaluate(FITTED) == fitted, (about, "with the seat closed")


def unreadable(page: Any) -> list[str]:
    """The errors about face-up cards on the table, one by one."""
    limits = {"card": CARD, "tile": TILE, "letters": LETTERS, "contrast": CONTRAST, "pale": PALE}
    found: list[str] = page.evaluate(FAULTS.rstrip().rstrip(";"), limits)
    return found
