"""The notes about bids agree with everything else that is known."""

from __future__ import annotations

import random

import pytest

from rules.common.cards import JOKER
from rules.common.poker import VALUE
from rules.games.abbott_auction.claims import Claim
from rules.games.abbott_auction.hidden import recall
from rules.kernel import Address
from tests.rules.games.abbott_auction.positions import GAME, bidding, cards

UNSEEN = cards("2c 4d 4h 7s 9h Kd")
BLIND = GAME.blind(
    bidding("As Ks", "Qs Qd", "4d 4h", high=Claim("single", VALUE["5"]), bidder=0), 0
)


@pytest.mark.parametrize(
    "claim",
    [Claim("single", VALUE["Q"], "s"), Claim("pair", VALUE[JOKER]), Claim("pair", VALUE["Q"])],
    ids=["a card", "jokers", "a rank"],
)
def test_cards_of_which_it_is_known_where_they_lie_are_not_dealt_for_a_bid(claim: Claim) -> None:
    dealt = recall({1: claim, 2: Claim("pair", 4)}, BLIND, 0, UNSEEN, random.Random(1))
    assert set(dealt[Address("hands", 2)]) == {"4d", "4h"}
    assert not set(dealt.get(Address("hands", 1), ())) - set(UNSEEN)
