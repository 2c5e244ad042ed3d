"""Auction (アボットのオークション), Robert Abbott: sets of cards are bid for a pile, which the best poker hand wins.

As described by 赤桐, 1997.
"""

from __future__ import annotations

from rules.common.poker import RANKS, SAME_RANK
from rules.games.abbott_auction.claims import KINDS
from rules.games.abbott_auction.components import PLAYERS
from rules.games.abbott_auction.equivalence import equivalence_class
from rules.games.abbott_auction.estimate import estimate
from rules.games.abbott_auction.hidden import hidden
from rules.games.abbott_auction.phases import start
from rules.games.abbott_auction.policy import policy
from rules.games.abbott_auction.scored import scored
from rules.games.abbott_auction.vocabulary import VOCABULARY
from rules.kernel import (
    Area,
    Cover,
    Daily,
    Length,
    Looks,
    Mind,
    Option,
    Param,
    Ruleset,
    Standing,
    token,
)

SHAPES = {
    **{kind: "R" * size for kind, size in SAME_RANK.items()},
    "two-pair": "RRxx",
    "straight": "R<<<<",
    "flush": "Rssss",
    "full-house": "RRRxx",
    "straight-flush": "R<<<<",
}
"""The look of each kind: R is a card of the named rank, < of the next lower rank, s of the suit, x any other card."""

ruleset = Ruleset(
    slug="abbott-auction",
    version=1,
    players=tuple(PLAYERS),
    options=lambda players: {
        "target": Option((50, 100, 150), 150),
        "max_deals": Option((1, 2, 4, 8, 12, 20, 30), 20),
    },
    actions={
        "bid": (
            Param("kind", "choice", KINDS),
            Param("rank", "rank", RANKS, optional=True),
            Param("suit", "suit", optional=True),
        ),
        "pass": (),
        "leave": (),
        "declare": (),
        "lay": (Param("card", "card"),),
    },
    reasons=("target", "deal-limit"),
    start=start,
    equivalence_class=equivalence_class,
    mind=Mind(hidden=hidden, policy=policy, estimate=estimate),
    looks=Looks(
        cover=Cover("bids", "medium", ("Qs", "Qh", "7d")),
        lengths=lambda players: (
            Length({"max_deals": 1}, 12),
            Length({"target": 50}, 60),
            Length({}, 170),
        ),
        daily=Daily(2, {"max_deals": 1}, 40),
        layout=(
            token("score", "score"),
            token("pile", "points", title="points"),
            Area(
                "bid",
                facts={"by": "bidder", "kind": "kind", "rank": "rank", "suit": "suit"},
                sets=SHAPES,
            ),
            token("lead", "opener"),
            token("out", "passed"),
            token("won", "winner"),
            Area("record", facts={"entry": "deal"}),
        ),
        destroys=("leave", "declare"),
        vocabulary=VOCABULARY,
        moments={"won": "sale", "no-bid": "sale", "ended": "deal"},
        outcomes=("scored", "bonus"),
        orders=(
            Standing("pass", "bidding", "pass", ("auction", "deal")),
            Standing("leave", "bidding", "leave", ("deal",)),
        ),
        begins={"deal": "deal", "opened": "auction", "turned": "auction"},
        repeats=("deal", "turned"),
        scored=scored,
    ),
)
