"""Daily deals: what a person's try costs the server, including all thoughts of house players, and how many of these
thoughts are kept.

People choose at random, and so meet in the same position less often than real people would: few thoughts of house
players are used again. There is no HTTP in it; `capacity` says what requests cost.
"""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from sqlalchemy import text

from benchmarks.report import Measure
from benchmarks.world import World, world
from service.core.database.database import db, transaction
from service.core.runtime import days
from service.log.table_rows.table import find
from service.operations.thinking.agents import Agents
from service.operations.thinking.processes import NOTHING, Told
from service.operations.thinking.questions import AgentKey, Question, ThoughtAnswer
from service.operations.thinking.thinking_time import Paced
from service.operations.worker.house_players import HousePlayers
from service.tables.before_start import daily_games
from service.tables.play.daily_deals import deals, tries
from service.tables.play.moves import play

PEOPLE = "BENCHMARK_PEOPLE"
"""The name of the environment variable with the number of people who try each deal."""
USUAL = 60
A_DAY = 10_000
"""The number of people for whom the sum of a day is shown."""


class Thinking:
    """A thinker in this process, which counts the questions that it gets."""

    def __init__(self) -> None:
        self._agents, self._answers = Agents(Paced()), list[ThoughtAnswer]()
        self.asked, self.seconds = 0, 0.0

    def free(self, _agent: AgentKey) -> Thinking:
        """This object, which is always free."""
        return self

    def told_until(self, _agent: AgentKey) -> Told:
        """NOTHING, because every question comes with its whole past."""
        return NOTHING

    def give(self, question: Question) -> None:
        """Think about the question."""
        began = time.process_time()
        self._answers.append(self._agents.answer(question))
        self.seconds += time.process_time() - began
        self.asked += 1

    def answers(self) -> list[ThoughtAnswer]:
        """The answers since the last call."""
        answers, self._answers = self._answers, []
        return answers

    def alive(self) -> list[int]:
        """The number of this thinker."""
        return [1]


class Cost(NamedTuple):
    """The costs of the tries at one deal."""

    seconds: float
    thinking: float
    thoughts: int
    moves: int


def measures(kind: str) -> Iterator[Measure]:
    """The costs of a try at each ruleset's deal, and of a day with many people."""
    people = int(os.environ.get(PEOPLE, USUAL))
    with world(kind, rate_limits=False) as made:
        before, costs = _bytes(made), list[Cost]()
        for back in range(len(deals.suitable())):
            day = days.after(days.day_of(made.services.now()), -back)
            cost = _tried(made, day, people)
            costs.append(cost)
            of = deals.ruleset_of(day)
            yield Measure(f"{of}: processor time of a try", 1000 * cost.seconds / people, "ms")
            yield Measure(f"{of}: of it thinking", 1000 * cost.thinking / people, "ms")
            yield Measure(f"{of}: moves without a thought", 1 - cost.thoughts / cost.moves, "")
        grown = (_bytes(made) - before) / len(costs) / people
        yield Measure("size of a try in the database", grown / 1000, "KB")
        dearest = max(cost.seconds for cost in costs) / people * A_DAY / 3600
        yield Measure(f"{A_DAY:,} people on the dearest day", dearest, "h of a core", most=6)


def _tried(made: World, day: str, people: int) -> Cost:
    """The costs of so many people's tries at the deal of a day, one after the other."""
    rng, thinking = random.Random(day), Thinking()
    deals.made(made.services, day)
    with transaction():
        for number in range(daily_games.LINES):  # these cost the same, however many people play
            tries.claim(day, f"{tries.HOUSE}{number + 1}", made.services.now())
    house = HousePlayers(made.services, rng, thinking)  # type: ignore[arg-type]
    persons = [made.person() for _ in range(people)]
    began, moves = time.process_time(), 0
    for person in persons:
        table, _ = daily_games.begin(made.services, person, day)
        moves += _played(made, house, table.game.id, person, rng)
    return Cost(time.process_time() - began, thinking.seconds, thinking.asked, moves)


def _played(made: World, house: HousePlayers, game_id: str, person: str, rng: random.Random) -> int:
    """Play a try to its end; returns the number of moves of house players."""
    while True:
        while house.move_all():
            pass
        db.session.rollback()
        table = find(game_id)
        if table.game.is_over:
            db.session.remove()
            return sum(
                passed.event["kind"] == "action" and passed.event["seat"] != 0
                for passed in made.services.states.course(table.game)
            )
        state = made.services.states.load(table.game)
        asked = table.holders[0].asked
        action = rng.choice(table.ruleset.legal(state, 0))
        play(made.services, table, person, asked, action)
        db.session.remove()


def _bytes(made: World) -> int:
    """The size of the database."""
    db.session.remove()
    if made.kind == "sqlite":
        with closing(sqlite3.connect(made.home.database.removeprefix("sqlite:///"))) as connection:
            pages, size = (
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "page_size")
            )
            return int(pages * size)
    return int(db.session.scalar(text("SELECT pg_database_size(current_database())")) or 0)
