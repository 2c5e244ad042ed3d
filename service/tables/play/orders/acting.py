"""Answering for a seat whose player wants that, at a time set by the worker, checked again under the lock.

To everybody else, it is an answer of the seat itself: its event says so, and it comes after a wait that does not depend
on anything (service/tables/clocks/own_answers.py). Looking at a question raises no revision, so nobody can notice it.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Select, and_, select, update

from rules.kernel import Json, State
from service.core.counts import prometheus
from service.core.database.database import Moment, db, transaction
from service.core.models.games import Game, Seat
from service.log.table_rows.table import Holder, Table, find
from service.outbox.causes import own_moves
from service.tables.clocks import own_answers, vacations
from service.tables.clocks.vacations import VacationRow
from service.tables.play.moves import answer
from service.tables.play.orders import answers_of_others, only_moves, orders, terms
from service.tables.play.orders.orders import OrderRow
from service.tables.services import Services

_game, _seat = Game.__table__, Seat.__table__
ACTS_AT = _seat.c.acts_at
"""The time (ms UTC) at which the worker looks at a seat, or answers for it."""
_RUNNING = and_(_game.c.status != "open", _game.c.status != "over", _game.c.paused_at.is_(None))


class Decision(NamedTuple):
    """The service's answer (None: none), the order behind it (None: it is the only move), and the orders that have
    ended, with the reasons. `later` is the end (ms UTC) of a vacation on which the player wants no such answer.
    """

    action: Json | None = None
    order: OrderRow | None = None
    ended: tuple[tuple[OrderRow, str], ...] = ()
    later: int | None = None


def due_seats(now: Moment) -> Select[*tuple[object, ...]]:
    """The query for the seats at which the worker has to look by the time `now`, the longest due first: the `id` of the
    game, and the `seat`.
    """
    return (
        select(_game.c.id, _seat.c.seat)
        .join(_game, _game.c.key == _seat.c.game_key)
        .where(_seat.c.acts_at <= now, _seat.c.waiting, _RUNNING)
        .order_by(_seat.c.acts_at)
    )


def act(services: Services, game_id: str, seat: int) -> bool:
    """Answer for a seat if it is time, or note when it will be. Returns False if there was nothing to look at.

    1. Orders that this question ends are ended; their player is told of unexpected ends.
    2. Without an answer to the present question, the worker need not look at it again, at least not before the end of
       a vacation.
    3. An answer waits until it is time, and again if that was missed; the mail about the turn waits as long.
    4. Then it is played, as its player would have played it.
    """
    with transaction():
        table, now = find(game_id, lock=True), services.now()
        holder = table.holders[seat]
        if not is_due(table, holder, now):
            return False
        state = services.states.load(table.game)
        decision = decided(services, table, state, holder, now)
        for order, why in decision.ended:
            orders.end(services, table, order, why)
        if decision.action is None:
            later = decision.later
            _look(table, holder, acts_from=later or holder.acts_from, acts_at=later)
            return True
        secret = services.config.secret_key
        holder = own_answers.begun_again(secret, game_id, holder, now)
        when = own_answers.answers_at(secret, game_id, holder)
        if now < when:
            _look(table, holder, acts_from=holder.acts_from, acts_at=when)
            own_moves.hold_mail(holder.tenure, when)
            return True
        played = answer(services, table, state, holder, decision.action, by="seat")
        orders.note_played(table, holder, played.number, decision.order)
        _end_if_over(services, played.table, played.state, decision.order)
    services.states.put(played.table.game, played.state)
    prometheus.move("seat")
    return True


def is_due(table: Table, holder: Holder, now: int) -> bool:
    """Whether the worker has to look at the question of this seat."""
    running = table.game.status == "running" and table.game.paused_at is None
    return running and holder.waiting and holder.acts_at is not None and holder.acts_at <= now


def decided(services: Services, table: Table, state: State, holder: Holder, now: int) -> Decision:
    """The service's present answer for this seat: that of the first order that applies, or else an only move."""
    if holder.player_id is None or not holder.acts_alone:
        return Decision()
    away = vacations.present(holder.player_id, now)
    if away and away.allows == vacations.NOTHING:
        return Decision(later=away.ends_at)
    ended, found = list[tuple[OrderRow, str]](), Decision()
    undone = _taken_back(table, holder)
    for order in orders.in_force(holder.tenure):
        if order.id in undone:
            ended.append((order, terms.TAKEN_BACK))
            continue
        others = _have_answered(services, table, order)
        of = (order.terms, order.asked, order.played, now, others)
        verdict = terms.verdict(table.ruleset, state, holder.seat, *of)
        if verdict.ended:
            ended.append((order, verdict.ended))
        elif verdict.action is not None and found.action is None:
            found = Decision(verdict.action, order)
    if found.action is None and only_moves.at_table(holder.tenure)[1]:
        found = _only_move(table.ruleset.forced(state, holder.seat), away)
    return found._replace(ended=tuple(ended))


def _only_move(forced: Json | None, away: VacationRow | None) -> Decision:
    """The decision to play the only move, if there is one, unless the player is on a vacation on which only orders
    answer.
    """
    if forced is not None and away and away.allows == vacations.ORDERS:
        return Decision(later=away.ends_at)
    return Decision(forced)


def _have_answered(services: Services, table: Table, order: OrderRow) -> bool | None:
    """Whether others have given the answers for which an order waits, since it was left; None if some of them are still
    missing.
    """
    conditions = answers_of_others.of(order.terms)
    if not conditions:
        return True
    answers = answers_of_others.since(services.states, table.game, order.terms["since"])
    return answers_of_others.are_given(conditions, answers)


def _taken_back(table: Table, holder: Holder) -> set[str]:
    """The ids of the orders whose move was taken back: they would play the same move again."""
    played = {each.number: each.order_id for each in orders.played(holder.tenure) if each.order_id}
    gone = table.game.taken_back
    return {order for number, order in played.items() if number in gone}


def _end_if_over(services: Services, table: Table, state: State, order: OrderRow | None) -> None:
    """End an order that has been played as often as intended, or whose part of the game is over."""
    if order is None:
        return
    of = order.terms, order.asked, terms.parts_of(state), order.played + 1, services.now()
    if why := terms.over(*of):
        orders.end(services, table, order, why)


def _look(table: Table, holder: Holder, **when: int | None) -> None:
    this = update(Seat).where(Seat.game_key == table.game.key, Seat.seat == holder.seat)
    db.session.execute(this.values(when).execution_options(synchronize_session=False))
