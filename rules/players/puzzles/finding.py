"""Finding puzzles: positions in which a search that is ten times as long still finds one action far better than all
others, after it has tried each of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from rules.kernel import Json, Ruleset
from rules.kernel.puzzles import EASY, HARD, MEDIUM, Course, Puzzle
from rules.kernel.values import text
from rules.players.levels import TENFOLD
from rules.players.puzzles.games import Decision, Known, Play, known_at, search_on
from rules.players.puzzles.generator import Generator
from rules.players.puzzles.reasons import reason
from rules.players.search import Arm, Iteration, Node, merit, open_again

FAR = 0.1
"""The smallest cost of every other action, from 0 to 1, beyond twice the standard error."""
HOPEFUL = 0.02
"""The additional cost that the search during the game has to find before a position is checked."""
OBVIOUS = 0.99
"""The probability of a sensible player's choice from which on it is too obvious to be asked for."""
MOST_CHOICES = 50
"""The largest number of legal actions in a puzzle, since nobody reads more."""
GLANCES, GLANCE = 9, 12
"""The number of short searches of an `easy` player that determine the difficulty, and the iterations of each."""
OFTEN, SELDOM = 7, 3
"""The number of short searches that have to solve an easy puzzle, and the number that may at most solve a hard one."""
PRIOR = 0.25
"""The same addition as in appraisals: equal rewards do not prove that further ones would be equal."""
PART = 3
"""The part of the check, in searches of the game's length, after which most positions turn out not to be puzzles."""
FIRST, MORE = 24, 200
"""The number of tries of each other action, and the larger number if it is not yet clear that the action is far
worse.
"""
LOOKED_AT = 20
"""The largest number of positions of a game that are checked: those in which the chosen action had the largest lead."""
MOST_OF_GAME = 6
"""The largest number of puzzles from one game, so that the puzzles of a collection come from several games."""


class Checked(NamedTuple):
    """The result of a long search: the value of the best action, its index, and the cost of each legal action."""

    worth: float
    best: int
    costs: tuple[float, ...]

    @property
    def tempting(self) -> int:
        """The index of the best of the other actions."""
        others = [at for at in range(len(self.costs)) if at != self.best]
        return min(others, key=self.costs.__getitem__)


def puzzles(
    ruleset: Ruleset, seed: str, players: int, iterations: int, far: float = FAR
) -> Iterator[Puzzle]:
    """The puzzles of the game that follows from this seed, yielded as they are found."""
    play = Play(ruleset, seed, players, iterations)
    hopeful = [each for each in play.decisions() if is_hopeful(ruleset, each, far)]
    found = 0
    for each in sorted(hopeful, key=_lead, reverse=True)[:LOOKED_AT]:
        made = _made(ruleset, play.course, each, far)
        if made is not None:
            yield made
            found += 1
        if found == MOST_OF_GAME:
            return


def is_hopeful(ruleset: Ruleset, decision: Decision, far: float = FAR) -> bool:
    """Whether a decision may be a puzzle, according to the search that the house player made in the game.

    A decision whose best action is the only sensible one is too obvious.
    """
    if not 1 < len(decision.legal) <= MOST_CHOICES or _lead(decision) < far + HOPEFUL:
        return False
    policy = ruleset.mind.policy
    if policy is None:
        return True
    weights = policy(decision.blind, decision.seat, decision.legal)
    return not any(weights) or weights[decision.chosen] < OBVIOUS * sum(weights)


def check(
    ruleset: Ruleset, known: Known, iterations: int, seed: str, far: float = FAR
) -> Checked | None:
    """The result of the tenfold search; None if another action may be nearly as good.

    The check ends early if, after a part of it, another action that was tried may be nearly as good.
    """
    root, rng = Node(), Generator(f"{seed} tenfold")
    for part in (PART, TENFOLD - PART):
        search_on(ruleset, known, root, part * iterations, rng)
        arms = [root.arm_of(known.seat, each) for each in known.legal]
        merits = [merit(each) for each in arms]
        best = merits.index(max(merits))
        worth, error = valued(arms[best])
        others = [valued(arm) for at, arm in enumerate(arms) if arm and at != best]
        if any(worth - value + error + its_error < far for value, its_error in others):
            return None
    costs = list[float]()
    for at, each in enumerate(known.legal):
        cost = 0.0 if at == best else _cost(ruleset, known, root, each, (worth, error, far), rng)
        if cost is None:
            return None
        costs.append(round(cost, 3))
    return Checked(round(worth, 3), best, tuple(costs))


