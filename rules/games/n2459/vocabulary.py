"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.games.n2459.components import FACES, SLOTS, TABLE
from rules.games.n2459.phases import Collecting, Over, Racing, Shuffling
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import (
    CARD,
    CARDS,
    OF,
    RULE,
    SEAT,
    SEATS,
    number,
    one_of_these,
    optional,
)

PLACES = range(len(TABLE))
AT = number("at", PLACES)
NUMBERS = tuple(int(slot) for slot in SLOTS if slot.isdigit())
RUNS = (0, *range(2, len(SLOTS) + 1))
"""The possible lengths of a run; a single card is not a run."""

VOCABULARY = Vocabulary(
    phases=(Shuffling, Collecting, Racing, Over),
    values={"taken": (number(values=PLACES),), "origin": (number(values=PLACES),)},
    marks={"table": ("vacant",)},
    choices={Collecting: ("draw", "stay")},
    facts={
        Collecting: {"stood": (OF,), "drew": (OF, AT), "missed": (OF, AT)},
        Over: {
            "sum": (
                OF,
                number("run", RUNS),
                optional(one_of_these("face", *FACES)),
                optional(number("number", NUMBERS)),
            )
        },
    },
    prompts={Collecting: (number("round"), number("rounds"))},
    lines={
        "shuffled": (number("count", (len(TABLE),)),),
        "drew": (SEAT, AT, CARD._replace(seen=RULE)),
        "missed": (SEAT, AT),
        "stood": (SEAT,),
        "joker": (SEAT,),
        "kept": (SEAT,),
        "put-back": (SEAT, AT),
        "laid": (SEAT, AT, CARD),
        "complete": (SEATS,),
        "time-up": (),
        "shown": (SEAT, CARDS),
    },
)
