"""The document about records, as a page: axe finds nothing, and nothing is too wide for the narrowest phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser


def test_the_document_about_records(visit: Any) -> None:
    size = {"width": 320, "height": 640}
    visitor = visit(size, bypass_csp=True)  # axe sets inline styles
    page = visitor.open("/docs/record")
    page.get_by_role("heading", level=1, name="The record of a game").wait_for()
    page.get_by_role("heading", name="Heads that you have seen").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert violations(visitor) == []
