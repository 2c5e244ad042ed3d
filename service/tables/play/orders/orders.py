"""Standing orders of a seat: made, changed, withdrawn and listed by their player, and kept outside the log of the
game.

They belong to a tenure, so a later holder of the seat knows nothing of them. Nothing here raises a revision, because
nobody else may notice when somebody makes an order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from sqlalchemy import delete, func, select, update

from rules.kernel import Json, JsonValue, State
from service.core.database.database import columns, db, rows, transaction, write_rows
from service.core.models.games import Game, Seat, Tenure
from service.core.models.orders import OwnAnswer, StandingOrder
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, NotPossible, NotRunning, Stale
from service.log.table_rows.table import Holder, Table, find
from service.people import players
from service.tables.clocks import own_answers
from service.tables.play.orders import answers_of_others, terms
from service.tables.play.orders.terms import Question
from service.tables.services import Services

MOST_AT_TABLE, MOST_OF_PERSON = 10, 100
"""The most orders of a player that can be in force at one table, and in all."""
MOST_SHOWN = 20
"""The most ended orders that a table shows, the latest first, and the most moves played by the service that it shows.
"""

_order, _answer = StandingOrder.metadata.tables["standing_orders"], OwnAnswer.__table__
_IN_FORCE = _order.c.ended_at.is_(None)


class OrderRow(NamedTuple):
    """An order (service/core/models/orders.py)."""

    id: str
    game_key: int
    tenure_id: str
    player_id: str
    made_at: int
    terms: Json
    phase: str
    types: list[str]
    parts: list[JsonValue]
    played: int
    ended_at: int | None
    ended_number: int | None
    why: str | None

    @property
    def asked(self) -> Question:
        """The question at which the order was made."""
        return Question(self.phase, tuple(self.types), tuple(self.parts))

    @classmethod
    def listed(cls, *where: object) -> list[Self]:
        """The orders that meet these conditions, the oldest first."""
        query = select(*columns(cls, _order)).where(*where)  # type: ignore[arg-type]
        return rows(cls, query.order_by(_order.c.made_at, _order.c.id))


def in_force(tenure: str) -> list[OrderRow]:
    """The orders of a tenure that are in force, the oldest first."""
    return OrderRow.listed(_order.c.tenure_id == tenure, _IN_FORCE)


def of_player(player_id: str) -> list[OrderRow]:
    """The orders of a player that are in force, at all tables that are not over."""
    running = select(Game.key).where(Game.status == "running")
    mine = (_order.c.player_id == player_id, _IN_FORCE, _order.c.game_key.in_(running))
    return OrderRow.listed(*mine)


class OrderedGame(NamedTuple):
    """The game of an order: its id, and the rules that give the order its words."""

    id: str
    ruleset: str
    version: int


def game_of(order: OrderRow) -> OrderedGame:
    """The game of an order."""
    query = select(Game.id, Game.ruleset, Game.version).where(Game.key == order.game_key)
    return rows(OrderedGame, query)[0]


def ended(game_key: int, player_id: str | None) -> list[OrderRow]:
    """The orders of a player in a game that have ended and were not withdrawn, the latest first; also those of a
    seat that the player has lost since.
    """
    mine = (_order.c.game_key == game_key) & (_order.c.player_id == player_id)
    kept = mine, _order.c.why != terms.WITHDRAWN
    query = select(*columns(OrderRow, _order)).where(*kept, _order.c.ended_at.is_not(None))
    latest = query.order_by(_order.c.ended_at.desc(), _order.c.id).limit(MOST_SHOWN)
    return rows(OrderRow, latest)


class Played(NamedTuple):
    """An event that the service has played for a seat, and the order that played it (None: it was the only move)."""

    number: int
    order_id: str | None


def played(tenure: str) -> list[Played]:
    """The latest events that the service has played for a tenure, the newest first."""
    query = select(_answer.c.number, _answer.c.order_id).where(_answer.c.tenure_id == tenure)
    return rows(Played, query.order_by(_answer.c.number.desc()).limit(MOST_SHOWN))


def make(services: Services, game_id: str, player_id: str, asked: int, wish: Json) -> OrderRow:
    """Make an order at the present question, and return it. Raises NotSeated, NotRunning, Stale, NotPossible."""
    with transaction():
        return _make(services, _at_question(services, game_id, player_id), player_id, asked, wish)


def leave_once(
    services: Services, game_id: str, player_id: str, asked: int, wish: Json
) -> OrderRow:
    """Make an order, or return the one in force with the same terms, because a link in an email may be followed twice.

    Raises whatever `make` raises.
    """
    with transaction():
        present = _at_question(services, game_id, player_id)
        same = _same(present, wish)
        return same[0] if same else _make(services, present, player_id, asked, wish)


def _same(present: _Present, wish: Json) -> list[OrderRow]:
    """The orders in force with these terms. An order that waits for answers counts only if it was left at the present
    question.
    """
    table, holder, _ = present
    kept = _kept(table, wish)
    return [
        each
        for each in in_force(holder.tenure)
        if {**each.terms, "since": 0} == {**kept, "since": 0}
        and each.terms.get("since", holder.asked) >= holder.asked
    ]


def _make(
    services: Services, present: _Present, player_id: str, asked: int, wish: Json
) -> OrderRow:
    table, holder, state = present
    if not holder.waiting or asked != holder.asked:
        raise Stale(table=table, state=state)
    _check(table, state, holder, wish)
    wish = _kept(table, wish)
    if len(of_player(player_id)) >= MOST_OF_PERSON or len(in_force(holder.tenure)) >= MOST_AT_TABLE:
        raise NotPossible("too-many-orders")
    players.prevent_erasure(player_id)
    question = terms.question(table.ruleset, state, holder.seat)
    made = OrderRow(
        id=services.new_id("o"),
        game_key=table.game.key,
        tenure_id=holder.tenure,
        player_id=player_id,
        made_at=services.now(),
        terms=wish,
        phase=question.phase,
        types=list(question.types),
        parts=list(question.parts),
        played=0,
        ended_at=None,
        ended_number=None,
        why=None,
    )
    write_rows(_order, [made._asdict()])
    _note(services, holder.tenure)
    return made


def change(services: Services, game_id: str, player_id: str, order_id: str, wish: Json) -> OrderRow:
    """Change the terms of an order in force, and return it. Raises NotFound, NotPossible, and whatever `make`
    raises.
    """
    with transaction():
        table, holder, _ = _at_question(services, game_id, player_id)
        order = _own(holder, order_id)
        if "action" in wish or wish["name"] != terms.ONLY:
            known = {"action": order.terms.get("action"), "name": order.terms.get("name")}
            if wish.get("action") != known["action"] or wish.get("name") != known["name"]:
                raise NotPossible("another-order")
        limited = terms.declared(table.ruleset, order.phase, str(wish.get("name")))
        if "most" in wish and not (limited and limited.most):
            raise NotPossible("no-such-order")
        part = wish.get("until", {}).get("part")
        if part is not None and part not in terms.names(order.parts):
            raise NotPossible("no-such-order")
        for each in answers_of_others.of(wish):
            asked = table.ruleset, table.game.players, holder.seat
            if not answers_of_others.can_be_asked(*asked, each):
                raise NotPossible("no-such-order")
        wish = _kept(table, wish, order.terms.get("since"))
        this = update(_order).where(_order.c.id == order.id)
        db.session.execute(this.values(terms=wish, played=0))
        _note(services, holder.tenure)
        return order._replace(terms=wish, played=0)


def withdraw(services: Services, game_id: str, player_id: str, order_id: str) -> None:
    """Withdraw an order in force. Raises NotFound.

    Nothing is kept of an order that was never played, so leaving and withdrawing orders repeatedly fills no table.
    """
    with transaction():
        table, holder, _ = _at_question(services, game_id, player_id)
        order = _own(holder, order_id)
        end(services, table, order, terms.WITHDRAWN)
        was_played = select(_answer.c.order_id).where(_answer.c.order_id == order.id).exists()
        db.session.execute(delete(_order).where(_order.c.id == order.id, ~was_played))


def end(services: Services, table: Table, order: OrderRow, why: str) -> None:
    """Note that an order has ended, and why. The caller owns the lock and the commit."""
    values = {"ended_at": services.now(), "ended_number": table.game.number, "why": why}
    db.session.execute(update(_order).where(_order.c.id == order.id, _IN_FORCE).values(values))
    _forget_older(order.tenure_id)
    _count(order.tenure_id)


def _forget_older(tenure: str) -> None:
    """Delete ended orders that are no longer shown, because orders may be left again and again while a game lasts."""
    mine = _order.c.tenure_id == tenure, _order.c.ended_at.is_not(None)
    latest = select(_order.c.id).where(*mine).order_by(_order.c.ended_at.desc(), _order.c.id)
    kept = latest.limit(MOST_SHOWN).scalar_subquery()
    db.session.execute(delete(_order).where(*mine, _order.c.id.not_in(kept)))


def note_played(table: Table, holder: Holder, number: int, order: OrderRow | None) -> None:
    """Note, for the player of a seat, that event `number` was played for it.

    All such notes are kept as long as the game: they are fewer than its events, and analyses leave these moves out. The
    caller owns the lock and the commit.
    """
    row = {"game_key": table.game.key, "number": number, "tenure_id": holder.tenure}
    row |= {"player_id": holder.player_id, "order_id": order and order.id}
    write_rows(_answer, [row])
    if order is not None:
        this = update(_order).where(_order.c.id == order.id)
        db.session.execute(this.values(played=_order.c.played + 1))


class _Present(NamedTuple):
    """The locked table, the player's seat, and the state."""

    table: Table
    holder: Holder
    state: State


