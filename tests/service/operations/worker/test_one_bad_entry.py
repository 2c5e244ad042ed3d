"""In every queue of the server, an entry that is wrong or slow delays none of the good ones.

The bad ones are the oldest, and more than are looked at in one go. A new queue belongs here.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from typing import Any

import pytest

from service.core.runtime.units import DAY, SECOND
from service.operations.worker.analyses import Analyses
from service.operations.worker.daily_purge import DailyPurge
from service.operations.worker.deadlines import (
    MOST,
    MOST_SERIES,
    Deadlines,
    SeriesRounds,
    WeeklyTables,
)
from service.operations.worker.loop import Worker
from service.operations.worker.ratings import Ratings
from service.people.accounts.guests import GUESTS_KEPT
from tests.service.people.ratings.test_ratings import arrive, insert_games
from tests.support.bad_entries import (
    Queue,
    SlowMails,
    SlowWebhooks,
    WrongBrowsers,
    WrongMails,
    WrongWebhooks,
)
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.circles import found
from tests.support.dump import execute
from tests.support.mail_kinds import write
from tests.support.proposing import registered
from tests.support.queueing import players
from tests.support.rounds import alone
from tests.support.series import opened
from tests.support.thinking import in_turn


class Games(Queue):
    """Games, one of which has an event that collides with the next."""

    bad, good = 1, 8

    def fill(self) -> None:
        self.games = [self.open() for _ in range(self.bad + self.good)]
        broken = (
            "INSERT INTO events (game_key, number, body, digest, at)"
            " SELECT key, number + 1, '', seed, 0 FROM games WHERE id = :game"
        )
        for game in self.games[: self.bad]:
            execute(self.app, broken, game=game)

    @abstractmethod
    def open(self) -> str:
        """A new game."""


class HousePlayers(Games):
    """Games in which house players have to move."""

    def open(self) -> str:
        return str(alone(self.cast)["id"])

    def work(self) -> None:
        worker = Worker(self.services, random.Random(3), in_turn())
        with self.app.app_context():
            for _ in range(3):
                worker.run_once()

    def done(self) -> int:
        shown = [self.cast.alice.game(each)["seats"] for each in self.games[self.bad :]]
        return sum(not any(each["house"] and each["waiting"] for each in seats) for seats in shown)


class TimeOuts(Games):
    """Time is over."""

    def open(self) -> str:
        return self.cast.start(CARAVAN, pace={"kind": "decision", "seconds": 60})

    def fill(self) -> None:
        super().fill()
        self.before = {each: self.numbers(each) for each in self.games}

    def numbers(self, game: str) -> int:
        return int(execute(self.app, "SELECT number FROM games WHERE id = :game", game=game)[0][0])

    def work(self) -> None:
        with self.app.app_context():
            deadlines = Deadlines(self.services)
            deadlines.beat()
            self.clock.forward(61 * SECOND)
            deadlines.meet_all()

    def done(self) -> int:
        return sum(self.numbers(each) > self.before[each] for each in self.games[self.bad :])


class OwnAnswers(TimeOuts):
    """Games in which somebody has left an order."""

    def open(self) -> str:
        game_id = self.cast.start(CARAVAN)
        shown = self.cast.alice.game(game_id)
        order = {"action": shown["legal"][0]["action"]}
        self.cast.alice.post(
            f"/api/games/{game_id}/orders", {"asked": shown["asked"], "order": order}
        )
        return game_id

    def work(self) -> None:
        with self.app.app_context():
            deadlines = Deadlines(self.services)
            deadlines.meet_all()
            of_each = execute(self.app, "SELECT acts_at FROM seats WHERE acts_at > 0 ORDER BY 1")
            for (at,) in of_each:
                self.clock.at = max(at, self.clock())
                execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock())
                deadlines.meet_all()


class RatedGames(Queue):
    """In one ruleset somebody's rating is so high that no further one can be computed."""

    bad, good = 60, 20

    def fill(self) -> None:
        games = self.bad + self.good
        insert_games(self.app, range(1, games + 1))
        season = [
            self.game(n, "caravan" if n <= self.bad else "joretsu") for n in range(1, games + 1)
        ]
        arrive(self.app, season)
        broken = "UPDATE rated_results SET mean = 2000000000, deviation = 1, games = 1 WHERE game_key = 1"
        execute(self.app, broken)

    def game(self, key: int, ruleset: str) -> list[dict[str, Any]]:
        shared = {"game_key": key, "ruleset": ruleset, "players": 2, "ended_at": key}
        return [{**shared, "seat": seat, "who": f"p_{seat}", "place": 1 + seat} for seat in (0, 1)]

    def work(self) -> None:
        with self.app.app_context():
            Ratings(self.services).rate_some()

    def done(self) -> int:
        query = "SELECT count(DISTINCT game_key) FROM rated_results WHERE ruleset = 'joretsu' AND mean IS NOT NULL"
        return int(execute(self.app, query)[0][0])


class AnalysesOfGames(Queue):
    """What is to be appraised is no action, or is not in the log."""

    bad, good = 2, 3

    def fill(self) -> None:
        self.games = []
        for n in range(self.bad + self.good):
            game_id = self.cast.start()
            self.cast.play(game_id)
            person = self.cast.seated[n % 3]
            person.put(f"/api/games/{game_id}/analysis", None, status=202)
            self.games.append((person, game_id))
            self.clock.forward(SECOND)
        wrong = "UPDATE analyses SET decisions = :numbers WHERE game_key ="
        of_game = "(SELECT key FROM games WHERE id = :game)"
        for (_, game), numbers in zip(self.games, ("[1]", "[999]"), strict=False):
            execute(self.app, f"{wrong} {of_game}", numbers=numbers, game=game)

    def work(self) -> None:
        analyses = Analyses(self.services, in_turn, lambda *_: 2)
        with self.app.app_context():
            for _ in range(100):
                analyses.step()

    def done(self) -> int:
        states = [person.get(f"/api/games/{game}/analysis")["state"] for person, game in self.games]
        assert "done" not in states[: self.bad]
        return states.count("done")


