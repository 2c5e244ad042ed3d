"""The screen of a game: keyboard, history, rules, nudges, spectators, stale actions, lost connections."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.web.conftest import DESK
from tests.web.support.staged import Stage, answer, example
from tests.web.support.tables import SLUG

pytestmark = pytest.mark.browser

IS_AT_THE_PHASE = """
phase => {
  const body = document.querySelector(".side-panel-body");
  const section = body.querySelector(`[data-phases~="${phase}"]`);
  return Math.abs(section.getBoundingClientRect().top - body.getBoundingClientRect().top) < 20;
}
"""


def test_spectators_are_offered_nothing(visit: Any) -> None:
    player, spectator = visit(), visit(DESK)
    player.sit_down(SLUG)
    spectator.open(f"/games/{player.game_id}")
    spectator.page.locator(".seat", has_text="Mina").wait_for()
    assert spectator.page.locator("[data-control]").count() == 0


def test_a_move_with_the_keyboard_alone(visit: Any) -> None:
    visitor = visit(DESK)
    page = visitor.open()
    page.locator(f"[data-play='{SLUG}']").focus()
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for()
    page.keyboard.type("Mina")
    page.keyboard.press("Enter")
    assert visitor.my_turn()
    visitor.settled()
    asked = visitor.game()["asked"]
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        if page.locator("#confirm:enabled").count():
            break
    page.keyboard.press("Escape")
    assert page.locator("#confirm:disabled").count() == 1
    page.keyboard.press("?")
    page.locator("dialog.shortcuts").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog.shortcuts").wait_for(state="detached")
    page.keyboard.press("Space")
    page.locator("#confirm:enabled").wait_for()
    with page.expect_response(lambda answer: answer.url.endswith("/actions")) as sent:
        page.keyboard.press("Enter")
    assert sent.value.request.post_data_json["asked"] == asked
    assert sent.value.status == 201


def test_the_rules_beside_the_table_have_drawn_cards(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.sit_down(SLUG)
    visitor.page.locator(".tab", has_text="Rules").click()
    visitor.page.locator(".side-panel .rules h1").wait_for()
    visitor.page.wait_for_function(IS_AT_THE_PHASE, arg="bidding")
    cards = visitor.page.locator(".side-panel .rules .cards-in-text [role=img]")
    assert cards.count() > 0
    assert " of " in cards.first.get_attribute("aria-label")


def test_the_page_asks_for_the_version_by_which_the_game_is_played(visit: Any) -> None:
    """This includes a table that goes over to a newer version while it is open."""
    asked: list[str] = []
    of_game = example("getRuleset-200")["slug"]
    stage = Stage(visit(DESK, own=True), ruleset={"slug": of_game, "version": 1, "name": "Caravan"})
    stage.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    newer = f"{of_game}?version=2"
    stage.page.route(
        f"**/api/rulesets/{newer}", lambda route: answer(route, example("getRuleset-200"))
    )
    rules_page = "<main><h1>Second</h1></main>"
    stage.page.route(
        "**/rules/*lang=en&version=2",
        lambda route: route.fulfill(body=rules_page, content_type="text/html"),
    )
    page = stage.open()
    page.get_by_role("button", name="Rules").click()
    page.locator(".rules h1", has_text="Caravan").wait_for()
    assert [each for each in asked if "version=" in each] == [
        f"{of_game}?version=1",
        f"{of_game}?lang=en&version=1",
    ]
    with page.expect_response(f"**/{newer}"):
        stage.show(ruleset={"slug": of_game, "version": 2, "name": "Caravan"})
    page.locator(".rules h1", has_text="Second").wait_for()


def test_the_history_shows_events_and_that_the_nonce_was_used(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.play_now(SLUG)
    visitor.my_turn()
    visitor.page.locator(".history li", has_text="The game begins.").wait_for()
    visitor.page.locator(".side-panel", has_text="✓ A random number from this browser").wait_for()
    assert visitor.page.locator(".side-panel", has_text="contributed no number").count() == 0


def test_who_brought_no_number_is_named(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.sign_up()
    wish = {"ruleset": SLUG, "house": 2, "start": "full", "nonce": None}
    game = visitor.context.request.post(f"{visitor.url}/api/games", data=wish).json()
    visitor.open(f"/games/{game['id']}").wait_for_selector("#confirm")
    said = visitor.page.locator(".side-panel p", has_text="contributed no number to the shuffle")
    said.wait_for()
    assert said.all_inner_texts() == ["Mina contributed no number to the shuffle."]


def test_a_stale_action_is_reported(visit: Any) -> None:
    visitor = visit()
    visitor.sit_down(SLUG)
    while visitor.my_turn() and len(visitor.game()["legal"]) < 2:
        visitor.choose(random.Random(0))
        visitor.confirm()
    late = visitor.tab()
    late.goto(visitor.page.url)
    late.wait_for_selector("#confirm")
    late.route(f"**/{visitor.game_id}", lambda route: route.fulfill(status=304))
    visitor.choose(random.Random(0))
    early = visitor.page.locator("#sentence").inner_text()
    visitor.confirm()

    visitor.page = late
    for seed in range(50):
        visitor.choose(random.Random(seed))
        if late.locator("#sentence").inner_text() != early:
            break
        late.keyboard.press("Escape")
    visitor.confirm()
    late.locator(".toast", has_text="You have already answered this").wait_for()
    assert set(visitor.refusals) == {409}  # what it would change may have been asked for too


def test_offline_the_last_state_stays_on_screen(visit: Any) -> None:
    visitor = visit()
    visitor.sit_down(SLUG)
    visitor.my_turn()
    visitor.context.set_offline(True)
    visitor.page.locator(".offline", has_text="No connection").wait_for()
    assert visitor.page.locator(".seat").first.is_visible()
    visitor.context.set_offline(False)
    visitor.page.locator(".offline").wait_for(state="detached")
    visitor.errors.clear()  # the browser reports every failed request


def test_the_title_and_icon_show_whose_turn_it_is(visit: Any) -> None:
    visitor = visit()
    visitor.sit_down(SLUG)
    visitor.my_turn()
    assert visitor.page.title().startswith("● Your turn")
    assert visitor.page.locator("link[rel=icon]").get_attribute("href") == "/icon-turn.svg"
    visitor.open()
    visitor.page.locator(".tables").first.wait_for()
    assert visitor.page.locator(".my-turns h2").inner_text() == "Your turn"


WAITING = {"seat": 1, "since": "2026-11-20T10:00:00.000Z", "due": None}


def test_a_slow_player_is_nudged(visit: Any) -> None:
    waiting = [{**WAITING, "nudge_from": "2026-11-21T10:00:00.000Z"}]
    stage = Stage(visit(), waiting=waiting, legal=[], asked=None)
    stage.page.route("**/nudge", lambda route: answer(route, {"seat": 1}, 202))
    stage.open().locator("#nudge").click()
    stage.page.locator(".toast", has_text="Bo will get an email").wait_for()


@pytest.mark.parametrize("nudge_from", [None, "2099-01-01T00:00:00.000Z"])
def test_nobody_is_nudged_before_it_is_allowed(visit: Any, nudge_from: str | None) -> None:
    stage = Stage(visit(), waiting=[{**WAITING, "nudge_from": nudge_from}], legal=[], asked=None)
    stage.open().locator(".confirm-bar.idle").wait_for()
    assert stage.page.locator("#nudge").count() == 0
