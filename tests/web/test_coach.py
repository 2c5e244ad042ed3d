"""The help in a player's first game of a ruleset: the aim, then each new phase, until it is closed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE
from tests.web.support.accessibility import assert_accessible
from tests.web.support.staged import PLAYED, Stage

pytestmark = pytest.mark.browser

COACH = ".coach"


@pytest.fixture
def stage(visit: Any) -> Stage:
    """Somebody's first game, and their turn."""
    return Stage(visit(PHONE, bypass_csp=True))


def act(page: Any) -> None:
    """Passes."""
    page.locator(".option", has_text="Pass").click()
    page.locator("#confirm").click()
    page.locator(PLAYED).wait_for()


def test_it_says_the_aim_until_the_first_move(stage: Stage) -> None:
    page = stage.open()
    expect(page.locator(COACH)).to_contain_text("The aim: Three players bid for five lots")
    page.reload()
    page.locator(COACH).wait_for()
    act(page)
    expect(page.locator(COACH)).to_have_count(0)


def test_what_is_cut_short_is_shown_whole_at_a_touch(visit: Any) -> None:
    page = Stage(visit({"width": 360, "height": 690})).open()
    words = page.locator(f"{COACH} p")
    cut = "each => each.scrollHeight > each.clientHeight + 1"
    assert words.evaluate(cut)
    table = page.locator(".middle").bounding_box()
    words.click()
    assert not words.evaluate(cut)
    assert page.locator(".middle").bounding_box() == table, "nothing moves"


def test_it_names_a_phase_that_is_new(stage: Stage) -> None:
    page = stage.open()
    legal = stage.game["legal"]
    act(page)
    view = {**stage.game["view"], "phase": "other", "phase_words": "Another phase"}
    stage.show(view=view, legal=legal, asked=stage.game["number"])
    expect(page.locator(COACH)).to_contain_text("New: Another phase.")


def test_the_rules_of_the_phase_are_one_touch_away(stage: Stage) -> None:
    page = stage.open()
    page.locator("[data-coach=rules]").click()
    expect(page.locator(".side-panel .rules [data-phases~=bidding]").first).to_be_in_viewport()


def test_it_can_be_closed_for_good(stage: Stage) -> None:
    page = stage.open()
    page.locator("[data-coach=close]").click()
    expect(page.locator(COACH)).to_have_count(0)
    page.reload()
    page.locator("#confirm").wait_for()
    assert page.locator(COACH).count() == 0


def test_it_helps_in_the_first_game_only(stage: Stage) -> None:
    page = stage.open()
    page.locator(COACH).wait_for()
    page.evaluate(
        "localStorage['tegami.coach'] = localStorage['tegami.coach'].replace('g_', 'g_earlier')"
    )
    page.reload()
    page.locator("#confirm").wait_for()
    assert page.locator(COACH).count() == 0


def test_whoever_watches_needs_none(visit: Any) -> None:
    page = Stage(visit(PHONE), seat=None, tenure=None, legal=[], asked=None).open()
    page.locator(".seat").first.wait_for()
    assert page.locator(COACH).count() == 0


def test_it_is_accessible(stage: Stage) -> None:
    page = stage.open()
    page.locator(COACH).wait_for()
    assert_accessible(stage.visitor)
