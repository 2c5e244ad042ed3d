"""The tables of what changed for whom, which programs follow. Times are ms UTC."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, partial_index, repaired


class Listener(Base):
    """A player for whom changes are kept, since a program of theirs follows them."""

    __tablename__ = "listeners"
    __table_args__ = (partial_index("ix_listeners_news", "last > spread", "player_id"),)

    player_id: Mapped[str] = mapped_column(Id, primary_key=True)
    last: Mapped[int]
    """The number of the last change."""
    first: Mapped[int]
    """Every change after this number is kept."""
    spread: Mapped[int | None]
    """Every change up to this number was looked at for each webhook of the player; None: the player has had none."""
    read_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """When they were last asked for, to the day; None: nobody has asked for long, and none is kept."""


class LoggedChange(Base):
    """Something that changed for a player. There are no foreign keys: it says what was, even when that is gone."""

    __tablename__ = "changes"
    __table_args__ = (Index(None, "at"),)

    player_id: Mapped[str] = mapped_column(Id, primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """1, 2, … for each player, in the order of the commits."""
    kind: Mapped[str] = mapped_column(String(12))
    """A key of `service.log.changes.KINDS`."""
    at: Mapped[int] = mapped_column(BigInteger)
    game: Mapped[str] = mapped_column(Id)
    """The public id of the game."""
    revision: Mapped[int]
    """That of the game since then."""


class ChangeRow(NamedTuple):
    """A change as it is read."""

    number: int
    kind: str
    at: int
    game: str
    revision: int
