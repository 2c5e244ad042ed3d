"""A seat's memory is true, and worlds agree with it."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rules.games.abbott_auction.claims import layable
from rules.games.abbott_auction.phases import Bidding as AbbottBidding
from rules.games.joretsu.components import PILES
from rules.games.joretsu.phases import Bidding as JoretsuBidding
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
"""The games in which there is something to remember, and its kind."""


def remembered(ruleset: Ruleset) -> Iterator[tuple[State, int, Memory]]:
    """Positions of some games, and the memory of each seat there."""
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
    """Known cards lie in their place, and excluded ones do not."""
    for state, _, memory in remembered(ruleset):
        for address, known in memory.known.items():
            assert not known - lying_at(state, address), address
        for address, excluded in memory.excluded.items():
            assert not excluded & lying_at(state, address).keys(), address


def test_there_is_something_to_remember(ruleset: Ruleset) -> None:
    if ruleset.slug not in REMEMBERS:
        pytest.skip("there is nothing to remember")
    kind = REMEMBERS[ruleset.slug]
    assert any(any(getattr(memory, kind).values()) for *_, memory in remembered(ruleset))


def test_worlds_keep_to_what_is_remembered(ruleset: Ruleset) -> None:
    if ruleset.slug not in REMEMBERS:
        pytest.skip("there is nothing to remember")
    rng = random.Random(4)
    for state, seat, memory in itertools.islice(remembered(ruleset), 0, None, 7):
        world = memory.worlds(ruleset.blind(state, seat)).draw(rng)
        for address, known in memory.known.items():
            assert not known - lying_at(world, address)
        for address, excluded in memory.excluded.items():
            assert not excluded & lying_at(world, address).keys()


def backs_its_bids(state: Any, notes: Any) -> bool:
    """Whether each hand of Auction has the cards that its seat bid and has not laid since."""
    if not isinstance(state, AbbottBidding):
        return True
    return all(layable(claim, state.hands[seat], ()) for seat, claim in notes.items())


def is_left_of_the_deal(state: Any, notes: Any) -> bool:
    """Whether each hand of Joretsu has its low, middle and high cards of the deal, less those it played."""
    if not isinstance(state, JoretsuBidding):
        return True
    return all(
        sum(card[0] in ranks for card in hand) >= each - notes.get((seat, name), 0)
        for seat, hand in enumerate(state.hands)
        for name, ranks, each in PILES
    )


NOTES = {"abbott-auction": backs_its_bids, "joretsu": is_left_of_the_deal}


def test_what_a_game_notes_is_true_and_holds_in_worlds(ruleset: Ruleset) -> None:
    if ruleset.slug not in NOTES:
        pytest.skip("it notes nothing of its own")
    holds, rng, drawn, fitting = NOTES[ruleset.slug], random.Random(5), 0, 0
    for state, seat, memory in itertools.islice(remembered(ruleset), 0, None, 5):
        if memory.notes:
            assert holds(state, memory.notes)
            drawn += 1
            blind = ruleset.blind(state, seat)
            fitting += holds(memory.worlds(blind).draw(rng), memory.notes)
    assert drawn > 50
    assert fitting > drawn * 0.95  # where two hands want the same cards, one goes without
