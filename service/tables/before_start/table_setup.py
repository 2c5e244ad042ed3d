"""Tables before the game: opening a table, sitting down, adding house players, starting."""

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
from service.core.runtime.units import HOUR, MINUTE
from service.log import events
from service.log.events import Start
from service.log.table_rows import deleted_games, invitation_queries, private_tables, removals
from service.log.table_rows.table import Table, find, is_host, raise_revision
from service.outbox.causes import announcements
from service.people import names, players
from service.people.accounts import accounts, proven_addresses
from service.people.circles import blocks, circles
from service.tables.before_start import live_wishes, nonces
from service.tables.clocks import arithmetic, paces
from service.tables.clocks.arithmetic import NONE
from service.tables.play import house_players
from service.tables.play.moves import follow, record
from service.tables.play.service_events import insert_tenure
from service.tables.services import Services

MOST_OPEN = 10
"""The most tables that have not started and that one person has opened or hosts."""

AT_A_TABLE = Limit("sitting down at a table", 10, HOUR)
"""How often a player can sit down at one table. There is a limit because its people are told each time, and each time
is stored.
"""
AT_TABLES = Limit("sitting down", 240, HOUR)
"""How often a player can sit down at all tables together."""
READY_WITHIN = MINUTE
"""How long (ms) everybody at a full table that is played live has to confirm that they are there."""
HOUSE_AT_A_TABLE = Limit("house players at a table", 60, HOUR)


def open_table(
    runtime: Runtime, player_id: str, wish: Json, *, circle_key: int | None = None
) -> Table:
    """Open a table as `wish` says, in a circle if there is a `circle_key`.

    The opener sits down, then `wish["house"]` house players; the table is returned. A table that starts automatically
    waits for the opener's nonce, unless `wish["nonce"]` is None. Raises UnknownRuleset, InvalidPlayers, InvalidOptions,
    InvalidRest, TooManyTables, and NotFound for a stranger to the circle.
    """
    values = settled_columns(wish) | {"awaits_nonce": "nonce" not in wish}
    values |= {"rated": is_rated(player_id, wish), "circle_key": circle_key}
    with transaction():
        if circle_key is not None and not circles.is_member(circle_key, player_id):
            raise problems.NotFound
        table = insert_game(runtime, player_id, values)
        for _ in range(wish["house"]):
            table = seat_house_player(runtime, table, wish["level"])
        return table


def is_rated(player_id: str, wish: Json) -> bool:
    """Whether a table counts for ratings: as its opener wishes, by default if it is public, and never if a guest opens
    it.
    """
    wished: bool = wish.get("rated", not wish["private"])
    return wished and accounts.find(player_id) is not None


def insert_game(runtime: Runtime, player_id: str, values: Json) -> Table:
    """Insert a table at which its opener sits down, and return it. The caller owns the commit. Raises TooManyTables."""
    table = insert_empty(runtime, {**values, "opener_rank": _next_rank(player_id)})
    return take_seat(runtime, table, player_id, None)


def insert_empty(runtime: Runtime, values: Json) -> Table:
    """Insert a table at which nobody sits, and return it. The caller owns the commit."""
    game: Json = {
        **values,
        "id": runtime.new_id("g"),
        "seed": runtime.entropy(32),
        "log_format": events.FORMAT,
        "created_at": runtime.now(),
    }
    db.session.execute(insert(Game).values(game))
    return find(game["id"])


def _next_rank(player_id: str) -> int:
    """The lowest rank in the lobby that this player's other open tables do not have. The caller owns the commit.

    Raises TooManyTables.
    """
    own_row = select(Player.id).where(Player.id == player_id)
    db.session.execute(own_row.with_for_update(key_share=True))  # only one new table at a time
    own = (Tenure.player_id == player_id) & or_(Tenure.place == 1, is_host())
    query = select(Game.opener_rank).join(Tenure, Tenure.game_key == Game.key)
    ranks = db.session.scalars(query.where(Game.status == "open", own)).all()
    if len(ranks) >= MOST_OPEN:
        raise problems.TooManyTables
    return min(set(range(MOST_OPEN)).difference(ranks))


