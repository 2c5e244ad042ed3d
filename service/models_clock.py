"""The tables of time and of consent. Times are ms since 1970 UTC."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from service.database import Base
from service.models import Id, partial_index


class TimeEntry(Base):
    """Why a seat's time is what it is: one line for whatever was decided about it."""

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
    """Worded by `time.<kind>`."""
    ms: Mapped[int] = mapped_column(BigInteger)
    """How much time it is about."""
    due: Mapped[int | None] = mapped_column(BigInteger)
    reserve: Mapped[int] = mapped_column(BigInteger)
    extra: Mapped[int] = mapped_column(BigInteger)


class Heartbeat(Base):
    """When a worker was last alive. One row: of several workers any will do."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class Proposal(Base):
    """Something that the table has to agree on."""

    __tablename__ = "proposals"
    __table_args__ = (
        Index(None, "game_key", "key"),
        partial_index("ix_proposals_open", "due", "status = 'open'"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    kind: Mapped[str] = mapped_column(String(12))
    """`pause`, `resume`, `extend`, `close` or `substitute`."""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"))
    """Who proposes; None once that person is erased."""
    terms: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What exactly: `seat`, `seconds`, `outcome`, by kind."""
    status: Mapped[str] = mapped_column(String(10))
    """`open`, `accepted`, `refused`, `lapsed` or `withdrawn`."""
    made_at: Mapped[int] = mapped_column(BigInteger)
    due: Mapped[int] = mapped_column(BigInteger)
    """When no answer becomes a refusal."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)


class Vote(Base):
    """One tenure's answer to a proposal."""

    __tablename__ = "votes"

    proposal_key: Mapped[int] = mapped_column(ForeignKey("proposals.key"), primary_key=True)
    tenure_id: Mapped[str] = mapped_column(ForeignKey("tenures.id"), primary_key=True)
    agrees: Mapped[bool]
    at: Mapped[int] = mapped_column(BigInteger)
