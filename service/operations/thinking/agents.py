"""Agents: what the seats of house players have seen and remember, and what they choose.

A log is folded into the seat's view after each event. The choice is made from these views alone, never from the true
position.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

import rules
from rules.kernel import Json, Random, State, Worlds
from rules.players import house
from rules.players.appraisal import ITERATIONS, appraise
from rules.players.memory import Memory
from rules.players.search import Effort
from service.core.runtime.log_files import places
from service.operations.thinking.questions import AgentKey, Failure, Question, ThoughtAnswer

MOST = 512
"""The most agents that a thinker keeps; for any others, the logs are folded again."""

V = TypeVar("V")


class Latest(OrderedDict[AgentKey, V]):
    """The values of the MOST agents that were used last, by agent."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most

    def put(self, agent: AgentKey, value: V) -> None:
        """Keep this value; if there are too many, forget the value that has not been used for the longest time."""
        self[agent] = value
        self.move_to_end(agent)
        while len(self) > self._most:
            self.popitem(last=False)


class SeenGame:
    """A game as one seat has seen it."""

    def __init__(self, question: Question) -> None:
        self.ruleset = rules.load(question.ruleset, question.version)
        self.number = 0
        self._seat = question.seat
        self._memory = Memory(self.ruleset, question.seat)
        self._see(self.ruleset.initial(question.players, question.options))

    def go_on(self, number: int, events: Sequence[Mapping[str, object]]) -> None:
        """Take in these events, the last of which has this number."""
        for event in events:
            self._see(self.ruleset.act(self._state, event))
        self.number = number

    def worlds(self) -> Worlds:
        """A source of positions that are consistent with what the seat sees and remembers."""
        return self._memory.worlds(self._blind)

    def _see(self, state: State) -> None:
        self._state = state
        self._blind = self.ruleset.blind(state, self._seat)
        self._memory.see(self._blind)


class Agents:
    """The agents of a thinker, which answer questions. `pace` limits the time of a thought; `generator` makes a random
    generator from a seed.
    """

    def __init__(
        self,
        pace: Callable[[Question], AbstractContextManager[Effort]],
        generator: Callable[[int], Random] = random.Random,
        most: int = MOST,
    ) -> None:
        self._pace, self._generator = pace, generator
        self._seen: Latest[SeenGame] = Latest(most)

    def answer(self, question: Question) -> ThoughtAnswer:
        """The action for this seat, or its appraisal. After a failure, nothing half-finished stays in memory. Raises
        Forgotten.
        """
        try:
            if question.played is not None:
                return ThoughtAnswer(question, appraisal=self._appraised(question, question.played))
            return ThoughtAnswer(question, self._chosen(question))
        except Exception as error:  # noqa: BLE001 - whatever it is, the worker is told
            self._seen.pop(question.agent, None)
            return ThoughtAnswer(question, failure=Failure(type(error).__name__, places(error)))

    def _chosen(self, question: Question) -> Json:
        seen = self._recalled(question)
        rng = self._generator(question.seed)
        with self._pace(question) as effort:
            return house.choose(seen.ruleset, seen.worlds(), question.seat, rng, effort)

    def _appraised(self, question: Question, played: Json) -> Json:
        seen, rng = self._recalled(question), self._generator(question.seed)
        asked = seen.ruleset, seen.worlds(), question.seat
        found = appraise(*asked, played, question.iterations or ITERATIONS, rng)
        tried = [each._asdict() for each in found.tried]
        return {"tried": tried, "played": found.tried.index(found.played)}

    def _recalled(self, question: Question) -> SeenGame:
        seen = self._seen.get(question.agent) if question.after else SeenGame(question)
        if seen is None or seen.number != question.after:
            raise Forgotten
        seen.go_on(question.number, question.events)
        self._seen.put(question.agent, seen)
        return seen


class Forgotten(Exception):
    """The question continues from an event that the thinker does not remember."""
