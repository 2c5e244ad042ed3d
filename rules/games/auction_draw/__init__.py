"""Auction Draw (オークションドロー, 私家版): dominoes with a pot; the last two tiles of the stock are auctioned.

It is a private adaptation of the traditional game described on pagat.com.
"""

from __future__ import annotations

from rules.common.dominoes import double_set
from rules.games.auction_draw.equivalence import equivalence_class
from rules.games.auction_draw.estimate import estimate
from rules.games.auction_draw.hidden import hidden
from rules.games.auction_draw.options import (
    MOST_CHIPS,
    MOST_PLAYERS,
    USUAL_SET,
    lengths,
    options,
    together,
)
from rules.games.auction_draw.phases import start
from rules.games.auction_draw.policy import policy
from rules.games.auction_draw.scored import scored
from rules.games.auction_draw.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Daily, Looks, Mind, Param, Ruleset, Spot, Standing, token

TILES = double_set(max(MOST_PLAYERS))
ENDS = range(max(MOST_PLAYERS) + 1)
BIDS = range(1, MOST_CHIPS * max(USUAL_SET) + 1)
"""The possible bids: one player may come to have everybody's chips."""

ruleset = Ruleset(
    slug="auction-draw",
    version=1,
    players=tuple(USUAL_SET),
    options=options,
    together=together,
    actions={
        "play": (
            Param("tile", "card", TILES),
            Param("end", "number", ENDS, optional=True),
        ),
        "buy": (),
        "bid": (Param("chips", "number", BIDS),),
        "pass": (),
    },
    reasons=("bankrupt", "rounds", "limit"),
    start=start,
    # The tile that goes out, and the hands of a blocked round, are shown and then shuffled again.
    transient={"played": ("tile",), "counted": ("tiles",)},
    equivalence_class=equivalence_class,
    mind=Mind(hidden=hidden, policy=policy, estimate=estimate),
    looks=Looks(
        cover=Cover("bids", "medium", ("6-5", "5-5", "5-2")),
        lengths=lengths,
        daily=Daily(2, {"laps": 2}, 120),
        layout=(
            token("chips", "pot", title="pot"),
            token("bid", "high", title="high"),
            token("chip", "purse"),
            token("lead", "lead"),
            token("bid", "bidder"),
            token("out", "passed"),
            token("pips", "pips"),
            Area("line", ("line",), {"ends": "open"}),
        ),
        spots={"play.end": Spot("line", "end"), "buy": Spot("stock")},
        vocabulary=VOCABULARY,
        moments={"sold": "sale", "unsold": "sale", "out": "deal", "blocked": "deal"},
        outcomes=("fewest", "shared"),
        orders=(
            Standing("pass", "bidding", "pass", ("auction", "round"), compare="high"),
            Standing("least", "bidding", "bid", ("auction",), most="chips"),
        ),
        begins={"auction": "auction"},
        scored=scored,
    ),
)
