"""Thinking without processes: each question is answered as soon as it is given. For tests, mostly."""

from __future__ import annotations

import threading

from service.operations.thinking.agents import Agents, Latest
from service.operations.thinking.questions import AgentKey, Answer, Question


class InTurn:
    """Any number of questions, answered in turn by these agents."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents
        self._told: Latest[int] = Latest()
        self._answers: list[Answer] = []

    def free(self, _agent: AgentKey) -> InTurn:
        """It is always free."""
        return self

    def told_until(self, agent: AgentKey) -> int:
        """The number of the last event that it has been told for this agent; 0 if it remembers nothing."""
        return self._told.get(agent) or 0

    def give(self, question: Question) -> None:
        """Think."""
        answer = self._agents.answer(question)
        if answer.action is None:
            self._told.forget(question.agent)
        else:
            self._told.put(question.agent, question.number)
        self._answers.append(answer)

    def answers(self) -> list[Answer]:
        """What has come since the last call."""
        answers, self._answers = self._answers, []
        return answers

    def alive(self) -> list[int]:
        """There are no processes."""
        return []

    def wait(self, seconds: float) -> None:
        """No answer comes by itself."""
        threading.Event().wait(seconds)

    def close(self) -> None:
        """There is nothing to end."""
