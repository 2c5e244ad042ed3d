"""Appraisals: the value of a decision to its seat, from what the seat knew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from rules.kernel import Illegal, Json, Ruleset, State, Worlds, text
from rules.players.appraisal import Appraisal, appraise, compared
from rules.players.house import choose
from rules.players.search import Effort
from tests.rules.playouts import Step, Steps

FEW = 12
LOOKED_AT, MANY = 5, 20
"""The number of decisions of a tour that are appraised: usually, and with --thorough."""


def appraised(
    ruleset: Ruleset, state: State, seat: int, played: Json, iterations: int = FEW
) -> Appraisal:
    """The appraisal with a generator that always has the same seed."""
    worlds = Worlds(ruleset.mind.hidden, ruleset.blind(state, seat), seat)
    return appraise(ruleset, worlds, seat, played, iterations, random.Random(3))


def decisions(ruleset: Ruleset, met: Steps) -> Iterator[tuple[Step, int, Json]]:
    """The steps in which a waiting seat chose among several actions, with the seat and its action."""
    for step in met:
        if step.event["kind"] != "action":
            continue
        seat: int = step.event["seat"]
        waited = seat in ruleset.turn(step.before).waiting
        if waited and len(ruleset.legal(step.before, seat)) > 1:
            yield step, seat, step.event["action"]


@pytest.fixture(scope="module")
def some(ruleset: Ruleset, met: Steps, thorough: bool) -> list[tuple[Step, int, Json]]:
    """Some of the decisions of a tour."""
    found = [*decisions(ruleset, met)]
    return found[:: 1 + len(found) // (MANY if thorough else LOOKED_AT)]


def test_a_decision_is_compared_with_the_choice_of_a_house_player(
    ruleset: Ruleset, some: list[tuple[Step, int, Json]]
) -> None:
    for step, seat, played in some:
        found = appraised(ruleset, step.before, seat, played)
        legal = set(map(text, ruleset.legal(step.before, seat)))
        assert text(found.played.action) == text(played)
        assert {text(each.action) for each in found.tried} <= legal
        chosen = found.tried[0]
        assert min(found.played.visits, chosen.visits) >= FEW // 2
        assert all(0 <= each.value <= 1 and each.error > 0 for each in found.tried)
        cost, error = compared(chosen, found.played)
        assert 0 <= cost <= 1
        assert (error == 0) == (chosen == found.played)


def test_the_choice_is_the_one_of_a_house_player_with_as_many_iterations(
    ruleset: Ruleset, some: list[tuple[Step, int, Json]]
) -> None:
    """Its search begins one world later, with the generator in its state at that time."""
    for step, seat, played in some:
        blind, rng = ruleset.blind(step.before, seat), random.Random(3)
        worlds = Worlds(ruleset.mind.hidden, blind, seat)
        worlds.draw(rng)
        chosen = choose(ruleset, worlds, seat, rng, Effort(FEW))
        assert text(appraised(ruleset, step.before, seat, played).tried[0].action) == text(chosen)


def test_it_is_the_same_in_games_that_the_seat_cannot_tell_apart(
    ruleset: Ruleset, some: list[tuple[Step, int, Json]]
) -> None:
    rng = random.Random(1)
    for step, seat, played in some:
        other, _ = ruleset.indistinguishable(step.before, step.event, seat, rng)
        known = appraised(ruleset, step.before, seat, played)
        assert appraised(ruleset, other, seat, played) == known


def test_what_could_not_be_played_is_refused() -> None:
    ruleset = rules.load("market-price")
    with pytest.raises(Illegal):
        appraised(ruleset, _begun(ruleset), 0, {"type": "fly"})


def _begun(ruleset: Ruleset, players: int = 3) -> Any:
    state = ruleset.initial(players, {})
    while chance := ruleset.turn(state).chance:
        event = {"kind": "chance", "name": chance.name, "outcome": [*chance.items]}
        state = ruleset.act(state, event)
    return state


def test_giving_a_won_game_away_costs_more_than_its_uncertainty() -> None:
    """A row of 25 points can be sold, and wins; spending a jack on it gives up much of that."""
    ruleset = rules.load("caravan")
    table: Any = ruleset.initial(2, {})
    for _ in range(2):
        chance = ruleset.turn(table).chance
        assert chance
        items = chance.items
        table = ruleset.act(table, {"kind": "chance", "name": "", "outcome": items[::-1]})
    for seat in range(2):
        opening = {"kind": "action", "seat": seat, "action": ruleset.legal(table, seat)[0]}
        table = ruleset.act(table, opening)
    rows = ((), ("Th", "5h", "Td"), ()), ((), (), ("Tc", "5c", "Ts"))
    won = table.change(rows=rows, sold=(0, None, 1))
    sell = next(each for each in ruleset.legal(won, 0) if each["type"] == "sell")
    jack = {"type": "play", "card": "Jc", "lane": 1, "at": 3, "as": "J"}
    selling, waste = (appraised(ruleset, won, 0, each, 200) for each in (sell, jack))
    assert compared(selling.tried[0], selling.played) == (0, 0)
    assert waste.tried[0].action == sell
    cost, error = compared(waste.tried[0], waste.played)
    assert cost > 0.2 > 2 * error


def test_the_uncertainty_shrinks_with_the_number_of_tries() -> None:
    ruleset = rules.load("market-price")
    state = _begun(ruleset)
    played = ruleset.legal(state, 0)[0]
    short, long = (appraised(ruleset, state, 0, played, n).played for n in (20, 320))
    assert long.error < short.error / 2
