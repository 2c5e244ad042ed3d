"""Boomerang Auction (ブーメラン オークション), りかち 2013: winning bids come back as goods of a second sale."""

from __future__ import annotations

from rules.games.boomerang_auction.components import SEATS
from rules.games.boomerang_auction.phases import start
from rules.games.boomerang_auction.policy import policy
from rules.games.boomerang_auction.scored import scored
from rules.games.boomerang_auction.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Length, Looks, Mind, Param, Ruleset, token

ruleset = Ruleset(
    slug="boomerang-auction",
    version=1,
    players=(SEATS,),
    actions={"bid": (Param("cards", "cards", size=(1, 2)),), "pass": ()},
    reasons=("end",),
    start=start,
    # the cards of a winning bid and an unsold good are hidden again
    transient={"bid": ("cards",), "offered": ("card",)},
    mind=Mind(policy=policy),
    looks=Looks(
        cover=Cover("bids", "easy", ("3h", "Ah", "9s")),
        lengths=lambda players: (Length({}, 11),),
        layout=(
            token("score", "score"),
            token("dealer", "dealer"),
            token("out", "passed"),
            Area("cards", ("won",)),
            Area("centre", ("bid", "good")),
        ),
        vocabulary=VOCABULARY,
        moments={"sold": "sale", "unsold": "sale"},
        begins={"offered": "lot"},
        repeats=("offered",),
        scored=scored,
    ),
)
