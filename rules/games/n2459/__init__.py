"""2459n! (2459ん!), オシノ 2013: all seats draw from one table and collect 2, 4, 5, 9 and a face card of one suit.

A joke game based on *Pit*, played in rounds (4A) or in real time (4B).
"""

from __future__ import annotations

from rules.games.n2459.components import TABLE
from rules.games.n2459.equivalence import equivalence_class
from rules.games.n2459.hidden import hidden
from rules.games.n2459.phases import USUAL_ROUNDS, start
from rules.games.n2459.policy import policy
from rules.games.n2459.scored import scored
from rules.games.n2459.vocabulary import VOCABULARY
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

KEEP = Param("keep", "choice", ("held", "drawn"), optional=True, secret=True)
"""The card that stays in the collection.

Only a seat with a card in its drawing hand states this, and nobody else sees the choice.
"""

ruleset = Ruleset(
    slug="2459n",
    version=1,
    players=tuple(USUAL_ROUNDS),
    options=lambda players: {
        "tempo": Option(("post", "live"), "post"),
        "rounds": Option((10, 15, 20, 24, 30, 40), USUAL_ROUNDS[players]),
        "minutes": Option((0.5, 1, 3, 5, 8, 10, 15), 10),
    },
    live=lambda players, options: bool(options["tempo"] == "live"),
    lasts=lambda players, options: 60.0 * options["minutes"],
    actions={
        "draw": (Param("at", "position", range(len(TABLE))), KEEP),
        "stay": (KEEP,),
        "put-back": (KEEP,),
        "show": (),
    },
    reasons=("complete", "time-up", "mascot"),
    start=start,
    transient={
        "drew": ("card",),
        "laid": ("card",),
    },  # a card put back face up can be drawn in the same round
    equivalence_class=equivalence_class,
    mind=Mind(hidden=hidden, policy=policy),
    looks=Looks(
        cover=Cover("luck", "easy", ("2h", "4h", "5h")),
        lengths=lambda players: (Length({"rounds": 10}, 10), Length({}, USUAL_ROUNDS[players])),
        when={"rounds": {"tempo": "post"}, "minutes": {"tempo": "live"}},
        layout=(
            Area("set", ("collection",), ranks=(*"2459", "JQK")),
            token("drew", "drew", says="at"),
            token("missed", "missed", says="at"),
            token("stood", "stood"),
            token("holds", "origin"),
            Area("drawn", ("table",), {"at": "taken"}, own="collection", ranks=(*"2459", "JQK")),
        ),
        spots={
            "draw.at": Spot("table", "place"),
            **dict.fromkeys(("draw.keep", "stay.keep"), Spot("collection", "drawn")),
        },
        aside=("stay",),
        vocabulary=VOCABULARY,
        moments={"joker": "opened", "complete": "deal", "time-up": "deal"},
        scored=scored,
    ),
)
