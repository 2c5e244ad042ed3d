"""House players that think at once, about a fixed number of worlds, in the process of the test."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rules.kernel import Random
from rules.players.search import Effort
from service.operations.thinking.agents import Agents, Latest
from service.operations.thinking.processes import NOTHING, Told
from service.operations.thinking.questions import AgentKey, Question, ThoughtAnswer


class Fixed:
    """Thoughts about so many worlds, however long they take: always the same."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort

    @contextmanager
    def __call__(self, _question: Question) -> Iterator[Effort]:
        """The effort."""
        yield self._effort


class InTurn:
    """Any number of questions, answered in turn by these agents."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents
        self._told: Latest[Told] = Latest()
        self._answers: list[ThoughtAnswer] = []

    def free(self, _agent: AgentKey) -> InTurn:
        """It is always free."""
        return self

    def told_until(self, agent: AgentKey) -> Told:
        """The last event that it has been told for this agent."""
        return self._told.get(agent, NOTHING)

    def give(self, question: Question) -> None:
        """Think."""
        answer = self._agents.answer(question)
        if answer.action is None:
            self._told.pop(question.agent, None)
        else:
            self._told.put(question.agent, Told(question.number, question.head))
        self._answers.append(answer)

    def answers(self) -> list[ThoughtAnswer]:
        """What has come since the last call."""
        answers, self._answers = self._answers, []
        return answers

    def alive(self) -> list[int]:
        """There are no processes."""
        return []

    def at_work(self) -> list[int]:
        """It is always at work."""
        return [1]

    def wait(self, seconds: float) -> None:
        """No answer comes by itself."""
        threading.Event().wait(seconds)

    def close(self) -> None:
        """There is nothing to end."""


def in_turn(worlds: int = 1, generator: Callable[[int], Random] = random.Random) -> InTurn:
    """Such thinking; `generator` makes what decides which worlds, by a seed."""
    return InTurn(Agents(Fixed(Effort(worlds)), generator))
