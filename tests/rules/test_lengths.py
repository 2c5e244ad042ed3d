"""The usual lengths of each ruleset: the shortest first, possible, and about as long as they say."""

from __future__ import annotations

import itertools
import random
from statistics import mean
from typing import Any

import pytest

from rules.kernel import Json, Ruleset
from tests.rules.cases import case

GAMES = 4


def decisions(ruleset: Ruleset, players: int, options: Json, rng: random.Random) -> float:
    """The average number of decisions of each player in a game of house players."""
    state, count = ruleset.initial(players, options), itertools.count()
    while not (turn := ruleset.turn(state)).over:
        if turn.chance:
            outcome = rng.sample(turn.chance.items, len(turn.chance.items))
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = turn.waiting[0]
            action = rng.choice(ruleset.legal(state, seat))
            event = {"kind": "action", "seat": seat, "action": action}
            next(count)
        state = ruleset.act(state, event)
    return next(count) / players


@pytest.mark.every_game
def test_usual_lengths_are_possible_and_the_shortest_comes_first(ruleset: Ruleset) -> None:
    for players in ruleset.players:
        with case(f"{players} players"):
            lengths = ruleset.looks.lengths(players)
            told = [length.decisions for length in lengths]
            assert told and told == sorted(set(told))
            settled = [ruleset.settle(players, length.options) for length in lengths]
            assert not any(ruleset.live(players, options) for options in settled)
            assert ruleset.settle(players, {}) in settled


def test_the_shortest_length_takes_about_as_many_decisions_as_it_says(ruleset: Ruleset) -> None:
    for players in ruleset.players:
        with case(f"{players} players"):
            shortest, rng = ruleset.looks.lengths(players)[0], random.Random(players)
            counted = mean(decisions(ruleset, players, shortest.options, rng) for _ in range(GAMES))
            assert shortest.decisions / 2 < counted < shortest.decisions * 2


def test_options_that_depend_on_others_name_them(ruleset: Any) -> None:
    for players in ruleset.players:
        known = ruleset.options(players)
        for name, beside in ruleset.looks.when.items():
            assert name in known
            assert beside
            for other, value in beside.items():
                assert value in known[other].values and other not in ruleset.looks.when
