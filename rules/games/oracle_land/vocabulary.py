"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.common.cards import SUITS
from rules.games.oracle_land.components import DEALS, TRICKS, Table
from rules.games.oracle_land.phases import (
    Bidding,
    Blessing,
    Dealing,
    Erasing,
    Hiding,
    Over,
    Playing,
    Rewarding,
    Trick,
    Wishing,
)
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import (
    CARD,
    CARDS,
    OF,
    SEAT,
    SUIT,
    Member,
    flag,
    number,
    one_of_these,
    optional,
    secret,
)

MOST, LEAST = Member("most", "card", many=True), Member("least", "card", many=True)
COUNTS = tuple(number(suit) for suit in SUITS)
"""The members with the numbers of cards of each suit."""

VOCABULARY = Vocabulary(
    phases=(
        Dealing,
        Wishing,
        Bidding,
        Hiding,
        Playing,
        Rewarding,
        Erasing,
        Blessing,
        Over,
    ),
    indexes={"stock": range(len(SUITS))},
    values={
        "deal": (number(values=range(1, DEALS + 1)),),
        "trick": (number(values=range(TRICKS + 1)),),
    },
    marks={"row": ("covered",), "trick": ("sideways", "plus", "minus")},
    choices={Wishing: ("wish",), Bidding: ("bid",), Hiding: ("secret",)},
    facts={
        Table: {"counts": (OF, *COUNTS), "score": (OF, number())},
        Bidding: {"wished": (OF,)},
        Trick: {"number": (OF, number())},
        Over: {
            "made": (OF, Member("first", "card", many=True), Member("second", "card", many=True))
        },
    },
    prompts={
        Playing: (SEAT, optional(one_of_these("led", *SUITS, "none"))),
        Rewarding: (SEAT,),
        Erasing: (SEAT, number("count", range(1, len(SUITS) + 1))),
        Blessing: (SEAT,),
    },
    lines={
        "dealt": (SEAT, secret(CARDS)),
        "wished": (SEAT, flag("tie")),
        "received": (SEAT, secret(CARDS)),
        "bid": (SEAT, OF, MOST, LEAST),
        "hid": (SEAT, secret(CARDS)),
        "leads": (SEAT,),
        "played": (
            SEAT,
            CARD,
            number("number"),
            optional(one_of_these("joker", "plus", "minus")),
            optional(flag("sideways")),
        ),
        "decided": (Member("winner", "seat"), Member("loser", "seat")),
        "bonus": (SEAT, CARD),
        "took": (SEAT, CARDS),
        "covered": (SEAT, CARDS, Member("fours", "card", many=True)),
        "covered-secret": (SEAT, CARD),
        "set-aside": (CARD,),
        "moon": (CARD,),
        "opened": (SEAT, CARD),
        "blessed": (SEAT, SUIT),
        "counted": (SEAT, *COUNTS, CARDS),
    },
)
