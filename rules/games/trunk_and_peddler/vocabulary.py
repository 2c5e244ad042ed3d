"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.games.trunk_and_peddler.components import TRICKS, Table
from rules.games.trunk_and_peddler.phases import (
    Choosing,
    Drawing,
    First,
    Losing,
    Over,
    Second,
    Shuffling,
    Storing,
    Trick,
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

TRICK = range(1, TRICKS + 1)
TRUMP = Member("trump", "suit")
ACCOUNT = ("capacity", "load", "worth", "down", "loss", "times", "bonus", "value")

VOCABULARY = Vocabulary(
    phases=(Shuffling, Choosing, First, Second, Losing, Storing, Drawing, Over),
    marks={"display": ("vacant",)},
    choices={Choosing: ("trunk",)},
    facts={
        Table: {
            "trumps": (Member("suits", "suit", many=True),),
            "load": (OF, number(), number("junk")),
        },
        Trick: {"trick": (number(values=TRICK), SUIT, SEAT)},
        Over: {"account": (OF, *map(number, ACCOUNT))},
    },
    prompts={
        First: (TRUMP, optional(Member("led", "suit"))),
        Second: (SUIT, optional(flag("must"))),
        Losing: (CARDS,),
        Storing: (CARD,),
    },
    lines={
        "laid-out": (CARDS,),
        "dealt": (SEAT, secret(CARDS)),
        "trunk": (SEAT, secret(CARD)),
        "trick": (number("number", TRICK), CARD, TRUMP, SEAT),
        "played": (SEAT, CARD, number()),
        "turned": (SEAT, CARD, number()),
        "passed": (SEAT,),
        "empty-handed": (SEAT,),
        "likewise": (SEAT,),
        "compelled": (SEAT, SUIT),
        "lacking": (SEAT, SUIT),
        "won": (SEAT, number(), number("other")),
        "discarded": (SEAT, CARDS),
        "loaded": (SEAT, CARDS),
        "took-all": (SEAT, CARDS),
        "stacked": (SEAT, CARDS),
        "stored": (SEAT, CARD, one_of_these("place", "down", "up", "side")),
        "coin": (SEAT,),
        "drew": (SEAT, secret(CARDS)),
        "left": (SEAT, CARDS),
        "left-junk": (SEAT, CARDS),
        "opened": (SEAT, CARD),
    },
)
