"""The judgement of house players about a position: always the same, in hundredths of a second."""

from __future__ import annotations

import random
from typing import Any

from rules.kernel import Json, Ruleset, Worlds
from rules.players.house import choose
from rules.players.levels import LEVELS
from rules.players.search import Effort

STRONG = Effort(250)
EASY = LEVELS["easy"].effort(lambda: 0.0)
"""The effort of `easy` with enough time."""


def thought(ruleset: Ruleset, state: Any, effort: Effort = STRONG, seed: int = 2) -> Json:
    """The first choice of the seat that is waited for."""
    seat = ruleset.turn(state).waiting[0]
    worlds = Worlds(ruleset.mind.hidden, ruleset.blind(state, seat), seat)
    return choose(ruleset, worlds, seat, random.Random(seed), effort)


def is_one_of(found: Json, best: tuple[Json, ...]) -> bool:
    """Whether an action has all the parameters of one of these."""
    return any(each.items() <= found.items() for each in best)
