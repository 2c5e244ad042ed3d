"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.games.yours_truly_bozu_mekuri.components import PILE, ROWS, Table
from rules.games.yours_truly_bozu_mekuri.phases import (
    EXACT,
    NEAR,
    Acting,
    Covering,
    Keeping,
    Over,
    Placing,
    Repiling,
    Restocking,
    Shuffling,
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
    optional,
    secret,
)

ROW = number("row", range(ROWS))
BOZU = Member("bozu", "card", PILE)
COUNT = number("count")
BROUGHT = number("count", (NEAR, EXACT))
"""The member with the number of cards that a row brings."""

VOCABULARY = Vocabulary(
    phases=(Shuffling, Acting, Placing, Covering, Keeping, Restocking, Repiling, Over),
    indexes={"row": range(ROWS)},
    marks={"row": ("marked",)},
    facts={
        Table: {
            "sum": (
                number("index", range(ROWS)),
                number(),
                number("bozu", (11, 12, 13)),
            )
        },
        Over: {
            "chosen-suit": (OF, SUIT, number()),
            "rank-set": (OF, CARDS),
            "suit-set": (OF, CARDS),
            "bozu": (OF, CARD._replace(values=PILE), CARDS, number()),
            "score": (OF, number(), number("tally")),
        },
    },
    prompts={
        Table: (SEAT,),
        Acting: (SEAT, optional(flag("acted"))),
        Keeping: (SEAT, BROUGHT),
    },
    lines={
        "shuffled": (COUNT,),
        "dealt": (SEAT, secret(CARDS)),
        "headed": (ROW, CARD._replace(values=PILE)),
        "turn": (SEAT,),
        "turned": (SEAT, CARD),
        "laid": (SEAT, CARD, ROW, number()),
        "played": (SEAT, CARD, ROW, number()),
        "drew": (SEAT, secret(CARDS)),
        "ended": (SEAT,),
        "passed": (SEAT, CARD),
        "discarded": (CARDS,),
        "burst": (SEAT, CARD._replace(values=PILE)),
        "covered": (SEAT, CARD, BOZU),
        "beaten": (SEAT, CARD._replace(values=PILE), BROUGHT),
        "kept": (SEAT, CARDS),
        "restocked": (COUNT,),
        "repiled": (COUNT,),
        "run-out": (SEAT,),
        "skipped": (SEAT,),
    },
)
