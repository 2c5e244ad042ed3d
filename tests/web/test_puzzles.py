"""Puzzles on the page: found beside the rules, solved by a visitor, and a decision of somebody's game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route, expect

import rules
from rules.kernel import same
from rules.players.puzzles.games import known_at
from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations
from tests.web.support.staged import ID, answer, example

pytestmark = pytest.mark.browser

SLUG = "trunk-and-peddler"
DECISION = {**example("getGamePuzzle-200"), "game": ID, "number": 7}
TOLD = example("answerGamePuzzle-200")


def test_a_visitor_solves_a_puzzle_and_the_browser_remembers_it(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    puzzle = rules.puzzles(SLUG).puzzles[0]
    legal = known_at(rules.load(SLUG), puzzle.course, puzzle.number, puzzle.seat).legal
    best = next(n for n, each in enumerate(legal) if same(each, puzzle.best))
    page = visitor.open(f"/rules/{SLUG}")
    page.locator(f"a[href='/puzzles/{SLUG}']").click()
    page.locator("main.puzzles:not([data-appearing]) .puzzle-list a").first.click()
    choices = page.locator(".puzzle-choices button")
    expect(choices).to_have_count(len(legal))
    page.locator("main.puzzles:not([data-appearing])").wait_for()
    assert visitor.wider_than_screen() == 0
    assert violations(visitor) == []
    choices.nth(0 if best else 1).click()
    expect(page.locator("#verdict")).to_contain_text("There is a better choice")
    expect(page.locator("#solution")).to_have_count(0)
    choices.nth(best).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("That is the best choice.")
    expect(page.locator("#solution")).to_be_visible()
    assert violations(visitor) == []
    page.locator(f"a[href='/puzzles/{SLUG}']").click()
    expect(page.locator(".puzzle-list .tag")).to_have_text("Solved")


def test_a_decision_of_a_game_asks_what_one_would_do(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    path = f"**/api/games/{ID}/puzzles/7"
    visitor.page.route(path, lambda route: answer(route, DECISION))

    def told(route: Route) -> None:
        answer(route, {**TOLD, "right": None, "cost": None, "solution": None})

    visitor.page.route(f"{path}/answers", told)
    page = visitor.open(f"/puzzles/{DECISION['ruleset']['slug']}?game={ID}&at=7")
    page.locator("main:not([data-appearing]) .puzzle-choices button").last.click()
    expect(page.locator("#verdict")).to_contain_text("This was played")
    back = page.locator("main a.button")
    expect(back).to_have_attribute("href", f"/games/{ID}?at=6")
