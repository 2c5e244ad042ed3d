"""The Land of Oracles (神託の地), オシノ 2014: a neighbour foretells which suits a seat will own most and least of.

From http://recipeofbodoge.gg-blog.com/, experiment 9, with its notes of 2014 and 2015.
"""

from __future__ import annotations

from rules.games.oracle_land.components import HAZY
from rules.games.oracle_land.estimate import estimate
from rules.games.oracle_land.hidden import hidden
from rules.games.oracle_land.phases import start
from rules.games.oracle_land.policy import policy
from rules.kernel import Cover, Length, Option, Param, Ruleset

ruleset = Ruleset(
    slug="oracle-land",
    version=1,
    players=(3, 4),
    lengths=lambda players: (Length({}, 22),),
    options=lambda players: {"oborozuki": Option(HAZY[players], False)},
    actions={
        "wish": (Param("tie", "flag"),),
        "bid": (Param("most", "cards"), Param("least", "cards")),
        "secret": (Param("card", "card"),),
        "play": (Param("card", "card"), Param("sideways", "flag"), Param("joker", "choice")),
        "bonus": (Param("card", "card"),),
        "erase": (Param("cards", "cards"),),
        "joker": (Param("suit", "suit"),),
    },
    cover=Cover("minds", "hard", ("Jk", "Ks", "2d")),
    reasons=("points", "joker"),
    start=start,
    hidden=hidden,
    estimate=estimate,
    policy=policy,
)