def settled_columns(wish: Json) -> Json:
    """The columns of a game that follow from the opener's wishes. Raises UnknownRuleset, InvalidPlayers,
    InvalidOptions, InvalidRest.
    """
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
    live = ruleset.live(players, options)
    if live and (wish["house"] or wish.get("rest") or wish.get("pace") not in (None, NONE.kind)):
        raise problems.InvalidOptions(
            **about, wrong=None
        )  # a live game is for people, and has its own clock
    pace = paces.chosen(wish.get("pace"))
    return {
        **{name: wish[name] for name in ("private", "seating", "start", "takeover", "level")},
        "pace": paces.stored(pace),
        "rest": paces.chosen_rest(wish.get("rest"), pace),
        "live": live,
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "players": players,
        "options": options,
    }


def sit(services: Services, game_id: str, player_id: str, wish: Json) -> Table:
    """Sit down, with `wish["nonce"]` and `wish["key"]` if they are given, and return the table; the key of a mailed
    invitation is used up.

    With `wish["anyway"]`, the player sits down in spite of a block. Raises NotFound, NotOpen, AlreadySeated,
    NotAdmitted, KeptApart, NameTaken, TableFull, TooManyNonces, TooManyRequests.
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
    """Count that a player sits down at this table. The caller owns the commit. Raises TooManyRequests."""
    once = Attempt(AT_A_TABLE, f"{player_id} {game_id}")
    attempts = [once, Attempt(AT_TABLES, player_id)]
    attempt_counts.count_within(services, services.config.secret_key, attempts)


def add_house_player(services: Services, game_id: str, player_id: str, level: str | None) -> Table:
    """Add a house player as the host, and return the table; the level is that of the table unless `level` is given.

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
    """Check that a player may sit down. Raises NotAdmitted, TableFull if every free place is kept for somebody else,
    and KeptApart unless `anyway`.
    """
    blocks.refuse_blocked(table, player_id)
    removals.refuse_removed(table, player_id, invitation)
    kept = invitation_queries.kept_places([table.game.key], player_id)
    if kept.get(table.game.key, 0) >= table.free:
        raise problems.TableFull
    if not anyway:
        blocks.refuse_beside(table, player_id)


def take_seat(runtime: Runtime, table: Table, player_id: str, nonce: str | None) -> Table:
    """Seat a player, and return the table; if that fills it, the game may start. Raises TableFull, NameTaken,
    TooManyNonces.
    """
    if table.full:
        raise problems.TableFull
    if nonce is not None:
        nonces.refuse_too_many(table, kept=True)
    names.refuse_taken(table, player_id, players.get(player_id).name)
    players.prevent_erasure(player_id)
    invitation_queries.delete_of_seated(table.game.key, player_id)
    return _sit_down(runtime, table, {"player_id": player_id, "nonce": nonce})


def seat_house_player(runtime: Runtime, table: Table, level: str) -> Table:
    """Seat a house player, and return the table; if that fills it, the game may start. Raises NotPossible,
    TableFull.
    """
    if table.game.live:
        raise problems.NotPossible("people-only")
    if table.full:
        raise problems.TableFull
    return _sit_down(runtime, table, house_players.columns_of_newcomer(table, level))


def _sit_down(runtime: Runtime, table: Table, who: Json) -> Table:
    insert_tenure(runtime, table, who)
    return begin_if_ready(runtime, find(table.game.id))


def begin_if_ready(runtime: Runtime, table: Table) -> Table:
    """Begin the game if the table starts automatically, is full and waits for no nonce; otherwise only raise its
    revision. Returns the table.
    """
    if table.game.live:
        until = runtime.now() + READY_WITHIN if table.full else None
        raise_revision(runtime, table, ready_until=until)
        live_wishes.tell(runtime, table, admit)
        return find(table.game.id)
    starting = table.full and table.game.start == "full"
    if starting and not nonces.is_awaited(table):
        return begin(runtime, table)
    latest = table.game.starts_at or runtime.now() + nonces.LONGEST_WAIT
    raise_revision(runtime, table, starts_at=latest if starting else None)
    return find(table.game.id)


