"""A choice that is not sent yet: steps are taken back one by one; a lost connection or a reload loses none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import DESK
from tests.web.support.staged import ID, PLAYED, Stage, answer, arrived, hold

pytestmark = pytest.mark.browser

PICKED = ".hand-card.up"


@pytest.fixture
def stage(visit: Any) -> Stage:
    stage = Stage(visit())
    stage.open()
    return stage


def pick(page: Any, *cards: str) -> None:
    for card in cards:
        page.locator(f".hand-card[data-card='{card}']").click()


def picked(page: Any) -> list[str]:
    codes: list[str] = page.eval_on_selector_all(PICKED, "all => all.map(e => e.dataset.card)")
    return codes


def test_undo_takes_back_one_step(stage: Stage) -> None:
    pick(stage.page, "As", "2s")
    stage.page.locator(".undo").click()
    assert picked(stage.page) == ["As"]
    stage.page.locator(".undo").click()
    assert picked(stage.page) == []
    assert stage.page.locator(".undo").count() == 0


def test_backspace_takes_back_one_step_and_escape_all(stage: Stage) -> None:
    pick(stage.page, "As", "2s")
    stage.page.keyboard.press("Backspace")
    assert picked(stage.page) == ["As"]
    pick(stage.page, "3s")
    stage.page.keyboard.press("Escape")
    assert picked(stage.page) == []


def test_several_steps_can_be_started_over(stage: Stage) -> None:
    pick(stage.page, "As")
    assert stage.page.locator(".start-over").count() == 0
    pick(stage.page, "2s")
    button = stage.page.get_by_role("button", name="Start over")
    assert button.count() == 0, "on a phone the sentence has its room"
    stage.page.set_viewport_size(DESK)
    button.click()
    assert picked(stage.page) == []


def test_a_card_that_is_put_back_leaves_no_step(stage: Stage) -> None:
    pick(stage.page, "As", "As")
    assert stage.page.locator(".undo").count() == 0


def test_the_other_of_two_equal_cards_is_no_step(stage: Stage) -> None:
    stage.zone("hand", 0)["cards"] = ["9h", "9h", "9c"]
    bids = [{"action": {"type": "bid", "cards": [card]}, "words": card} for card in ("9h", "9c")]
    stage.show(asked=3, legal=bids)
    for card, nth in (("9c", 0), ("9h", 0), ("9h", 1)):
        stage.page.locator(f".hand-card[data-card='{card}']").nth(nth).click()
    assert picked(stage.page) == ["9h"]
    stage.page.locator(".undo").click()
    assert picked(stage.page) == ["9c"]


def test_another_whole_action_replaces_the_one_chosen(stage: Stage) -> None:
    passing = [{"action": {"type": "pass"}, "words": "Pass"}]
    lead = [{"action": {"type": "lead", "suit": suit}, "words": suit} for suit in "sh"]
    stage.show(asked=3, legal=[*passing, *lead])
    for words in ("Pass", "s", "h"):
        stage.page.locator(".option").get_by_text(words, exact=True).click()
    stage.page.locator(".undo").click()
    assert stage.page.locator("#confirm").is_disabled()


def test_a_choice_confirmed_without_a_connection_is_sent_once_there_is_one(stage: Stage) -> None:
    page = stage.page
    pick(page, "As", "2s")
    stage.connected = False
    page.locator("#confirm").click()
    page.locator(".toast", has_text="Your choice is still here").wait_for()
    page.locator(".unsent", has_text="Not sent yet").wait_for()
    assert picked(page) == ["As", "2s"]
    stage.connected = True
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(PLAYED).wait_for()
    assert stage.sent == [{"type": "bid", "cards": ["As", "2s"]}] * 2
    assert page.locator(".unsent").count() == 0
    stage.visitor.errors.clear()  # the browser reports every failed request


@pytest.mark.parametrize("is_new_tab", [False, True], ids=["reloaded", "closed and opened"])
def test_a_choice_not_sent_outlives_the_page(stage: Stage, is_new_tab: bool) -> None:
    """Phones close pages at will."""
    pick(stage.page, "As", "2s")
    stage.connected = False
    stage.page.locator("#confirm").click()
    stage.page.locator(".unsent").wait_for()
    stage.connected = True
    if is_new_tab:
        stage.page.evaluate("sessionStorage.clear()")
    with stage.page.expect_request("**/actions"):
        stage.page.reload()
    stage.page.locator(PLAYED).wait_for()
    assert stage.sent == [{"type": "bid", "cards": ["As", "2s"]}] * 2
    stage.page.reload()
    stage.page.locator(PLAYED).wait_for()
    assert len(stage.sent) == 2
    stage.visitor.errors.clear()


def test_a_choice_on_its_way_when_the_page_is_closed_is_sent_again(stage: Stage) -> None:
    """Nobody here knows whether it had arrived; the service plays it once."""
    pick(stage.page, "As")
    held = hold(stage, "**/actions")
    stage.page.locator("#confirm").click()
    arrived(stage, held)
    stage.page.evaluate("sessionStorage.clear()")
    with stage.page.expect_request("**/actions"):
        stage.page.reload()
    stage.page.locator(PLAYED).wait_for()
    assert stage.sent == [{"type": "bid", "cards": ["As"]}]


def test_a_choice_not_sent_is_given_up_by_taking_a_step_back(stage: Stage) -> None:
    page = stage.page
    pick(page, "As", "2s")
    stage.connected = False
    page.locator("#confirm").click()
    page.locator(".unsent").wait_for()
    page.locator(".undo").click()
    page.locator(".unsent").wait_for(state="detached")
    stage.connected = True
    with page.expect_response(f"**/api/games/{ID}"):
        page.evaluate("dispatchEvent(new Event('online'))")
    assert picked(page) == ["As"]
    assert len(stage.sent) == 1
    stage.visitor.errors.clear()


def test_a_choice_not_sent_is_not_played_when_the_question_has_changed(stage: Stage) -> None:
    page = stage.page
    pick(page, "As", "2s")
    stage.connected = False
    page.locator("#confirm").click()
    page.locator(".unsent").wait_for()
    stage.change(asked=3)
    stage.connected = True
    moved = {"type": "/problems/stale", "title": "The table has moved on", "game": stage.game}
    page.route("**/actions", lambda route: answer(route, moved, 409))
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(".toast", has_text="The table has moved on").wait_for()
    assert picked(page) == []
    assert page.locator(".unsent").count() == 0
    stage.visitor.errors.clear()


def test_a_reload_keeps_the_choice_and_its_steps(stage: Stage) -> None:
    pick(stage.page, "As", "2s")
    stage.open().reload()
    stage.page.locator(PICKED).nth(1).wait_for()
    assert stage.page.locator("#confirm").is_enabled()
    stage.page.locator(".undo").click()
    assert picked(stage.page) == ["As"]


def test_a_choice_among_whole_actions_is_kept_too(stage: Stage) -> None:
    stage.page.locator(".option", has_text="Pass").click()
    stage.open().reload()
    stage.page.locator("#confirm:enabled").click()
    stage.page.locator(PLAYED).wait_for()
    assert stage.sent == [{"type": "pass"}]


@pytest.mark.parametrize("change", [{"asked": 3}, {"legal": []}], ids=["asked", "legal"])
def test_a_choice_is_dropped_where_it_no_longer_fits(stage: Stage, change: Any) -> None:
    pick(stage.page, "As")
    stage.change(**change)
    stage.open().reload()
    stage.page.wait_for_selector(".play")
    assert picked(stage.page) == []


def test_a_choice_that_was_refused_is_dropped(stage: Stage) -> None:
    pick(stage.page, "As")
    stage.page.route("**/actions", lambda route: route.fulfill(status=422, json={"title": "No"}))
    stage.page.locator("#confirm").click()
    stage.page.locator(".toast", has_text="No").wait_for()
    assert picked(stage.page) == []
