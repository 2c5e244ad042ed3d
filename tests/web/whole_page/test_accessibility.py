"""axe finds no violation on any screen, dark or light."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser

MIDDLE = 5
"""Own moves after which most zones contain cards."""


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen(visit: Any, locale: str, scheme: str) -> None:
    size = PHONE if (scheme == "light") == (locale == "en-GB") else DESK
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
    for address in ("/finished", "/privacy", f"/rules/{slug}/example", "/nosuch"):
        visitor.open(address)
        assert violations(visitor) == [], address
    visitor.context.clear_cookies()
    visitor.open("/enter").locator("main form").first.wait_for()
    assert violations(visitor) == []
    visitor.refusals.clear()


TO_THE_END = ("2459n", "auction-draw", "joretsu", "market-price")
"""Looked at below, too; here they are thorough."""


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[pytest.mark.thorough] if slug in TO_THE_END else [])
        for slug in rules.slugs()
    ],
)
def test_a_table(visit: Any, slug: str) -> None:
    locale = ("en-GB", "ja-JP")[rules.slugs().index(slug) % 2]
    visitor, rng = visit(PHONE, locale, bypass_csp=True), random.Random(slug)
    visitor.play_now(slug)
    for _ in range(2):
        if not visitor.my_turn():
            break  # a game of Abbott may end with one action
        visitor.choose(rng)
        assert violations(visitor) == []
        visitor.confirm()
    visitor.my_turn()
    visitor.page.set_viewport_size(DESK)
    visitor.page.emulate_media(color_scheme="dark")
    assert violations(visitor) == []
    visitor.page.keyboard.press("?")
    assert violations(visitor) == []


@pytest.mark.parametrize("slug", TO_THE_END)
def test_a_table_in_the_middle_and_at_the_end(visit: Any, slug: str) -> None:
    locale = ("en-GB", "ja-JP")[TO_THE_END.index(slug) % 2]
    visitor, rng = visit(DESK, locale, bypass_csp=True), random.Random(slug)
    visitor.play_now(slug)
    moves = 0
    while visitor.answer(rng):
        moves += 1
        if moves == MIDDLE:
            visitor.page.reload()
            visitor.page.wait_for_selector(".play")
            assert violations(visitor) == []
    visitor.page.locator(".result").wait_for()
    visitor.page.set_viewport_size(PHONE)
    assert violations(visitor) == []
