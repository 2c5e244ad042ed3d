"""The tables of series: their games begin automatically, and count when they are over or when a round ends."""

from __future__ import annotations

from functools import partial

from rules.kernel import Json
from service.core.database.database import transaction
from service.core.runtime.problems import Problem
from service.log.table_rows.table import Table, find
from service.people import players
from service.people.circles import blocks, circles
from service.people.circles.series import entries, rounds, series
from service.people.circles.series.rounds import TableRow
from service.people.circles.series.series import SeriesRow
from service.people.ratings import results
from service.people.ratings.places import places
from service.tables.before_start import table_setup
from service.tables.play.service_events import insert_tenure
from service.tables.services import Services

_SHARED = {"agreed", "abandoned", "removed"}
"""The reasons of games that end without winners: everybody who stayed shares the first place."""


def settled(wish: Json, players: int, *, private: bool) -> Json | None:
    """The columns of a table of a series for so many players; None if the rules do not allow such a table."""
    ours: Json = {"private": private, "house": 0, "seating": "order", "start": "full"}
    try:
        return table_setup.settled_columns({**wish, **ours, "players": players})
    except Problem:
        return None


def begin_if_ready(services: Services, key: int) -> bool:
    """Begin the game of the table with this key; returns False if another worker has done so.

    People who have left the series or its circle do not sit down, nor do people who have blocked somebody at the table.
    The others play, if the rules allow so few.
    """
    with transaction():
        table = rounds.find(key, lock=True)
        if table is None or table.ready_at is None or table.ready_at > services.now():
            return False
        row = series.find(rounds.series_of(table))
        there = _present(row, table)
        values = len(there) > 1 and settled(
            row.wish, len(there), private=row.circle_key is not None
        )
        if not values:
            return rounds.decide(table, "not-played")
        rated = row.wish.get("rated", row.circle_key is None)
        columns = {**values, "circle_key": row.circle_key, "rated": rated}
        game = table_setup.insert_empty(services, columns)
        for player_id in there.values():
            insert_tenure(services, game, {"player_id": player_id, "nonce": None})
        table_setup.begin(services, find(game.game.id))
        rounds.note_begun(table, game.game.key, list(there))
        return True


def _present(row: SeriesRow, table: TableRow) -> dict[int, str]:
    """The ids of the players who sit down, by the numbers of their places, in the order of their seats."""
    owners = {each.number: each.player_id for each in entries.of_series(row.key)}
    there = {number: owner for number in table.people if (owner := owners.get(number))}
    if row.circle_key is not None:
        is_member = partial(circles.is_member, row.circle_key)
        there = {number: owner for number, owner in there.items() if is_member(owner)}
    blockers = {blocker for blocker, _ in blocks.between(there.values())}
    there = {number: owner for number, owner in there.items() if owner not in blockers}
    for owner in sorted(there.values()):
        players.prevent_erasure(owner)
    return there


def decide(services: Services, table: TableRow, *, time_is_over: bool) -> bool:
    """Note how a table counts if its game is over, or if `time_is_over`; returns whether the table is decided now.

    The caller owns the commit.
    """
    if table.game_id is None:
        return (time_is_over or table.game_key is not None) and rounds.decide(table, "not-played")
    if table.game_status == "over":
        return rounds.decide(table, "played", _final_places(find(table.game_id)))
    return time_is_over and rounds.decide(table, "time", _places_at_end(find(table.game_id)))


def _left(table: Table) -> set[int]:
    """The seats whose players have left the game."""
    beginners = results.beginners_of(table.game.key)
    return {each.seat for each in beginners if results.has_left(table, each)}


def _final_places(table: Table) -> list[int]:
    """The places in a game that is over, by seat: 1 is the first."""
    result: Json = table.game.result or {"winners": [], "reason": "removed"}
    left = set[int]() if result["reason"] in _SHARED else _left(table)
    return places(result, left, range(table.game.players))


def _places_at_end(table: Table) -> list[int]:
    """The places when the time of a round is over, by seat. People for whom the game waits, or who have left it, come
    last.
    """
    late = {holder.seat for holder in table.holders if holder.waiting} | _left(table)
    return places({"winners": []}, late, range(table.game.players))
