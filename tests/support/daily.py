"""Playing daily deals in tests: the worker's part, with thinkers that think at once."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from flask import Flask

from rules.players.search import Effort
from service.operations.thinking.agents import Agents
from service.operations.thinking.questions import Question
from service.operations.worker.daily_deals import DailyPreparation
from service.operations.worker.house_players import HousePlayers
from tests.support.cast import Person
from tests.support.thinking import InTurn

Json = dict[str, Any]
TODAY = "2026-11-21"
PATH = f"/api/daily-deals/{TODAY}"


class Counted:
    """Thoughts with the iterations of the deal, or few, and the questions that were asked."""

    def __init__(self, most: int = 12) -> None:
        self.questions = list[Question]()
        self._most = most

    @contextmanager
    def __call__(self, question: Question):
        """The effort for a question."""
        self.questions.append(question)
        yield Effort(min(question.iterations or 4, self._most))


class House:
    """The house players of an application, as a worker with its own seeds moves them."""

    def __init__(self, app: Flask, seed: int = 1, most: int = 12) -> None:
        self.app, self.thoughts = app, Counted(most)
        services = app.extensions["tegami"]
        self.thinking = InTurn(Agents(self.thoughts))
        rng = random.Random(seed)
        self.worker = HousePlayers(services, rng, self.thinking)  # type: ignore[arg-type]
        self._preparation = DailyPreparation(services)

    def settle(self) -> int:
        """Make moves until no house player is waited for; returns how many the worker has made."""
        with self.app.app_context():
            return sum(iter(self.worker.move_all, 0))

    def prepare(self) -> None:
        """Prepare the next days."""
        with self.app.app_context():
            self._preparation.step()


def first(legal: list[Json]) -> Json:
    """Always the first choice."""
    return legal[0]


def drawn(seed: int) -> Callable[[list[Json]], Json]:
    """Choices drawn from this seed, the same each time."""
    return random.Random(seed).choice


def begun(person: Person, path: str = PATH, status: int = 201) -> Json:
    """The game with which this person begins their try."""
    return person.post(f"{path}/tries", {}, status)


def played(
    house: House, person: Person, choose: Callable[[list[Json]], Json] = first, path: str = PATH
) -> Json:
    """A person's try, played to its end."""
    game = begun(person, path)
    while game["result"] is None:
        house.settle()
        game = person.game(game["id"])
        if game["legal"]:
            game = person.answer(game, choose(game["legal"])["action"])["game"]
    return game
