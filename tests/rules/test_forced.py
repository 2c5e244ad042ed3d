"""If a phase says that a seat has no choice, everybody at the table can see that, so playing it reveals nothing.

This is proven by other worlds: in each that a seat or a spectator cannot tell from the present one, the same action is
the only one. Some of them are drawn from what the viewer knows; others are made by the proof that nothing leaks.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import pytest

import rules
from rules.kernel import Json, Ruleset, State, Viewer
from rules.kernel.worlds import Worlds
from tests.rules.playouts import Step, Steps, viewers
from tests.rules.store_games import paths_of, read
from tests.rules.worlds import Difference, same

pytestmark = pytest.mark.every_game

WORLDS = 5
"""The number of worlds that are drawn for each viewer of a position."""
ENOUGH = 3
"""Seats without a choice that are looked at in stored games."""
Forced = Callable[[State, int], bool]
"""Whether everybody can see that a seat that may act has no choice."""


def declared(state: State, seat: int) -> bool:
    return state.forced(seat)


def single(ruleset: Ruleset) -> Forced:
    """A false declaration that looks into the hand."""
    return lambda state, seat: len(ruleset.legal(state, seat)) == 1


def worlds(ruleset: Ruleset, step: Step, viewer: Viewer, rng: random.Random) -> Iterator[State]:
    """Positions that the rules allow and that a viewer cannot tell from the one before a step."""
    drawn = Worlds(ruleset.mind.hidden, ruleset.blind(step.before, viewer), viewer)
    for _ in range(WORLDS):
        yield drawn.draw(rng)


def check(ruleset: Ruleset, step: Step, forced: Forced, rng: random.Random) -> int:
    """The number of seats that are said to have no choice. Raises Difference if that is not plain to everybody."""
    state, found = step.before, 0
    for seat in (seat for seat in ruleset.turn(state).waiting if forced(state, seat)):
        found += 1
        only = ruleset.legal(state, seat)
        same(len(only), 1)
        for viewer in viewers(state):
            for world in worlds(ruleset, step, viewer, rng):
                same(ruleset.legal(world, seat), only)
                same(forced(world, seat), True)
    return found


def test_where_no_choice_is_declared_everybody_sees_that_there_is_none(
    ruleset: Ruleset, met: Steps
) -> None:
    rng = random.Random(1)
    for step in met:
        check(ruleset, step, declared, rng)


def stored_steps(ruleset: Ruleset) -> Iterator[Step]:
    """The steps of stored games in which people have to act."""
    return (step for path in paths_of(ruleset) for step in steps_of(ruleset, read(path)))


def steps_of(ruleset: Ruleset, log: Json) -> Iterator[Step]:
    state = ruleset.initial(log["players"], log["options"])
    for event in log["events"]:
        after = ruleset.act(state, event)
        yield Step(state, event, after)
        state = after


def forced_actions(ruleset: Ruleset, step: Step) -> list[Json | None]:
    state = step.before
    return [ruleset.forced(state, seat) for seat in ruleset.turn(state).waiting]


FORCED = ("boomerang-auction", "yours-truly-bozu-mekuri")
"""Games in which people are often asked although everybody sees that they have no choice."""


@pytest.mark.parametrize("slug", FORCED)
def test_seats_without_a_choice_are_found_and_the_ruleset_names_what_they_can_do(slug: str) -> None:
    ruleset, rng = rules.load(slug), random.Random(1)
    without = [each for each in stored_steps(ruleset) if any(forced_actions(ruleset, each))]
    assert without
    for step in without[:ENOUGH]:
        assert check(ruleset, step, declared, rng)
        for seat in ruleset.turn(step.before).waiting:
            forced = ruleset.forced(step.before, seat)
            assert forced is None or [forced] == ruleset.legal(step.before, seat)


@pytest.mark.parametrize("slug", ["boomerang-auction", "oracle-land", "trunk-and-peddler"])
def test_a_false_declaration_is_found(slug: str) -> None:
    """The declaration claims of a seat with one legal action that everybody sees this."""
    ruleset, rng = rules.load(slug), random.Random(1)
    steps = stored_steps(ruleset)
    with pytest.raises(Difference):
        sum(check(ruleset, step, single(ruleset), rng) for step in steps)


def test_a_seat_that_bids_nothing_because_of_its_hand_is_not_said_to_have_no_choice() -> None:
    """Boomerang Auction: with 3 bid and A, 2 in hand there is nothing to bid, and nobody else knows that."""
    ruleset = rules.load("boomerang-auction")
    seen = {
        declared(step.before, seat)
        for step in itertools.islice(stored_steps(ruleset), 300)
        for seat in ruleset.turn(step.before).waiting
        if len(ruleset.legal(step.before, seat)) == 1
    }
    assert seen == {True, False}
