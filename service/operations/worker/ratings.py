"""Numbers about people: a game is rated, and counted for its players, soon after its end, by any of the workers."""

from __future__ import annotations

from functools import partial

from service.core.database.database import db, release_connection
from service.core.runtime.backoff import Backoff
from service.core.runtime.time_and_random import Runtime
from service.people.ratings import ratings
from service.people.ratings.played import counting


class Ratings:
    """Rating games; a ruleset whose games cannot be rated delays no other."""

    def __init__(self, runtime: Runtime) -> None:
        self._rulesets = Backoff("ratings", runtime.now)

    def rate_some(self) -> int:
        """Rate some of the waiting games of each ruleset; returns their number."""
        waiting = db.session.scalars(ratings.waiting_rulesets()).all()
        release_connection()
        return sum(
            self._rulesets.attempt(partial(ratings.rate_some, each), 0, each)
            for each in waiting
            if not self._rulesets.waits(each)
        )


class PlayedGames:
    """Counting games for player pages; a game that cannot be counted at the moment delays no other."""

    def __init__(self, runtime: Runtime) -> None:
        self._games = Backoff("played games", runtime.now)

    def count_some(self) -> int:
        """Count some of the games that wait to be counted; returns their number."""
        most = counting.PER_LOOK + len(self._games.waiting())
        waiting = db.session.scalars(counting.waiting_games().limit(most)).all()
        release_connection()
        return sum(
            self._games.attempt(partial(counting.count_game, each), False, each)
            for each in waiting
            if not self._games.waits(each)
        )
