"""Results of rated games: the place of each rated player. They are kept for good, and ratings follow from them alone.

A game has results if its table is rated and it ended by its rules, or because somebody resigned in a game of two. The
results are those of house players, and of people who had an account when the game began, each in the seat that they
held at its beginning. A player who does not hold that seat at the end has left, and is last; the player who took it
over is not counted.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select, update

from rules.kernel import Json
from service.core.database.database import db, rows, write_rows
from service.core.models.games import Game, Tenure
from service.core.models.people import Account
from service.core.models.ratings import RatedResult, Rating
from service.core.runtime.exports import exported_rows
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.table import Table
from service.people.ratings import turns
from service.people.ratings.estimates import HOUSE, SCALE
from service.people.ratings.places import places

_game, _tenure, _account = Game.__table__, Tenure.__table__, Account.__table__
_result = RatedResult.__table__


class Beginner(NamedTuple):
    """A player who held a seat when the game began."""

    id: str
    seat: int
    player_id: str | None
    erased: bool
    house_level: str | None
    house_version: str | None
    registered_at: int | None

    @property
    def is_house(self) -> bool:
        """Whether this is a house player, and not an erased person."""
        return self.player_id is None and not self.erased


_BEGINNERS = (
    select(*(_tenure.c[name] for name in Beginner._fields[:-1]), _account.c.registered_at)
    .outerjoin(_account, _account.c.player_id == _tenure.c.player_id)
    .where(_tenure.c.began == 1)
    .order_by(_tenure.c.seat)
)


def beginners_of(game_key: int) -> list[Beginner]:
    """The players who held the seats of a game when it began, by seat."""
    return rows(Beginner, _BEGINNERS.where(_tenure.c.game_key == game_key))


def note(table: Table, result: Json, ended_at: int, *, closed: bool) -> None:
    """Note the result of a game that has ended, or is `closed` outside its rules. The caller owns the commit."""
    game = table.game
    if not game.rated or (closed and result["reason"] != "resigned"):
        return
    beginners = beginners_of(game.key)
    who = {each.seat: identity(table, each) for each in beginners}
    left = {each.seat for each in beginners if has_left(table, each)}
    counted = [
        each.seat
        for each in beginners
        if who[each.seat] and not (each.seat in left and each.is_house)
    ]
    if len({who[seat] for seat in counted}) < 2:  # there is nobody to be compared with
        return
    place = places(result, left, counted)
    shared = {"game_key": game.key, "ruleset": game.ruleset, "players": game.players}
    write_rows(
        _result,
        [
            {**shared, "ended_at": ended_at, "seat": seat, "who": who[seat], "place": at}
            for seat, at in zip(counted, place, strict=True)
        ],
    )


def identity(table: Table, beginner: Beginner) -> str | None:
    """The identity of a player in ratings; None for a guest or an erased person."""
    if beginner.is_house:
        level, version = beginner.house_level, beginner.house_version
        return level and f"{HOUSE}{table.game.ruleset}:{level}:{version}"
    registered, began = beginner.registered_at, table.game.started_at
    is_person = registered is not None and began is not None and registered <= began
    return beginner.player_id if is_person else None


def has_left(table: Table, beginner: Beginner) -> bool:
    """Whether another player has the seat at the end. A player who came back to it has not left."""
    holder = table.holders[beginner.seat]
    same_person = beginner.player_id is not None and holder.player_id == beginner.player_id
    return holder.tenure != beginner.id and not same_person


def exported(player_id: str) -> list[Json]:
    """The player's rated games with the rating after each, in points, for the export."""
    query = select(
        _game.c.id.label("game"),
        *(_result.c[name] for name in ("ruleset", "players", "ended_at", "place", "deviation")),
        _result.c.mean.label("rating"),
    )
    mine = query.join(_game, _game.c.key == _result.c.game_key).where(_result.c.who == player_id)
    found = exported_rows(mine.order_by(_result.c.ended_at, _result.c.game_key))
    for row in found:
        for name in ("rating", "deviation"):
            row[name] = None if row[name] is None else row[name] / SCALE
    return found


def erase(runtime: Runtime, player_id: str) -> None:
    """Assign the player's results to an identity without a name: other players keep their numbers.

    The caller owns the commit, and has locked the player's games, so that no result is added at the same time.
    """
    turns.wait_for("ratings")
    nobody = {"who": runtime.new_id("x")}
    for table in (RatedResult, Rating):
        db.session.execute(update(table).where(table.who == player_id).values(nobody))
