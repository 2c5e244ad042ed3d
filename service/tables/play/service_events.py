"""Events that the rules do not see: a seat changes hands, or the table pauses, resumes, extends a clock, continues with
a newer version of the rules, or closes.

The caller owns the lock on the game's row and the commit. A seat belongs to a tenure, which is looked up for every use:
a handover ends everything that the former holder could do, and cancels the queued emails to the old tenure.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import insert, update

import rules
from rules.kernel import Json, State
from service.core.database.database import db
from service.core.database.failures import reading
from service.core.models.games import Seat, Tenure
from service.core.models.mail import Outbox
from service.core.models.returns import who_may_return
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND
from service.log import changes, events
from service.log.changes import AtGame
from service.log.event_log import read, refold
from service.log.events import CloseReason, Event, HandoverReason
from service.log.table_rows.table import Table, find, next_place
from service.outbox import queue
from service.outbox.causes import after_move, announcements, reminders
from service.tables.clocks import seat_clocks
from service.tables.play import ended_orders, house_players
from service.tables.play.moves import Effects, record
from service.tables.services import Services


def log_event(
    services: Services, table: Table, event: Event, closed: Json | None = None, **more: object
) -> Table:
    """Append an event that the rules do not see, and return the table. Unless `closed` is None, it is the result with
    which the event ends the game.

    `more` are other columns of the game to set.
    """
    state = services.states.load(table.game)
    asked = [holder.asked for holder in table.holders]
    return record(services, table, Effects([event], state, asked, closed=closed), **more)


def hand_over(
    services: Services,
    table: Table,
    seat: int,
    player_id: str | None,
    why: HandoverReason,
) -> Table:
    """Give the seat to another player, or to a house player (`player_id` is None), and return the table."""
    before = table.holders[seat]
    number, now = table.game.number + 1, services.now()
    former = who_may_return(table.game.key, seat) if player_id else []
    _end_tenure(services, before.tenure, number, why)
    who = {"player_id": player_id} if player_id else house_players.columns_of_newcomer(table)
    tenure_id = insert_tenure(services, table, {**who, "seat": seat, "began": number})
    of = update(Seat).where(Seat.game_key == table.game.key, Seat.seat == seat)
    holds: Json = {"tenure_id": tenure_id, "house": player_id is None, "misses": 0}
    looks = {"acts_from": now, "acts_at": now if player_id else None}
    db.session.execute(of.values(holds | looks))
    table = find(table.game.id)
    seat_clocks.change_holder(table, before, why, now)
    lost = [each for each in former if each.player_id != player_id]
    where = AtGame(table.game.id, table.game.revision + 1, now)
    changes.note("handover", where, [before])
    changes.note_for("handover", where, [each.player_id for each in lost])
    after_move.tell_former_holders(services, table, lost, number)
    event = events.handover(seat, before.tenure, tenure_id, why, house=player_id is None)
    table = find(table.game.id)
    people = any(person.player_id for person in table.people)
    unattended = None if people else table.game.unattended_at or now
    if player_id:
        announcements.vacations_at_table(services, table)
    return log_event(services, table, event, unattended_at=unattended)


def _end_tenure(runtime: Runtime, tenure: str, number: int, why: HandoverReason) -> None:
    """End a tenure with event `number`, and with it the standing orders and unsent emails that belong to it."""
    ended = {"ended_at": runtime.now(), "ended": number, "why": why, "result": "left"}
    db.session.execute(update(Tenure).where(Tenure.id == tenure).values(ended))
    ended_orders.end_with_seat(runtime, tenure, number)
    queue.cancel(runtime, Outbox.tenure_id == tenure)


def insert_tenure(runtime: Runtime, table: Table, who: Json) -> str:
    """Give the next place at a table to somebody whose tenure has the columns `who`; returns the id of the tenure."""
    tenure = {
        **who,
        "id": runtime.new_id("t"),
        "game_key": table.game.key,
        "place": next_place(table.game.key),
        "sat_at": runtime.now(),
    }
    db.session.execute(insert(Tenure).values(tenure))
    return str(tenure["id"])


def close(
    services: Services,
    table: Table,
    why: CloseReason,
    winners: tuple[int, ...] = (),
    seat: int | None = None,
) -> Table:
    """End the game outside the rules, and return the table; `seat` is the one that resigned, if any."""
    event = events.close(why, list(winners), seat)
    result = {"winners": list(winners), "scores": [None] * table.game.players, "reason": why}
    return log_event(services, table, event, result, **_NOT_PAUSED, unattended_at=None)


_NOT_PAUSED: Json = {"paused_at": None, "paused_until": None}


def pause(services: Services, table: Table, ms: int) -> Table:
    """Stop all clocks of the table for at most `ms`, and return the table."""
    now = services.now()
    queue.cancel(services, Outbox.kind == "reminder", Outbox.game_key == table.game.key)
    return log_event(services, table, events.pause(), paused_at=now, paused_until=now + ms)


def resume(services: Services, table: Table) -> Table:
    """Restart the clocks, and return the table."""
    seat_clocks.resume_clocks(table.game, services.now())
    table = find(table.game.id)
    table = log_event(services, table, events.resume(), **_NOT_PAUSED)
    reminders.plan(services, {(table.game.key, holder.seat) for holder in table.holders})
    return table


def change_version(services: Services, table: Table, to: int) -> Table:
    """Continue the game under version `to` of the rules, and return the table. A seat whose question thereby changes
    gets a new one.

    Raises NotLegal.
    """
    game, older, newer = table.game, table.ruleset, rules.load(table.game.ruleset, to)
    options, state = by_version(table, to)
    before, number = services.states.load(game), game.number + 1
    asked = [
        number
        if older.question(before, holder.seat) != newer.question(state, holder.seat)
        else holder.asked
        for holder in table.holders
    ]
    changed: Json = {"version": to, "options": options}
    effects = Effects([events.version(game.version, to)], state, asked)
    table = replace(table, game=game._replace(**changed))
    return record(services, table, effects, **changed)


def by_version(table: Table, to: int) -> tuple[Json, State]:
    """The options and the state of a running game under version `to` of its rules.

    Raises NotLegal, UnreadableLog.
    """
    game = table.game
    with reading(game.id):
        logged = read(game.key, 0, game.number)
    return refold(rules.load(game.ruleset, to), game.players, game.options, logged)


def extend(services: Services, table: Table, seat: int, seconds: int) -> Table:
    """Give a seat extra time, and return the table."""
    seat_clocks.extend_clock(table.game, table.holders[seat], seconds * SECOND, services.now())
    return log_event(services, find(table.game.id), events.extend(seat, seconds))
