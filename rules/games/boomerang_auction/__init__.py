"""Boomerang Auction (ブーメラン オークション), りかち 2013: winning bids come back as the lots of a second sale."""

from __future__ import annotations

from rules.games.boomerang_auction.components import SEATS
from rules.games.boomerang_auction.phases import start
from rules.games.boomerang_auction.policy import policy
from rules.games.boomerang_auction.scored import scored
from rules.games.boomerang_auction.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Daily, Length, Looks, Mind, Param, Ruleset, Standing, token

ruleset = Ruleset(
    slug="boomerang-auction",
    version=1,
    players=(SEATS,),
    actions={"bid": (Param("cards", "cards", size=(1, 2)),), "pass": ()},
    reasons=("end",),
    start=start,
    # The cards of a winning bid, and a lot that nobody bought, are hidden again.
    transient={"bid": ("cards",), "offered": ("card",)},
    mind=Mind(policy=policy),
    looks=Looks(
        cover=Cover("bids", "easy", ("3h", "Ah", "9s")),
        lengths=lambda players: (Length({}, 11),),
        daily=Daily(3, {}, 100),
        layout=(
            token("score", "score"),
            token("dealer", "dealer"),
            token("out", "passed"),
            Area("cards", ("won",)),
            Area("centre", ("bid", "good")),
        ),
        vocabulary=VOCABULARY,
        moments={"sold": "sale", "unsold": "sale"},
        orders=(
            Standing("pass", "bidding", "pass", ("lot", "sale"), compare="high"),
            Standing("least", "bidding", "bid", ("lot", "sale")),
        ),
        begins={"offered": "lot"},
        repeats=("offered",),
        scored=scored,
    ),
)
