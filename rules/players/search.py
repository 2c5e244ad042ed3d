"""Information-set Monte Carlo tree search: what to play if one knows only what one's seat sees.

Each iteration draws a world that fits the seat's blind state and plays it through one tree, in which a node counts
what every seat that chooses there could have played and what came of what it played. Statistics count only worlds in
which an action was legal; seats that choose in secret at the same time have bandits of their own. (Cowling, Powley and
Whitehouse 2012, Information Set Monte Carlo Tree Search; Tak, Lanctot and Winands 2014, decoupled UCB.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rules.kernel import Json, Random, Result, Ruleset, Sealed, State, Worlds

EXPLORATION = 0.6
"""How much a seldom tried action is preferred, beside rewards from 0 to 1."""
WIN = 0.9
"""What a win is worth; the rest is for the score."""
WIDTH = 4.0
"""How many actions of a seat are tried, times the square root of how often it has chosen there."""
LEAST = 4
"""Iterations that even a shared effort has."""
LONGEST = 400
"""After so many events a game that is played at random counts by its scores."""


class Effort(NamedTuple):
    """How long to search: so many iterations, but none after `enough()`; at least one is made."""

    iterations: int
    enough: Callable[[], bool] = lambda: False

    def shared(self, decisions: int) -> Effort:
        """The effort for each of so many decisions that together may take as long as one."""
        return self._replace(iterations=max(LEAST, self.iterations // max(1, decisions)))


class _Arm:
    """An action of a seat at a node."""

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.available = self.visits = 0
        self.total = 0.0


class _Node:
    """A point of the tree: what each seat tried there, and where that led."""

    __slots__ = ("arms", "children", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[tuple[int, str], _Arm] = {}
        self.children: dict[str, _Node] = {}


Choice = tuple[_Node, int, _Arm]
"""Where a seat chose what."""


def search(ruleset: Ruleset, worlds: Worlds, seat: int, effort: Effort, rng: Random) -> Json:
    """The action that `seat` has tried most often when the effort is spent, the only one after as long as any."""
    root = _Node()
    legal: list[Json] = []
    for iteration in range(effort.iterations):
        if iteration and effort.enough():
            break
        state = _open_again(worlds.draw(rng))
        legal = legal or ruleset.legal(state, seat)
        _Iteration(ruleset, rng, seat).run(root, state)
    return max(legal, key=lambda action: _merit(root.arms.get((seat, repr(action)))))


def _merit(arm: _Arm | None) -> tuple[int, float]:
    return (arm.visits, arm.total) if arm else (0, 0.0)


def _open_again(state: State) -> State:
    """A world in which those who have chosen in secret choose once more."""
    if isinstance(state, Sealed) and any(state.choices):
        return state.change(choices=())
    return state


class _Iteration:
    """One world, played down the tree, on at random, and counted."""

    def __init__(self, ruleset: Ruleset, rng: Random, seat: int) -> None:
        self._ruleset, self._rng, self._seat = ruleset, rng, seat
        self._path: list[Choice] = []

    def run(self, root: _Node, state: State) -> None:
        node, first = root, True
        while True:
            state = self._after_chance(state)
            turn = self._ruleset.turn(state)
            if turn.over or turn.chance or not turn.waiting:
                break
            seats = self._choosers(state, turn.waiting, first)
            first = False
            node.visits += 1
            played, fresh = "", False
            for seat in seats:
                if seat not in self._ruleset.turn(state).waiting:  # an open choice came between
                    break
                action, new = self._choose(node, state, seat)
                fresh = fresh or new
                played += f"{seat}{action!r}"
                state = self._ruleset.act(state, {"kind": "action", "seat": seat, "action": action})
            following = node.children.get(played)
            if following is None or fresh:
                node.children.setdefault(played, _Node())
                break
            node = following
        rewards = self._played_out(state)
        for _, seat, arm in self._path:
            arm.visits += 1
            arm.total += rewards[seat]

    def _choosers(self, state: State, waiting: Sequence[int], first: bool) -> Sequence[int]:
        """Seats that choose now: all of them if in secret, else one, at the root the one that searches."""
        if isinstance(state, Sealed):
            return waiting
        if first:
            return (self._seat,)
        return waiting if len(waiting) == 1 else (self._rng.choice(waiting),)

    def _choose(self, node: _Node, state: State, seat: int) -> tuple[Json, bool]:
        """An action, and whether it was tried for the first time."""
        legal = self._ruleset.legal(state, seat)
        known, untried = [], []
        for action in legal:
            arm = node.arms.get((seat, repr(action)))
            if arm is None:
                untried.append(action)
            else:
                arm.available += 1
                known.append((action, arm))
        if untried and len(known) < WIDTH * math.sqrt(node.visits):
            action = self._rng.choice(untried)
            arm = node.arms[seat, repr(action)] = _Arm()
            arm.available = 1
            self._path.append((node, seat, arm))
            return action, True
        action, arm = max(known, key=lambda each: _upper_bound(each[1]))
        self._path.append((node, seat, arm))
        return action, False

    def _after_chance(self, state: State) -> State:
        """The state after the shuffles that are due, or before one at which a game is judged by its estimate."""
        while (chance := self._ruleset.turn(state).chance) is not None:
            if self._ruleset.estimate is not None:
                return state
            outcome = self._rng.sample(chance.items, len(chance.items))
            state = self._ruleset.act(
                state, {"kind": "chance", "name": chance.name, "outcome": outcome}
            )
        return state

    def _played_out(self, state: State) -> Sequence[float]:
        """What each seat gets, after a random game to the end or to where an estimate is made."""
        ruleset, rng = self._ruleset, self._rng
        for _ in range(LONGEST):
            state = self._after_chance(state)
            turn = ruleset.turn(state)
            if turn.over:
                break
            if turn.chance:
                return ruleset.estimate(state) if ruleset.estimate else ()
            if turn.waiting:
                seat = turn.waiting[0] if len(turn.waiting) == 1 else rng.choice(turn.waiting)
            else:
                seat = rng.choice(turn.optional)
            action = rng.choice(ruleset.legal(state, seat))
            state = ruleset.act(state, {"kind": "action", "seat": seat, "action": action})
        result = ruleset.result(state)
        if result is None:
            return ruleset.estimate(state) if ruleset.estimate else (0.5,) * state.players
        return rewards(result)


def _upper_bound(arm: _Arm) -> float:
    if not arm.visits:
        return math.inf
    mean = arm.total / arm.visits
    return mean + EXPLORATION * math.sqrt(math.log(arm.available) / arm.visits)


def rewards(result: Result) -> list[float]:
    """What a result is worth to each seat, from 0 to 1: the win first, then the score beside the others'."""
    scores = [score or 0 for score in result.scores]
    low, high = min(scores), max(scores)
    spread = (high - low) or 1
    return [
        WIN * (seat in result.winners) + (1 - WIN) * (score - low) / spread
        for seat, score in enumerate(scores)
    ]
