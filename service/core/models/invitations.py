"""The table of invitations to games that have not started. Times are ms UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id


class Invitation(Base):
    """An invitation to a table, for a player or for a mail address. Deleted when the game starts."""

    __tablename__ = "invitations"
    __table_args__ = (
        UniqueConstraint("game_key", "player_id"),
        UniqueConstraint("game_key", "inviter_id", "address"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"))
    inviter_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    player_id: Mapped[str | None] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), index=True
    )
    """The player for whom a place is kept, or …"""
    address: Mapped[str | None] = mapped_column(String(254), index=True)
    """… the lower-case address to which the invitation was mailed. Shown to the inviter only."""
    made_at: Mapped[int] = mapped_column(BigInteger)
    declined_at: Mapped[int | None] = mapped_column(BigInteger)
