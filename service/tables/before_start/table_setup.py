"""Tables before the game: open one, sit down, leave, add house players, start."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Select, delete, insert, select, update

import rules
from rules.kernel import Invalid, Json
from service.core.database.database import Moment, db, transaction
from service.core.models.games import Game, Seat, Tenure
from service.core.runtime.problems import (
    AlreadySeated,
    InvalidOptions,
    InvalidPlayers,
    NotFound,
    NotFull,
    NotHost,
    NotOpen,
    NotPossible,
    TableFull,
    UnknownRuleset,
)
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log import changes, events
from service.log.events import Start
from service.log.table_rows import invitation_queries, private_tables, removals
from service.log.table_rows.table import Table, at_table, find, next_place
from service.outbox.causes import announcements
from service.people import blocks, names, players
from service.people.accounts import proven_addresses
from service.people.players import prevent_erasure
from service.tables.before_start import nonces, tables_per_person
from service.tables.clocks import arithmetic, paces
from service.tables.clocks.seat_clocks import pace_of
from service.tables.play import house_players
from service.tables.play.moves import follow, record


def open_table(runtime: Runtime, player_id: str, wish: Json) -> Table:
    """Open a table as `wish` says; the opener sits down, then `wish["house"]` house players.

    A table that starts by itself waits for the opener's nonce, unless `wish["nonce"]` is None.
    Raises UnknownRuleset, InvalidPlayers, InvalidOptions, TooManyTables.
    """
    values = settled_columns(wish) | {"awaits_nonce": "nonce" not in wish}
    with transaction():
        table = find(insert_game(runtime, player_id, values))
        table = take_seat(runtime, table, player_id, None)
        for _ in range(wish["house"]):
            table = seat_house_player(runtime, table, wish["level"])
        return table


def insert_game(runtime: Runtime, player_id: str, values: Json) -> str:
    """Insert a table that a player opens and return its id. The caller owns the commit. Raises TooManyTables."""
    game = {
        **values,
        "opener_rank": tables_per_person.next_rank(player_id),
        "id": runtime.new_id("g"),
        "seed": runtime.entropy(32),
        "log_format": events.FORMAT,
        "created_at": runtime.now(),
    }
    db.session.execute(insert(Game).values(game))
    return str(game["id"])


def settled_columns(wish: Json) -> Json:
    """The columns of the game that follow from the opener's wishes. Raises what `open_table` does."""
    try:
        ruleset = rules.load(wish["ruleset"])
    except LookupError:
        raise UnknownRuleset(may=list(rules.slugs())) from None
    players = wish.get("players") or ruleset.players[0]
    if players not in ruleset.players or wish["house"] >= players:
        raise InvalidPlayers(may=list(ruleset.players))
    try:
        options = ruleset.settle(players, wish["options"])
    except Invalid as invalid:
        raise InvalidOptions(ruleset=ruleset, players=players, wrong=invalid.wrong) from None
    if ruleset.live(players, options):  # the service sends no events of an outside clock
        raise InvalidOptions(ruleset=ruleset, players=players, wrong=None)
    named = {name: wish[name] for name in ("private", "seating", "start", "takeover", "level")}
    return {
        **named,
        "pace": paces.stored(paces.chosen(wish.get("pace"))),
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "players": players,
        "options": options,
    }


def sit(
    runtime: Runtime,
    config: Config,
    game_id: str,
    player_id: str,
    *,
    nonce: str | None = None,
    key: str | None = None,
) -> Table:
    """Sit down; the `key` of a mailed invitation is used up.

    Raises NotFound, NotOpen, AlreadySeated, NotAdmitted, NameTaken, TableFull, TooManyNonces.
    """
    with transaction():
        table = open_for_changes(game_id)
        private_tables.refuse_strangers(table, player_id, key, config.secret_key)
        invitation = private_tables.invitation_of(key, config.secret_key)
        _admit(table, player_id, invitation)
        if invitation is not None:
            address = invitation_queries.delete_used(runtime.now(), table.game.key, invitation)
            if address is not None:
                proven_addresses.note(player_id, address)
        return take_seat(runtime, table, player_id, nonce)


def add_house_player(runtime: Runtime, game_id: str, player_id: str, level: str | None) -> Table:
    """Add a house player as the host, of the table's level if none is named.

    Raises NotFound, NotOpen, TableFull, NotHost.
    """
    with transaction():
        table = open_for_changes(game_id)
        host_only(table, player_id)
        return seat_house_player(runtime, table, level or table.game.level)