class TablesOfCircles(Queue):
    """Weekly tables whose wishes cannot be read."""

    bad, good = MOST + 20, 5

    def fill(self) -> None:
        registered(self.cast.alice)
        weeklies = f"/api/circles/{found(self.cast.alice)}/weeklies"
        terms = {"weekday": 1, "time": "20:00", "time_zone": "UTC", "table": {"ruleset": CARAVAN}}
        made = self.cast.alice.post(weeklies, terms)["id"]
        more = (
            "INSERT INTO circle_weeklies (id, circle_key, weekday, at, time_zone, wish, next_at)"
            " SELECT :id, circle_key, weekday, at, time_zone, {wish}, next_at + :later"
            " FROM circle_weeklies WHERE id = :of"
        )
        for n in range(self.bad):
            wrong = more.format(wish="'{}'")
            execute(self.app, wrong, id=f"y_bad{n:019}", later=n, of=made)
        for n in range(self.good):
            right = more.format(wish="wish")
            execute(self.app, right, id=f"y_good{n:018}", later=self.bad + n, of=made)
        execute(self.app, "DELETE FROM circle_weeklies WHERE id = :of", of=made)

    def work(self) -> None:
        self.clock.forward(7 * DAY)
        opener = WeeklyTables(self.services)
        with self.app.app_context():
            for _ in range(3):
                opener.open_all()

    def done(self) -> int:
        return int(execute(self.app, "SELECT count(*) FROM games")[0][0])


class RoundsOfSeries(Queue):
    """Series whose tables cannot be read."""

    bad, good = MOST_SERIES + 20, 3

    def fill(self) -> None:
        registered(self.cast.alice, self.cast.carol)
        made = opened(self.cast.alice, found(self.cast.alice, self.cast.carol))
        same = "circle_key, player_id, name, round_days, status, created_at"
        more = (
            f"INSERT INTO series (id, {same}, wish, ends_at, look_at)"
            f" SELECT :id, {same}, {{wish}}, ends_at + :later, look_at + :later"
            " FROM series WHERE id = :of"
        )
        join = (
            "INSERT INTO series_entries (id, series_key, player_id, at_once, joined_at)"
            " SELECT :id, key, :player, 1, 0 FROM series WHERE id = :of"
        )
        for n in range(self.bad):
            wrong = more.format(wish="'{}'")
            execute(self.app, wrong, id=f"e_bad{n:019}", later=n, of=made)
        for n in range(self.good):
            series = f"e_good{n:018}"
            execute(self.app, more.format(wish="wish"), id=series, later=self.bad + n, of=made)
            for person in (self.cast.alice, self.cast.carol):
                entry = f"j_{person.name}{n:017}"
                execute(self.app, join, id=entry, player=person.id, of=series)
        execute(self.app, "DELETE FROM series WHERE id = :of", of=made)

    def work(self) -> None:
        self.clock.forward(7 * DAY)
        worker = SeriesRounds(self.services)
        with self.app.app_context():
            for _ in range(3):
                worker.step()

    def done(self) -> int:
        return int(execute(self.app, "SELECT count(*) FROM games")[0][0])


class Purge(Queue):
    """Expired rows, of which one kind cannot be deleted, and one guest."""

    good = 5

    def fill(self) -> None:
        bad, *good = players(self.app, 1 + self.good)
        refuse = "BEGIN SELECT RAISE(ABORT, 'no'); END"
        execute(self.app, f"CREATE TRIGGER a BEFORE DELETE ON outbox {refuse}")
        execute(
            self.app, f"CREATE TRIGGER b BEFORE UPDATE ON players WHEN old.id = '{bad}' {refuse}"
        )
        write(self.app, self.services, "old", run_at=0)
        self.guests = good

    def work(self) -> None:
        self.clock.forward(GUESTS_KEPT + DAY)
        execute(self.app, "INSERT INTO tallies (digest, count, ends_at) VALUES ('', 1, 0)")
        with self.app.app_context():
            DailyPurge(self.services).step()

    def done(self) -> int:
        assert execute(self.app, "SELECT 1 FROM tallies") == []
        assert len(execute(self.app, "SELECT 1 FROM outbox")) == 1
        left = {each.id for each in execute(self.app, "SELECT id FROM players")}
        return len(set(self.guests) - left)


QUEUES = [
    *(WrongMails, SlowMails, WrongWebhooks, SlowWebhooks, WrongBrowsers),
    *(HousePlayers, TimeOuts, OwnAnswers, RatedGames, AnalysesOfGames, TablesOfCircles),
    RoundsOfSeries,
]


@pytest.mark.of_service
@pytest.mark.parametrize("kind", [*QUEUES, pytest.param(Purge, marks=sqlite_only)])
def test_bad_entries_hold_up_none_of_the_good_ones(cast, clock, kind):
    queue = kind(cast, clock)
    queue.fill()
    assert queue.done() == 0 or kind is Purge
    queue.work()
    assert queue.done() == queue.good
