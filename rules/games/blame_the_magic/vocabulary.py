"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.games.blame_the_magic.components import LIMITS, RANKS, UNUSED, USED, Table
from rules.games.blame_the_magic.phases import (
    Asking,
    Choosing,
    Closing,
    Leading,
    Marking,
    Over,
    Window,
)
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import (
    CARD,
    CARDS,
    OF,
    SEAT,
    Member,
    number,
    one_of_these,
    optional,
    secret,
)

NUMBERS = range(2, 2 + max(map(len, RANKS.values())))
"""The possible numbers of number cards."""
ROUNDS = range(1, max(RANKS) + 1)
SEATS = tuple(RANKS)
"""The possible numbers of players, which are also the sizes of hands."""

VOCABULARY = Vocabulary(
    phases=(Choosing, Leading, Window, Asking, Closing, Over),
    values={"round": (number(values=ROUNDS),)},
    marks={"zone": ("turned",)},
    choices={Choosing: ("choose",), Window: ("lead",)},
    facts={
        Table: {
            "marker": (OF, number(values=(UNUSED, USED))),
            "limit": (number(values=tuple(LIMITS.values())),),
            "influence": (OF, number(), one_of_these("display", "Q", "K", "J")),
        },
        Over: {"unnoticed": (OF, number("guild"))},
    },
    prompts={
        Marking: (SEAT,),
        Choosing: (number("count", SEATS), optional(Member("more", "seat"))),
        Window: (SEAT, Member("holder", "seat")),
        Asking: (SEAT, number("number", NUMBERS)),
    },
    lines={
        "round": (number("number", ROUNDS), SEAT),
        "joker": (SEAT,),
        "took-all": (SEAT, secret(CARDS)),
        "chose": (SEAT, secret(CARDS)),
        "one-more": (SEAT,),
        "laid": (SEAT, CARD),
        "has-none": (SEAT, number("number", NUMBERS)),
        "has": (SEAT, CARD),
        "back": (SEAT, CARD),
        "kept": (SEAT, CARD, number()),
        "passed": (SEAT,),
        "took": (SEAT,),
        "gave": (SEAT, Member("to", "seat")),
        "returned": (SEAT, secret(CARD)),
        "turned": (SEAT, CARD, number()),
        "closed": (SEAT,),
        "put-back": (SEAT, secret(CARDS)),
    },
)
