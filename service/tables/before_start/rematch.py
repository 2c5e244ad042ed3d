"""Rematches: the same game again, with places kept for the same people.

The first person to ask opens the table; the others sit down there.
"""

from __future__ import annotations

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db, transaction
from service.core.models.games import Game
from service.core.runtime.problems import NoCommitment, NotOver, NotPossible, Problem
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.table import Table, find
from service.outbox import queue
from service.people.circles import blocks, circles
from service.tables.before_start import invitations, table_setup
from service.tables.play.house_levels import known_level
from service.tables.services import Services


def rematch(services: Services, game_id: str, player_id: str, wish: Json) -> tuple[Table, bool]:
    """Sit down for a rematch of a game that is over; returns its table and whether that is new.

    `wish["nonce"]` is for a table that exists; a new table waits for the opener's nonce, unless the wish has the nonce
    None. With `wish["anyway"]`, the player sits down in spite of a block. Raises NotFound, NotOver, NotSeated,
    NotPossible, NotAdmitted, KeptApart, NameTaken, TableFull, TooManyTables, TooManyNonces, TooManyRequests,
    NoCommitment.
    """
    with transaction():
        before = find(game_id, lock=True)
        if not before.game.is_over:
            raise NotOver
        before.seated(player_id)
        existing = _existing(before, player_id)
        if existing is not None:
            if not existing.person(player_id):
                table_setup.count_sitting(services, existing.game.id, player_id)
                table_setup.admit(existing, player_id, anyway=wish.get("anyway", False))
                existing = table_setup.take_seat(services, existing, player_id, wish.get("nonce"))
            return existing, False
        if wish.get("nonce") is not None:
            raise NoCommitment
        return _open(services, before, player_id, awaits_nonce="nonce" not in wish), True


def _existing(before: Table, player_id: str) -> Table | None:
    """The locked table of a rematch that is open, or that this player is already playing (after a double click); None
    if there is none.
    """
    again = select(Game.id).where(Game.rematch_of == before.game.key, Game.status != "over")
    for game_id in db.session.scalars(again.order_by(Game.status, Game.key)).all():  # open, running
        table = find(game_id, lock=True)
        if table.game.status == "open":
            return table
        if table.game.status == "running" and table.person(player_id):
            return table
    return None


def _open(runtime: Runtime, before: Table, player_id: str, *, awaits_nonce: bool) -> Table:
    """Open a table like that of the game before, with as many house players of the same levels; returns it. Raises
    NotPossible if the rules no longer allow its settings, and TooManyTables.
    """
    game = before.game
    kept = ("ruleset", "players", "options", "private", "seating", "start", "takeover", "level")
    wish = {name: getattr(game, name) for name in kept}
    levels = [known_level(each.house_level) for each in before.people if each.house_level]
    try:
        values = table_setup.settled_columns({**wish, "house": len(levels)})
    except Problem:  # the rules have changed, and no longer allow these settings
        raise NotPossible("no-longer-offered") from None
    values |= {"pace": game.pace, "rest": game.rest}
    values["rated"] = game.rated
    values |= {"rematch_of": game.key, "awaits_nonce": awaits_nonce}
    if circles.is_member(game.circle_key, player_id):
        values["circle_key"] = game.circle_key
    table = table_setup.insert_game(runtime, player_id, values)
    for person in before.people:
        if person.player_id not in (None, player_id):
            _offer(runtime, before, table, player_id, person.player_id)
    for level in levels:
        table = table_setup.seat_house_player(runtime, table, level)
    return table


def _offer(runtime: Runtime, before: Table, table: Table, player_id: str, other_id: str) -> None:
    """Keep a place for a player and mail them, once for each finished game, however often its rematch is opened.

    Nothing happens if either of the two has blocked the other.
    """
    if blocks.has_blocked(player_id, other_id) or blocks.has_blocked(other_id, player_id):
        return
    row, _ = invitations.ask(runtime, table, player_id, player_id=other_id)
    queue.put(
        runtime,
        "offer",
        f"offer {before.game.id} {other_id}",
        player_id=other_id,
        game_key=table.game.key,
        data={"game": table.game.id, "invitation": row.id},
    )
