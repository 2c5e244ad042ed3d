"""Information-set Monte Carlo tree search: choosing an action with the knowledge of one seat.

Each iteration draws a world that fits the seat's blind state and plays it through one tree. A node counts every action
that a seat could have chosen there, and the action's results. Statistics count only worlds in which an action was
legal; seats that choose in secret at the same time have separate bandits. A sensible player's actions (`Mind.policy`)
are tried first, and are played below the tree. (Cowling, Powley and Whitehouse 2012, Information Set Monte Carlo Tree
Search; Tak, Lanctot and Winands 2014, decoupled UCB.)
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from rules.kernel import Json, Random, Result, Ruleset, Sealed, State, one_of, shuffled

EXPLORATION = 0.6
"""The weight of the bonus for seldom tried actions, relative to rewards from 0 to 1."""
WIN = 0.9
"""The part of the reward that a win brings; the rest depends on the score."""
LONGEST = 400
"""The number of events after which a randomly played game is judged by its scores."""
LOOK = 32
"""The number of iterations between two checks of whether the search is decided."""


Policy = Callable[[State, int, list[Json]], Sequence[float]]
"""A function of (state, seat, legal actions) that returns a sensible player's weight for each action."""


class Effort(NamedTuple):
    """The length of a search: at most `iterations`, none after `enough()` is true, but at least one.

    `spent()` is the approximate fraction of the time that has passed, so that a search can stop early if its choice is
    certain. `contented` is the share of the most tried action's tries with which another action may be chosen.
    """

    iterations: int
    enough: Callable[[], bool] = lambda: False
    spent: Callable[[], float] = lambda: 0.0
    contented: float = 1.0

    def left(self, done: int) -> float:
        """The approximate number of iterations left."""
        spent, most = self.spent(), self.iterations - done
        return min(most, done * (1 - spent) / spent) if spent > 0 else most


class Supposed(Protocol):
    """A set of positions, one of which is the true one, as far as the seat knows (`Worlds`)."""

    def draw(self, rng: Random) -> State:
        """One of the worlds, at random."""


class Arm:
    """A seat's action at a node: how often it was legal and tried, and the sums of rewards and of their squares."""

    __slots__ = ("available", "jitter", "squares", "total", "visits")

    def __init__(self, jitter: float) -> None:
        self.available = self.visits = 0
        self.total = self.squares = 0.0
        self.jitter = jitter / 1000  # else all seats would prefer the same one of equal actions


class Node:
    """A node of the tree: the actions that each seat tried there, and the nodes to which they led."""

    __slots__ = ("_last", "arms", "children")

    def __init__(self) -> None:
        self.arms: dict[tuple[int, str], Arm] = {}
        self.children: dict[str, Node] = {}
        self._last: dict[int, tuple[list[Json], list[Arm]]] = {}

    def arms_of(self, seat: int, legal: list[Json], rng: Random) -> list[Arm]:
        """The statistics of these actions, created where they are missing; usually the same list as the last time."""
        last = self._last.get(seat)
        if last is None or last[0] != legal:
            last = self._last[seat] = legal, [self._arm((seat, repr(each)), rng) for each in legal]
        return last[1]

    def arm_of(self, seat: int, action: Json) -> Arm | None:
        """The statistics of an action; None if it was never looked at."""
        return self.arms.get((seat, repr(action)))

    def _arm(self, key: tuple[int, str], rng: Random) -> Arm:
        arm = self.arms.get(key)
        if arm is None:
            arm = self.arms[key] = Arm(rng.random())
        return arm


