"""The tables of standing orders, by which the service answers for people.

Only the people themselves see them; the log of a game contains none.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, ColumnElement, ForeignKey, Index, String, false, func
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json, JsonValue
from service.core.database.tables import Base, Id, partial_index
from service.core.models.games import Tenure
from service.core.models.people import Player


class StandingOrder(Base):
    """An order to answer questions to a tenure in a certain way. After its end, its row stays as it was."""

    __tablename__ = "standing_orders"
    __table_args__ = (
        Index(None, "tenure_id", "made_at"),
        partial_index("ix_standing_orders_present", "ended_at IS NULL", "player_id"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"), index=True)
    tenure_id: Mapped[str] = mapped_column(ForeignKey("tenures.id", ondelete="CASCADE"))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    made_at: Mapped[int] = mapped_column(BigInteger)
    terms: Mapped[Json] = mapped_column(JSON)
    """The action to play, the time to play it, and the end of the order (service/tables/play/orders/terms.py)."""
    phase: Mapped[str] = mapped_column(String(40))
    """The phase of the question for which the order was made."""
    types: Mapped[list[str]] = mapped_column(JSON)
    """The types of actions that this question offered."""
    parts: Mapped[list[JsonValue]] = mapped_column(JSON)
    """The parts of the game at that time."""
    played: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of times that the order has been played."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    ended_number: Mapped[int | None]
    """The number of the game's last event when the order ended; None while it is in force."""
    why: Mapped[str | None] = mapped_column(String(16))
    """The reason why the order has ended: `order.ended.<why>` of the catalogues; None while it is in force."""


SEAT_LOST, UNDONE = "seat-lost", "undone"
"""Reasons of ends without a question: another player has got the seat, or what was played before is undone."""


class OwnAnswer(Base):
    """An event that the service has played for a seat; only the seat's player knows that."""

    __tablename__ = "own_answers"

    game_key: Mapped[int] = mapped_column(
        ForeignKey("games.key", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tenure_id: Mapped[str] = mapped_column(ForeignKey("tenures.id", ondelete="CASCADE"), index=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    order_id: Mapped[str | None] = mapped_column(Id)
    """The order that was followed; None if the action was the only move."""


_tenure, _player = Tenure.metadata.tables["tenures"], Player.metadata.tables["players"]


def plays_only_move() -> ColumnElement[bool]:
    """The condition that an only move is played for a tenure's player, where everybody sees that it is the only one."""
    return func.coalesce(_tenure.c.only_move, _player.c.only_move, false())


def acts_alone() -> ColumnElement[bool]:
    """The condition that the service may have an answer for a tenure's seat, and so has to look at its questions."""
    return plays_only_move() | (_tenure.c.orders > 0)
