"""The effects of an action are shown before it is confirmed: where they will happen, and in the confirm bar."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import PHONE
from tests.web.support.staged import PLAYED, Stage, answer, arrived, hold

pytestmark = pytest.mark.browser

SCORE = {"name": "score", "of": 0, "value": 9, "words": "Points: 9", "short": "9 points"}
FIRST = ".hand-card >> nth=0"
READY = "#confirm:not(:disabled)"


def staged(visitor: Any) -> Stage:
    """A table at which the user has 9 points, and will have 18."""
    stage = Stage(visitor)
    facts = [each for each in stage.game["view"]["facts"] if each["name"] != "score"]
    stage.game["view"]["facts"] = [*facts, SCORE]
    after = {**SCORE, "value": 18, "words": "Points: 18", "short": "18 points"}
    stage.preview = {"zones": [], "facts": [{"before": SCORE, "after": after}]}
    return stage


def choose(page: Any) -> None:
    page.locator(FIRST).click(position={"x": 6, "y": 12})
    page.wait_for_selector(READY)


def test_a_number_that_will_change_is_shown_at_its_place_and_in_the_confirm_bar(visit: Any) -> None:
    page = staged(visit()).open()
    choose(page)
    page.wait_for_selector(".seat.mine li.foreseen >> text='9 → 18 points'")
    page.wait_for_selector(".confirm-bar .foreseen >> text='Then: 9 → 18 points'")
    page.keyboard.press("Escape")
    page.wait_for_selector(".foreseen", state="detached")
    page.wait_for_selector(".seat.mine .token [aria-label='Points: 9']")


def test_the_number_of_cards_that_a_hand_and_a_pile_will_have_is_shown_there(visit: Any) -> None:
    stage = staged(visit())
    hand, discard = stage.zone("hand", 0), stage.zone("discard")
    stage.preview = {
        "zones": [
            {"before": hand, "after": {**hand, "count": 4}},
            {"before": discard, "after": {**discard, "count": discard["count"] + 1}},
        ],
        "facts": [],
    }
    page = stage.open()
    choose(page)
    page.wait_for_selector(".hand .count >> text='5 → 4'")
    page.wait_for_selector(f".piles .count >> text='{discard['count']} → {discard['count'] + 1}'")
    page.keyboard.press("Escape")
    page.wait_for_selector(".count.foreseen", state="detached")
    page.wait_for_selector(".hand .count >> text='5'")


def test_a_fact_of_the_table_that_names_another_seat_then_stays_in_the_middle(visit: Any) -> None:
    stage = staged(visit())
    before = {"name": "dealer", "seat": 1, "value": 1, "words": "Ken deals."}
    stage.game["view"]["facts"].append(before)
    after = {**before, "seat": 0, "value": 0, "words": "Mina deals."}
    stage.preview["facts"].append({"before": before, "after": after})
    page = stage.open()
    choose(page)
    page.wait_for_selector(".middle li.foreseen >> text='Ken → Mina deals.'")
    assert page.locator(".seat li.foreseen").all_inner_texts() == ["9 → 18 points"]


def test_the_words_are_those_of_the_reader(visit: Any) -> None:
    page = staged(visit(locale="ja-JP")).open()
    choose(page)
    page.wait_for_selector(".confirm-bar .foreseen >> text='そのあと：9 → 18 points'")


def test_long_words_leave_the_button_where_it_is(visit: Any) -> None:
    stage = staged(visit())
    before, after = (
        {**SCORE, "value": n, "words": "", "short": f"{'many words ' * 6}{n}"} for n in (9, 18)
    )
    stage.game["view"]["facts"][-1] = before
    stage.preview["facts"] = [{"before": before, "after": after}]
    page = stage.open()
    choose(page)
    place = page.locator("#confirm").bounding_box()
    page.wait_for_selector(".confirm-bar .foreseen")
    now = page.locator("#confirm").bounding_box()
    assert (now["x"], now["width"]) == (place["x"], place["width"])
    assert now["x"] + now["width"] <= PHONE["width"]


def test_confirming_waits_for_no_answer(visit: Any) -> None:
    stage = staged(visit())
    page = stage.open()
    held = hold(stage, "**/preview")
    choose(page)
    arrived(stage, held)
    page.click("#confirm")
    page.wait_for_selector(PLAYED)
    assert len(stage.sent) == 1


def test_without_an_answer_nothing_is_shown_or_said(visit: Any) -> None:
    stage = staged(visit())
    page = stage.open()
    held = hold(stage, "**/preview")
    choose(page)
    answer(arrived(stage, held), {"type": "/problems/too-many-requests", "title": "No"}, 429)
    page.click("#confirm")
    page.wait_for_selector(PLAYED)
    assert page.locator(".foreseen, .toast").count() == 0


def test_what_both_say_is_said_once(visit: Any) -> None:
    page = staged(visit()).open()
    told = page.evaluate(
        """async pairs => {
          const { changed } = await import("/table/choosing/foresight.js");
          return pairs.map(([before, after]) => changed(before, after));
        }""",
        [
            ["9", "18"],
            ["Points: 9", "Points: 19"],
            ["合計9点", "合計18点"],
            ["none", "2 cards"],
            ["1", "1"],
        ],
    )
    assert told == ["9 → 18", "Points: 9 → 19", "合計9 → 18点", "none → 2 cards", "1"]
