"""The tables about time. Times are ms since 1970 UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.database import Base


class TimeEntry(Base):
    """Why a seat's time is what it is: an entry for each change."""

    __tablename__ = "time_entries"
    __table_args__ = (
        Index(None, "game_key", "key"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    seat: Mapped[int]
    at: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(String(12))
    """The catalogues word it as `time.<kind>`."""
    ms: Mapped[int] = mapped_column(BigInteger)
    """How much time the entry is about."""
    due: Mapped[int | None] = mapped_column(BigInteger)
    reserve: Mapped[int] = mapped_column(BigInteger)
    extra: Mapped[int] = mapped_column(BigInteger)


class Heartbeat(Base):
    """When a worker was last alive. There is one row for all workers."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)
