"""Blind states and worlds: whoever plays for a seat gets the same for positions that the seat cannot tell apart."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from typing import Any

import rules
from rules.kernel import Address, Place, Random, Ruleset, State, Viewer, Worlds
from rules.kernel.declarations import Zone, places
from tests.rules.playouts import Step, Steps, actors, lying, modules, next_event, viewers
from tests.rules.worlds import hidden

SEEN = 150
"""The number of steps of a tour after whose event the states are checked."""
MANY = 6
"""With this number of hidden cards worlds differ, unless the seat knows where they all are."""
MOSTLY = 0.7
GOES_ON = 40
"""The number of events that are played on from a world."""


def positions(met: Steps) -> Iterator[tuple[Step, Viewer]]:
    """Steps of a tour, each with a viewer in turn."""
    every = -(-len(met) // SEEN)
    for n, step in enumerate(met[::every]):
        seen_by = viewers(step.after)
        yield step, seen_by[n % len(seen_by)]


def test_a_blind_state_looks_like_the_true_one(ruleset: Ruleset, met: Steps) -> None:
    """To its seat: its view, its actions, its lines, and who is waited for."""
    for step, viewer in positions(met):
        state, blind = step.after, ruleset.blind(step.after, viewer)
        assert looks(ruleset, blind, viewer) == looks(ruleset, state, viewer)


def test_positions_that_a_seat_cannot_tell_apart_have_one_blind_state(
    ruleset: Ruleset, met: Steps
) -> None:
    """They are equal byte for byte, whether the proof or `world` made the other position."""
    forget(ruleset)
    rng = random.Random(1)
    for step, viewer in positions(met):
        blind = ruleset.blind(step.after, viewer)
        before, event = ruleset.indistinguishable(step.before, step.event, viewer, rng)
        assert same(ruleset.blind(before, viewer), ruleset.blind(step.before, viewer))
        assert same(ruleset.blind(ruleset.act(before, event), viewer), blind)
        assert same(ruleset.blind(ruleset.world(blind, viewer, rng), viewer), blind)


def forget(ruleset: Ruleset) -> None:
    """Clear the game's cache: the owner of its cards depends on what ran before."""
    common = [module for name, module in sys.modules.items() if name.startswith("rules.common")]
    for module in (*modules(ruleset), *common):
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def test_a_world_is_a_truth_that_fits(ruleset: Ruleset, met: Steps) -> None:
    """The world looks the same to its seat, has the same cards, each in a possible place, and can be played on."""
    rng = random.Random(1)
    for step, viewer in positions(met):
        state = step.after
        world = ruleset.world(ruleset.blind(state, viewer), viewer, rng)
        assert looks(ruleset, world, viewer) == looks(ruleset, state, viewer)
        assert lying(world) == lying(state)
        assert sizes(world) == sizes(state)
        holds_what_it_can(state)
        holds_what_it_can(world)
        for other in actors(ruleset, world):
            assert ruleset.legal(world, other)
        play_on(ruleset, world, rng)


def test_worlds_differ(ruleset: Ruleset, met: Steps) -> None:
    """Nearly everywhere where a seat sees few of the cards."""
    rng, differ = random.Random(1), []
    for step, viewer in positions(met):
        blind = ruleset.blind(step.after, viewer)
        worlds = Worlds(ruleset.mind.hidden, blind, viewer)
        if hidden(ruleset, (blind, blind), viewer) > MANY:
            differ.append(worlds.draw(rng) != worlds.draw(rng))
    assert sum(differ) >= MOSTLY * len(differ) > 0


def test_a_world_follows_from_the_generator(ruleset: Ruleset, met: Steps) -> None:
    for step, viewer in itertools.islice(positions(met), 10):
        blind = ruleset.blind(step.after, viewer)
        one, other = (ruleset.world(blind, viewer, random.Random(7)) for _ in range(2))
        assert one == other


def test_what_is_remembered_lies_there() -> None:
    """Known cards lie in their place, and no place has a card that it cannot have."""
    ruleset, rng = rules.load("oracle-land"), random.Random(2)
    start: Any = ruleset.initial(3, {})
    pack = list(start.pack)
    state: Any = ruleset.apply(
        start, {"kind": "chance", "name": "deal", "outcome": rng.sample(pack, len(pack))}
    )
    there, card = Address("held", 1), state.held[1][0]
    others = [each for each in pack if each != card and each[1] == card[1]]
    worlds = Worlds(
        ruleset.mind.hidden, ruleset.blind(state, 0), 0, {there: [card]}, {there: others}
    )
    drawn: list[Any] = [worlds.draw(rng) for _ in range(30)]
    assert all(card in world.held[1] for world in drawn)
    assert not any(other in world.held[1] for world in drawn for other in others)
    assert len({world.held for world in drawn}) > 20


def test_what_cannot_be_is_forgotten() -> None:
    """If nothing fits the memory of a seat, its worlds are those of a seat without a memory."""
    ruleset, rng = rules.load("boomerang-auction"), random.Random(2)
    start: Any = ruleset.initial(3, {})
    chance = ruleset.turn(start).chance
    assert chance is not None
    event = {"kind": "chance", "name": chance.name, "outcome": list(chance.items)}
    state: Any = ruleset.apply(start, event)
    worlds = Worlds(ruleset.mind.hidden, ruleset.blind(state, 0), 0, {Address("hands", 1): ["Kd"]})
    drawn: Any = worlds.draw(rng)
    assert drawn.hands == state.hands


def looks(ruleset: Ruleset, state: State, viewer: Viewer) -> Any:
    """Everything that a viewer can tell."""
    turn = ruleset.turn(state)._replace(chance=None)
    legal = [ruleset.legal(state, viewer)] if viewer in (*turn.waiting, *turn.optional) else []
    return ruleset.view(state, viewer), ruleset.lines(state, viewer), turn, legal


def same(one: State, other: State) -> bool:
    return one == other and repr(one) == repr(other)


def sizes(state: State) -> list[Any]:
    """The number of cards in each place."""
    return [
        (attr, seat, index, isinstance(value, tuple) and len(value))
        for attr, zone in state.declared
        if isinstance(zone, Zone)
        for seat, index, value in places(zone.per, getattr(state, attr))
    ]


def holds_what_it_can(state: State) -> None:
    """Whether the zones' statements about their cards hold for every card."""
    for attr, zone in state.declared:
        if not isinstance(zone, Zone):
            continue
        for seat, index, value in places(zone.per, getattr(state, attr)):
            cards = value if isinstance(value, tuple) else (value,)
            if zone.order and cards:
                assert cards == zone.order(cards), attr
            for position, card in enumerate(cards):
                if isinstance(card, str) and zone.holds:
                    assert zone.holds(state, Place(seat, index, position), card), attr


def play_on(ruleset: Ruleset, state: State, rng: Random) -> None:
    """A world is played like any position, checked at each event."""
    pick = random.Random(repr(rng.sample(range(100), 5))).randrange
    for _ in range(GOES_ON):
        if ruleset.turn(state).over:
            break
        state = ruleset.apply(state, next_event(ruleset, state, pick))
