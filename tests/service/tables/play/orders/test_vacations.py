"""A person on vacation says what answers for them: their orders and only moves, their orders alone, or nothing."""

from __future__ import annotations

import pytest

from tests.service.tables.play.orders.test_orders import acted, leave, path, to_bob
from tests.service.tables.play.orders.test_unseen_orders import SIX
from tests.support.cast import sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, hours

__all__ = ["hours"]

PACE = {"kind": "decision", "seconds": 3 * 86400}
AWAY = {"first": "2026-11-24", "last": "2026-11-30"}
PASSED = [(1, "seat", "passed")]


def away(cast, hours, answers):
    """A game in which Bob has gone on vacation, and is asked."""
    game_id = cast.start(pace=PACE)
    made = cast.bob.post("/api/me/vacations", {**AWAY, "answers": answers})["vacation"]
    assert made["answers"] == answers
    hours.later(int(2.7 * DAY))
    return game_id, made


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("answers", "order", "played"),
    [
        ("all", True, True),
        ("all", False, True),
        ("orders", True, True),
        ("orders", False, False),
        ("nothing", True, False),
        ("nothing", False, False),
    ],
)
def test_on_a_vacation_answers_what_its_player_wants(cast, hours, answers, order, played):
    """An order, or an only move; what does not answer then does so after the vacation, and a new wait."""
    game_id, _ = away(cast, hours, answers)
    cast.bob.send("PATCH", path(game_id), json={"only_move": not order})
    cast.alice.answer(cast.alice.game(game_id), SIX)
    if order:
        leave(cast.bob, game_id, name="pass", until={"times": 1})
    hours.later(20 * MINUTE)
    hours.later(DAY)
    assert acted(cast.carol, game_id)[1:] == (PASSED if played else [])
    if played:
        return
    hours.later(int(5.3 * DAY))
    cast.bob.send("PATCH", path(game_id), json={"only_move": False})
    assert acted(cast.carol, game_id)[1:] == [], "the vacation is hardly over"


@pytest.mark.both_databases
@pytest.mark.parametrize("early", [False, True])
def test_whatever_was_held_answers_after_the_vacation(cast, hours, early):
    game_id, made = away(cast, hours, "nothing")
    to_bob(cast, game_id)
    leave(cast.bob, game_id, name="pass", until={"times": 1})
    hours.later(HOUR)
    assert acted(cast.carol, game_id)[1:] == []
    if early:
        cast.bob.delete(f"/api/me/vacations/{made['id']}")
    else:
        hours.later(7 * DAY)
    hours.later(2 * MINUTE - 1)
    if early:
        assert acted(cast.carol, game_id)[1:] == [], "the wait has begun anew"
    hours.later(18 * MINUTE + 1)
    assert acted(cast.carol, game_id)[1:] == PASSED


@sqlite_only
def test_what_answers_on_a_vacation_is_exported_and_everything_if_nothing_was_said(cast):
    made = cast.alice.post("/api/me/vacations", AWAY)["vacation"]
    assert made["answers"] == "all"
    assert cast.alice.get("/api/me/export")["vacations"] == [{**AWAY, "answers": "all"}]
    cast.alice.delete(f"/api/me/vacations/{made['id']}")
    cast.alice.refused("POST", "/api/me/vacations", "invalid-body", {**AWAY, "answers": "house"})
    cast.alice.post("/api/me/vacations", {**AWAY, "answers": "orders"})
    assert cast.alice.get("/api/me/export")["vacations"] == [{**AWAY, "answers": "orders"}]
    (listed,) = cast.alice.get("/api/me/vacations")["vacations"]
    assert listed["answers"] == "orders"


@sqlite_only
def test_others_are_not_told_what_answers(cast, hours):
    game_id, _ = away(cast, hours, "nothing")
    assert "answers" not in str(cast.carol.game(game_id)["seats"][1]["away"])
