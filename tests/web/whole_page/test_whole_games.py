"""A browser begins a game of every ruleset, only by what the page offers, and sees its end.

Sizes, languages and ways to choose go round over the games, so that each is met.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import rules
from rules.players.house import LEVELS
from tests.web.conftest import DESK, ON_ITS_SIDE, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PICTURED = {0, 1, 6}
"""Own moves before which a screenshot is taken."""

CLICKED = 8
"""Own moves that are made on the page; the others would show little that is new, and take minutes."""
EVERY = 9999
"""All of them, in thorough runs."""
SIZES = (PHONE, ON_ITS_SIDE, DESK)
WAYS = ("touch", "mouse", "keys")

STRONG = "boomerang-auction"
"""The game that is always played against the best house players; those of the others are for thorough runs."""


def unread(visitor: Any) -> list[str]:
    """Text in Latin letters on a Japanese screen, except the name: untranslated codes and keys."""
    if visitor.page.locator("html").get_attribute("lang") != "ja":
        return []
    shown = visitor.page.locator("main").inner_text()
    return re.findall(r"[A-Za-z]{3,}", shown.replace("Mina", ""))


LAST_ROW = ".score-table tfoot td, .score-table tbody:last-child > tr:first-child td"
"""The totals, or the only row."""


def number(text: str) -> int:
    """A number as the page writes it."""
    return int(text.replace("−", "-"))


@pytest.mark.parametrize(
    "most",
    [CLICKED, pytest.param(EVERY, marks=[pytest.mark.thorough, pytest.mark.timeout(2400)])],
    ids=["begun", "whole"],
)
@pytest.mark.parametrize("slug", rules.slugs())
def test_a_whole_game_against_house_players(slug: str, most: int, visit: Any, picture: Any) -> None:
    nth, rng = rules.slugs().index(slug), random.Random(f"a game of {slug}")
    size, locale = SIZES[nth % 3], ("ja-JP", "en-GB")[nth % 2]
    visitor = visit(size, locale=locale, by=WAYS[(nth + nth // 3) % 3])
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
    while visitor.answer(rng):
        pass
    visitor.page.locator(".result").wait_for()
    picture(visitor, f"{slug}-over")
    _is_told_whole(visitor)
    assert set(visitor.refusals) <= {
        409
    }  # where several may act at once, an action can be too late


def _is_told_whole(visitor: Any) -> None:
    """The result, the scores and the record."""
    told = visitor.game()
    result = visitor.page.locator(".result").inner_text()
    assert told["status"] == "over"
    assert told["result"]["words"] in result
    assert all(words in result for words in told["result"]["score_words"] if words)
    facts = [fact for fact in told["view"]["facts"] if fact.get("of") is not None]
    table = visitor.page.locator(".play.over").inner_text()
    assert all(fact.get("short", fact["words"]) in table for fact in facts if "index" not in fact)
    visitor.page.locator(".score-table").wait_for()
    scores = visitor.page.locator(LAST_ROW).all_inner_texts()
    assert [number(text) for text in scores] == told["result"]["scores"]
    assert unread(visitor) == []
    with visitor.page.expect_download() as download:
        visitor.page.locator("a[download]").click()
    assert b'"digest"' in download.value.path().read_bytes()


def sit_down_with(visitor: Any, slug: str, level: str) -> None:
    """Opens a table of house players of this level by the form, and fills it."""
    page = visitor.open(f"/new/{slug}")
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
    visitor.page.locator(".result").wait_for()
    assert visitor.game()["status"] == "over"
    assert set(visitor.refusals) <= {409}


@pytest.mark.parametrize("slug", rules.slugs())
def test_three_clicks_lead_from_the_first_page_to_the_first_move(slug: str, visit: Any) -> None:
    visitor = visit(DESK)
    page = visitor.open()
    page.locator(f"[data-play='{slug}']").click()
    visitor.give_name()  # typed, and sent with Enter
    assert visitor.my_turn()
    shown = visitor.game()
    page.locator(".status-line", has_text=shown["view"]["prompt_words"]).wait_for()
    assert (
        visitor.page.locator(
            ".bottom-panel .option, .bottom-panel .hand-card:not([aria-disabled=true])"
        ).count()
        > 0
    )