def _admit(table: Table, player_id: str, invitation: str | None) -> None:
    """Raises AlreadySeated, NotAdmitted, TableFull."""
    if table.person(player_id):
        raise AlreadySeated
    blocks.refuse_blocked(table, player_id)
    removals.refuse_removed(table, player_id, invitation)
    refuse_if_kept(table, player_id)


def refuse_if_kept(table: Table, player_id: str) -> None:
    """Raises TableFull if every free place is kept for somebody else."""
    kept = invitation_queries.kept_places([table.game.key], player_id)
    if kept.get(table.game.key, 0) >= table.free:
        raise TableFull


def take_seat(runtime: Runtime, table: Table, player_id: str, nonce: str | None) -> Table:
    """Seat a player; if that fills the table, the game may start. Raises TableFull, NameTaken, TooManyNonces."""
    if table.full:
        raise TableFull
    if nonce is not None:
        nonces.refuse_too_many(table, kept=True)
    names.refuse_taken(table, player_id, players.get(player_id).name)
    prevent_erasure(player_id)
    invitation_queries.delete_of_seated(table.game.key, player_id)
    return _sit_down(runtime, table, {"player_id": player_id, "nonce": nonce})


def seat_house_player(runtime: Runtime, table: Table, level: str) -> Table:
    """Seat a house player; if that fills the table, the game may start. Raises TableFull."""
    if table.full:
        raise TableFull
    return _sit_down(runtime, table, house_players.columns_of_newcomer(table, level))


def _sit_down(runtime: Runtime, table: Table, who: Json) -> Table:
    tenure = {
        **who,
        "id": runtime.new_id("t"),
        "game_key": table.game.key,
        "place": next_place(table.game.key),
        "sat_at": runtime.now(),
    }
    db.session.execute(insert(Tenure).values(tenure))
    return begin_if_ready(runtime, find(table.game.id))


def begin_if_ready(runtime: Runtime, table: Table) -> Table:
    """Begin the game if the table starts by itself, is full and waits for no nonce; otherwise raise its revision."""
    starting = table.full and table.game.start == "full"
    if starting and not nonces.is_awaited(table):
        return begin(runtime, table)
    latest = table.game.starts_at or runtime.now() + nonces.LONGEST_WAIT
    return show_change(runtime, table, starts_at=latest if starting else None)


def bring_nonce(runtime: Runtime, game_id: str, player_id: str, nonce: str) -> Table:
    """Bring a nonce for the shuffles before the start; the same one again changes nothing.

    Raises NotFound, NotSeated, NotOpen, OtherNonce, TooManyNonces.
    """
    with transaction():
        table = find(game_id, lock=True)
        person = table.seated(player_id)
        if person.nonce == nonce:
            return table
        if table.game.status != "open":
            raise NotOpen
        nonces.bring(table, person, nonce)
        return begin_if_ready(runtime, find(game_id))


def leave(runtime: Runtime, game_id: str, player_id: str, tenure_id: str) -> None:
    """Leave or, as the host, remove somebody before the start; without people the table is deleted.

    Raises NotFound, NotOpen, NotHost.
    """
    with transaction():
        table = open_for_changes(game_id)
        leaving = next((each for each in table.people if each.tenure == tenure_id), None)
        if leaving is None:
            raise NotFound
        is_removed = leaving.player_id != player_id
        if is_removed:
            host_only(table, player_id)
            announcements.person_removed(runtime, table, leaving)
            private_tables.end_keys(runtime.now(), [table.game.key])
            if leaving.player_id:
                invitation_queries.delete_of_removed(
                    runtime.now(), table.game.key, leaving.player_id
                )
        why = removals.REMOVED if is_removed else None
        ended = update(Tenure).where(Tenure.id == tenure_id)
        db.session.execute(ended.values(ended_at=runtime.now(), why=why))
        table = show_change(runtime, table, starts_at=None)
        if is_removed:
            changes.note("removed", at_table(runtime, table), [leaving])
        if not any(each.player_id for each in table.people if each is not leaving):
            delete_table(runtime, table)


def change_key(runtime: Runtime, game_id: str, player_id: str) -> Table:
    """Change the invitation key of a private table as its host. Raises NotFound, NotHost, NotPossible."""
    with transaction():
        table = find(game_id, lock=True)
        host_only(table, player_id)
        if not table.game.private:
            raise NotPossible("not-private")
        private_tables.end_keys(runtime.now(), [table.game.key])
        return find(game_id)


def delete_table(runtime: Runtime, table: Table) -> None:
    """Delete a table whose game never started."""
    invitation_queries.delete_of_game(runtime.now(), table.game.key)
    db.session.execute(delete(Tenure).where(Tenure.game_key == table.game.key))
    db.session.execute(delete(Game).where(Game.key == table.game.key))


