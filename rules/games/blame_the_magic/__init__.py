"""Blame the Magic (ぜんぶ魔法のせいだ!), オシノ 2014: all want influence, nobody too much, and equal cards collide.

From http://recipeofbodoge.gg-blog.com/, experiment 8. The game has no chance.
"""

from __future__ import annotations

from rules.common.cards import deck
from rules.games.blame_the_magic.components import ENOUGH, RANKS, USED
from rules.games.blame_the_magic.equivalence import equivalence_class
from rules.games.blame_the_magic.hidden import hidden
from rules.games.blame_the_magic.phases import start
from rules.games.blame_the_magic.policy import policy
from rules.games.blame_the_magic.scored import scored
from rules.games.blame_the_magic.vocabulary import VOCABULARY
from rules.kernel import Area, Cover, Length, Looks, Mind, Param, Ruleset, Standing, token

NUMBERS = deck(max(RANKS.values(), key=len))
CHOSEN = (min(RANKS), max(RANKS) + 1)
"""The possible numbers of cards to choose: as many as there are seats, or one more."""

ruleset = Ruleset(
    slug="blame-the-magic",
    version=1,
    players=(3, 4),
    actions={
        "choose": (Param("cards", "cards", NUMBERS, CHOSEN, secret=True),),
        "lead": (Param("card", "card", NUMBERS),),
        "answer": (),
        "give": (Param("to", "seat"),),
        "pass": (),
        "take": (),
        "return": (Param("card", "card", NUMBERS, secret=True),),
        "lose": (Param("card", "card", NUMBERS),),
    },
    reasons=("over-limit", "everyone", "survivor", "nobody"),
    start=start,
    transient={
        "laid": ("card",),
        "has": ("card",),
    },  # cards that collide are open until they go back
    equivalence_class=equivalence_class,
    mind=Mind(hidden=hidden, policy=policy, unforeseen=True),
    looks=Looks(
        cover=Cover("minds", "hard", ("Jk", "5h", "8c")),
        lengths=lambda players: (Length({}, 8),),
        layout=(
            Area(
                "track",
                facts={"value": "influence", "limit": "limit"},
                numbers={"from": 1, "enough": ENOUGH},
                title="influence",
            ),
            token("influence", "influence"),
            token("joker", "joker"),
            token("marker", "marker", says="value")._replace(numbers={"spent": USED}),
            Area("cards", ("ace", "zone")),
        ),
        aside=("give", "take", "return", "lose"),
        vocabulary=VOCABULARY,
        moments={"kept": "trick"},
        orders=(
            Standing("pass", "window", "pass", ("round",)),
            Standing("answer", "asking", "answer", ("round",)),
        ),
        begins={"round": "round"},
        scored=scored,
    ),
)
