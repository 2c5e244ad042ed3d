"""Counting: a worker writes rows for the people of each finished game soon after its end, and adds them to their sums.

Rows depend on the result and the log alone, and sums on the rows, in whatever order games are counted; `recount` finds
the same sums again. Games that ended before there were such rows wait to be counted like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, delete, insert, select, update

from rules.kernel import Json
from service.core.database.database import changed_rows, db, transaction, write_rows
from service.core.database.failures import UNREADABLE
from service.core.models.games import Game
from service.core.models.ratings import PlayedGame, PlayerNumbers
from service.log.records.cold_storage import LostObject
from service.log.table_rows.table import find
from service.people.ratings import turns
from service.people.ratings.played.finished import finished
from service.people.ratings.played.numbers import Numbers
from service.people.ratings.turns import Work

WORK: Work = "played games"
PER_LOOK = 5
"""The largest number of games that are counted before the worker looks for other work."""

_game = Game.metadata.tables["games"]
_played = PlayedGame.metadata.tables["played_games"]
_numbers = PlayerNumbers.metadata.tables["player_numbers"]
_IN_PARTS = {"yield_per": 1000}
_SUM = ("player_id", "ruleset", "private")


class Sum(NamedTuple):
    """The key of a sum: the person, the ruleset, and whether the tables were private."""

    player_id: str
    ruleset: str
    private: bool


def waiting_games() -> Select[str]:
    """The query for the ids of finished games that wait to be counted, the first to end first."""
    waits = _game.c.counted.is_(None) & _game.c.ended_at.is_not(None)
    return select(_game.c.id).where(waits).order_by(_game.c.ended_at)


def count_game(game_id: str) -> bool:
    """Count a game, unless another worker is doing so; return whether it was handled.

    A game that cannot be read is never counted.
    """
    with transaction():
        mine = select(_game.c.key).where(_game.c.id == game_id, _game.c.counted.is_(None))
        key = db.session.scalar(mine.with_for_update(skip_locked=True))  # games are locked first
        if key is None or not turns.take(WORK):
            return False
        rows = _rows_of(game_id)
        if rows:
            write_rows(_played, rows)
            for row in rows:
                _add(row)
        is_counted = update(_game).where(_game.c.key == key).values(counted=rows is not None)
        db.session.execute(is_counted)
        return True


def _rows_of(game_id: str) -> list[Json] | None:
    """The rows of a game's people; empty if it is not listed or has not begun, None if it is unreadable."""
    table = find(game_id)
    game = table.game
    if game.alone is not None or game.started_at is None:
        return []
    shared = {
        "game_key": game.key,
        "ruleset": game.ruleset,
        "private": game.private,
        "ended_at": game.ended_at,
    }
    try:
        return [{**shared, "player_id": who, **own} for who, own in finished(table).items()]
    except (*UNREADABLE, LostObject):
        return None


def _add(row: Json) -> None:
    """Add a played game to the sum of its player."""
    whose = Sum(*(row[name] for name in _SUM))
    _store(whose, _stored(whose) + numbers_of(row))


def _stored(whose: Sum) -> Numbers:
    found = db.session.scalar(select(_numbers.c.numbers).where(*_is(whose)))
    return Numbers.of(found) if found else Numbers()


def _store(whose: Sum, numbers: Numbers) -> None:
    new = {"numbers": numbers.stored}
    if not changed_rows(update(_numbers).where(*_is(whose)).values(new)):
        db.session.execute(insert(_numbers).values(**whose._asdict(), **new))


def _is(whose: Sum) -> list[ColumnElement[bool]]:
    return [_numbers.c[name] == value for name, value in whose._asdict().items()]


def numbers_of(row: Json) -> Numbers:
    """The numbers of one played game, from the columns of its row."""
    is_scored = row["score"] is not None
    times = Numbers.of({**Numbers().stored, **row["times"]})
    return times + Numbers(
        games=1,
        places=Counter([row["place"]] if row["place"] else []),
        scored=int(is_scored),
        score=row["score"] or 0,
        table_score=row["table_score"] if is_scored else 0,
        close=int(row["close"]),
        beaten=row["beaten"],
        answered=row["answered"],
        missed=row["missed"],
    )


class Recounted(NamedTuple):
    """The number of people's sums, and the number of wrong ones among them."""

    sums: int
    changed: int


def recount() -> Recounted:
    """Compute all sums again from the rows; return how many there are, and how many were wrong.

    The caller is not in a transaction.
    """
    with transaction():
        turns.wait_for(WORK)
        stored, right = dict(_all_stored()), dict[Sum, Numbers]()
        for row in _all_rows():
            whose = Sum(*(row[name] for name in _SUM))
            right[whose] = right.get(whose, Numbers()) + numbers_of(row)
        wrong = [each for each in {**stored, **right} if stored.get(each) != right.get(each)]
        for whose in wrong:
            db.session.execute(delete(_numbers).where(*_is(whose)))
            if whose in right:
                _store(whose, right[whose])
        return Recounted(len(right), len(wrong))


def forget() -> None:
    """Delete all rows and sums, so that all games wait to be counted again, from their logs."""
    with transaction():
        is_counted = _game.c.counted.is_not(None)
        db.session.execute(update(_game).where(is_counted).values(counted=None))
        turns.wait_for(WORK)  # games are locked first
        db.session.execute(delete(_played))
        db.session.execute(delete(_numbers))


def _all_stored() -> Iterator[tuple[Sum, Numbers]]:
    for row in db.session.execute(select(_numbers), execution_options=_IN_PARTS).mappings():
        yield Sum(*(row[name] for name in _SUM)), Numbers.of(row["numbers"])


def _all_rows() -> Iterable[Json]:
    found = db.session.execute(select(_played), execution_options=_IN_PARTS)
    return (dict(row) for row in found.mappings())
