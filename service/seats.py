"""Seats over time: resign, come back, and what the worker does about time and about games without people."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import select

from service import consent, handover, outbox
from service.database import db, transaction
from service.log import States
from service.models import Game, Tenure
from service.models_mail import Outbox
from service.outside import Outside
from service.play import answer
from service.problems import NotPossible
from service.table import Table, find


class Held(NamedTuple):
    """The seat that somebody held once."""

    seat: int
    until: int
    """The number of the handover with which it was given up: the seat's views up to then are still theirs."""
    back: bool
    """Whether the seat waits for them to come back."""


def resign(
    outside: Outside, states: States, game_id: str, player_id: str, *, for_good: bool = False
) -> Table:
    """Give up. Of two seats the other one wins; else a house player takes the seat, `for_good` if so wished.

    Raises NotFound, NotRunning, NotSeated.
    """
    with transaction():
        table = consent.running(game_id)
        seat = table.seated(player_id).seat
        if table.game.players == 2:
            return handover.close(outside, states, table, "resigned", (1 - seat,), seat)
        if for_good:
            mine = (Outbox.player_id == player_id) & (Outbox.game_key == table.game.key)
            outbox.cancel(outside, mine)  # also what is bound to no tenure
        return give_to_the_house(outside, states, table, seat, "left" if for_good else "resigned")


def give_to_the_house(outside: Outside, states: States, table: Table, seat: int, why: str) -> Table:
    """A house player takes the seat; who has gone is asked nothing any more. The caller owns lock and commit."""
    table = handover.hand_over(outside, states, table, seat, None, why)
    return consent.reconsider(outside, states, table)


def come_back(outside: Outside, states: States, game_id: str, player_id: str) -> Table:
    """Take one's own seat back from a house player. Raises NotFound, NotRunning, NotPossible."""
    with transaction():
        table = consent.running(game_id)
        held = held_by(table, player_id)
        if held is None or not held.back:
            raise NotPossible
        table = handover.hand_over(outside, states, table, held.seat, player_id, "returned")
        consent.ask_newcomer(outside, table, player_id)
        return table


def held_by(table: Table, player_id: str | None) -> Held | None:
    """The seat that this person held and gave up; None for who sits there, or never did."""
    if player_id is None or table.person(player_id) or not table.game.number:
        return None
    holders = (Tenure.game_key == table.game.key) & Tenure.seat.is_not(None)
    mine = select(Tenure.seat, Tenure.ended, Tenure.why).where(
        holders, Tenure.player_id == player_id
    )
    own = db.session.execute(mine.order_by(Tenure.place.desc()).limit(1)).one_or_none()
    if own is None:
        return None
    people = select(Tenure.player_id).where(holders, Tenure.seat == own.seat)
    last = people.where(Tenure.player_id.is_not(None)).order_by(Tenure.place.desc()).limit(1)
    house = any(each.seat == own.seat and each.player_id is None for each in table.people)
    waits = house and own.why != "left" and db.session.scalar(last) == player_id
    return Held(own.seat, own.ended, waits and table.game.status == "running")


def leave_all(outside: Outside, states: States, player_id: str) -> None:
    """Give every seat of a person who goes for good to a house player: one commit for each game."""
    query = (
        select(Game.id)
        .join(Tenure, Tenure.game_key == Game.key)
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None), Game.status == "running")
    )
    games = list(db.session.scalars(query))
    for game_id in games:
        with transaction():
            table = find(game_id, lock=True)
            person = table.person(player_id)
            if person and table.game.status == "running":
                give_to_the_house(outside, states, table, person.seat, "left")


def remove(outside: Outside, states: States, game_id: str) -> Table:
    """Close a game as the operator. Raises NotFound, NotRunning."""
    with transaction():
        return handover.close(outside, states, consent.running(game_id), "removed")


def time_out(outside: Outside, states: States, game_id: str, seat: int) -> bool:
    """Play the fallback for a seat whose time is over; False if somebody was first, or its time has changed."""
    with transaction():
        table = find(game_id, lock=True)
        person = next(each for each in table.people if each.seat == seat)
        if not overdue(table.game, person, outside.now()):
            return False
        state = states.load(db.session, table.game)
        action = table.ruleset.fallback(state, seat)
        played = answer(outside, table, state, person, action, by="timeout")
        table = played.table
        if table.game.status == "running" and 0 < table.game.takeover <= person.misses + 1:
            table = give_to_the_house(outside, states, table, seat, "timeouts")
    states.put(game_id, table.game.number, played.state)
    return True


def overdue(game: Any, person: Any, now: int) -> bool:
    """Whether this seat's time is over."""
    running = game.status == "running" and game.paused_at is None
    return bool(running and person.waiting and person.due is not None and person.due <= now)


def abandon(outside: Outside, states: States, game_id: str, since: int) -> bool:
    """Close a game where no person has been since `since`."""
    with transaction():
        table = find(game_id, lock=True)
        gone = table.game.unattended_at
        if table.game.status != "running" or gone is None or gone > since:
            return False
        handover.close(outside, states, table, "abandoned")
        return True


def go_on(outside: Outside, states: States, game_id: str) -> bool:
    """End a pause that has lasted as long as was agreed."""
    with transaction():
        table = find(game_id, lock=True)
        until = table.game.paused_until
        if table.game.status != "running" or until is None or until > outside.now():
            return False
        consent.reconsider(outside, states, handover.resume(outside, states, table))
        return True
