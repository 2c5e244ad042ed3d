"""The tables of the rounds of a series as the database has them, and the standings that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import Select, insert, select, update

from service.core.database.database import Moment, changed_rows, db, one_row, rows
from service.core.models.circles import Series, SeriesTable, TableWhy
from service.core.models.games import Game
from service.people.circles.series.series import SeriesRow
from service.people.circles.series.standings import Played, Standing, standings


class TableRow(NamedTuple):
    """A table of a round (see core/models/circles.py), with the id of its game."""

    key: int
    series_key: int
    round: int
    number: int
    people: list[int]
    ready_at: int | None
    game_key: int | None
    seated: list[int] | None
    places: list[int] | None
    why: TableWhy | None
    game_id: str | None
    game_status: str | None

    @property
    def is_decided(self) -> bool:
        """Whether it is decided how the table counts."""
        return self.why is not None

    @property
    def has_begun(self) -> bool:
        """Whether the table's game has begun, or is to begin as soon as possible."""
        return self.ready_at is not None or self.game_key is not None or self.is_decided


_table, _game = SeriesTable.__table__, Game.metadata.tables["games"]
_series = Series.__table__
_TABLES = select(
    *(_table.c[name] for name in TableRow._fields[:-2]),
    _game.c.id.label("game_id"),
    _game.c.status.label("game_status"),
).outerjoin(_game, _game.c.key == _table.c.game_key)


def tables(series_key: int) -> list[TableRow]:
    """All tables of a series, round by round."""
    here = _TABLES.where(_table.c.series_key == series_key)
    return rows(TableRow, here.order_by(_table.c.round, _table.c.number))


class Times(NamedTuple):
    """When the game of a table began (ms UTC), and when it ended; None while it goes on."""

    started_at: int
    ended_at: int | None


def times_of(series_key: int) -> dict[str, Times]:
    """The times of the games of a series, by their ids."""
    query = select(_game.c.id, _game.c.started_at, _game.c.ended_at).join(
        _table, _table.c.game_key == _game.c.key
    )
    found = db.session.execute(query.where(_table.c.series_key == series_key)).all()
    return {each.id: Times(each.started_at, each.ended_at) for each in found}


def find(key: int, *, lock: bool = False) -> TableRow | None:
    """The table with this key; None if there is none."""
    if lock:
        db.session.execute(select(_table.c.key).where(_table.c.key == key).with_for_update())
    return one_row(TableRow, _TABLES.where(_table.c.key == key))


def add_round(row: SeriesRow, number: int, made: Iterable[Sequence[int]]) -> None:
    """Store the tables of a round. The caller owns the commit."""
    new = [
        {"series_key": row.key, "round": number, "number": place, "people": list(people)}
        for place, people in enumerate(made, 1)
    ]
    if new:
        db.session.execute(insert(SeriesTable), new)


def make_ready(found: Iterable[TableRow], now: int) -> None:
    """Let the games of these tables begin. The caller owns the commit."""
    keys = [each.key for each in found]
    waiting = update(SeriesTable).where(_table.c.key.in_(keys), _table.c.ready_at.is_(None))
    db.session.execute(waiting.values(ready_at=now))


def ready(now: Moment) -> Select[int]:
    """The query for the keys of the tables whose games are to begin, the longest waiting first."""
    query = select(_table.c.key).where(_table.c.ready_at <= now, _table.c.ready_at.is_not(None))
    return query.order_by(_table.c.ready_at, _table.c.key)


def note_begun(table: TableRow, game_key: int, seated: Sequence[int]) -> None:
    """Note the game of a table. The caller owns the commit."""
    this = update(SeriesTable).where(_table.c.key == table.key)
    db.session.execute(this.values(ready_at=None, game_key=game_key, seated=list(seated)))


def decide(table: TableRow, why: TableWhy, places: Sequence[int] = ()) -> bool:
    """Note how a table counts, unless that is known; return whether it was unknown. The caller owns the commit."""
    this = update(SeriesTable).where(_table.c.key == table.key, _table.c.why.is_(None))
    values = {"why": why, "places": list(places) or None, "ready_at": None}
    return changed_rows(this.values(values)) == 1


def played_of(found: Iterable[TableRow]) -> list[Played]:
    """The tables that count as games."""
    return [
        Played(tuple(each.seated), tuple(each.places))
        for each in found
        if each.seated and each.places
    ]


def met_of(found: Iterable[TableRow]) -> Counter[tuple[int, int]]:
    """The number of games in which every two people have met, or are to meet."""
    return Counter(
        pair
        for each in found
        for pair in combinations(sorted(each.people if each.seated is None else each.seated), 2)
    )


def taken_of(found: Iterable[TableRow]) -> Counter[tuple[int, int]]:
    """The number of times that each person has had, or is to have, each seat."""
    return Counter(
        (who, seat)
        for each in found
        for seat, who in enumerate(each.people if each.seated is None else each.seated)
    )


def outs_of(people: Iterable[int], found: Sequence[TableRow], round_: int) -> Counter[int]:
    """The number of rounds up to this one that each person could not play: they sat out, or their game was not
    played.
    """
    outs, everybody = Counter[int](), set(people)
    for number in range(1, round_ + 1):
        here = [each for each in found if each.round == number]
        outs.update(everybody.difference(*(each.people for each in here)))
    for each in found:
        if each.is_decided:
            outs.update(set(each.people).difference((each.places and each.seated) or ()))
        elif each.seated is not None:
            outs.update(set(each.people).difference(each.seated))
    return outs


def standings_of(
    row: SeriesRow, people: Sequence[int], found: Sequence[TableRow]
) -> list[Standing]:
    """The present standings, from the tables. A person who sits out a round gets nothing for it before its end."""
    ended = row.round if row.status == "over" else row.round - 1
    return standings(people, played_of(found), outs_of(people, found, ended))


def series_of(table: TableRow) -> str:
    """The id of the series of a table."""
    query = select(_series.c.id).where(_series.c.key == table.series_key)
    return str(db.session.scalars(query).one())
