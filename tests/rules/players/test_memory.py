"""What a seat remembers is true, and worlds keep to it."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from rules.kernel import Address, Ruleset, State
from rules.players.memory import Memory
from tests.rules.pairwise_tables import pairwise
from tests.rules.playouts import codes, playout

EVENTS = 150
GAMES = 6
REMEMBERS = {
    "abbott-auction": "known",
    "auction-draw": "excluded",
    "blame-the-magic": "excluded",
    "boomerang-auction": "known",
    "joretsu": "known",
    "market-price": "excluded",
    "oracle-land": "excluded",
    "trunk-and-peddler": "excluded",
    "yours-truly-bozu-mekuri": "known",
}
"""The games in which there is something to remember, and of which kind."""


def remembered(ruleset: Ruleset) -> Iterator[tuple[State, int, Memory]]:
    """Positions of some games, and what each seat remembers there."""
    for seed in range(GAMES):
        table = pairwise(ruleset)[seed % len(pairwise(ruleset))]
        memories = [Memory(ruleset, seat) for seat in range(table[0])]
        steps = playout(ruleset, *table, random.Random(seed).randrange)
        for step in itertools.islice(steps, EVENTS):
            for seat, memory in enumerate(memories):
                memory.see(ruleset.blind(step.after, seat))
                yield step.after, seat, memory


def lying_at(state: State, address: Address) -> Counter[str]:
    """The cards in a place."""
    value: Any = getattr(state, address.field)
    for number in (address.seat, address.index):
        value = value if number is None else value[number]
    return Counter(codes(value if isinstance(value, tuple) else (value,)))


def test_what_is_remembered_is_true(ruleset: Ruleset) -> None:
    """Known cards lie in their place, excluded ones do not."""
    for state, _, memory in remembered(ruleset):
        for address, known in memory.known.items():
            assert not known - lying_at(state, address), address
        for address, excluded in memory.excluded.items():
            assert not excluded & lying_at(state, address).keys(), address


@pytest.mark.parametrize("slug", sorted(REMEMBERS))
def test_there_is_something_to_remember(slug: str) -> None:
    found = (getattr(memory, REMEMBERS[slug]) for *_, memory in remembered(rules.load(slug)))
    assert any(any(each.values()) for each in found)


@pytest.mark.parametrize("slug", sorted(REMEMBERS))
def test_worlds_keep_to_what_is_remembered(slug: str) -> None:
    ruleset, rng = rules.load(slug), random.Random(4)
    for state, seat, memory in itertools.islice(remembered(ruleset), 0, None, 7):
        world = memory.worlds(ruleset.blind(state, seat)).draw(rng)
        for address, known in memory.known.items():
            assert not known - lying_at(world, address)
        for address, excluded in memory.excluded.items():
            assert not excluded & lying_at(world, address).keys()
