"""Market Price (時価で勝負), オシノ 2013: everybody pushes the prices of four companies and holds two secret shares.

The game is based on *Botswana*.
"""

from __future__ import annotations

from rules.common.cards import NUMBER, deck
from rules.games.market_price.components import CHANCES
from rules.games.market_price.equivalence import equivalence_class
from rules.games.market_price.hidden import hidden
from rules.games.market_price.phases import start
from rules.games.market_price.policy import policy
from rules.games.market_price.scored import scored
from rules.games.market_price.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Daily, Length, Looks, Mind, Param, Ruleset, Spot, token

NUMBERS = deck(dict(CHANCES)["numbers"])
PRICES = {"from": 1, "to": max(NUMBER[card[0]] for card in NUMBERS)}

ruleset = Ruleset(
    slug="market-price",
    version=1,
    players=(3, 4),
    actions={"play": (Param("card", "card", NUMBERS), Param("at", "choice", ("upper", "lower")))},
    reasons=("richest", "queen", "shared"),
    start=start,
    equivalence_class=equivalence_class,
    mind=Mind(hidden=hidden, policy=policy),
    looks=Looks(
        cover=Cover("minds", "easy", ("Ac", "Kd", "Qh")),
        lengths=lambda players: (Length({}, 8),),
        daily=Daily(3, {}, 80),
        layout=(
            Area("track", facts={"value": "price"}, numbers=PRICES, title="prices"),
            Area("board", ("upper", "lower"), {"price": "price"}, own="share"),
            token("score", "score"),
            token("out", "passed"),
        ),
        spots={"play.at": Spot(by="company")},
        vocabulary=VOCABULARY,
        moments={"turned": "round", "shown": "deal"},
        begins={"turned": "round", "shown": "shares"},
        scored=scored,
    ),
)
