"""Games of house players, from which puzzles are taken, and each seat's knowledge in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.kernel import Json, Random, Ruleset, State, Worlds
from rules.kernel.puzzles import Course
from rules.kernel.randomness import shuffled
from rules.players.memory import Memory
from rules.players.puzzles.generator import Generator
from rules.players.search import Arm, Iteration, Node, merit, open_again

LONGEST = 2000
"""The number of events after which a game is left unfinished."""


class Known(NamedTuple):
    """A seat's knowledge of a position in which it has to act."""

    seat: int
    legal: list[Json]
    worlds: Worlds


class Decision(NamedTuple):
    """A decision of a house player: its place in the game, and the player's thoughts about it."""

    number: int
    """The number of events before the decision."""
    seat: int
    legal: list[Json]
    arms: list[Arm | None]
    """The statistics of the search for each legal action, in their order; None for an action that was never looked
    at.
    """
    blind: State
    """The position as the seat sees it."""

    @property
    def chosen(self) -> int:
        """The index of the chosen action among the legal ones."""
        merits = [merit(each) for each in self.arms]
        return merits.index(max(merits))


class Play:
    """A game between house players that think for `iterations` at each decision; it follows from its seed."""

    def __init__(self, ruleset: Ruleset, seed: str, players: int, iterations: int) -> None:
        self._ruleset, self._iterations = ruleset, iterations
        self._rng = Generator(seed)
        self._memories = [Memory(ruleset, seat) for seat in range(players)]
        self._events = list[Json]()
        options = ruleset.looks.lengths(players)[0].options
        self._table = seed, players, ruleset.settle(players, options)
        self._state = ruleset.initial(players, options)
        self._see()

    @property
    def course(self) -> Course:
        """The course of the game up to its present state."""
        return Course(*self._table, events=tuple(self._events), iterations=self._iterations)

    def decisions(self) -> Iterator[Decision]:
        """Every decision between several actions to the end of the game, yielded as it is made."""
        while len(self._events) < LONGEST:
            turn = self._ruleset.turn(self._state)
            if turn.chance:
                outcome = shuffled(turn.chance.items, self._rng)
                self._go_on({"kind": "chance", "name": turn.chance.name, "outcome": outcome})
            elif turn.over or not turn.waiting:
                break
            else:
                decision = self._decision(turn.waiting[0])
                if len(decision.legal) > 1:
                    yield decision
                action = decision.legal[decision.chosen]
                self._go_on({"kind": "action", "seat": decision.seat, "action": action})

    def _decision(self, seat: int) -> Decision:
        blind = self._ruleset.blind(self._state, seat)
        worlds = self._memories[seat].worlds(blind)
        legal = self._ruleset.legal(self._state, seat)
        root, often = Node(), self._iterations if len(legal) > 1 else 0
        search_on(self._ruleset, Known(seat, legal, worlds), root, often, self._rng)
        arms = [root.arm_of(seat, each) for each in legal]
        return Decision(len(self._events), seat, legal, arms, blind)

    def _go_on(self, event: Json) -> None:
        self._state = self._ruleset.apply(self._state, event)  # the events obey the rules
        self._events.append(event)
        self._see()

    def _see(self) -> None:
        for seat, memory in enumerate(self._memories):
            memory.see(self._ruleset.blind(self._state, seat))


def search_on(ruleset: Ruleset, known: Known, root: Node, iterations: int, rng: Random) -> None:
    """Continue a search from the root of its tree for this number of iterations."""
    for _ in range(iterations):
        Iteration(ruleset, rng, known.seat).run(root, open_again(known.worlds.draw(rng)))


def known_at(ruleset: Ruleset, course: Course, number: int, seat: int) -> Known:
    """The knowledge of this seat after the first `number` events of a game.

    Raises Illegal for an event that the rules refuse.
    """
    memory, state = Memory(ruleset, seat), ruleset.initial(course.players, course.options)
    memory.see(ruleset.blind(state, seat))
    for event in course.events[:number]:
        state = ruleset.apply(state, event)
        memory.see(ruleset.blind(state, seat))
    worlds = memory.worlds(ruleset.blind(state, seat))
    return Known(seat, ruleset.legal(state, seat), worlds)
