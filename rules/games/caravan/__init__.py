"""Caravan (キャラバン), Joe Foxson and a friend: rows of 21 to 26 points are sold in competition with a rival's.

It is the game from *Fallout*, as described by 赤桐, who asked for the option `joker` = `both`.
"""

from __future__ import annotations

from rules.common.cards import JOKER, deck
from rules.games.caravan.components import JOKERS, LANES, LEAST, MOST, OPENING, SEATS, TO_WIN
from rules.games.caravan.equivalence import equivalence_class
from rules.games.caravan.hidden import hidden
from rules.games.caravan.phases import start
from rules.games.caravan.policy import policy
from rules.games.caravan.scored import scored
from rules.games.caravan.vocabulary import VOCABULARY
from rules.kernel import (
    Area,
    Cover,
    Length,
    Looks,
    Mind,
    Option,
    Param,
    Ruleset,
    Spot,
    token,
)

BENEATH = range(len(deck(jokers=1)))
"""The possible numbers of cards that lie beneath a card of the same deck."""

ruleset = Ruleset(
    slug="caravan",
    version=1,
    players=(SEATS,),
    options=lambda players: {"joker": Option(JOKERS, "none")},
    actions={
        "open": (Param("cards", "sequence", size=(OPENING, OPENING)),),
        "play": (
            Param("card", "card"),
            Param("lane", "number", LANES),
            Param("at", "position", BENEATH, optional=True),
            Param("as", "choice", ("J", JOKER), optional=True),
        ),
        "renew": (Param("card", "card"), Param("lane", "number", LANES)),
        "discard": (Param("card", "card"),),
        "sell": (Param("lanes", "choice", LANES, (1, len(LANES))),),
    },
    reasons=("sold", "exhausted"),
    start=start,
    transient={"shown": ("cards",)},  # a hand that cannot open is shown and shuffled again
    equivalence_class=equivalence_class,
    mind=Mind(hidden=hidden, policy=policy),
    looks=Looks(
        cover=Cover("duel", "medium", ("4d", "9d", "Ks")),
        lengths=lambda players: (Length({}, 50),),
        layout=(
            token("coin", "score")._replace(numbers={"of": TO_WIN}),
            Area(
                "lanes",
                ("row",),
                {"total": "points", "way": "direction", "taken": "sold", "ready": "saleable"},
                numbers={"least": LEAST, "most": MOST},
            ),
        ),
        spots={
            "open.cards": Spot("row", "each"),
            "play.lane": Spot("row", "index"),
            "play.at": Spot("row", "gap"),
            "renew.lane": Spot("row", "index"),
            "sell.lanes": Spot("row", "index"),
            "discard": Spot("discard"),
        },
        aside=("discard",),
        destroys=("renew",),
        usually={"play.as": "J"},
        vocabulary=VOCABULARY,
        moments={"sold": "sale"},
        scored=scored,
    ),
)
