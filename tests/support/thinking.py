"""House players that think at once, about a fixed number of worlds, in the test's process."""

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
    """Thoughts about this many worlds, however long they take, so that results are always the same."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort

    @contextmanager
    def __call__(self, _question: Question) -> Iterator[Effort]:
        """The effort."""
        yield self._effort


class InTurn:
    """Answers any number of questions in turn with these agents."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents
        self._told: Latest[Told] = Latest()
        self._answers: list[ThoughtAnswer] = []

    def free(self, _agent: AgentKey) -> InTurn:
        """This object, which is always free."""
        return self

    def told_until(self, agent: AgentKey) -> Told:
        """The last event of which it has been told for this agent."""
        return self._told.get(agent, NOTHING)

    def give(self, question: Question) -> None:
        """Think about the question."""
        answer = self._agents.answer(question)
        if not answer.is_complete:
            self._told.pop(question.agent, None)
        else:
            self._told.put(question.agent, Told(question.number, question.head))
        self._answers.append(answer)

    def answers(self) -> list[ThoughtAnswer]:
        """The answers since the last call."""
        answers, self._answers = self._answers, []
        return answers

    def alive(self) -> list[int]:
        """Nothing, since there are no processes."""
        return []

    def at_work(self) -> list[int]:
        """One thinker, which always works."""
        return [1]

    def wake(self) -> None:
        """Do nothing, since nobody waits."""

    def wait(self, seconds: float) -> None:
        """Return at once: no answer comes without being asked for."""
        threading.Event().wait(seconds)

    def close(self) -> None:
        """Do nothing, since there is nothing to end."""


def in_turn(worlds: int = 1, generator: Callable[[int], Random] = random.Random) -> InTurn:
    """Thinking in turn, in this thread; `generator` makes the source of chance for the worlds from a seed."""
    return InTurn(Agents(Fixed(Effort(worlds)), generator))
