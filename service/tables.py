"""Before a game: open a table, sit down, leave, let house players in, start."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, insert, select, update

import rules
from rules.kernel import Invalid, Json
from service import blocks, clock, notices, offers, paces, people
from service.chance import shuffle
from service.database import db, transaction
from service.models import Game, Seat, Tenure
from service.outside import Outside
from service.play import follow, record
from service.problems import (
    AlreadySeated,
    InvalidOptions,
    InvalidPlayers,
    NotFound,
    NotFull,
    NotHost,
    NotOpen,
    TableFull,
    UnknownRuleset,
)
from service.table import Table, find
from service.waits import pace_of

PATIENCE = 14 * clock.DAY
"""Ms after which a table that has not started is taken away."""


def open_table(outside: Outside, player_id: str, wish: Json) -> Table:
    """Open a table as `wish` says; the opener sits down, then `wish["house"]` house players.

    Raises UnknownRuleset, InvalidPlayers, InvalidOptions.
    """
    values = settled(wish)
    with transaction():
        table = find(insert_game(outside, values))
        table = take_seat(outside, table, player_id, wish.get("nonce"))
        for _ in range(wish["house"]):
            table = take_seat(outside, table, None, None)
        return table


def insert_game(outside: Outside, values: Json) -> str:
    """The id of a new table without people. The caller owns the commit."""
    game = {
        **values,
        "id": outside.new_id("g"),
        "seed": outside.entropy(32),
        "created_at": outside.now(),
    }
    db.session.execute(insert(Game).values(game))
    return str(game["id"])


def settled(wish: Json) -> Json:
    """What the game's row says of the rules: ruleset, version, players and settled options."""
    try:
        ruleset = rules.load(wish["ruleset"])
    except LookupError:
        raise UnknownRuleset(may=list(rules.slugs())) from None
    players = wish.get("players") or ruleset.players[0]
    if players not in ruleset.players or wish["house"] >= players:
        raise InvalidPlayers(may=list(ruleset.players))
    try:
        options = ruleset.settle(players, wish["options"])
    except Invalid:
        raise InvalidOptions(ruleset=ruleset, players=players) from None
    if ruleset.live(players, options):  # nothing here would send the events of an outside clock
        raise InvalidOptions(ruleset=ruleset, players=players)
    named = {name: wish[name] for name in ("private", "seating", "start")}
    return {
        **named,
        "takeover": wish.get("takeover", 3),
        "pace": paces.stored(paces.chosen(wish.get("pace"))),
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "players": players,
        "options": options,
    }


def sit(outside: Outside, game_id: str, player_id: str, nonce: str | None, *, house: bool) -> Table:
    """Sit down, or as the host let a house player in. Raises NotFound, NotOpen, AlreadySeated, TableFull, NotHost."""
    with transaction():
        table = open_for_changes(game_id)
        if house:
            host_only(table, player_id)
        elif table.person(player_id):
            raise AlreadySeated
        else:
            blocks.admit(table, player_id)
            if offers.kept([table.game.key], player_id).get(table.game.key, 0) >= table.free:
                raise TableFull
        return take_seat(outside, table, None if house else player_id, None if house else nonce)


def take_seat(outside: Outside, table: Table, player_id: str | None, nonce: str | None) -> Table:
    """Put somebody (None: a house player) at the table; the last one to sit may start the game."""
    if table.full:
        raise TableFull
    if player_id is not None:
        people.still_there(player_id)
        offers.settle(table.game.key, player_id)
    tenure = {
        "id": outside.new_id("t"),
        "game_key": table.game.key,
        "player_id": player_id,
        "nonce": nonce,
        "place": 1 + max((person.place for person in table.people), default=0),
        "sat_at": outside.now(),
    }
    db.session.execute(insert(Tenure).values(tenure))
    touch(table)
    table = find(table.game.id)
    return begin(outside, table) if table.full and table.game.start == "full" else table


