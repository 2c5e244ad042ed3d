"""Boomerang Auction: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.boomerang_auction.phases import Bidding
from rules.games.boomerang_auction.scoring import extra, score, worth
from tests.rules.games.boomerang_auction.test_rules import GAME, bidding, bids_of, buy
from tests.rules.page_examples import Example, cards, examples, follow, led
from tests.rules.playouts import moved, shuffled


def turn(example: Example) -> None:
    state = led(GAME, example)
    assert (state.good, state.hands) == (example.good, tuple(map(cards, example.hands)))
    follow(GAME, state, example.steps)


def bid(example: Example) -> None:
    example.says(worth(cards(example.cards)))


def same(example: Example) -> None:
    goods = cards(example.goods)
    example.says(len(goods), extra(goods))


def over(example: Example) -> None:
    state: Any = bidding(hands=(cards(example.high), cards(example.hand), ("Ad",)))
    state = moved(GAME, state, 0, "bid", cards=[example.high])
    assert [" ".join(each) for each in bids_of(state, 1)] == example.bids


def game(example: Example) -> None:
    state: Any = GAME.initial(3, {})
    for sale in (example.first, example.second):
        state = shuffled(GAME, state, *(good for good, _, _ in sale))
        for good, buyer, paid in sale:
            assert isinstance(state, Bidding)
            assert state.good == good
            state = buy(state, buyer, *paid.split()) if paid else unsold(state)
    goods = [each.goods for each in examples(GAME) if each.kind == "score"]
    assert [set(won) for won in state.won] == [set(cards(each)) for each in goods]
    result = GAME.result(state)
    assert result
    assert result.winners == tuple(example.winners)


def unsold(state: Any) -> Any:
    good = state.good
    while isinstance(state, Bidding) and state.good == good:
        state = moved(GAME, state, GAME.turn(state).waiting[0], "pass")
    return state


def of_goods(example: Example) -> None:
    goods = cards(example.goods)
    example.says(worth(goods), extra(goods), score(goods))


KINDS = {
    "turn": turn,
    "bid": bid,
    "same": same,
    "over": over,
    "game": game,
    "score": of_goods,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
