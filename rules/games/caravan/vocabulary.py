"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.common.cards import deck
from rules.games.caravan.components import LANES, LEAST, MOST, Table
from rules.games.caravan.phases import Dealing, Opening, Over, Trading
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import CARD, CARDS, OF, SEAT, Member, number, one_of_these, secret

INDEX, LANE = number("index", LANES), number("lane", LANES)
BENEATH = number("at", range(len(deck(jokers=1))))
DIRECTION = one_of_these("value", "up", "down")
SALEABLE = Member("saleable", "number", LANES, many=True)

VOCABULARY = Vocabulary(
    phases=(Dealing, Opening, Trading, Over),
    indexes={"row": LANES, "direction": LANES, "sold": LANES},
    values={"direction": (DIRECTION,)},
    choices={Opening: ("open",)},
    facts={
        Table: {
            "points": (OF, INDEX, number()),
            "score": (OF, number(values=range(len(LANES) + 1))),
        },
        Trading: {"saleable": (OF, INDEX)},
    },
    prompts={Trading: (SEAT, SALEABLE)},
    lines={
        "shown": (SEAT, CARDS),
        "dealt": (SEAT, secret(CARDS)),
        "opened": (SEAT, CARDS),
        "played": (SEAT, CARD, LANE),
        "headed": (SEAT, LANE, DIRECTION),
        "inserted": (SEAT, CARD, LANE, BENEATH),
        "cut": (SEAT, CARD, LANE, BENEATH),
        "struck": (SEAT, CARD, LANE, BENEATH),
        "removed": (SEAT, LANE, CARDS),
        "renewed": (SEAT, CARD, LANE),
        "discarded": (SEAT, CARD),
        "sold": (SEAT, LANE, number(values=range(LEAST, MOST + 1))),
        "drew": (SEAT, secret(CARDS)),
        "skipped": (SEAT,),
    },
)
