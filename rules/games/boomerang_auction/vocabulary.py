"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.games.boomerang_auction.components import Table
from rules.games.boomerang_auction.phases import Bidding, Over, Shuffling
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import CARD, CARDS, OF, SEAT, number

BIDS = range(1, 7)
"""The possible values of a bid of one card or two."""
HIGH = number("high", range(max(BIDS) + 1))

VOCABULARY = Vocabulary(
    phases=(Shuffling, Bidding, Over),
    values={"sale": (number(values=(1, 2)),)},
    facts={
        Table: {"score": (OF, number())},
        Over: {"sum": (OF, number("values"), number("extra"))},
    },
    prompts={Bidding: (HIGH,)},
    lines={
        "shuffled": (number("count"),),
        "offered": (CARD,),
        "bid": (SEAT, CARDS, number(values=BIDS)),
        "passed": (SEAT,),
        "empty-handed": (SEAT,),
        "sold": (SEAT, CARD, number(values=BIDS)),
        "unsold": (CARD,),
    },
)
