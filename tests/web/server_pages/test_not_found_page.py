"""Addresses with nothing there say so, and have links that lead on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.support.accessibility import assert_accessible

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("address", ["/nosuch", "/me/x/y", "/rules/nosuch", "/new/nosuch"])
def test_where_there_is_nothing_the_page_says_so(visit: Any, address: str) -> None:
    visitor = visit(bypass_csp=True)
    page = visitor.open(address)
    page.get_by_role("heading", name="There is nothing here", level=1).wait_for()
    assert_accessible(visitor)
    page.get_by_role("link", name="All tables").click()
    page.locator(".games").first.wait_for()
