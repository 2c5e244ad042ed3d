"""What a thinker is asked and answers: one line of JSON each. It needs neither settings nor a database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple, Self

from rules.kernel import Json

AgentKey = tuple[str, int, int]
"""A seat of a game by a version of its rules, of which a thinker remembers what the seat saw: id, version, seat."""


class Question(NamedTuple):
    """What should this seat do? Equal questions have equal answers, if as many worlds are supposed."""

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
    """Its digest, in hexadecimal digits: the whole past that is remembered from now on."""
    events: Sequence[Json]
    """Those in between, as the rules see them."""
    level: str
    share: float
    """How much of its level's time the thought may take, from 0 to 1."""
    seed: int
    """Of the generator that decides which cards are supposed."""

    @property
    def agent(self) -> AgentKey:
        """Who remembers."""
        return self.game, self.version, self.seat

    def line(self) -> bytes:
        """As it is sent."""
        return json.dumps(self._asdict(), separators=(",", ":")).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> Self:
        """As it was sent."""
        return cls(**json.loads(line))


class Failure(NamedTuple):
    """A thought that failed: the kind of the error and its places, without values."""

    kind: str
    at: list[str]


class ThoughtAnswer(NamedTuple):
    """What came of a question: an action or a failure; neither if its thinker has ended."""

    question: Question
    action: Json | None = None
    failure: Failure | None = None

    def line(self) -> bytes:
        """As it is sent; whoever has asked knows the question."""
        told = {"action": self.action, "failure": self.failure}
        return json.dumps(told, separators=(",", ":")).encode() + b"\n"

    @classmethod
    def parse(cls, question: Question, line: bytes) -> Self:
        """As it was sent."""
        told = json.loads(line)
        return cls(question, told["action"], told["failure"] and Failure(*told["failure"]))
