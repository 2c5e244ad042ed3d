"""axe finds no violation on any screen, dark or light."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("scheme", "locale"),
    [
        ("light", "en-GB"),
        ("dark", "ja-JP"),
        pytest.param("light", "ja-JP", marks=pytest.mark.thorough),
        pytest.param("dark", "en-GB", marks=pytest.mark.thorough),
    ],
)
def test_every_screen(visit: Any, scheme: str, locale: str) -> None:
    size = PHONE if scheme == "light" else DESK
    visitor = visit(size, locale, color_scheme=scheme, bypass_csp=True)  # axe sets inline styles
    slug = rules.slugs()[-1]
    visitor.open().locator(".games").first.wait_for()
    assert violations(visitor) == []
    visitor.page.locator("[data-play]").first.click()
    assert violations(visitor) == []
    visitor.give_name()
    visitor.page.wait_for_selector(".play")
    for address in (f"/new/{slug}", f"/rules/{slug}", "/me"):
        visitor.open(address).locator("main :is(form, article)").first.wait_for()
        assert violations(visitor) == [], address
    for address in (
        "/finished",
        "/daily",
        "/people",
        "/ratings",
        f"/ratings/{slug}",
        "/privacy",
        f"/rules/{slug}/example",
        "/nosuch",
    ):
        visitor.open(address)
        assert violations(visitor) == [], address
    visitor.context.clear_cookies()
    visitor.open("/enter").locator("main form").first.wait_for()
    assert violations(visitor) == []
    visitor.refusals.clear()
