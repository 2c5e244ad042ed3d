"""Lessons on the page: each step says what to try, and it glows; touching what glows is enough to learn the
whole game.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from tests.web.conftest import PHONE
from tests.web.support.accessibility import assert_accessible
from tests.web.support.visitor import Visitor

pytestmark = pytest.mark.browser

SLUG = "blame-the-magic"
"""The game that everyday runs play to show that it can be done."""
TO_TRY = ".to-try"
CLICK = "each => each.click()"
GOES_ON = """before => {
  document.querySelector("#go-on")?.click();
  const said = document.querySelector(".lesson .told > p:last-child");
  return said && said.textContent !== before;
}"""
"""Events stay as long as they have to be scrolled."""
TOUCHES = 8
"""More touches than any action needs."""


def tries(visitor: Visitor) -> None:
    """Touch what glows until the action is ready, confirm it, and wait for the next text."""
    page = visitor.page
    said = page.locator(".lesson .told > p:last-child")
    before = said.text_content()
    page.locator(f"{TO_TRY}, #confirm:enabled").first.wait_for()
    for _ in range(TOUCHES):
        glowing = page.locator(TO_TRY)
        if not glowing.count():
            break
        glowing.first.evaluate(CLICK)  # another spot may lie over its middle
    confirm = page.locator("#confirm")
    expect(confirm).to_be_enabled()
    confirm.evaluate(CLICK)
    page.wait_for_function(GOES_ON, arg=before)


def learn(visitor: Visitor, slug: str, first: int = 1) -> None:
    """Play the lesson of a game from a step to its end."""
    lesson = rules.lesson(slug)
    assert lesson is not None
    for step in range(first, len(lesson.steps) + 1):
        expect(visitor.page.locator(".lesson .steps")).to_have_text(f"{step}/{len(lesson.steps)}")
        tries(visitor)
    finished = "You have seen what matters|That was the lesson"
    expect(visitor.page.locator(".lesson")).to_contain_text(re.compile(finished))


@pytest.mark.daily
def test_a_newcomer_learns_by_playing_and_leaves(visit: Any) -> None:
    visitor = visit(PHONE, by="touch")
    page = visitor.open(f"/new/{SLUG}")
    page.locator("[data-lesson]").click()
    visitor.give_name()
    page.locator(".lesson").wait_for()
    address = page.url
    assert page.locator(TO_TRY).count()
    tries(visitor)
    visitor.open("/")  # as whoever has closed the tab
    page.locator("[data-key=lesson] .state", has_text="Step 2 of").wait_for()
    page.locator("[data-key=lesson] a").click()
    page.locator(".lesson").wait_for()
    learn(visitor, SLUG, 2)
    page.locator("[data-lesson=leave]").first.click()
    page.wait_for_url(f"**/rules/{SLUG}")
    visitor.go("/")
    page.locator("main > *").first.wait_for()
    assert page.locator(f"a[href='{address.removeprefix(visitor.url)}']").count() == 0
    answer = visitor.context.request.get(address.replace("/games/", "/api/games/"))
    assert answer.status == 404


def test_whoever_plays_otherwise_may_go_back_to_the_step(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    visitor.sign_up()
    page = visitor.open("/new/boomerang-auction")
    page.locator("[data-lesson]").click()
    page.locator(".lesson").wait_for()
    tries(visitor)
    first = page.url
    page.locator(".option", has_text="Pass").click()
    page.locator("#confirm").click()
    again = page.locator("[data-lesson=again]")
    again.wait_for()
    assert page.locator(TO_TRY).count() == 0, "nothing is suggested any more"
    assert page.locator(".hint").count() == 0, "nobody is mailed about a lesson"
    assert_accessible(visitor)
    again.click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator(".lesson .steps")).to_have_text("2/10")
    page.locator(TO_TRY).first.wait_for()
    assert_accessible(visitor)
    page.locator("[popovertarget=table-menu]").click()
    expect(page.locator("[data-menu=resign]")).to_have_count(0)
    drawers = page.locator("[data-drawer]").evaluate_all(
        "all => all.map(each => each.dataset.drawer)"
    )
    assert drawers == ["history", "rules"], "nobody else is there"
    page.locator("[data-menu=leave-lesson]").click()
    page.wait_for_url("**/rules/boomerang-auction")


@pytest.mark.thorough
@pytest.mark.parametrize("slug", [each for each in rules.slugs() if each != SLUG])
def test_every_lesson_can_be_played_by_touching_what_glows(visit: Any, slug: str) -> None:
    visitor = visit(PHONE)
    visitor.sign_up()
    page = visitor.open(f"/new/{slug}")
    page.locator("[data-lesson]").click()
    page.locator(".lesson").wait_for()
    learn(visitor, slug)