def search(ruleset: Ruleset, worlds: Supposed, seat: int, effort: Effort, rng: Random) -> Json:
    """The action that `seat` has tried most often when the effort is spent, or when no other action can overtake it.

    A seat that is contented with less gets a random one of the actions that it has tried often enough.
    """
    root = Node()
    legal: list[Json] = []
    for done in range(effort.iterations):
        if done and (effort.enough() or _decided(root, effort, done)):
            break
        state = open_again(worlds.draw(rng))
        legal = legal or ruleset.legal(state, seat)
        if len(legal) == 1:
            break
        Iteration(ruleset, rng, seat).run(root, state)
    merits = [merit(root.arm_of(seat, action)) for action in legal]
    most, _ = best = max(merits)
    if effort.contented == 1:
        return legal[merits.index(best)]
    often = [at for at, (visits, _) in enumerate(merits) if visits >= effort.contented * most]
    return legal[one_of(often, rng)]


def _decided(root: Node, effort: Effort, done: int) -> bool:
    """Whether the remaining iterations cannot make another action the most tried one."""
    if done % LOOK or effort.contented < 1:
        return False
    *_, second, first = sorted([0, 0, *(arm.visits for arm in root.arms.values())])
    return first - second > effort.left(done)


def merit(arm: Arm | None) -> tuple[int, float]:
    """The key by which an action is chosen: how often it was tried, then the sum of its rewards."""
    return (arm.visits, arm.total) if arm else (0, 0.0)


def open_again(state: State) -> State:
    """The state in which seats whose sealed choices are not yet opened choose again."""
    if isinstance(state, Sealed) and any(state.choices):
        return state.change(choices=())
    return state


