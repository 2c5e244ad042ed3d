"""The privacy page on the narrowest phone: axe finds nothing, and nothing is too wide."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser


def test_the_lobby_links_to_the_privacy_page(visit: Any) -> None:
    page = visit().open()
    page.locator("footer a").click()
    page.wait_for_url("**/privacy?lang=en")


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ja", "dark")])
def test_the_privacy_page(visit: Any, language: str, scheme: str) -> None:
    size = {"width": 320, "height": 640}
    visitor = visit(size, color_scheme=scheme, bypass_csp=True)  # axe sets inline styles
    page = visitor.open(f"/privacy?lang={language}")
    page.get_by_role("heading", level=1).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert violations(visitor) == []