def _at_question(services: Services, game_id: str, player_id: str) -> _Present:
    """The locked table, the player's seat and the state. Raises NotSeated, NotRunning, NotPossible for a live game."""
    table = find(game_id, lock=True)
    holder = table.holding(player_id)
    if table.game.status != "running" or table.game.alone:
        raise NotRunning
    if table.game.live:  # a player who can act at once needs nobody to answer minutes later
        raise NotPossible("no-such-order")
    return _Present(table, holder, services.states.load(table.game))


def _check(table: Table, state: State, holder: Holder, wish: Json) -> None:
    if not terms.fits(table.ruleset, state, holder.seat, wish):
        raise NotPossible("no-such-order")


def _kept(table: Table, wish: Json, since: int | None = None) -> Json:
    """The terms of an order as they are stored. An order that waits for answers of others counts them from event
    `since` on (None: from now on), and is played once.
    """
    if not answers_of_others.of(wish):
        return wish
    begun = table.game.number if since is None else since
    return {**wish, "since": begun, "until": wish.get("until") or {"times": 1}}


def _own(holder: Holder, order_id: str) -> OrderRow:
    """An order of this tenure that is in force. Raises NotFound."""
    this = _order.c.id == order_id, _order.c.tenure_id == holder.tenure, _IN_FORCE
    found = OrderRow.listed(*this)
    if not found:
        raise NotFound
    return found[0]


