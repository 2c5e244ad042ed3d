"""The Land of Oracles (神託の地), オシノ 2014: a neighbour predicts of which suits a seat will own most and least.

From http://recipeofbodoge.gg-blog.com/, experiment 9, with its notes of 2014 and 2015.
"""

from __future__ import annotations

from rules.common.cards import deck
from rules.games.oracle_land.components import HAZY, PACK, SETS
from rules.games.oracle_land.estimate import estimate
from rules.games.oracle_land.hidden import hidden
from rules.games.oracle_land.phases import start
from rules.games.oracle_land.policy import policy
from rules.games.oracle_land.scored import scored
from rules.games.oracle_land.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Daily, Length, Looks, Mind, Option, Param, Ruleset, token

BIDS = deck(max(SETS.values(), key=len))

ruleset = Ruleset(
    slug="oracle-land",
    version=1,
    players=(3, 4),
    options=lambda players: {"oborozuki": Option(HAZY[players], False)},
    actions={
        "wish": (Param("tie", "flag"),),
        "bid": (Param("most", "cards", BIDS, (1, 2)), Param("least", "cards", BIDS, (1, 2))),
        "secret": (Param("card", "card", PACK, secret=True),),
        "play": (
            Param("card", "card", PACK),
            Param("sideways", "flag"),
            Param("joker", "choice", (None, "plus", "minus")),
        ),
        "bonus": (Param("card", "card", deck("9T")),),
        "erase": (Param("cards", "cards", size=(1, 4)),),
        "joker": (Param("suit", "suit"),),
    },
    reasons=("points", "joker"),
    start=start,
    mind=Mind(hidden=hidden, policy=policy, estimate=estimate),
    looks=Looks(
        cover=Cover("minds", "hard", ("Jk", "Ks", "2d")),
        lengths=lambda players: (Length({}, 22),),
        daily=Daily(3, {}, 40),
        layout=(
            token("score", "score"),
            token("joker", "joker")._replace(zones=("joker",)),
            Area("suits", facts={"counts": "counts", "most": "most", "least": "least"}),
            token("tie", "wished"),
            token("won", "winner"),
            token("lost", "loser"),
            Area("centre", ("trick",), {"led": "led", "number": "number", "won": "winner"}),
            Area("board", ("stock",)),
            token("blessing", "blessed"),
        ),
        usually={"play.sideways": False, "play.joker": None},
        vocabulary=VOCABULARY,
        moments={"decided": "trick", "opened": "opened", "counted": "deal"},
        begins={"leads": "trick", "opened": "counting"},
        scored=scored,
    ),
)
