"""The last sales of Boomerang Auction: cards in hand count nothing, so a lot is worth any bid."""

from __future__ import annotations

from typing import Any

import pytest

from rules.kernel import Json
from tests.rules.games.boomerang_auction.test_rules import CLUBS, GAME, PASS, bidding
from tests.rules.players.positions.thinking import is_one_of, thought

BID = {"type": "bid"}
Won = tuple[tuple[str, ...], ...]


def last(won: Won, good: str, hand: str, *, bids: Won = ((), (), ()), acted: int = 2) -> Any:
    """The last lot of the second sale; seat 0 acts after `acted` others."""
    hands = (tuple(hand.split()), ("2h", "3h"), ("2d", "3d"))
    seated = {"hands": hands, "won": won, "good": good, "bids": bids}
    return bidding(**seated, sale=2, stock=(), dealer=(3 - acted) % 3, acted=acted)


POSITIONS = {
    "the last good wins": (last((("4s",), ("5s",), ()), "5c", "2s 3s"), (BID,)),
    "a third card of a kind wins": (last((("As", "Ah"), ("5s",), ()), "Ad", "2s 3s"), (BID,)),
    "a good is kept from the leader's pair": (
        last((("5s", "4s"), ("3h", "4h"), ()), "3c", "4s 5s", bids=((), ("2h",), ())),
        (BID,),
    ),
    "only the pair outbids": (
        last((("4s",), ("5s",), ()), "5c", "As 3s", bids=((), ("3h",), ())),
        ({"type": "bid", "cards": ["As", "3s"]},),
    ),
    "six cannot be outbid": (
        bidding(won=(("4s",), ("4h",), ("4d",)), good="5c", sale=2, stock=()),
        ({"type": "bid", "cards": ["As", "5s"]},),
    ),
    "what is lost anyway costs nothing": (
        bidding(good="Ac", stock=CLUBS[1:], acted=2, dealer=1, bids=((), ("Ah", "5h"), ())),
        (PASS,),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_best_bid(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)
