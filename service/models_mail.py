"""The tables of mail: what is to be sent, where nothing may go, and what people do not want. Times are ms UTC."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from service.database import Base


class Outbox(Base):
    """One mail that is due, or was: written in the commit of its cause, sent by the courier.

    What a row is about stands in it without foreign keys: if that is gone, the mail no longer matters.
    """

    __tablename__ = "outbox"
    __table_args__ = (Index(None, "done_at", "run_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120), unique=True)
    """What the mail is about, to whom and of what kind: a repeat of the cause makes no second row."""
    kind: Mapped[str] = mapped_column(String(20))
    """Who renders it: `service.mail.kinds`."""
    player_id: Mapped[str | None] = mapped_column(String(26))
    address: Mapped[str | None] = mapped_column(String(254))
    """Of somebody who is no player with a verified address; else it is looked up when the mail is sent."""
    game_key: Mapped[int | None]
    tenure_id: Mapped[str | None] = mapped_column(String(26))
    number: Mapped[int | None]
    """The question, the event or (by its key) the proposal that the mail is about."""
    data: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[int] = mapped_column(BigInteger)
    run_at: Mapped[int] = mapped_column(BigInteger)
    """When it is due."""
    lease_until: Mapped[int] = mapped_column(BigInteger, default=0)
    """Until then it is with one courier, or rests after a failure."""
    attempts: Mapped[int] = mapped_column(default=0)
    """How often it was claimed; so it tells one claim from the next."""
    done_at: Mapped[int | None] = mapped_column(BigInteger)
    outcome: Mapped[str | None] = mapped_column(String(10))
    """`sent`, `dropped` (no longer of interest or not wanted), `cancelled`, `failed` (refused) or `expired`."""


class Suppressed(Base):
    """An address to which something is not sent. Only a keyed digest of it is kept."""

    __tablename__ = "suppressed"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    reason: Mapped[str] = mapped_column(String(12), primary_key=True)
    """`refused`: its server takes no mail for it; `invitations`: whoever reads it wants none again."""
    at: Mapped[int] = mapped_column(BigInteger)


class Unsubscribed(Base):
    """Mails that a player has stopped by a link in one of them: of a kind, of a game, or all."""

    __tablename__ = "unsubscribed"

    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    """Empty: every kind."""
    game_key: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """0: every game."""
    at: Mapped[int] = mapped_column(BigInteger)