def start(
    runtime: Runtime,
    game_id: str,
    player_id: str,
    *,
    house: bool,
    level: str | None,
    nonce: str | None,
) -> Table:
    """Start the game, with a nonce of the host; with `house`, house players take the free places.

    They are of the table's level if no `level` is named.

    Raises NotFound, NotOpen, NotHost, NotFull, OtherNonce, TooManyNonces.
    """
    with transaction():
        table = open_for_changes(game_id)
        host_only(table, player_id)
        if not table.full and not house:
            raise NotFull
        if nonce is not None:
            nonces.bring(table, table.seated(player_id), nonce)
            table = find(game_id)
        for _ in range(table.free):
            table = seat_house_player(runtime, table, level or table.game.level)
        return begin(runtime, table) if table.game.status == "open" else table


def starting_tables(now: Moment) -> Select[str]:
    """The query for the ids of full tables that have waited long enough for their opener's nonce."""
    waiting = select(Game.id).where(Game.status == "open", Game.starts_at <= now)
    return waiting.order_by(Game.starts_at)


def start_if_due(runtime: Runtime, game_id: str) -> bool:
    """Start a game whose table has waited long enough; returns False if it has started, or is not full any more."""
    with transaction():
        table = still_open(game_id)
        if table is None or table.game.starts_at is None or table.game.starts_at > runtime.now():
            return False
        begin(runtime, table)
        return True


def begin(runtime: Runtime, table: Table) -> Table:
    """Seat the players, log the start and the shuffles that it leads to. The caller owns lock and commit."""
    seats = seating(table)
    for seat, tenure_id in enumerate(seats):
        taken = update(Tenure).where(Tenure.id == tenure_id)
        db.session.execute(taken.values(seat=seat, began=1))
    house = {person.tenure: person.player_id is None for person in table.people}
    now = runtime.now()
    wait = arithmetic.start(pace_of(table.game), now)._asdict()
    new: Json = {"game_key": table.game.key, "asked": 1, "waiting": False, **wait}
    rows = [
        {**new, "seat": seat, "tenure_id": tenure, "house": house[tenure]}
        for seat, tenure in enumerate(seats)
    ]
    db.session.execute(insert(Seat), rows)
    invitation_queries.delete_of_game(now, table.game.key)
    table = find(table.game.id)
    announcements.vacations_at_table(runtime, table)
    state = table.ruleset.initial(table.game.players, table.game.options)
    effects = follow(table, state, start_event(table, seats), [1] * table.game.players)
    begun = {"status": "running", "started_at": now, "starts_at": None, "nonces": table.nonces}
    return record(runtime, table, effects, **begun)


def seating(table: Table) -> list[str]:
    """The tenure ids by seat: in the order of sitting down, or shuffled."""
    sat = [person.tenure for person in table.sat]
    return sat if table.game.seating == "order" else table.shuffler.seats(sat)


def start_event(table: Table, seats: list[str]) -> Start:
    """Event 1 (docs/record.md)."""
    game = table.game
    return Start(
        kind="start",
        format=events.FORMAT,
        game=game.id,
        ruleset=game.ruleset,
        version=game.version,
        players=len(seats),
        options=game.options,
        seating=game.seating,
        sat=[person.tenure for person in table.sat],
        seats=seats,
        house=[person.is_house for person in table.holders],
        nonces=table.nonces,
        commitment=table.commitment,
    )


def open_for_changes(game_id: str) -> Table:
    """The locked table of a game that has not started. Raises NotFound, NotOpen."""
    table = find(game_id, lock=True)
    if table.game.status != "open":
        raise NotOpen
    return table


def still_open(game_id: str) -> Table | None:
    """The same for a game that was seen before without a lock: None if it has started since, or is gone."""
    try:
        return open_for_changes(game_id)
    except (NotFound, NotOpen):
        return None


def host_only(table: Table, player_id: str) -> None:
    """Raises NotHost for anybody but the host."""
    if table.host is None or table.host.player_id != player_id:
        raise NotHost


def show_change(runtime: Runtime, table: Table, starts_at: int | None) -> Table:
    """Raise the revision of a locked table before the start, and set when it starts by itself."""
    values: Json = {"revision": table.game.revision + 1, "starts_at": starts_at}
    db.session.execute(update(Game).where(Game.key == table.game.key).values(values))
    table = replace(table, game=table.game._replace(**values))
    changes.note("table", at_table(runtime, table), table.people)
    return table