def _cost(
    ruleset: Ruleset,
    known: Known,
    root: Node,
    action: Json,
    best: tuple[float, float, float],
    rng: Generator,
) -> float | None:
    """The cost of an action, which is tried until the cost is clear; None if the action may be nearly as good as the
    best.
    """
    worth, error, far = best
    for tries in FIRST, MORE:
        _try(ruleset, known, root, action, tries, rng)
        value, its_error = valued(root.arm_of(known.seat, action))
        cost, doubt = worth - value, math.hypot(error, its_error)
        if cost - 3 * doubt > far:
            break
    return cost if cost - 2 * doubt > far else None


def _try(
    ruleset: Ruleset, known: Known, root: Node, action: Json, tries: int, rng: Generator
) -> None:
    """Try an action in the search's tree until it has been tried `tries` times in all."""
    for _ in range(tries - merit(root.arm_of(known.seat, action))[0]):
        world = open_again(known.worlds.draw(rng))
        Iteration(ruleset, rng, known.seat, set_on=action).run(root, world)


def valued(arm: Arm | None) -> tuple[float, float]:
    """The average reward of an action, and its standard error."""
    if arm is None or not arm.visits:
        return 0.0, 1.0
    mean = arm.total / arm.visits
    deviations = max(0.0, arm.squares - arm.visits * mean**2) + PRIOR
    return mean, math.sqrt(deviations) / arm.visits


def difficulty(ruleset: Ruleset, known: Known, best: Json, seed: str) -> str:
    """The difficulty of a puzzle, from the number of short searches that find the best action."""
    solved = 0
    for glance in range(GLANCES):
        root = Node()
        search_on(ruleset, known, root, GLANCE, Generator(f"{seed} glance {glance}"))
        tried = [merit(root.arm_of(known.seat, each)) for each in known.legal]
        solved += known.legal[tried.index(max(tried))] == best
    return EASY if solved >= OFTEN else HARD if solved <= SELDOM else MEDIUM


def _lead(decision: Decision) -> float:
    """The lead of the chosen action: its value, less the highest value minus error of the other tried actions.

    It is 0 if no other action was tried.
    """
    chosen = decision.chosen
    others = [each for at, each in enumerate(decision.arms) if at != chosen and each]
    values = [valued(each) for each in others if each.visits]
    if not values:  # nothing else was worth a try
        return 0.0
    return valued(decision.arms[chosen])[0] - max(mean - error for mean, error in values)


def _made(ruleset: Ruleset, course: Course, decision: Decision, far: float) -> Puzzle | None:
    """The puzzle of a decision; None if it is not clear enough which action is best."""
    number, seat = decision.number, decision.seat
    known, seed = known_at(ruleset, course, number, seat), seed_of(course, number)
    checked = check(ruleset, known, course.iterations, seed, far)
    if checked is None or checked.best != decision.chosen:
        return None
    best, tempting = (known.legal[at] for at in (checked.best, checked.tempting))
    why = reason(ruleset, known, (best, tempting), checked.worth, Generator(f"{seed} why"))
    hard = difficulty(ruleset, known, best, seed)
    return Puzzle(course, number, seat, best, checked.costs, hard, why)


def seed_of(course: Course, number: int) -> str:
    """The seed of all searches about this position of a game."""
    return f"{course.seed} {number}"


def confirms(ruleset: Ruleset, puzzle: Puzzle) -> bool:
    """Whether a tenfold search finds the puzzle's best action, its value and all costs again."""
    course, number = puzzle.course, puzzle.number
    known = known_at(ruleset, course, number, puzzle.seat)
    found = check(ruleset, known, course.iterations, seed_of(course, number))
    if found is None:
        return False
    same = text(known.legal[found.best]) == text(puzzle.best)
    return same and (found.costs, found.worth) == (puzzle.costs, puzzle.reason.worth)
