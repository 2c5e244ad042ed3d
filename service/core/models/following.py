"""The tables of the changes for each player that programs follow. Times are ms UTC."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, partial_index, repaired


class Listener(Base):
    """A player for whom changes are kept because one of their programs follows them."""

    __tablename__ = "listeners"
    __table_args__ = (partial_index("ix_listeners_news", "last > spread", "player_id"),)

    player_id: Mapped[str] = mapped_column(Id, primary_key=True)
    last: Mapped[int]
    """The number of the last change."""
    first: Mapped[int]
    """The number after which all changes are kept."""
    spread: Mapped[int | None]
    """The number up to which changes were looked at for the player's webhooks; None if the player has had no
    webhook.
    """
    read_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The day on which the changes were last asked for; None if that was long ago, and no changes are kept."""


class LoggedChange(Base):
    """A change for a player. It has no foreign keys, so that the row stays valid when its subject is gone."""

    __tablename__ = "changes"
    __table_args__ = (Index(None, "at"),)

    player_id: Mapped[str] = mapped_column(Id, primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The number of the change for its player: 1, 2, … in the order of the commits."""
    kind: Mapped[str] = mapped_column(String(12))
    """A key of `service.log.changes.KINDS`."""
    at: Mapped[int] = mapped_column(BigInteger)
    game: Mapped[str] = mapped_column(Id)
    """The public id of the game."""
    revision: Mapped[int]
    """The revision of the game after the change."""


class ChangeRow(NamedTuple):
    """A change in the form in which it is read."""

    number: int
    kind: str
    at: int
    game: str
    revision: int
