"""Orders are left, changed and withdrawn next to the choices of a table, by touch and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.cast import BOOMERANG
from tests.support.servers.server import wait_until
from tests.web.conftest import DESK
from tests.web.support.accessibility import violations
from tests.web.support.tables import two_people, who_is_asked

pytestmark = pytest.mark.browser


def asked(visit: Any) -> Any:
    """The one of two people who has to answer a bid."""
    first, other = who_is_asked(*two_people(visit, BOOMERANG))
    first.act("bid")
    wait_until(other.asked, "a question")
    other.settled()
    return other


def test_an_order_is_left_changed_and_withdrawn_by_keyboard(visit: Any, picture: Any) -> None:
    ken = asked(visit)
    page = ken.page
    button = page.locator(".confirm-bar").get_by_role("button", name="Leave an order")
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    button.press("Enter")
    dialog = page.get_by_role("dialog", name="Leave an order")
    dialog.wait_for()
    offers = dialog.locator(":scope > .offers button")
    assert offers.count() == 3
    assert violations(ken) == []
    picture(ken, "orders-that-can-be-left")
    words = offers.first.inner_text()
    page.locator("dialog:not([data-appearing])").wait_for()
    offers.first.press("Enter")
    standing = dialog.locator("section", has_text="Orders in force")
    standing.wait_for()
    assert words in standing.inner_text()
    standing.get_by_role("button", name="Change").click()
    assert violations(ken) == []
    picture(ken, "an-order-is-changed")
    standing.get_by_role("button", name="1 time at most").click()
    dialog.get_by_text("1 time at most").first.wait_for()
    dialog.get_by_role("button", name="Withdraw").click()
    standing.wait_for(state="detached")
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")


def test_orders_are_found_in_the_menu_too_and_say_whether_only_moves_are_played(
    visit: Any, picture: Any
) -> None:
    ken = asked(visit)
    ken.page.set_viewport_size(DESK)
    ken.page.get_by_role("button", name="Menu").click()
    ken.page.locator("[data-menu=orders]").click()
    dialog = ken.page.get_by_role("dialog", name="Leave an order")
    box = dialog.get_by_role("checkbox", name="Play my only move for me at this table")
    assert not box.is_checked()
    box.check()
    dialog.get_by_role("button", name="As my settings say").click()
    dialog.get_by_role("button", name="As my settings say").wait_for(state="detached")
    assert not dialog.get_by_role("checkbox").is_checked()
    assert violations(ken) == []
    picture(ken, "orders-from-the-menu")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_order_that_waits_for_an_answer_is_built_by_keyboard(
    visit: Any, picture: Any, language: str
) -> None:
    ken = asked(visit)
    if language == "ja":
        ken.page.evaluate("localStorage.setItem('tegami.language', 'ja')")
        ken.page.reload()
        ken.settled()
    page = ken.page
    page.locator(".confirm-bar").get_by_role("button", name=ORDERS[language]).press("Enter")
    dialog = page.locator("dialog.orders-dialog:not([data-appearing])")
    dialog.wait_for()
    dialog.locator("summary", has_text=TREE[language]).press("Enter")
    form = dialog.locator("form.order-tree")
    first, play = form.locator("#order-if-1"), form.locator("#order-plays")
    first.select_option(index=1)
    play.select_option(index=play.locator("option").count() - 1)  # after a high bid there is one
    form.locator("button.plain").press("Enter")
    second = form.locator("#order-if-2")
    second.select_option(index=1)
    said = [each.locator("option:checked").inner_text() for each in (first, second, play)]
    assert violations(ken) == []
    picture(ken, f"an-order-that-waits-{language}")
    form.locator("button.main").press("Enter")
    standing = dialog.locator("section li")
    standing.wait_for()
    assert all(each in standing.inner_text() for each in said)
    picture(ken, f"an-order-that-waits-is-left-{language}")


ORDERS = {"en": "Leave an order", "ja": "指示を預ける"}
TREE = {"en": "If somebody answers …", "ja": "誰かの答えを待つ指示"}
