"""Joretsu (序列), オシノ 2014: five comparisons rank the suits, then two cards of each seat, valued by suit, decide."""

from __future__ import annotations

from rules.common.cards import deck
from rules.games.joretsu.components import PILES
from rules.games.joretsu.hidden import hidden
from rules.games.joretsu.phases import start
from rules.games.joretsu.policy import policy
from rules.games.joretsu.scored import scored
from rules.games.joretsu.vocabulary import VOCABULARY
from rules.kernel import (
    Area,
    Cover,
    Daily,
    Length,
    Looks,
    Mind,
    Param,
    Ruleset,
    Spot,
    Standing,
    token,
)

CARDS = deck("".join(ranks for _, ranks, _ in PILES))

ruleset = Ruleset(
    slug="joretsu",
    version=1,
    players=(3, 4),
    actions={
        "bid": (Param("card", "card", CARDS),),
        "keep": (Param("card", "card", CARDS, secret=True),),
        "rank": (Param("suit", "suit"),),
        "decline": (),
        "raise": (Param("suit", "suit"),),
        "showdown": (Param("cards", "cards", CARDS, (2, 2)),),
    },
    reasons=("showdown",),
    start=start,
    mind=Mind(hidden=hidden, policy=policy),
    looks=Looks(
        cover=Cover("minds", "medium", ("As", "Ah", "Ad")),
        lengths=lambda players: (Length({}, 9),),
        daily=Daily(3, {}, 60),
        layout=(
            token("score", "score"),
            token("joker", "joker"),
            token("crown", "chief"),
            token("draw", "drawer"),
            Area("centre", ("played",), {"won": "chief"}),
            Area("ladder", ("ladder", "aces")),
        ),
        spots={
            "rank.suit": Spot("aces", "suit"),
            "raise.suit": Spot("ladder", "suit"),
            **dict.fromkeys(("bid.card", "showdown.cards"), Spot("played", "into")),
        },
        vocabulary=VOCABULARY,
        outcomes=("chief",),
        orders=(Standing("decline", "deciding", "decline"),),
        scored=scored,
    ),
)