def leave(outside: Outside, game_id: str, player_id: str, tenure_id: str) -> None:
    """Get up, or as the host send somebody away, before the start; the last person closes the table.

    Raises NotFound, NotOpen, NotHost.
    """
    with transaction():
        table = open_for_changes(game_id)
        leaving = next((each for each in table.people if each.tenure == tenure_id), None)
        if leaving is None:
            raise NotFound
        if leaving.player_id != player_id:
            host_only(table, player_id)
            notices.removed(outside, table, leaving)
        ended = update(Tenure).where(Tenure.id == tenure_id).values(ended_at=outside.now())
        db.session.execute(ended)
        touch(table)
        if not any(each.player_id for each in table.people if each is not leaving):
            remove(table)


def remove(table: Table) -> None:
    """Take away a table that never had a game."""
    db.session.execute(delete(Tenure).where(Tenure.game_key == table.game.key))
    db.session.execute(delete(Game).where(Game.key == table.game.key))


def start(outside: Outside, game_id: str, player_id: str, *, house: bool = False) -> Table:
    """Start the game; with `house`, house players take the free places. Raises NotFound, NotOpen, NotHost, NotFull."""
    with transaction():
        table = open_for_changes(game_id)
        host_only(table, player_id)
        if not table.full and not house:
            raise NotFull
        for _ in range(table.free):
            table = take_seat(outside, table, None, None)
        return begin(outside, table) if table.game.status == "open" else table


def expire(outside: Outside, game_id: str) -> bool:
    """Take away a table that has not started for too long; False if it has, or has gone."""
    with transaction():
        try:
            table = open_for_changes(game_id)
        except (NotFound, NotOpen):
            return False
        if table.game.created_at > outside.now() - PATIENCE:
            return False
        notices.expired(outside, table)
        remove(table)
        return True


def late(now: int) -> Any:
    """The query for the ids of tables that have not started for too long."""
    waiting = select(Game.id).where(Game.status == "open", Game.created_at <= now - PATIENCE)
    return waiting.order_by(Game.key).limit(100)


def begin(outside: Outside, table: Table) -> Table:
    """Seat the players and log the start and the chance that it leads to. The caller owns lock and commit."""
    seats = seating(table)
    for seat, tenure_id in enumerate(seats):
        taken = update(Tenure).where(Tenure.id == tenure_id)
        db.session.execute(taken.values(seat=seat, began=1))
    house = {person.tenure: person.player_id is None for person in table.people}
    now = outside.now()
    db.session.execute(
        insert(Seat),
        [
            {"game_key": table.game.key, "seat": seat, "tenure_id": tenure, "house": house[tenure]}
            | {"asked": 1, "waiting": False, **clock.start(pace_of(table.game), now)._asdict()}
            for seat, tenure in enumerate(seats)
        ],
    )
    offers.forget_game(table.game.key)
    table = find(table.game.id)
    notices.away_here(outside, table)
    state = table.ruleset.initial(table.game.players, table.game.options)
    course = follow(table, state, start_event(table, seats), [1] * table.game.players)
    return record(outside, table, course, status="running", started_at=now, nonces=table.nonces)


def seating(table: Table) -> list[str]:
    """The tenure ids by seat: as they sat down, or drawn like any chance, with the number of the start event."""
    sat = [person.tenure for person in table.sat]
    if table.game.seating == "order":
        return sat
    return shuffle(table.game.seed, table.game.id, table.nonces, 1, sat)


def start_event(table: Table, seats: list[str]) -> Json:
    """Event 1 (docs/record.md)."""
    game = table.game
    return {
        "kind": "start",
        "game": game.id,
        "ruleset": game.ruleset,
        "version": game.version,
        "players": game.players,
        "options": game.options,
        "seating": game.seating,
        "sat": [person.tenure for person in table.sat],
        "seats": seats,
        "nonces": table.nonces,
        "commitment": table.commitment,
    }


def open_for_changes(game_id: str) -> Table:
    """The locked table. Raises NotFound, or NotOpen once the game has started."""
    table = find(game_id, lock=True)
    if table.game.status != "open":
        raise NotOpen
    return table


def host_only(table: Table, player_id: str) -> Any:
    """Raises NotHost for anybody else."""
    if table.host is None or table.host.player_id != player_id:
        raise NotHost


def touch(table: Table) -> None:
    """What people are shown of the table has changed."""
    changed = update(Game).where(Game.key == table.game.key)
    db.session.execute(changed.values(revision=Game.revision + 1))