def _note(services: Services, tenure: str) -> None:
    """Have the worker look at the present question, because an order was made or changed.

    The caller owns the commit.
    """
    _count(tenure)
    own_answers.look_again(services.now(), Seat.tenure_id == tenure)


def _count(tenure: str) -> None:
    standing = select(func.count()).where(_order.c.tenure_id == tenure, _IN_FORCE)
    this = update(Tenure).where(Tenure.id == tenure)
    count = standing.scalar_subquery()
    db.session.execute(this.values(orders=count).execution_options(synchronize_session=False))


def exported(player_id: str) -> list[Json]:
    """The player's orders for the export, including those that have ended."""
    names = ("made_at", "terms", "played", "ended_at", "why")
    query = select(Game.id.label("game"), *(_order.c[name] for name in names))
    mine = query.join(Game, Game.key == _order.c.game_key).where(_order.c.player_id == player_id)
    return exported_rows(mine.order_by(_order.c.made_at, _order.c.id))


def exported_answers(player_id: str) -> list[Json]:
    """The moves that the service has played for the player at each table, for the export."""
    query = select(Game.id.label("game"), _answer.c.number)
    mine = query.join(Game, Game.key == _answer.c.game_key).where(_answer.c.player_id == player_id)
    return exported_rows(mine.order_by(Game.key, _answer.c.number))


def erase(player_id: str) -> None:
    """Delete the player's orders, and the notes of moves that the service has played. The caller owns the commit."""
    db.session.execute(delete(StandingOrder).where(StandingOrder.player_id == player_id))
    db.session.execute(delete(OwnAnswer).where(OwnAnswer.player_id == player_id))
    mine = update(Tenure).where(Tenure.player_id == player_id)
    db.session.execute(mine.values(orders=0, only_move=None))


def numbers(found: Sequence[Played]) -> set[int]:
    """The numbers of the events in `found`."""
    return {each.number for each in found}
