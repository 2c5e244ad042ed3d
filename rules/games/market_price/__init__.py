"""Market Price (時価で勝負), オシノ 2013: everybody pushes the prices of four companies and holds two secret shares.

After *Botswana*.
"""

from __future__ import annotations

from rules.common.cards import deck
from rules.games.market_price.components import CHANCES
from rules.games.market_price.equivalence import equivalence_class
from rules.games.market_price.hidden import hidden
from rules.games.market_price.phases import start
from rules.games.market_price.policy import policy
from rules.games.market_price.scored import scored
from rules.games.market_price.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Length, Param, Ruleset, Spot

NUMBERS = deck(dict(CHANCES)["numbers"])

ruleset = Ruleset(
    slug="market-price",
    version=1,
    players=(3, 4),
    lengths=lambda players: (Length({}, 8),),
    actions={"play": (Param("card", "card", NUMBERS), Param("at", "choice", ("upper", "lower")))},
    spots={"play.at": Spot(by="company")},
    layout=(Area("board", ("upper", "lower"), {"price": "price"}, own="share"),),
    cover=Cover("minds", "easy", ("Ac", "Kd", "Qh")),
    reasons=("richest", "queen", "shared"),
    start=start,
    equivalence_class=equivalence_class,
    hidden=hidden,
    policy=policy,
    scored=scored,
    vocabulary=VOCABULARY,
)
