"""The effects of time at a table.

A seat times out, an outside clock runs out, a pause ends, a deserted game is closed.
"""

from __future__ import annotations

from sqlalchemy import Select, and_, or_, select

from service.core.counts import prometheus
from service.core.database.database import Moment, transaction
from service.core.models.games import Game, Seat
from service.core.runtime.units import DAY, SECOND
from service.log import events
from service.log.table_rows.table import GameRow, Holder, find
from service.tables.play import outside_clocks, proposals, service_events
from service.tables.play.leaving import give_to_the_house
from service.tables.play.moves import answer, follow, record
from service.tables.services import Services

ANSWERED_FIRST = 5 * SECOND
"""How long (ms) after a deadline the service may still give its answer for a seat, after a short outage."""
DESERTED_AFTER = 14 * DAY
"""How long (ms) a game may continue without a person at the table before it is closed."""

_game, _seat = Game.__table__, Seat.__table__
_RUNNING = and_(Game.status != "open", Game.status != "over")
"""The condition for running games, worded so that SQLite searches an index of late games, and not all games with a
status.
"""


def late_seats(now: Moment) -> Select[*tuple[object, ...]]:
    """The query for the seats that are out of time, the latest deadline first: the `id` of the game, and the `seat`."""
    return (
        select(_game.c.id, _seat.c.seat)
        .join(_game, _game.c.key == _seat.c.game_key)
        .where(_seat.c.due <= now, _seat.c.waiting)
        .where(or_(_seat.c.acts_at.is_(None), _seat.c.due <= now - ANSWERED_FIRST))
        .where(_RUNNING, _game.c.paused_at.is_(None))
        .order_by(_seat.c.due)
    )


def paused(now: Moment) -> Select[str]:
    """The query for the ids of games whose pause is over."""
    return select(Game.id).where(_RUNNING, Game.paused_until <= now)


def deserted(now: Moment) -> Select[str]:
    """The query for the ids of games that have been without a person for a long time."""
    return select(Game.id).where(_RUNNING, Game.unattended_at <= now - DESERTED_AFTER)


def time_out_seat(services: Services, game_id: str, seat: int) -> bool:
    """Play the fallback for a seat out of time; returns False if it has answered or its deadline has moved."""
    with transaction():
        table = find(game_id, lock=True)
        holder = table.holders[seat]
        if not overdue(table.game, holder, services.now()):
            return False
        state = services.states.load(table.game)
        action = table.ruleset.fallback(state, seat)
        played = answer(services, table, state, holder, action, by="timeout")
        table = played.table
        if table.game.status == "running" and 0 < table.game.takeover <= holder.misses + 1:
            table = give_to_the_house(services, table, seat, "timeouts")
    services.states.put(table.game, played.state)
    prometheus.move("timeout")
    return True


def clocks_run_out(now: Moment) -> Select[str]:
    """The query for the ids of games whose outside clock has run out, the earliest first."""
    return select(Game.id).where(_RUNNING, Game.clock_due <= now).order_by(Game.clock_due)


def run_out_clock(services: Services, game_id: str) -> bool:
    """Tell the rules that the outside clock has run out; returns False if it has not, or if the game is over."""
    with transaction():
        table = find(game_id, lock=True)
        if table.game.is_over or not outside_clocks.has_run_out(table, services.now()):
            return False
        state = services.states.load(table.game)
        name = table.ruleset.turn(state).clock
        assert name is not None, "it runs as long as the rules ask for it"
        asked = [each.asked for each in table.holders]
        effects = follow(table, state, events.clock(name), asked)
        table = record(services, table, effects)
    services.states.put(table.game, effects.state)
    return True


def overdue(game: GameRow, holder: Holder, now: int) -> bool:
    """Whether this seat is out of time."""
    running = game.status == "running" and game.paused_at is None
    return running and holder.waiting and holder.due is not None and holder.due <= now


def close_deserted(services: Services, game_id: str) -> bool:
    """Close a game that has been without a person for a long time; returns whether it was closed."""
    with transaction():
        table = find(game_id, lock=True)
        since, latest = table.game.unattended_at, services.now() - DESERTED_AFTER
        if table.game.status != "running" or since is None or since > latest:
            return False
        service_events.close(services, table, "abandoned")
        return True


def end_pause(services: Services, game_id: str) -> bool:
    """End a pause that has lasted as long as agreed; returns whether it was ended."""
    with transaction():
        table = find(game_id, lock=True)
        until = table.game.paused_until
        if table.game.status != "running" or until is None or until > services.now():
            return False
        proposals.reconsider(services, service_events.resume(services, table))
        return True
