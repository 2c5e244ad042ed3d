"""Tables before the game: open one, sit down, add house players, start."""

from __future__ import annotations

from sqlalchemy import Select, insert, or_, select, update

import rules
from rules.kernel import Invalid, Json
from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import Moment, db, transaction
from service.core.models.games import Game, Seat, Tenure
from service.core.models.people import Player
from service.core.runtime import problems
from service.core.runtime.nearest import nearest
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import HOUR
from service.log import events
from service.log.events import Start
from service.log.table_rows import invitation_queries, private_tables, removals
from service.log.table_rows.table import Table, find, is_host, raise_revision
from service.outbox.causes import announcements
from service.people import blocks, names, players
from service.people.accounts import proven_addresses
from service.tables.before_start import nonces
from service.tables.clocks import arithmetic, paces
from service.tables.play import house_players
from service.tables.play.moves import follow, record
from service.tables.play.service_events import insert_tenure
from service.tables.services import Services

MOST_OPEN = 10
"""Tables that a person has opened, or is the host of, and that have not started."""

AT_A_TABLE = Limit("sitting down at a table", 10, HOUR)
"""How often a player sits down at one table: who sits there is told each time, and each time is kept …"""
AT_TABLES = Limit("sitting down", 240, HOUR)
"""… and at all tables."""
HOUSE_AT_A_TABLE = Limit("house players at a table", 60, HOUR)


def open_table(runtime: Runtime, player_id: str, wish: Json) -> Table:
    """Open a table as `wish` says; the opener sits down, then `wish["house"]` house players.

    A table that starts by itself waits for the opener's nonce, unless `wish["nonce"]` is None.
    Raises UnknownRuleset, InvalidPlayers, InvalidOptions, TooManyTables.
    """
    values = settled_columns(wish) | {"awaits_nonce": "nonce" not in wish}
    with transaction():
        table = insert_game(runtime, player_id, values)
        for _ in range(wish["house"]):
            table = seat_house_player(runtime, table, wish["level"])
        return table


def insert_game(runtime: Runtime, player_id: str, values: Json) -> Table:
    """Insert a table, at which its opener sits down. The caller owns the commit. Raises TooManyTables."""
    game: Json = {
        **values,
        "opener_rank": _next_rank(player_id),
        "id": runtime.new_id("g"),
        "seed": runtime.entropy(32),
        "log_format": events.FORMAT,
        "created_at": runtime.now(),
    }
    db.session.execute(insert(Game).values(game))
    return take_seat(runtime, find(game["id"]), player_id, None)


def _next_rank(player_id: str) -> int:
    """The rank of another table of this player in the lobby, the lowest that is free. The caller owns the commit.

    Raises TooManyTables.
    """
    own_row = select(Player.id).where(Player.id == player_id)
    db.session.execute(own_row.with_for_update(key_share=True))  # one new table at a time
    own = (Tenure.player_id == player_id) & or_(Tenure.place == 1, is_host())
    query = select(Game.opener_rank).join(Tenure, Tenure.game_key == Game.key)
    ranks = db.session.scalars(query.where(Game.status == "open", own)).all()
    if len(ranks) >= MOST_OPEN:
        raise problems.TooManyTables
    return min(set(range(MOST_OPEN)).difference(ranks))


def settled_columns(wish: Json) -> Json:
    """The columns of the game that follow from the opener's wishes. Raises what `open_table` does."""
    try:
        ruleset = rules.load(wish["ruleset"])
    except LookupError:
        slugs = list(rules.slugs())
        alike = nearest(wish["ruleset"], slugs)
        raise problems.UnknownRuleset(may=slugs, nearest=alike) from None
    players = wish.get("players") or ruleset.players[0]
    if players not in ruleset.players or wish["house"] >= players:
        raise problems.InvalidPlayers(may=list(ruleset.players))
    about: Json = {"ruleset": ruleset, "players": players}
    try:
        options = ruleset.settle(players, wish["options"])
    except Invalid as invalid:
        raise problems.InvalidOptions(**about, wrong=invalid.wrong) from None
    if ruleset.live(players, options):  # the service sends no events of an outside clock
        raise problems.InvalidOptions(**about, wrong=None)
    return {
        **{name: wish[name] for name in ("private", "seating", "start", "takeover", "level")},
        "pace": paces.stored(paces.chosen(wish.get("pace"))),
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "players": players,
        "options": options,
    }


def sit(services: Services, game_id: str, player_id: str, wish: Json) -> Table:
    """Sit down, with `wish["nonce"]` and `wish["key"]`, if they are there; the key of a mailed invitation is used up.

    `wish["anyway"]`: also beside somebody from whom a block keeps them apart.
    Raises NotFound, NotOpen, AlreadySeated, NotAdmitted, KeptApart, NameTaken, TableFull, TooManyNonces,
    TooManyRequests.
    """
    secret, key = services.config.secret_key, wish.get("key")
    with transaction():
        table = open_for_changes(game_id)
        private_tables.refuse_strangers(table, player_id, key, secret)
        if table.person(player_id):
            raise problems.AlreadySeated
        count_sitting(services, game_id, player_id)
        invitation = private_tables.invitation_of(key, secret)
        admit(table, player_id, invitation, anyway=wish.get("anyway", False))
        if invitation is not None:
            address = invitation_queries.delete_used(services.now(), table.game.key, invitation)
            if address is not None:
                proven_addresses.note(player_id, address)
        return take_seat(services, table, player_id, wish.get("nonce"))


