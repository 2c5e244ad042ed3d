"""Random games, played without the service, with the state before each event."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from rules.kernel import Json, Ruleset, State


class Step(NamedTuple):
    """An event and the state before it."""

    state: State
    event: Json


class Played(NamedTuple):
    """A game, with everything that is needed to replay it."""

    ruleset: Ruleset
    players: int
    options: Json
    steps: list[Step]

    def replay(self) -> State:
        """The last state; the events are not checked again."""
        state = self.ruleset.initial(self.players, self.options)
        for step in self.steps:
            state = self.ruleset.act(state, step.event)
        return state


def played(ruleset: Ruleset, players: int, options: Json, rng: random.Random) -> Played:
    """A complete random game."""
    return Played(ruleset, players, options, list(_steps(ruleset, players, options, rng)))


def _steps(ruleset: Ruleset, players: int, options: Json, rng: random.Random) -> Iterator[Step]:
    state = ruleset.initial(players, options)
    while not ruleset.turn(state).over:
        event = next_event(ruleset, state, rng)
        yield Step(state, event)
        state = ruleset.apply(state, event)


def next_event(ruleset: Ruleset, state: State, rng: random.Random) -> Json:
    """The shuffle that is due, or a random action."""
    chance, waiting, *_ = ruleset.turn(state)
    if chance:
        outcome = rng.sample(chance.items, len(chance.items))
        return {"kind": "chance", "name": chance.name, "outcome": outcome}
    seat = rng.choice(waiting)
    return {"kind": "action", "seat": seat, "action": rng.choice(ruleset.legal(state, seat))}
