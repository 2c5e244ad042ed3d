"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.games.joretsu.components import LAST_OF_PART_2, PART_1, PILES, PLACES
from rules.games.joretsu.phases import Bidding, Dealing, Deciding, Over, Showdown
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import (
    CARD,
    CARDS,
    OF,
    SEAT,
    SUIT,
    Member,
    number,
    optional,
    secret,
)

ROUNDS = range(1, LAST_OF_PART_2 + 2)
"""The numbers of the comparisons; the last one is the showdown."""
AWARDED = number("place", tuple(sorted(PART_1.values())))
"""The member with the place that a comparison awards."""
RAISED = number("place", range(PLACES - 1))

VOCABULARY = Vocabulary(
    phases=(Dealing, Bidding, Deciding, Showdown, Over),
    indexes={"pile": range(len(PILES))},
    values={"round": (number(values=ROUNDS),)},
    marks={"ladder": ("vacant",)},
    choices={
        Bidding: ("bid",),
        Deciding: ("keep", "rank", "decline", "raise"),
        Showdown: ("showdown",),
    },
    facts={
        Over: {
            "worth": (OF, CARD, number()),
            "score": (OF, number()),
            "compared": (OF, CARD),
        }
    },
    prompts={
        Bidding: (number("round", range(1, LAST_OF_PART_2 + 1)), optional(AWARDED)),
        Deciding: (Member("chief", "seat"), optional(AWARDED), optional(Member("drawer", "seat"))),
    },
    lines={
        "shuffled": (number("count"),),
        "dealt": (SEAT, secret(CARDS)),
        "turned": (CARD,),
        "bid": (SEAT, CARD),
        "chief": (SEAT,),
        "nobody-draws": (),
        "drew": (SEAT, secret(CARDS)),
        "kept": (SEAT, secret(CARD)),
        "collected": (SEAT,),
        "ranked": (SEAT, SUIT, number("place", range(PLACES))),
        "raised": (SEAT, SUIT, RAISED),
        "declined": (SEAT,),
        "showdown": (SEAT, CARDS, number()),
    },
)
