"""The documents for programmers, as pages: axe finds nothing, and nothing is too wide for the narrowest phone."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.contract import PATH
from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser

SIZE = {"width": 320, "height": 640}


DRAWN_AT_THE_END = """tag => {
  scrollTo(0, document.documentElement.scrollHeight);
  return document.querySelector(`.opblock[id^="operations-${tag}-"]`);
}"""
"""Operations are drawn when they come into view."""


@pytest.mark.parametrize(
    ("path", "title", "section"),
    [
        ("/docs/record", "The record of a game", "Heads that you have seen"),
        pytest.param(
            "/docs/clients",
            "Writing a client",
            "The first move in five requests",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "/docs/changes",
            "What has changed in the API",
            "1.0 (unreleased)",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_a_document(visit: Any, path: str, title: str, section: str) -> None:
    visitor = visit(SIZE, bypass_csp=True)  # axe sets inline styles
    page = visitor.open(path)
    page.get_by_role("heading", level=1, name=title).wait_for()
    page.get_by_role("heading", name=section).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZE["width"]
    assert violations(visitor) == []


def test_the_reference_is_drawn_under_our_policy(visit: Any) -> None:
    """Anything that the policy forbids would be an error in the console, which fails the test."""
    page, served = visit().open("/docs/api"), yaml.load(PATH.read_text("utf-8"), yaml.CSafeLoader)
    tags = [each["name"] for each in served["tags"]]
    page.locator(f".opblock[id^='operations-{tags[0]}-']").first.wait_for()
    assert page.locator(".opblock-tag").first.get_attribute("data-tag") == tags[0] == "playing"
    page.wait_for_function(DRAWN_AT_THE_END, arg=tags[-1])
