"""The clocks of seats from the view of a table: since when somebody is waited for, and what a change of it leaves
alone.
"""

from __future__ import annotations

from service.tables.clocks.arithmetic import NONE, Moment, Wait, begin
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.clock import HOUR


def since(person, game_id):
    return {each["seat"]: each["since"] for each in person.game(game_id)["waiting"]}


@sqlite_only
def test_without_a_clock_a_question_that_stays_is_as_old_as_before(cast, clock):
    game_id = cast.start(CARAVAN)
    clock.forward(HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    assert since(cast.bob, game_id) == {1: "2026-11-21T10:00:00.000Z"}
    clock.forward(HOUR)
    cast.bob.answer(cast.bob.game(game_id))
    assert set(since(cast.bob, game_id).values()) == {"2026-11-21T12:00:00.000Z"}


def test_without_a_pace_no_deadline_remains():
    assert begin(NONE, Wait(1, due=5), Moment(3)) == Wait(3)
