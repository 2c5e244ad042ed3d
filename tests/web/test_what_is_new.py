"""The newest state of a table: marks of what is new, a consistent history, responses that overtake each other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.conftest import DESK
from tests.web.support.staged import (
    ID,
    PLAYED,
    POLL,
    Stage,
    answer,
    arrived,
    event,
    example,
    hold,
)

pytestmark = pytest.mark.browser

NEW = ".play .fresh"
HISTORY = ".side-panel .history li"


@pytest.fixture
def stage(visit: Any) -> Stage:
    stage = Stage(visit(DESK))
    stage.open()
    return stage


def lay(stage: Stage, name: str, *cards: Any, seat: int | None = None) -> None:
    """Lays cards in a zone."""
    zone = stage.zone(name, seat)
    zone["cards"] = [*zone.get("cards", []), *cards]
    zone["count"] = len(zone["cards"])


def marked(stage: Stage) -> list[str]:
    labels = "all => all.map(each => each.getAttribute('aria-label'))"
    found: list[str] = stage.page.eval_on_selector_all(NEW, labels)
    return found


def play(stage: Stage, card: str) -> None:
    """Plays a card from the hand."""
    stage.page.locator(f".hand-card[data-card='{card}']").click()
    lay(stage, "bid", card, seat=0)
    stage.page.locator("#confirm").click()
    stage.page.locator(PLAYED).wait_for()


def test_nothing_is_new_at_first_sight(stage: Stage) -> None:
    assert marked(stage) == []
    assert stage.page.locator(f"{HISTORY}.new").count() == 0


def test_what_others_do_is_new_also_before_the_first_own_action(stage: Stage) -> None:
    lay(stage, "bid", "7h", seat=1)
    stage.show()
    stage.page.locator(NEW).wait_for(state="attached")
    assert marked(stage) == ["7 of hearts"]


def test_a_strip_says_that_something_in_it_is_new(visit: Any) -> None:
    stage = Stage(visit())
    stage.open()
    lay(stage, "won", "7h", seat=1)
    stage.show()
    fold = stage.page.locator(".strip.news .fold")
    assert "is new" in fold.get_attribute("aria-label")
    assert stage.page.locator(".strip.news").count() == 1
    fold.click()
    stage.page.locator(NEW).wait_for()


def test_marks_survive_a_reload(stage: Stage) -> None:
    lay(stage, "bid", "7h", seat=1)
    stage.show()
    stage.page.locator(NEW).wait_for(state="attached")
    stage.page.reload()
    stage.page.locator(NEW).wait_for(state="attached")
    assert marked(stage) == ["7 of hearts"]


def test_what_happened_while_the_page_was_closed_is_new(stage: Stage) -> None:
    lay(stage, "bid", "7h", seat=1)
    stage.change()
    stage.page.reload()
    stage.page.locator(NEW).wait_for(state="attached")
    assert stage.page.locator(f"{HISTORY}.new").count() == 1


def test_own_plays_are_not_new(stage: Stage) -> None:
    play(stage, "As")
    lay(stage, "bid", "7h", seat=1)
    stage.show()
    stage.page.locator(NEW).first.wait_for(state="attached")
    assert marked(stage) == ["7 of hearts"]


def test_plays_from_elsewhere_are_not_new_either(stage: Stage) -> None:
    """Such as by a link in a mail."""
    lay(stage, "bid", "As", seat=0)
    stage.change()
    stage.events[-1] = event(stage.game["number"], "Aki bids A♠.", seat=0)
    stage.page.reload()
    stage.page.locator(".play [aria-label='ace of spades']").first.wait_for()
    assert marked(stage) == []
    assert stage.page.locator(f"{HISTORY}.new").count() == 0


def test_a_card_that_was_drawn_and_played_elsewhere_is_not_new(stage: Stage) -> None:
    lay(stage, "bid", "Kd", seat=0)
    lay(stage, "bid", "7h", seat=1)
    stage.change()
    stage.events[-1] |= {"seat": 0, "action": {"type": "bid", "cards": ["Kd"]}}
    stage.show()
    stage.page.locator(NEW).wait_for(state="attached")
    assert marked(stage) == ["7 of hearts"]


def test_what_was_there_when_the_user_acted_elsewhere_is_not_new(stage: Stage) -> None:
    """The play was by a link in a mail: the page asks what was seen then."""
    lay(stage, "discard", "7h")
    stage.change()
    stage.change()
    stage.events[-1] |= {"seat": 0, "by": "seat", "action": {"type": "pass"}}
    seen = {"views": [{"number": stage.game["number"], "view": stage.game["view"]}]}
    seen = json.loads(json.dumps(seen))
    stage.page.route(f"**/{ID}/views?*", lambda route: answer(route, seen))
    lay(stage, "discard", "8h")
    with stage.page.expect_request(f"**/{ID}/views?after={stage.game['number'] - 1}&limit=1"):
        stage.show()
    stage.page.locator(NEW).first.wait_for(state="attached")
    assert set(marked(stage)) == {"8 of hearts"}
    assert stage.page.locator(f"{HISTORY}.new").count() == 1
    stage.page.reload()
    stage.page.locator(NEW).first.wait_for(state="attached")
    assert set(marked(stage)) == {"8 of hearts"}


@pytest.mark.parametrize("by", ["house", "timeout"])
def test_what_was_decided_for_the_user_is_told(stage: Stage, by: str) -> None:
    stage.change()
    stage.events[-1] |= {"seat": 0, "by": by, "action": {"type": "pass"}}
    stage.show()
    stage.page.locator(".missed li").nth(1).wait_for()
    assert stage.page.locator(f"{HISTORY}.new").count() == 2


def test_what_comes_to_the_user_is_new_only_if_somebody_moved_it(stage: Stage) -> None:
    lay(stage, "won", "7h", "8h", seat=0)
    stage.change()
    stage.events[-1] |= {"seat": 1, "action": {"type": "bid", "cards": ["8h"]}}
    stage.show()
    stage.page.locator(NEW).wait_for(state="attached")
    assert marked(stage) == ["8 of hearts"]


def test_the_own_choice_that_is_opened_is_not_new_and_a_card_like_one_of_the_hand_is(
    stage: Stage,
) -> None:
    lay(stage, "bid", "As", seat=0)
    lay(stage, "bid", "2s", seat=1)
    stage.change()
    opened = [
        {"seat": seat, "action": {"type": "bid", "cards": [card]}}
        for seat, card in enumerate(("As", "2s"))
    ]
    stage.events[-1] |= {"seat": 1, "action": opened[1]["action"], "opened": opened}
    stage.show()
    stage.page.locator(NEW).wait_for(state="attached")
    assert marked(stage) == ["2 of spades"]


def test_a_mark_says_who_moved_a_card_or_what_brought_it(stage: Stage) -> None:
    lay(stage, "bid", "7h", seat=1)
    lay(stage, "good", "8h")
    stage.change()
    stage.events[-1] |= {
        "action": {"type": "bid", "cards": ["7h"]},
        "lines": [
            {"line": "bid", "words": "Aki bids 7♥."},
            {"line": "offered", "card": "8h", "words": "8♥ is up for sale."},
        ],
    }
    stage.show()
    said = "all => all.map(each => [each.dataset.code, each.title])"
    stage.page.locator(f"{NEW}[title]").first.wait_for(state="attached")
    assert sorted(stage.page.locator(NEW).evaluate_all(said)) == [
        ["7h", "Aki bids 7♥."],
        ["8h", "8♥ is up for sale."],
    ]


def test_an_own_action_clears_the_marks(stage: Stage) -> None:
    lay(stage, "bid", "7h", seat=1)
    stage.show()
    stage.page.locator(NEW).wait_for(state="attached")
    play(stage, "As")
    assert marked(stage) == []


def test_the_top_of_a_pile_is_marked(stage: Stage) -> None:
    lay(stage, "discard", "7h", "8h")
    stage.show()
    stage.page.locator("summary .fresh").wait_for()
    assert marked(stage)[0] == "8 of hearts"


def test_the_end_of_the_game_marks_no_cards(stage: Stage) -> None:
    lay(stage, "hand", "7h", seat=1)
    result = {"winners": [0], "scores": [1, 0, 0], "words": "Over.", "score_words": ["1", "0", "0"]}
    stage.show(status="over", result=result, legal=[], asked=None)
    stage.page.locator(".result").wait_for()
    assert marked(stage) == []


def test_the_history_is_never_ahead_of_the_table(visit: Any) -> None:
    stage = Stage(visit(DESK))
    stage.events.append(event(stage.game["number"] + 1, "Ahead."))
    stage.open()
    stage.page.locator("[data-coach=close]").click()
    stage.page.locator(HISTORY).first.wait_for(state="attached")
    assert "Ahead." not in stage.page.locator(".side-panel").text_content()
    assert "Ahead." not in stage.page.locator(".lately").text_content()
    stage.game["number"] += 1
    stage.game["revision"] += 1
    stage.page.evaluate(POLL)
    stage.page.locator(".missed", has_text="Ahead.").wait_for()


def test_the_table_is_never_ahead_of_the_history(stage: Stage) -> None:
    """Both are drawn when the events have come."""
    held = hold(stage, f"**/{ID}/events?*")
    lay(stage, "bid", "7h", seat=1)
    stage.change()
    with stage.page.expect_request(f"**/{ID}/events?*"):
        stage.page.evaluate(POLL)
    assert stage.page.locator("[aria-label='7 of hearts']").count() == 0
    arrived(stage, held).fallback()
    stage.page.locator("[aria-label='7 of hearts']").wait_for(state="attached")
    assert "Event 3." in stage.page.locator(".missed").inner_text()


def test_an_older_answer_does_not_replace_a_newer_one(stage: Stage) -> None:
    """The older one still waits for the declarations of a version of the rules when the newer one, to an action, is
    shown.
    """
    result = {"winners": [0], "scores": [1, 0, 0], "score_words": ["1", "0", "0"]}
    over = {"status": "over", "asked": None, "legal": []}
    stage.page.locator(".hand-card[data-card='As']").click()
    held, ruleset = hold(stage, "**/api/rulesets/*"), stage.game["ruleset"]
    newer_rules = {**ruleset, "version": ruleset["version"] + 1}
    stage.change(**over, result={**result, "words": "Older."}, ruleset=newer_rules)
    with stage.page.expect_request("**/api/rulesets/*"):
        stage.page.evaluate(POLL)
    stage.game |= {"result": {**result, "words": "Newer."}, "ruleset": ruleset}
    stage.page.locator("#confirm").click()
    stage.page.locator(".result", has_text="Newer.").wait_for()
    stage.page.route(f"**/{ID}", lambda route: route.fulfill(status=304))
    with stage.page.expect_response(f"**/{ID}"):
        answer(arrived(stage, held), {"actions": {}})
    assert "Newer." in stage.page.locator(".result").inner_text()


def test_an_older_history_of_the_clocks_does_not_replace_a_newer_one(visit: Any) -> None:
    stage = Stage(visit(DESK), pace={**example("getGame-200")["pace"], "kind": "decision"})
    clock = {"entries": [], "next": None}
    entry = {"at": "2026-11-21T10:00:00.000Z", "due": None, "reserve": None, "seat": 0}
    stage.page.route("**/clock", lambda route: answer(route, clock))
    held = hold(stage, "**/clock")
    stage.open()
    with stage.page.expect_request("**/clock"):
        stage.page.locator(".tab", has_text="Time").click()
    clock = {"entries": [{**entry, "words": "Newer."}], "next": None}
    stage.show()
    stage.page.locator(".side-panel li", has_text="Newer.").wait_for()
    with stage.page.expect_response("**/clock"):
        answer(arrived(stage, held), {"entries": [{**entry, "words": "Older."}], "next": None})
    stage.show()
    assert "Older." not in stage.page.locator(".side-panel").inner_text()


def test_earlier_events_are_loaded_once(visit: Any) -> None:
    stage = Stage(visit(DESK), number=70)
    stage.events = [event(n, f"Event {n}.") for n in range(1, 71)]
    page = stage.open()
    page.locator(".history li", has_text="Event 70.").wait_for()
    held = hold(stage, f"**/{ID}/events?*")
    with page.expect_request(f"**/{ID}/events?*"):
        page.get_by_role("button", name="Earlier").dblclick()
    arrived(stage, held).fallback()
    page.locator(".history li", has_text="Event 1.").first.wait_for()
    assert page.locator(".history li").count() == 70


@pytest.mark.parametrize("laid", ["before", "after"])
def test_a_card_of_others_is_new_beside_the_same_one_of_the_user(stage: Stage, laid: str) -> None:
    """Each seat may have its own deck: the mover of a card counts, and the zone to which it has come."""
    if laid == "before":
        play(stage, "As")
    lay(stage, "bid", "As", seat=1)
    stage.change()
    stage.events[-1] |= {"seat": 1, "action": {"type": "bid", "cards": ["As"]}}
    stage.show()
    stage.page.locator(f"{NEW}[data-code=As]").wait_for(state="attached")
    lying = "all => all.map(each => [each.dataset.code, each.classList.contains('fresh')])"
    found = stage.page.locator(".middle [data-code=As]").evaluate_all(lying)
    assert sorted(found) == [["As", False], ["As", True]][laid == "after" :]


def test_of_like_cards_on_one_pile_that_of_the_user_is_not_new(stage: Stage) -> None:
    lay(stage, "discard", "As", "As")
    for seat in (0, 1):
        stage.change()
        action = {"type": "bid", "cards": ["As"]}
        stage.events[-1] |= {"seat": seat, "by": "seat", "action": action}
    stage.show()
    stage.page.locator("summary .fresh").wait_for()
    assert marked(stage) == [
        "ace of spades",
        "ace of spades",
    ]  # the top of the pile, and the same one in its list
