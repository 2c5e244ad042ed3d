"""The table of people's answers to puzzles of the collections, which are data of the rules. Times are ms UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base


class PuzzleAnswer(Base):
    """The fact that a person has solved a puzzle, or has been shown its solution. There is one row for each pair."""

    __tablename__ = "puzzle_answers"

    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    puzzle: Mapped[str] = mapped_column(String(16), primary_key=True)
    """The id of the puzzle (rules/kernel/puzzles.py)."""
    answered_at: Mapped[int] = mapped_column(BigInteger)
    solved: Mapped[bool]
    """Whether the person found the best action before the solution was shown."""
