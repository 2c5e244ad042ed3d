"""Questions to a thinker, and its answers: each is one line of JSON. They need neither settings nor a database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple, Self

from rules.kernel import Json

AgentKey = tuple[str, int, int]
"""A seat of a game under one version of its rules, whose views a thinker remembers: game id, version, seat."""


class Question(NamedTuple):
    """A request for a seat's action, or for the appraisal of one that was played.

    Equal questions have equal answers, if equally many worlds are sampled.
    """

    game: str
    seat: int
    asked: int
    """The number of the question in the game."""
    ruleset: str
    version: int
    players: int
    options: Json
    after: int
    """The number of the last event that the thinker has been told."""
    number: int
    """The number of the last event of the game."""
    head: str
    """The digest of that event, in hexadecimal digits: with it, the agent remembers the whole past."""
    events: Sequence[Json]
    """The events between these two, as the rules see them."""
    level: str
    share: float
    """The fraction of its level's time that the thought may take, above 0 and at most 1."""
    seed: int
    """The seed of the generator that samples hidden cards."""
    played: Json | None = None
    """The action to appraise; None if an action is to be chosen."""
    iterations: int | None = None
    """The number of iterations of the thought, however long they take; None if the time of its level limits it."""

    @property
    def agent(self) -> AgentKey:
        """The agent that has to answer."""
        return self.game, self.version, self.seat

    def line(self) -> bytes:
        """The question in the form in which it is sent."""
        return json.dumps(self._asdict(), separators=(",", ":")).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> Self:
        """The question that a line contains."""
        return cls(**json.loads(line))


class Failure(NamedTuple):
    """A thought that failed: the kind of the error and its places, without values."""

    kind: str
    at: list[str]


class ThoughtAnswer(NamedTuple):
    """The result of a question: an action, an appraisal or a failure; none of them if its thinker has ended."""

    question: Question
    action: Json | None = None
    failure: Failure | None = None
    appraisal: Json | None = None
    """The actions that were tried, the house player's choice first, with their values (`Valued`), as `tried`; and the
    place in that list of the action that was played, as `played`.
    """

    @property
    def is_complete(self) -> bool:
        """Whether the answer contains what was asked for."""
        return self.action is not None or self.appraisal is not None

    def line(self) -> bytes:
        """The answer in the form in which it is sent; the receiver knows the question."""
        told = {"action": self.action, "failure": self.failure, "appraisal": self.appraisal}
        return json.dumps(told, separators=(",", ":")).encode() + b"\n"

    @classmethod
    def parse(cls, question: Question, line: bytes) -> Self:
        """The answer to this question in a line."""
        told = json.loads(line)
        failure = told["failure"] and Failure(*told["failure"])
        return cls(question, told["action"], failure, told["appraisal"])
