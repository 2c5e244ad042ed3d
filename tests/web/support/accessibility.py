"""Checks of a screen: axe finds nothing, and nothing is wider than a narrow phone."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe

NARROW = {"width": 320, "height": 640}


STILL = "() => Promise.allSettled(document.getAnimations().map(each => each.finished))"
"""Half-way through a change of colours, contrasts are too low."""


FIND = """async () => (await axe.run({ resultTypes: ["violations"] })).violations
  .map(found => `${found.id}: ${found.nodes[0].html}`)"""


def violations(visitor: Any) -> list[str]:
    """What axe finds on the screen."""
    visitor.page.evaluate(STILL)
    if not visitor.page.evaluate("'axe' in window"):
        visitor.page.evaluate(Axe().axe_script)
    found: list[str] = visitor.page.evaluate(FIND)
    return found


def assert_accessible(visitor: Any) -> None:
    """Check that nothing is too wide for a narrow phone, and that axe finds nothing."""
    visitor.page.set_viewport_size(NARROW)
    assert visitor.wider_than_screen() == 0
    assert violations(visitor) == []
