"""House players choose among the legal actions of their seat."""

from __future__ import annotations

import random

from rules.kernel import Ruleset, text
from rules.players.house import choose
from tests.rules.playouts import Steps, actors


def test_a_house_player_chooses_one_of_the_legal_actions(met: Steps, ruleset: Ruleset) -> None:
    for step in met[:100]:
        for seat in actors(ruleset, step.before):
            legal = ruleset.legal(step.before, seat)
            view = ruleset.view(step.before, seat)
            chosen = {text(choose(view, legal, random.Random(n))) for n in range(20)}
            assert chosen <= set(map(text, legal))
            assert len(chosen) > 1 or len(legal) == 1