def count_sitting(services: Services, game_id: str, player_id: str) -> None:
    """A player is about to sit down. The caller owns the commit. Raises TooManyRequests."""
    once = Attempt(AT_A_TABLE, f"{player_id} {game_id}")
    attempts = [once, Attempt(AT_TABLES, player_id)]
    attempt_counts.count_within(services, services.config.secret_key, attempts)


def add_house_player(services: Services, game_id: str, player_id: str, level: str | None) -> Table:
    """Add a house player as the host, of the table's level if none is named.

    Raises NotFound, NotOpen, TableFull, NotHost, TooManyRequests.
    """
    with transaction():
        table = open_for_changes(game_id)
        host_only(table, player_id)
        once = Attempt(HOUSE_AT_A_TABLE, game_id)
        attempt_counts.count_within(services, services.config.secret_key, [once])
        return seat_house_player(services, table, level or table.game.level)


def admit(
    table: Table, player_id: str, invitation: str | None = None, *, anyway: bool = False
) -> None:
    """Raises NotAdmitted, TableFull if every free place is kept for somebody else, or KeptApart unless `anyway`."""
    blocks.refuse_blocked(table, player_id)
    removals.refuse_removed(table, player_id, invitation)
    kept = invitation_queries.kept_places([table.game.key], player_id)
    if kept.get(table.game.key, 0) >= table.free:
        raise problems.TableFull
    if not anyway:
        blocks.refuse_beside(table, player_id)


def take_seat(runtime: Runtime, table: Table, player_id: str, nonce: str | None) -> Table:
    """Seat a player; if that fills the table, the game may start. Raises TableFull, NameTaken, TooManyNonces."""
    if table.full:
        raise problems.TableFull
    if nonce is not None:
        nonces.refuse_too_many(table, kept=True)
    names.refuse_taken(table, player_id, players.get(player_id).name)
    players.prevent_erasure(player_id)
    invitation_queries.delete_of_seated(table.game.key, player_id)
    return _sit_down(runtime, table, {"player_id": player_id, "nonce": nonce})


def seat_house_player(runtime: Runtime, table: Table, level: str) -> Table:
    """Seat a house player; if that fills the table, the game may start. Raises TableFull."""
    if table.full:
        raise problems.TableFull
    return _sit_down(runtime, table, house_players.columns_of_newcomer(table, level))


def _sit_down(runtime: Runtime, table: Table, who: Json) -> Table:
    insert_tenure(runtime, table, who)
    return begin_if_ready(runtime, find(table.game.id))


def begin_if_ready(runtime: Runtime, table: Table) -> Table:
    """Begin the game if the table starts by itself, is full and waits for no nonce; otherwise raise its revision."""
    starting = table.full and table.game.start == "full"
    if starting and not nonces.is_awaited(table):
        return begin(runtime, table)
    latest = table.game.starts_at or runtime.now() + nonces.LONGEST_WAIT
    raise_revision(runtime, table, starts_at=latest if starting else None)
    return find(table.game.id)


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
            raise problems.NotOpen
        nonces.bring(table, person, nonce)
        return begin_if_ready(runtime, find(game_id))


def change_key(runtime: Runtime, game_id: str, player_id: str) -> Table:
    """Change the invitation key of a private table as its host. Raises NotFound, NotHost, NotPossible."""
    with transaction():
        table = find(game_id, lock=True)
        host_only(table, player_id)
        if table.game.lesson is not None:
            raise problems.NotPossible("lesson")
        if not table.game.private:
            raise problems.NotPossible("not-private")
        private_tables.end_keys(runtime.now(), [table.game.key])
        return find(game_id)


def start(runtime: Runtime, game_id: str, player_id: str, wish: Json) -> Table:
    """Start the game as its host, who brings `wish["nonce"]`, if it is there.

    With `wish["house"]`, house players take the free places, of the table's level if there is no `wish["level"]`.

    Raises NotFound, NotOpen, NotHost, NotFull, OtherNonce, TooManyNonces.
    """
    with transaction():
        table = open_for_changes(game_id)
        host_only(table, player_id)
        if not table.full and not wish["house"]:
            raise problems.NotFull
        if wish.get("nonce") is not None:
            nonces.bring(table, table.seated(player_id), wish["nonce"])
            table = find(game_id)
        for _ in range(table.free):
            table = seat_house_player(runtime, table, wish.get("level") or table.game.level)
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
    sat = [person.tenure for person in table.sat]
    seats = sat if table.game.seating == "order" else table.shuffler.seats(sat)
    for seat, tenure_id in enumerate(seats):
        taken = update(Tenure).where(Tenure.id == tenure_id)
        db.session.execute(taken.values(seat=seat, began=1))
    house = {person.tenure: person.player_id is None for person in table.people}
    now = runtime.now()
    wait = arithmetic.start(paces.loaded(table.game.pace), now)._asdict()
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
    return record(runtime, table, effects, **begun, log_format=table.game.log_format)


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
        raise problems.NotOpen
    return table


def still_open(game_id: str) -> Table | None:
    """The same for a game that was seen before without a lock: None if it has started since, or is gone."""
    try:
        return open_for_changes(game_id)
    except (problems.NotFound, problems.NotOpen):
        return None


def host_only(table: Table, player_id: str) -> None:
    """Raises NotHost for anybody but the host."""
    if table.host is None or table.host.player_id != player_id:
        raise problems.NotHost