def bring_nonce(runtime: Runtime, game_id: str, player_id: str, nonce: str) -> Table:
    """Add a player's nonce for the shuffles before the start, and return the table; the same nonce again changes
    nothing.

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
    """Change the invitation key of a private table as its host, and return the table. Raises NotFound, NotHost,
    NotPossible.
    """
    with transaction():
        table = find(game_id, lock=True)
        host_only(table, player_id)
        if table.game.alone:
            raise problems.NotPossible(table.game.alone)
        if not table.game.private:
            raise problems.NotPossible("not-private")
        private_tables.end_keys(runtime.now(), [table.game.key])
        return find(game_id)


def start(runtime: Runtime, game_id: str, player_id: str, wish: Json) -> Table:
    """Start the game as its host, with the host's nonce `wish["nonce"]` if it is given, and return the table.

    With `wish["house"]`, house players take the free places, at `wish["level"]` or otherwise the table's level.

    Raises NotFound, NotOpen, NotHost, NotFull, OtherNonce, TooManyNonces.
    """
    with transaction():
        table = open_for_changes(game_id)
        host_only(table, player_id)
        if table.game.live:
            raise problems.NotFull("live")
        if not table.full and not wish["house"]:
            raise problems.NotFull
        if wish.get("nonce") is not None:
            nonces.bring(table, table.seated(player_id), wish["nonce"])
            table = find(game_id)
        for _ in range(table.free):
            table = seat_house_player(runtime, table, wish.get("level") or table.game.level)
        return begin(runtime, table) if table.game.status == "open" else table


def starting_tables(now: Moment) -> Select[str]:
    """The query for the ids of full tables that have waited long enough for their opener's nonce, by the time `now`."""
    waiting = select(Game.id).where(Game.status == "open", Game.starts_at <= now)
    return waiting.order_by(Game.starts_at)


def start_if_due(runtime: Runtime, game_id: str) -> bool:
    """Start a game whose table has waited long enough; returns False if it has started, or is no longer full."""
    with transaction():
        table = still_open(game_id)
        if table is None or table.game.starts_at is None or table.game.starts_at > runtime.now():
            return False
        begin(runtime, table)
        return True


def begin(runtime: Runtime, table: Table) -> Table:
    """Seat the players; log the start and the shuffles that follow from it; return the table. The caller owns the lock
    and the commit.
    """
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
    begun = {"status": "running", "started_at": now, "starts_at": None, "ready_until": None}
    begun["nonces"] = table.nonces
    return record(runtime, table, effects, **begun, log_format=table.game.log_format)


def start_event(table: Table, seats: list[str]) -> Start:
    """Event 1 of the log, which names the players of the seats in order (docs/record.md)."""
    game = table.game
    start = Start(
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
    if game.deal is not None:
        start["deal"] = game.shuffled_as
    return start


def open_for_changes(game_id: str) -> Table:
    """The locked table of a game that has not started. Raises NotFound, NotOpen."""
    table = find(game_id, lock=True)
    if table.game.status != "open":
        raise problems.NotOpen
    return table


def still_open(game_id: str) -> Table | None:
    """The locked table of a game that was found without a lock; None if it has started or been deleted in the
    meantime.
    """
    try:
        return open_for_changes(game_id)
    except (problems.NotFound, problems.NotOpen):
        return None


def host_only(table: Table, player_id: str) -> None:
    """Raise NotHost unless the caller is the host."""
    if table.host is None or table.host.player_id != player_id:
        raise problems.NotHost


def delete_table(runtime: Runtime, table: Table) -> None:
    """Delete a table whose game never started. The caller owns the lock and the commit."""
    deleted_games.delete_unstarted(runtime.now(), table.game.key)
