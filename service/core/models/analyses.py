"""The tables of analyses of finished games, which only the people who asked for them see. Times are ms UTC."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, Id, partial_index, repaired
from service.core.runtime.units import HOUR


class Analysis(Base):
    """A request to appraise a person's decisions in a game, and its progress."""

    __tablename__ = "analyses"
    __table_args__ = (
        UniqueConstraint("game_key", "player_id", "version", "thinker"),
        Index(None, "player_id"),
        Index(None, "asked_at"),
        partial_index("ix_analyses_waiting", "ended_at IS NULL", "asked_at"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    seat: Mapped[int]
    version: Mapped[int]
    """The version of the rules under which the game was folded."""
    thinker: Mapped[str] = mapped_column(String(16))
    """The version of appraisals (rules/players/appraisal.py)."""
    asked_at: Mapped[int] = mapped_column(BigInteger)
    decisions: Mapped[list[int]] = mapped_column(JSON)
    """The numbers of the events whose decisions are to be appraised, in order."""
    done: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of decisions that have been appraised."""
    lease_until: Mapped[int] = mapped_column(
        BigInteger, default=0, server_default="0", info=repaired(HOUR)
    )
    """The time until which a worker has claimed the analysis."""
    claims: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of times that the analysis was claimed; it distinguishes one claim from the next."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    failed: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the analysis has ended because a decision could not be appraised."""


class AppraisedDecision(Base):
    """A decision and its alternatives, with their values."""

    __tablename__ = "appraised_decisions"

    analysis_id: Mapped[str] = mapped_column(
        ForeignKey("analyses.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The number of the event."""
    tried: Mapped[list[Json]] = mapped_column(JSON)
    """The actions that were tried (`Valued` in rules/players/appraisal.py), the house player's choice first."""
    played: Mapped[int]
    """The index of the played action among the alternatives."""
