"""The tables of daily deals: the deal of each day, everybody's try, and the answers that house players have thought of.

Days are days of UTC, such as `2026-11-29`. Times are ms since 1970 UTC.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, Id, partial_index

Day = String(10)


class DailyDeal(Base):
    """The deal of a day, the same for everybody. Its commitment is shown before the day begins."""

    __tablename__ = "daily_deals"

    day: Mapped[str] = mapped_column(Day, primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    version: Mapped[int]
    players: Mapped[int]
    options: Mapped[Json] = mapped_column(JSON)
    iterations: Mapped[int]
    """The number of iterations of house players' searches at each decision."""
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    """The source of the shuffles and of house players' random choices; secret until the day is over."""
    committed_at: Mapped[int] = mapped_column(BigInteger)
    """The time at which the deal was made, and its commitment could be seen."""


class DailyTry(Base):
    """A person's only try at a day's deal, or a line of the strongest house players. It outlives the game."""

    __tablename__ = "daily_tries"
    __table_args__ = (
        Index("ix_daily_tries_results", "day", "ended_at", "score", "won"),
        partial_index("ix_daily_tries_game", "game_key IS NOT NULL", "game_key", unique=True),
        Index(None, "who", "day"),
    )

    day: Mapped[str] = mapped_column(ForeignKey("daily_deals.day"), primary_key=True)
    who: Mapped[str] = mapped_column(Id, primary_key=True)
    """The id of a player or of an erased person whom nothing else names, or `house:<number>`."""
    game_key: Mapped[int | None] = mapped_column(ForeignKey("games.key", ondelete="SET NULL"))
    """The key of the game; None once it is deleted."""
    begun_at: Mapped[int] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the game ended by its rules; None if it has not. Only games that ended on their day count."""
    score: Mapped[int | None]
    won: Mapped[bool | None]


class DailyThought(Base):
    """The answer of a house player in a position of a day's deal, so that nobody thinks about it again."""

    __tablename__ = "daily_thoughts"
    __table_args__ = (Index(None, "day"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    """The digest of everything that the answer depends on (service/tables/play/daily_deals/thoughts.py)."""
    day: Mapped[str] = mapped_column(Day)
    action: Mapped[str] = mapped_column(Text)
    """The action of the answer, as canonical JSON."""
