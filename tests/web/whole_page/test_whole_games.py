"""A browser begins a game as the website offers it, and sees its end, at a table of the server.

Sizes, languages and ways to choose go round over the games, so that each is met. Of the games that did not change only
one is played, against the best house players; test_walks.py walks through others.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules.players.levels import LEVELS
from tests.support.changed import is_due, of_game
from tests.web.conftest import DESK, ON_ITS_SIDE, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.endings import LANGUAGES, assert_told, unread

pytestmark = [pytest.mark.browser, pytest.mark.daily, pytest.mark.timeout(300)]

PICTURED = {0, 1, 6}
"""Own moves before which a screenshot is taken."""
MIDDLE = 5
"""Own moves after which most zones contain cards."""

CLICKED = 8
"""The number of own moves on the page; the others would show little that is new, and take minutes."""
EVERY = 9999
"""The same in thorough runs: all of them."""
SIZES = (PHONE, ON_ITS_SIDE, DESK)
WAYS = ("touch", "mouse", "keys")

STRONG = "boomerang-auction"
"""The game that is always played against the best house players; the others need thorough runs."""


@pytest.mark.parametrize(
    "most",
    [CLICKED, pytest.param(EVERY, marks=[pytest.mark.thorough, pytest.mark.timeout(2400)])],
    ids=["begun", "whole"],
)
@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[] if is_due(of_game(slug)) else [pytest.mark.thorough])
        for slug in rules.slugs()
    ],
)
def test_a_whole_game_against_house_players(slug: str, most: int, visit: Any, picture: Any) -> None:
    nth, rng = rules.slugs().index(slug), random.Random(f"a game of {slug}")
    size, locale = SIZES[nth % 3], LANGUAGES[nth % 2]
    visitor = visit(size, locale=locale, by=WAYS[(nth + nth // 3) % 3], bypass_csp=True)
    visitor.play_now(slug)
    moves = 0
    while moves < most and visitor.my_turn():
        visitor.choose(rng)
        if moves in PICTURED:
            picture(visitor, f"{slug}-{moves}")
            visitor.page.set_viewport_size(size)
            assert visitor.wider_than_screen() == 0
            assert unread(visitor) == []
        moves += visitor.confirm()
        if moves == MIDDLE:
            assert violations(visitor) == []
    while visitor.answer(rng):
        pass
    visitor.see_the_end()
    picture(visitor, f"{slug}-over")
    _is_told_whole(visitor)
    assert set(visitor.refusals) <= {409}  # where several may act, one can be too late


def _is_told_whole(visitor: Any) -> None:
    """Check the result, the scores and the record, also in dark colours."""
    assert_told(visitor, visitor.game())
    visitor.page.emulate_media(color_scheme="dark")
    assert violations(visitor) == []
    with visitor.page.expect_download() as download:
        visitor.page.locator("a[download]").click()
    assert b'"digest"' in download.value.path().read_bytes()


def sit_down_with(visitor: Any, slug: str, level: str) -> None:
    """Open a table of house players of this level by the form, and fill it."""
    page = visitor.open(f"/new/{slug}")
    page.locator("details.more summary").click()
    page.locator("input[name=level]").nth([*LEVELS].index(level)).check()
    page.locator("form button.main").click()
    visitor.give_name()
    page.locator("#fill").click()
    page.wait_for_selector(".play")


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[] if slug == STRONG else [pytest.mark.thorough])
        for slug in rules.slugs()
    ],
)
def test_a_whole_game_against_the_best_house_players(slug: str, visit: Any) -> None:
    visitor, rng = visit(DESK), random.Random(f"a strong game of {slug}")
    sit_down_with(visitor, slug, "strong")
    programs = [seat["program"] for seat in visitor.game()["seats"] if seat["program"]]
    assert {program["level"] for program in programs} == {"strong"}
    moves = 0
    while moves < CLICKED and visitor.my_turn():
        visitor.choose(rng)
        moves += visitor.confirm()
    while visitor.answer(rng):
        pass
    visitor.see_the_end()
    assert visitor.game()["status"] == "over"
    assert set(visitor.refusals) <= {409}
