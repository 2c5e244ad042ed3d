"""Orders that were left because of a move that the table then takes back: they end, and their players are told."""

from __future__ import annotations

import pytest

from tests.service.tables.play.orders.test_orders import (
    PACE,
    leave,
    path,
    to_bob,
)
from tests.support.clock import HOUR, SECOND, hours
from tests.support.dump import execute
from tests.support.proposing import propose, vote

__all__ = ["hours"]


def taken_back(asker, voters, game_id):
    """Let the table take the last move of a player back."""
    event = asker.game(game_id)["take_back"]["event"]
    propose(asker, game_id, {"kind": "takeback", "event": event})
    for person in voters:
        vote(person, game_id)


@pytest.mark.both_databases
def test_an_order_that_was_left_because_of_a_move_ends_when_it_is_taken_back(app, cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id, ["5s"])
    hours.later(SECOND)
    leave(cast.bob, game_id, name="pass", until={})
    taken_back(cast.alice, (cast.bob, cast.carol), game_id)
    shown = cast.bob.get(path(game_id))
    assert [shown["orders"], [each["why"] for each in shown["ended"]]] == [[], ["undone"]]
    assert execute(app, "SELECT sum(orders) FROM tenures") == [(0,)]
    to_bob(cast, game_id)
    hours.later(HOUR)
    assert cast.carol.game(game_id)["waiting"][0]["seat"] == 1, "bob is asked himself"


@pytest.mark.both_databases
def test_an_order_that_was_left_before_the_move_stands(app, cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    leave(cast.bob, game_id, name="pass", when=[{"prompt": "high", "least": 6}], until={})
    hours.later(SECOND)
    cast.bob.answer(cast.bob.game(game_id), {"type": "bid", "cards": ["4h"]})
    taken_back(cast.bob, (cast.alice, cast.carol), game_id)
    assert len(cast.bob.get(path(game_id))["orders"]) == 1
    assert execute(app, "SELECT sum(orders) FROM tenures") == [(1,)]
