"""Auction (Abbott): the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.common import poker
from rules.common.cards import canonical
from rules.games.abbott_auction.components import pack
from rules.games.abbott_auction.phases import Laying
from rules.games.abbott_auction.scoring import points
from tests.rules.games.abbott_auction.positions import (
    GAME,
    act,
    bid,
    bidding,
    claims,
    lays,
    won,
)
from tests.rules.page_examples import Example, cards, examples, follow, led, one_deck


def nothing(example: Example) -> None:
    one_deck(cards(example.cards), pack(4))
    assert not claims(bidding(example.cards, "2s"), 0, "pair")


def nines(example: Example) -> None:
    one_deck(cards(" ".join(example.hands[:3])), (*pack(4), "2s"))
    state: Any = bidding(*example.hands)
    for each in example.bids:
        found = claims(state, each["seat"], "single")
        assert not {f"single {one}" for one in each["may"]} - {*found}
        assert not {f"single {one}" for one in each["may_not"]} & {*found}
        state = bid(state, each["seat"], "single", *each["bid"].split())


def of_laying(example: Example) -> None:
    state: Any = bidding(example.hand, "9c", pile="9d")
    if len(example.bid) > 2:  # the suit is named only over the bare rank
        state = bid(state, 1, *example.bid[:2])
    state = won(state, 0, *example.bid)
    assert isinstance(state, Laying) == bool(example.may)
    if example.may:
        assert set(lays(state)) == set(example.may)
    else:
        assert example.line[1] not in state.hands[0]


def turn(example: Example) -> None:
    state = led(GAME, example)
    assert [set(hand) for hand in state.hands] == [set(cards(hand)) for hand in example.hands]
    assert state.pile == cards(example.pile)
    follow(GAME, state, example.steps)


def of_pile(example: Example) -> None:
    example.says(points(cards(example.cards)))


def of_points(example: Example) -> None:
    example.says(f"| {points(cards(example.given['cards']))} |")


def ended(example: Example) -> None:
    """Seat 0 has the best hand."""
    state = act(bidding("Ks Kh 2d", "3s 4d 8h", pile=example.pile), example.by, "declare")
    example.says(*state.totals)


def best(example: Example) -> None:
    one_deck(cards(example.hand), pack(4))
    found = poker.best(canonical(cards(example.hand)))
    assert (found.kind, set(found.cards)) == (example.set, set(example.given["cards"]))


def taken(example: Example) -> None:
    one_deck(cards(" ".join([example.hand, example.pile, example.stock])), pack(2))
    state = bidding(example.hand, "2h", pile=example.pile, stock=example.stock)
    state = won(state, 0, *example.bid)
    assert set(state.hands[0]) == set(cards(f"{example.hand} {example.pile} {example.unseen}"))
    assert not [card for card in cards(example.unseen) if card in str(GAME.view(state, 1))]


def straight(example: Example) -> None:
    state = bidding(example.hand, "2h")
    assert all(kind in claims(state, 0) for kind in example.kinds)


KINDS = {
    "nothing": nothing,
    "nines": nines,
    "lays": of_laying,
    "turn": turn,
    "pile": of_pile,
    "points": of_points,
    "ended": ended,
    "best": best,
    "taken": taken,
    "straight": straight,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
