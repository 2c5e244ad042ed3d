"""The tables of what is known of the logs' health. Times are ms UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id

LONGEST_WHAT = 200
"""Letters of what is said about a damaged game."""


class LogCheck(Base):
    """How far the check of all games has come. There is one row."""

    __tablename__ = "log_checks"

    name: Mapped[str] = mapped_column(String(8), primary_key=True)
    began_at: Mapped[int] = mapped_column(BigInteger)
    after: Mapped[int] = mapped_column(BigInteger)
    """The key of the last game that a worker has taken in hand."""
    games: Mapped[int]
    """How many they were."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    """None while games are left."""


class DamagedGame(Base):
    """A game in which the last check of it has found something wrong."""

    __tablename__ = "damaged_games"

    game_id: Mapped[str] = mapped_column(Id, primary_key=True)
    found_at: Mapped[int] = mapped_column(BigInteger)
    """When that was found last."""
    what: Mapped[str] = mapped_column(String(LONGEST_WHAT))
