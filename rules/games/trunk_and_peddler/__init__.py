"""The Trunk and the Peddler (トランクと行商人), オシノ 2014: load enough, but not too much.

From http://recipeofbodoge.gg-blog.com/, experiments 7 and 7' (the rules A to H).
"""

from __future__ import annotations

from rules.games.trunk_and_peddler.components import REFILLED, SEATS, SMALL
from rules.games.trunk_and_peddler.equivalence import equivalence_class
from rules.games.trunk_and_peddler.hidden import hidden
from rules.games.trunk_and_peddler.options import LETTERS, options
from rules.games.trunk_and_peddler.phases import REASONS, start
from rules.games.trunk_and_peddler.policy import policy
from rules.games.trunk_and_peddler.scored import scored
from rules.games.trunk_and_peddler.scoring import SIDE
from rules.games.trunk_and_peddler.values import capacity_number
from rules.games.trunk_and_peddler.vocabulary import VOCABULARY
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

ruleset = Ruleset(
    slug="trunk-and-peddler",
    version=1,
    players=(SEATS,),
    options=options,
    actions={
        "trunk": (Param("card", "card", SMALL, secret=True),),
        "play": (Param("card", "card", SMALL), Param("high", "flag")),
        "pass": (),
        "load": (),
        "discard": (),
        "store": (Param("place", "choice", ("down", "up", "side")),),
        "draw": (Param("count", "number", range(1, REFILLED + 1)),),
    },
    reasons=REASONS,
    start=start,
    equivalence_class=equivalence_class,
    mind=Mind(hidden=hidden, policy=policy),
    looks=Looks(
        cover=Cover("duel", "medium", ("Td", "3s", "Jk")),
        lengths=lambda players: (Length({}, 24),),
        daily=Daily(2, {}, 60),
        when={rule: {"preset": "custom"} for rule in LETTERS},
        layout=(
            token("trump", "trumps", says="suits", title="trumps"),
            Area("centre", ("played",), {"lead": "trick", "led": "led", "number": "sum"}),
            Area(
                "load",
                ("up", "down", "side", "junk"),
                {"total": "load"},
                own="trunk",
                numbers={card[0]: capacity_number(card) for card in SMALL} | {"side": SIDE},
            ),
            token("load", "load"),
            token("won", "winner"),
        ),
        spots={"store.place": Spot(by="zone"), "draw": Spot("stock")},
        vocabulary=VOCABULARY,
        moments={"won": "trick", "opened": "opened"},
        orders=(
            Standing("pass", "second", "pass"),
            Standing("discard", "losing", "discard"),
            Standing("load", "losing", "load"),
        ),
        begins={"trick": "trick", "opened": "trunk"},
        scored=scored,
    ),
)
