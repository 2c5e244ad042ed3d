"""The example of a page of rules, clicked through on the table, on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import PHONE
from tests.web.support.accessibility import assert_accessible

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    "slug",
    ["caravan", *(pytest.param(s, marks=pytest.mark.thorough) for s in ("2459n", "auction-draw"))],
)
def test_the_example_opens_from_the_rules_and_leads_back(visit: Any, slug: str) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    page = visitor.open(f"/rules/{slug}")
    page.get_by_role("link", name="See this example on the table").click()
    page.get_by_role("heading", name="the example on the table", level=1).wait_for()
    assert_accessible(visitor)
    steps = 0
    while page.get_by_role("link", name="Next step").count():
        steps += 1
        page.get_by_role("link", name="Next step").click()
        page.get_by_role("heading", name=f"Step {steps} of").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert steps > 1
    page.get_by_role("link", name="Back", exact=True).click()
    page.get_by_role("heading", name=f"Step {steps - 1} of").wait_for()
    page.get_by_role("link", name="Back to the rules").click()
    page.locator("article.rules h1").wait_for()
