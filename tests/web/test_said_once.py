"""The table says each thing once: whose turn it is, until when, how cards are sorted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.support.staged import ID, Stage, example

pytestmark = pytest.mark.browser

SINCE = {"since": "2099-11-20T10:00:00.000Z", "nudge_from": None}
EARLY, LATE = "2099-11-24T10:00:00.000Z", "2099-11-25T10:00:00.000Z"
DUES = ":is(.status-line, .seat) time"


def waiting(**due: str) -> list[Any]:
    """Seats that are waited for, by due time."""
    return [{"seat": int(seat[1:]), "due": at, **SINCE} for seat, at in due.items()]


def dues(stage: Stage) -> list[str]:
    """The due times on the screen."""
    return [str(each.get_attribute("datetime")) for each in stage.page.locator(DUES).all()]


@pytest.mark.parametrize(
    ("who", "legal", "shown"),
    [
        (waiting(s0=EARLY), None, [EARLY]),
        (waiting(s1=EARLY), [], [EARLY]),
        (waiting(s1=EARLY, s2=EARLY), [], [EARLY]),
        (waiting(s1=EARLY, s2=LATE), [], [EARLY, LATE]),
        (waiting(s0=LATE, s2=EARLY), None, [LATE, EARLY]),
    ],
    ids=["mine", "another's", "equal", "of two others", "mine and another's"],
)
def test_each_due_time_is_shown_once(visit: Any, who: Any, legal: Any, shown: list[str]) -> None:
    stage = Stage(visit(), waiting=who, **({} if legal is None else {"legal": legal}))
    stage.open()
    assert dues(stage) == shown


def test_my_turn_is_said_once(visit: Any) -> None:
    page = Stage(visit()).open()
    assert page.locator(".play, .status-line").get_by_text("Your turn").count() == 1


def test_whoever_may_act_while_others_are_asked_is_told_so(visit: Any) -> None:
    page = Stage(visit(), waiting=waiting(s1=EARLY)).open()
    status = page.locator(".status-line")
    expect(status).to_contain_text("Meanwhile, you may act too.")
    expect(status).not_to_contain_text("Your turn")
    expect(page).not_to_have_title(re.compile("Your turn"))


def test_nobody_has_to_play_after_the_end(visit: Any) -> None:
    stage = Stage(visit(), **{**example("getGame-200-over"), "id": ID})
    for seat in stage.game["seats"]:
        seat["waiting"] = True
    page = stage.open()
    page.locator(".result").wait_for()
    assert page.locator(".tag.turn, .seat.waiting").count() == 0


@pytest.fixture
def chooser(visit: Any) -> Any:
    """A page on which one of three drawn cards is chosen, next to the hand."""
    stage = Stage(visit())
    drawn = {"name": "drawn", "kind": "row", "words": "Drawn", "count": 3}
    mine = {**drawn, "seat": 0, "cards": ["Kh", "Qh", "Jh"]}
    stage.game["view"]["zones"] += [mine, {**drawn, "seat": 1}]
    stage.game["legal"] = [
        {"action": {"type": "bid", "cards": [card]}, "words": f"Keep {card}"}
        for card in ("Kh", "Qh")
    ]
    page = stage.open()
    page.locator(".hand").nth(1).wait_for()
    return page


def test_cards_of_all_hands_that_cannot_be_played_are_dimmed(chooser: Any) -> None:
    dimmed = chooser.eval_on_selector_all(".not-now", "all => all.map(e => e.dataset.card)")
    assert dimmed == ["As", "2s", "3s", "4s", "5s", "Jh"]


def test_one_button_sorts_all_hands(chooser: Any) -> None:
    chooser.get_by_text("Sort by rank").click()
    cards = chooser.eval_on_selector_all(".hand-card", "all => all.map(e => e.dataset.card)")
    assert cards == ["As", "2s", "3s", "4s", "5s", "Jh", "Qh", "Kh"]
    assert chooser.get_by_text("Sort by").count() == 1