class Iteration:
    """One world that is played down the tree, then to the end as sensible players might, and counted.

    If the seat is `set_on` an action, it begins with that one.
    """

    def __init__(
        self, ruleset: Ruleset, rng: Random, seat: int, set_on: Json | None = None
    ) -> None:
        self._ruleset, self._rng, self._seat = ruleset, rng, seat
        self._set_on = set_on
        self._path: list[tuple[int, Arm]] = []

    def run(self, root: Node, state: State) -> None:
        node, first = root, True
        while True:
            state = self._after_chance(state)
            turn = self._ruleset.turn(state)
            if turn.over or turn.chance or not turn.waiting:
                break
            seats = self._choosers(state, turn.waiting, first)
            first = False
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
                node.children.setdefault(played, Node())
                break
            node = following
        rewards = self._played_out(state)
        for seat, arm in self._path:
            arm.visits += 1
            arm.total += rewards[seat]
            arm.squares += rewards[seat] ** 2

    def _choosers(self, state: State, waiting: Sequence[int], first: bool) -> Sequence[int]:
        """The seats that choose now: all of them if they choose in secret, otherwise one; at the root, the searching
        seat.
        """
        if isinstance(state, Sealed):
            return waiting
        if first:
            return (self._seat,)
        return waiting if len(waiting) == 1 else (one_of(waiting, self._rng),)

    def _choose(self, node: Node, state: State, seat: int) -> tuple[Json, bool]:
        """An action, and whether it was tried for the first time."""
        legal = self._ruleset.legal(state, seat)
        if len(legal) == 1:
            return legal[0], False
        if self._set_on is not None and seat == self._seat:
            return self._first_choice(node, legal, self._set_on)
        weights = self._weights(state, seat, legal)
        if 0 in weights:  # absurd actions are not looked at
            legal = [action for action, weight in zip(legal, weights, strict=True) if weight]
            weights = [weight for weight in weights if weight]
        arms = node.arms_of(seat, legal, self._rng)
        tried, total = 0, 0.0
        for arm in arms:
            arm.available += 1
            tried += arm.visits
            total += arm.total
        best = _most_hopeful(arms, weights, total / tried) if tried else self._drawn(weights)
        self._path.append((seat, arms[best]))
        return legal[best], not arms[best].visits

    def _first_choice(self, node: Node, legal: list[Json], first: Json) -> tuple[Json, bool]:
        """The action that the seat is set on, even if it is absurd, and whether it was tried for the first time."""
        at, self._set_on = legal.index(first), None
        arm = node.arms_of(self._seat, legal, self._rng)[at]
        arm.available += 1
        self._path.append((self._seat, arm))
        return legal[at], not arm.visits

    def _weights(self, state: State, seat: int, legal: list[Json]) -> Sequence[float]:
        """The weight of each action for a sensible player; equal weights if nothing is known."""
        policy = self._foreseen(seat)
        weights = policy(state, seat, legal) if policy else ()
        return weights if any(weights) else [1.0] * len(legal)

    def _foreseen(self, seat: int) -> Policy | None:
        """The policy that predicts a seat's actions; None if they are not predicted."""
        mind = self._ruleset.mind
        return None if mind.unforeseen and seat != self._seat else mind.policy

    def _after_chance(self, state: State) -> State:
        """The state after the shuffles that are due, or before the first of them if an estimate judges the game
        there.
        """
        while (chance := self._ruleset.turn(state).chance) is not None:
            if self._ruleset.mind.estimate is not None:
                return state
            outcome = shuffled(chance.items, self._rng)
            state = self._ruleset.act(
                state, {"kind": "chance", "name": chance.name, "outcome": outcome}
            )
        return state

    def _played_out(self, state: State) -> Sequence[float]:
        """The reward of each seat after a likely game, which ends where an estimate judges it or at its end."""
        ruleset, rng = self._ruleset, self._rng
        turn_of, legal_of, act = ruleset.turn, ruleset.legal, ruleset.act
        for _ in range(LONGEST):
            turn = turn_of(state)
            if turn.chance:
                state = self._after_chance(state)
                turn = turn_of(state)
            if turn.over:
                break
            if turn.chance:
                return ruleset.mind.estimate(state) if ruleset.mind.estimate else ()
            seats = turn.waiting or turn.optional
            seat = seats[0] if len(seats) == 1 else one_of(seats, rng)
            legal = legal_of(state, seat)
            action = legal[0] if len(legal) == 1 else self._likely(state, seat, legal)
            state = act(state, {"kind": "action", "seat": seat, "action": action})
        result = ruleset.result(state)
        if result is None:
            return ruleset.mind.estimate(state) if ruleset.mind.estimate else (0.5,) * state.players
        return rewards(result)

    def _likely(self, state: State, seat: int, legal: list[Json]) -> Json:
        """An action drawn at random with a sensible player's weights."""
        if self._foreseen(seat) is None:
            return one_of(legal, self._rng)
        return legal[self._drawn(self._weights(state, seat, legal))]

    def _drawn(self, weights: Sequence[float]) -> int:
        """A random index, each with a probability proportional to its weight."""
        sums = list(itertools.accumulate(weights))
        return bisect.bisect_right(sums, self._rng.random() * sums[-1])


def _most_hopeful(arms: list[Arm], weights: Sequence[float], usual: float) -> int:
    """The index of the action that may be worth most.

    An action's potential value is the average of its rewards, or `usual` if it is untried, plus a bonus if it is likely
    and seldom tried.
    """
    scale, best, most = EXPLORATION**2 / max(weights), 0, -1.0
    for at, (arm, weight) in enumerate(zip(arms, weights, strict=True)):
        visits = arm.visits
        mean = arm.total / visits if visits else usual
        unsure = weight * scale * math.log(1 + arm.available) / (1 + visits)
        hope = mean + math.sqrt(unsure) + arm.jitter
        if hope > most:
            best, most = at, hope
    return best


def rewards(result: Result) -> list[float]:
    """The value of a result to each seat, from 0 to 1.

    A win is worth WIN; the rest depends on the score, where the highest score wins.
    """
    scores = [score or 0 for score in result.scores]
    low, high = min(scores), max(scores)
    counts = 0.0 if high == low or scores.index(high) not in result.winners else 1 - WIN
    return [
        WIN * (seat in result.winners) + (counts and counts * (score - low) / (high - low))
        for seat, score in enumerate(scores)
    ]
