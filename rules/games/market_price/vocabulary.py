"""The members of the game's views and lines that fields and actions do not declare."""

from __future__ import annotations

from rules.common.cards import SUITS
from rules.games.market_price.components import CHANCES, Table
from rules.games.market_price.phases import Dealing, Over, Playing, Reshuffling
from rules.kernel import Vocabulary
from rules.kernel.vocabulary import (
    CARD,
    CARDS,
    OF,
    SEAT,
    SUIT,
    Member,
    number,
    one_of_these,
    secret,
)

COMPANIES = range(len(SUITS))
PRICE = range(1, 11)
"""The possible prices: 1 for an ace, or the number of a card."""

VOCABULARY = Vocabulary(
    phases=(Dealing, Playing, Reshuffling, Over),
    indexes={"upper": COMPANIES, "lower": COMPANIES},
    facts={
        Table: {"price": (number("index", COMPANIES), number(values=PRICE))},
        Over: {
            "sum": (OF, number("queen", PRICE), number("king")),
            "score": (OF, number()),
        },
    },
    prompts={Playing: (Member("watched", "suit"),)},
    lines={
        "shuffled": (one_of_these("deck", *(name for name, _ in CHANCES)),),
        "share": (SEAT, secret(CARD)),
        "dealt": (SEAT, secret(CARDS)),
        "turned": (CARD, SUIT, number("round")),
        "played": (SEAT, CARD, one_of_these("at", "upper", "lower"), number(values=PRICE)),
        "passed": (SEAT, SUIT),
        "put-away": (SEAT, number("count")),
        "shown": (SEAT, CARDS, number()),
    },
)
