"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.common.cards import RANKS
from rules.common.poker import SIZE
from rules.games.abbott_auction.claims import KINDS
from rules.games.abbott_auction.components import Table
from rules.games.abbott_auction.phases import Bidding, Dealing, Laying, Over
from rules.games.abbott_auction.scoring import BONUS
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import (
    CARD,
    CARDS,
    OF,
    SEAT,
    SEATS,
    SUIT,
    Member,
    number,
    one_of_these,
    optional,
    secret,
)

NUMBER = number("number")
CLAIM = (
    one_of_these("kind", *KINDS),
    optional(one_of_these("rank", *RANKS, "joker")),
    optional(SUIT),
)
"""The members that describe a bid."""
HAND = one_of_these("kind", "high-card", *(kind for kind in KINDS if SIZE[kind] > 1))
"""The member with the kind of a hand."""
COUNT = number("count", range(1, max(SIZE.values()) + 1))

VOCABULARY = Vocabulary(
    phases=(Dealing, Bidding, Laying, Over),
    facts={
        Table: {
            "points": (number(),),
            "deal": (
                NUMBER,
                one_of_these("reason", "declared", "joker", "stock"),
                SEATS,
                number(),
                optional(Member("declarer", "seat")),
            ),
        },
        Over: {"best": (OF, HAND, CARDS)},
    },
    prompts={Bidding: tuple(map(optional, CLAIM)), Laying: (*CLAIM, COUNT)},
    lines={
        "deal": (NUMBER,),
        "dealt": (SEAT, secret(CARDS)),
        "opened": (CARD,),
        "bid": (SEAT, *CLAIM),
        "passed": (SEAT,),
        "left": (SEAT,),
        "declared": (SEAT,),
        "no-bid": (),
        "won": (SEAT, *CLAIM),
        "took": (SEAT, CARDS),
        "drew": (SEAT, secret(CARDS)),
        "laid": (SEAT, CARD),
        "turned": (CARD,),
        "joker": (),
        "stock-empty": (),
        "ended": (number(),),
        "shown": (SEAT, CARDS, HAND, Member("best", "card", many=True)),
        "scored": (SEATS, number()),
        "bonus": (SEAT, number(values=(BONUS, -BONUS))),
    },
)
