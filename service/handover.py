"""What happens to a game outside the rules: a seat changes hands, the table pauses, agrees on time, or closes.

Each is an event of the log that the rules do not see. The caller owns the lock on the game's row and the commit. A
seat belongs to a tenure, which is looked up at every use: with the handover everything that the old holder could do
ends, and mails to that tenure which have not left yet are called back.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, insert, select, update

from rules.kernel import Json
from service import notices, outbox, reminders, waits
from service.database import db
from service.log import States
from service.models import Player, Seat, Tenure
from service.models_mail import Outbox
from service.outside import Outside
from service.play import Course, record
from service.table import Table, find

REASONS = ("resigned", "timeouts", "returned", "substitute", "left")
"""Why a seat changes hands."""
CLOSINGS = ("resigned", "agreed", "abandoned", "removed")
"""Why a game is closed."""


def log_event(outside: Outside, states: States, table: Table, event: Json, **more: Any) -> Table:
    """Append an event that the rules do not see; `more` are further values of the game's row."""
    state = states.load(db.session, table.game)
    course = Course([event], state, [person.asked for person in table.people])
    return record(outside, table, course, **more)


def hand_over(
    outside: Outside, states: States, table: Table, seat: int, player_id: str | None, why: str
) -> Table:
    """Let somebody else have the seat; `player_id` None: a house player."""
    before = next(person for person in table.people if person.seat == seat)
    number, now = table.game.number + 1, outside.now()
    ended = {"ended_at": now, "ended": number, "why": why, "result": "left"}
    db.session.execute(update(Tenure).where(Tenure.id == before.tenure).values(ended))
    outbox.cancel(outside, Outbox.tenure_id == before.tenure)
    tenure_id = _new_tenure(outside, table, seat, player_id, number)
    of = update(Seat).where(Seat.game_key == table.game.key, Seat.seat == seat)
    db.session.execute(of.values(tenure_id=tenure_id, house=player_id is None, misses=0))
    waits.taken(table.game, before, why, now, player_id and _player(player_id))
    event = {
        "kind": "handover",
        "seat": seat,
        "from": before.tenure,
        "to": tenure_id,
        "house": player_id is None,
        "why": why,
    }
    table = find(table.game.id)
    people = any(person.player_id for person in table.people)
    unattended = None if people else table.game.unattended_at or now
    if player_id:
        notices.away_here(outside, table)
    return log_event(outside, states, table, event, unattended_at=unattended)


def _new_tenure(
    outside: Outside, table: Table, seat: int, player_id: str | None, number: int
) -> str:
    last = select(func.max(Tenure.place)).where(Tenure.game_key == table.game.key)
    tenure = {
        "id": outside.new_id("t"),
        "game_key": table.game.key,
        "player_id": player_id,
        "place": (db.session.scalar(last) or 0) + 1,
        "seat": seat,
        "sat_at": outside.now(),
        "began": number,
    }
    db.session.execute(insert(Tenure).values(tenure))
    return str(tenure["id"])


def _player(player_id: str) -> Any:
    return db.session.execute(select(Player.__table__).where(Player.id == player_id)).one()


def close(
    outside: Outside,
    states: States,
    table: Table,
    why: str,
    winners: tuple[int, ...] = (),
    seat: int | None = None,
) -> Table:
    """End the game outside the rules; `seat` is whose doing it is, if it is one's."""
    event = {"kind": "close", "why": why, "winners": list(winners), "seat": seat}
    result = {"winners": list(winners), "scores": [None] * table.game.players, "reason": why}
    state = states.load(db.session, table.game)
    course = Course([event], state, [person.asked for person in table.people], result)
    return record(outside, table, course, **_GOING_ON, unattended_at=None)


_GOING_ON: Json = {"paused_at": None, "paused_until": None}


def pause(outside: Outside, states: States, table: Table, ms: int) -> Table:
    """All clocks of the table stand, for at most so long."""
    now = outside.now()
    reminders.call_back(outside, table.game.key)
    span = {"paused_at": now, "paused_until": now + ms}
    return log_event(outside, states, table, {"kind": "pause"}, **span)


def resume(outside: Outside, states: States, table: Table) -> Table:
    """The clocks go on."""
    waits.resume(table.game, outside.now())
    table = find(table.game.id)
    table = log_event(outside, states, table, {"kind": "resume"}, **_GOING_ON)
    reminders.plan(outside, {(table.game.key, person.seat) for person in table.people})
    return table


def extend(outside: Outside, states: States, table: Table, seat: int, seconds: int) -> Table:
    """Give a seat more time."""
    person = next(person for person in table.people if person.seat == seat)
    waits.extend(table.game, person, seconds * 1000, outside.now())
    event = {"kind": "extend", "seat": seat, "seconds": seconds}
    return log_event(outside, states, find(table.game.id), event)
