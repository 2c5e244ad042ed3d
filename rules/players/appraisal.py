"""Appraisals: a house player's judgement of somebody's decision, and of its alternatives.

First comes the search by which a house player chooses, with a fixed number of iterations. Then the decision that was
made is tried in the same tree, as often as the comparison needs. Nothing depends on time: equal knowledge and equal
seeds give equal appraisals.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rules.kernel import Json, Random, Ruleset
from rules.players.house import VERSION as HOUSE_VERSION
from rules.players.search import Arm, Iteration, Node, Supposed, merit, open_again

VERSION = f"{HOUSE_VERSION}.1"
"""The version of appraisals; another version may appraise the same decision differently."""
ITERATIONS = 400
"""The number of iterations of a search; with this number, values are uncertain by a few hundredths."""
COMPARED = 0.5
"""The share of the search's iterations for which a seldom tried action is tried before it is compared."""
PRIOR = 0.25
"""An addition to the sum of squared deviations, since equal rewards do not prove that further ones would be equal."""


class Valued(NamedTuple):
    """An action, and its value to the seat that plays it."""

    action: Json
    value: float
    """The average reward, from 0 (lost) to 1 (won)."""
    error: float
    """The standard error of the average reward."""
    visits: int
    """The number of times that the action was tried."""


class Appraisal(NamedTuple):
    """The judgement of a decision: the played action, and all actions that were tried.

    The latter are in the order of a house player's preference: the first one is its choice.
    """

    played: Valued
    tried: tuple[Valued, ...]


def compared(chosen: Valued, played: Valued) -> tuple[float, float]:
    """The cost of the played action, compared with the house player's choice, and the standard error of that cost.

    The cost is from 0 to 1; it is 0 for an action that is worth as much as the choice, or more.
    """
    if chosen == played:
        return 0.0, 0.0
    return max(0.0, chosen.value - played.value), math.hypot(chosen.error, played.error)


def appraise(
    ruleset: Ruleset, worlds: Supposed, seat: int, played: Json, iterations: int, rng: Random
) -> Appraisal:
    """The appraisal of the action `played` by the seat that knows these worlds, one of which is the true position.

    Raises Illegal if the action is not legal for the seat.
    """
    state, root = open_again(worlds.draw(rng)), Node()
    legal, played = ruleset.legal(state, seat), ruleset.listed(state, seat, played)
    for _ in range(iterations):
        Iteration(ruleset, rng, seat).run(root, open_again(worlds.draw(rng)))
    ranked = sorted(legal, key=lambda each: merit(root.arm_of(seat, each)), reverse=True)
    for each in ranked[0], played:
        missing = int(iterations * COMPARED) - merit(root.arm_of(seat, each))[0]
        for _ in range(missing):
            world = open_again(worlds.draw(rng))
            Iteration(ruleset, rng, seat, set_on=each).run(root, world)
    arms = [(each, root.arm_of(seat, each)) for each in ranked]
    tried = tuple(_valued(each, arm) for each, arm in arms if arm and arm.visits)
    mine = next(each for each in tried if each.action == played)
    return Appraisal(mine, tried)


def _valued(action: Json, arm: Arm) -> Valued:
    mean = arm.total / arm.visits
    deviations = max(0.0, arm.squares - arm.visits * mean**2) + PRIOR
    return Valued(action, round(mean, 4), round(math.sqrt(deviations) / arm.visits, 4), arm.visits)
