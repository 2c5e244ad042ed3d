"""A rematch: the same game once more, with the places kept for the same people.

Whoever asks first opens the table; who asks after that sits down there.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from service import blocks, invitations, offers, outbox, tables
from service.database import db, transaction
from service.models import Game
from service.outside import Outside
from service.problems import (
    InvalidOptions,
    InvalidPlayers,
    NotOver,
    NotPossible,
    TableFull,
    UnknownRuleset,
)
from service.table import Table, find

NO_LONGER = (UnknownRuleset, InvalidPlayers, InvalidOptions)
"""The rules have changed since: these options are none any more."""


def rematch(
    outside: Outside, game_id: str, player_id: str, nonce: str | None
) -> tuple[Table, bool]:
    """Sit down for a rematch of a game that is over: the table, and whether it is new.

    Raises NotFound, NotOver, NotSeated, NotPossible, NotAdmitted, TableFull.
    """
    with transaction():
        before = find(game_id, lock=True)
        if before.game.status != "over":
            raise NotOver
        before.seated(player_id)
        there = _there(before, player_id)
        if there is not None:
            return _join(outside, there, player_id, nonce), False
        return _open(outside, before, player_id, nonce), True


def _there(before: Table, player_id: str) -> Table | None:
    """The locked table of a rematch that has not started; else of one that this player plays, so two clicks are one."""
    again = select(Game.id).where(Game.rematch_of == before.game.key, Game.status != "over")
    for game_id in db.session.scalars(again.order_by(Game.status, Game.key)).all():  # open, running
        table = find(game_id, lock=True)
        if table.game.status == "open":
            return table
        if table.game.status == "running" and table.person(player_id):
            return table
    return None


def _join(outside: Outside, table: Table, player_id: str, nonce: str | None) -> Table:
    if table.person(player_id):
        return table
    blocks.admit(table, player_id)
    if offers.kept([table.game.key], player_id).get(table.game.key, 0) >= table.free:
        raise TableFull
    return tables.take_seat(outside, table, player_id, nonce)


def _open(outside: Outside, before: Table, player_id: str, nonce: str | None) -> Table:
    """Open the table, as the game before it was; its house players come along."""
    game = before.game
    kept = ("ruleset", "players", "options", "private", "seating", "start", "takeover")
    wish = {name: getattr(game, name) for name in kept}
    house = sum(person.player_id is None and not person.erased for person in before.people)
    try:
        values = tables.settled({**wish, "house": house})
    except NO_LONGER:
        raise NotPossible from None
    values |= {"pace": game.pace, "rematch_of": game.key}
    new_id = tables.insert_game(outside, values)
    table = tables.take_seat(outside, find(new_id), player_id, nonce)
    for person in before.people:
        if person.player_id not in (None, player_id) and _welcome(player_id, person.player_id):
            _offer(outside, before, table, player_id, person.player_id)
    for _ in range(house):
        table = tables.take_seat(outside, table, None, None)
    return table


def _welcome(player_id: str, other_id: str) -> bool:
    """Whether neither of them has blocked the other one."""
    either = (player_id, other_id), (other_id, player_id)
    return not any(blocks.has_blocked(*pair) for pair in either)


def _offer(outside: Outside, before: Table, table: Table, player_id: str, other_id: str) -> None:
    """Keep a place; the mail about it comes once for each game, however often a rematch is opened."""
    row: Any = invitations.ask(outside, table, player_id, player_id=other_id)[0]
    outbox.put(
        outside,
        "offer",
        f"offer {before.game.id} {other_id}",
        run_at=outside.now(),
        player_id=other_id,
        game_key=table.game.key,
        data={"game": table.game.id, "invitation": row.id},
    )
