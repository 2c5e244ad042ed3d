"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.games.auction_draw.components import LOT, Table
from rules.games.auction_draw.phases import LAPS, Bidding, Over, Playing, Shuffling
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import OF, SEAT, SEATS, Member, number, optional, secret

TILE, TILES = Member("tile", "tile"), Member("tiles", "tile", many=True)
LAP = range(1, LAPS + 1)
LEFT, RIGHT = number("left"), number("right")
CHIPS, COUNT = number("chips"), number("count", range(1, LOT + 1))

VOCABULARY = Vocabulary(
    phases=(Shuffling, Playing, Bidding, Over),
    facts={
        Table: {"lead": (SEAT,), "open": (LEFT, RIGHT)},
        Over: {"pips": (OF, number())},
    },
    prompts={
        Playing: tuple(map(optional, (LEFT, RIGHT, number("bought")))),
        Bidding: (number("high"), number("lap", LAP), number("laps", (LAPS,))),
    },
    lines={
        "short": (SEAT, CHIPS),
        "round": (number("number"), SEAT, number()),
        "dealt": (SEAT, secret(TILES)),
        "left-over": (COUNT,),
        "opened": (SEAT, TILE),
        "played": (SEAT, TILE, number("end")),
        "bought": (SEAT, secret(TILE)),
        "stopped": (SEAT,),
        "passed": (SEAT,),
        "stuck": (SEAT,),
        "auction": (COUNT,),
        "bid": (SEAT, CHIPS),
        "outbid": (SEAT,),
        "sold": (SEAT, CHIPS, secret(TILES)),
        "unsold": (COUNT,),
        "out": (SEAT, CHIPS),
        "blocked": (),
        "counted": (SEAT, TILES, number()),
        "fewest": (SEAT, CHIPS),
        "shared": (SEATS, CHIPS, number("rest")),
    },
)
