"""Auction Draw: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.common.dominoes import double_set, pips
from rules.games.auction_draw.phases import Bidding
from rules.kernel import Invalid
from tests.rules.games.auction_draw.positions import (
    GAME,
    bid,
    bidding,
    line,
    passing,
    play,
    playing,
    plays,
)
from tests.rules.page_examples import Example, cards, examples, follow, one_deck
from tests.rules.playouts import shuffled


def dealt(example: Example) -> None:
    sizes = []
    for players in range(2, 2 + len(example.hands)):
        state: Any = shuffled(
            GAME, GAME.initial(players, {"set": example.set}), *double_set(example.set)
        )
        sizes.append(len(state.hands[0]))
    assert sizes == example.hands
    assert len(double_set(example.set)) == example.tiles
    for players in GAME.players:
        assert (GAME.settle(players, {})["set"] == example.set) == (players in example.usual)
    with pytest.raises(Invalid):
        GAME.initial(2 + len(example.hands), {"set": example.set})


def usual(example: Example) -> None:
    assert {GAME.settle(players, {})["chips"] for players in GAME.players} == {example.chips}


def of_tile(example: Example) -> None:
    example.says(pips(example.tile))


def options(example: Example) -> None:
    hand = f"{example.tile} 0-0"
    one_deck(cards(example.line_of) + cards(hand), double_set(6))
    lying = line(example.line_of, *example.numbers)
    state = playing(hand, "2-2", **lying, stock="1-0 5-1 5-4")
    assert plays(state, 0) == [(example.tile, end) for end in example.ends]
    state = play(state, 0, example.tile, example.ends[0])
    assert list(state.numbers) == example.then


def turn(example: Example) -> None:
    follow(GAME, GAME.initial(example.players, example.options), example.steps)


def auction(example: Example) -> None:
    state: Any = bidding()
    purses = state.purses
    for seat, chips in enumerate(example.bids):
        state = bid(state, seat % 3, chips) if chips else passing(state, seat % 3)
    if "pays" in example.given:
        assert not isinstance(state, Bidding)
        assert max(was - now for was, now in zip(purses, state.purses, strict=True)) == example.pays
    else:
        seat, least = example.next
        assert GAME.turn(state).waiting == (seat,)
        chips = [each["chips"] for each in GAME.legal(state, seat) if each["type"] == "bid"]
        assert min(chips) == least


def blocked(example: Example) -> None:
    """All pass; `[[shares]]` says what each of them gets."""
    one_deck(cards(f"{example.line_of} {' '.join(example.hands)}"), double_set(6))
    lying = line(example.line_of, *example.numbers)
    state: Any = playing(*example.hands, **lying, pot=example.pot, stock="1-0 5-1 4-2")
    for seat in range(len(example.hands)):
        assert not plays(state, seat), "somebody could have played"
        state = passing(state, seat)
    lines = GAME.lines(state, None)
    counted = {" ".join(each["tiles"]): each for each in lines if each["line"] == "counted"}
    (shared,) = (each for each in lines if each["line"] == "shared")
    assert shared["rest"] == example.rest
    for each in examples(GAME):
        if each.kind == "shares":
            seat = counted[each.tiles]["seat"]
            assert each.chips == shared["chips"] * (seat in shared["seats"])
            each.says(counted[each.tiles]["value"], each.chips)


def shares(example: Example) -> None:
    assert example.tiles in " ".join(next(e for e in examples(GAME) if e.kind == "blocked").hands)


KINDS = {
    "dealt": dealt,
    "usual": usual,
    "pips": of_tile,
    "options": options,
    "turn": turn,
    "auction": auction,
    "blocked": blocked,
    "shares": shares,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)


def test_a_tile_that_two_players_hold_is_found() -> None:
    (example,) = (each for each in examples(GAME) if each.kind == "blocked")
    with pytest.raises(AssertionError, match="impossible"):
        blocked(example._replace(given={**example.given, "hands": ["2-1", "3-0", "6-6 2-1"]}))


def test_a_block_that_somebody_could_open_is_found() -> None:
    (example,) = (each for each in examples(GAME) if each.kind == "blocked")
    with pytest.raises(AssertionError, match="could have played"):
        blocked(example._replace(given={**example.given, "hands": ["2-1", "3-0", "6-4 5-0"]}))
