"""The sensible actions of house players: they follow from what a seat sees, and there is always one."""

from __future__ import annotations

import random

import pytest

from rules.kernel import Json, Ruleset, shuffled
from tests.rules.playouts import Steps


def test_every_action_has_a_weight_and_one_can_be_chosen(met: Steps, ruleset: Ruleset) -> None:
    for step in met[::3]:
        for seat in ruleset.turn(step.before).waiting:
            legal = ruleset.legal(step.before, seat)
            weights = (
                ruleset.mind.policy(step.before, seat, legal) if ruleset.mind.policy else [1.0]
            )
            assert min(weights) >= 0
            assert len(weights) == len(legal) or not ruleset.mind.policy


def test_what_is_sensible_follows_from_what_the_seat_sees(met: Steps, ruleset: Ruleset) -> None:
    if not ruleset.mind.policy:
        pytest.skip("every action is as likely as the others")
    for step in met[::3]:
        for seat in ruleset.turn(step.before).waiting:
            blind, legal = ruleset.blind(step.before, seat), ruleset.legal(step.before, seat)
            seen = ruleset.mind.policy(blind, seat, legal)
            assert seen == pytest.approx(ruleset.mind.policy(step.before, seat, legal))


GAMES = 48
"""The number of games in which sensible play wins by much more than luck, in the fewest seats of a game."""


def test_what_is_sensible_wins_more_often_than_chance(ruleset: Ruleset) -> None:
    """It plays without a search, against players who choose at random."""
    if not ruleset.mind.policy:
        pytest.skip("every action is as likely as the others")
    players = ruleset.players[0]
    won = sum(share_won(ruleset, players, game) for game in range(GAMES))
    assert won / GAMES > 1.15 / players


def share_won(ruleset: Ruleset, players: int, game: int) -> float:
    """The share of the wins of the one seat that always takes the most sensible action."""
    rng, sensible = random.Random(game), game % players
    state = ruleset.initial(players, ruleset.looks.lengths(players)[:2][-1].options)
    while not (turn := ruleset.turn(state)).over:
        if turn.chance:
            outcome = shuffled(turn.chance.items, rng)
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = turn.waiting[0]
            legal = shuffled(ruleset.legal(state, seat), rng)
            best = legal[0]
            if seat == sensible and ruleset.mind.policy:
                legal = ruleset.legal(state, seat)
                weights = ruleset.mind.policy(state, seat, legal)
                best = legal[max(range(len(legal)), key=weights.__getitem__)]
            event = {"kind": "action", "seat": seat, "action": best}
        state = ruleset.act(state, event)
    result = ruleset.result(state)
    assert result
    return (sensible in result.winners) / max(1, len(result.winners))
