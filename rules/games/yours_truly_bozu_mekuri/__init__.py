"""Yours truly, Bozu-mekuri (坊主めくりに、よろしく), オシノ 2014: pushing one's luck with three rows headed by bozu.

From http://recipeofbodoge.gg-blog.com/, experiment 6. The settlement at the end has a separate module.
"""

from __future__ import annotations

from rules.games.yours_truly_bozu_mekuri.components import ACES, PILE, ROWS, STOCK
from rules.games.yours_truly_bozu_mekuri.phases import start
from rules.games.yours_truly_bozu_mekuri.policy import policy
from rules.games.yours_truly_bozu_mekuri.scored import scored
from rules.games.yours_truly_bozu_mekuri.settlement import ALL, OTHER_SUITS
from rules.games.yours_truly_bozu_mekuri.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Length, Looks, Mind, Option, Param, Ruleset, Spot, token

NUMBERS = STOCK + ACES

ruleset = Ruleset(
    slug="yours-truly-bozu-mekuri",
    version=1,
    players=(3, 4, 5),
    options=lambda players: {"sets": Option((ALL, OTHER_SUITS), ALL, later=True)},
    actions={
        "draw": (),
        "play": (Param("card", "card", NUMBERS), Param("row", "number", range(ROWS))),
        "end": (),
        "pass": (Param("card", "card", NUMBERS),),
        "place": (Param("row", "number", range(ROWS)),),
        "cover": (Param("card", "card", NUMBERS), Param("bozu", "card", PILE)),
        "keep": (Param("cards", "cards", NUMBERS, (2, 3)),),
    },
    reasons=("bozu-gone", "last-round", "bozu-mekuri"),
    start=start,
    transient={"turned": ("card",)},  # a card that is turned up can go to the hand at once
    mind=Mind(policy=policy),
    looks=Looks(
        cover=Cover("luck", "easy", ("Kh", "6s", "6h")),
        lengths=lambda players: (Length({}, 80 // players),),
        layout=(
            token("score", "score"),
            token("flag", "last-round"),
            Area("heads", ("row",), {"total": "sum", "of": "bozu"}),
        ),
        spots={
            "draw": Spot("stock"),
            "play.row": Spot("row", "index"),
            "place.row": Spot("row", "index"),
            "pass": Spot("discard"),
        },
        aside=("pass", "end"),
        vocabulary=VOCABULARY,
        moments={"burst": "trick", "beaten": "trick"},
        begins={"turn": "turn"},
        repeats=("turn",),
        scored=scored,
    ),
)
