"""Thinking without processes: each question is answered as soon as it is given. For tests, mostly."""

from __future__ import annotations

import threading

from service.thinking.minds import Latest, Minds
from service.thinking.questions import Answer, Mind, Question


class InTurn:
    """Any number of questions, answered in turn by these minds."""

    def __init__(self, minds: Minds) -> None:
        self._minds = minds
        self._told: Latest[int] = Latest()
        self._answers: list[Answer] = []

    def free(self, _mind: Mind) -> InTurn:
        """It is always free."""
        return self

    def told_until(self, mind: Mind) -> int:
        """The number of the last event that it has been told for this mind; 0 if it remembers nothing."""
        return self._told.get(mind) or 0

    def give(self, question: Question) -> None:
        """Think."""
        answer = self._minds.answer(question)
        if answer.action is None:
            self._told.forget(question.mind)
        else:
            self._told.put(question.mind, question.number)
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
