"""The tables of people who registered: how they sign in, when they are away, what was counted against them."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from service.database import Base
from service.models import Id


class Account(Base):
    """What a registered player has beside the secret link: a handle, an address, perhaps a password."""

    __tablename__ = "accounts"

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    handle: Mapped[str] = mapped_column(String(24), unique=True)
    """In small letters."""
    password: Mapped[str | None] = mapped_column(String(200))
    """As argon2id encodes it."""
    address: Mapped[str | None] = mapped_column(String(254))
    """As it was written, once it is verified; mails go there."""
    folded: Mapped[str | None] = mapped_column(String(254), unique=True)
    """`address` in small letters: it belongs to one account."""
    pending: Mapped[str | None] = mapped_column(String(254))
    """An address that is not verified yet and does not count."""
    nonce: Mapped[str | None] = mapped_column(String(26))
    """Stands in the key by which `pending` is verified."""
    generation: Mapped[int] = mapped_column(default=0)
    """Stands in mailed keys; rises when one is used, so that it, and all others, are used once."""
    registered_at: Mapped[int] = mapped_column(BigInteger)


class Vacation(Base):
    """Whole days on which no clock of a player runs; kept, for they are counted by the year."""

    __tablename__ = "vacations"
    __table_args__ = (Index(None, "player_id", "ends_at"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    first: Mapped[str] = mapped_column(String(10))
    """The first day, `2026-12-24`, in the time zone that the player had then …"""
    last: Mapped[str] = mapped_column(String(10))
    """… and the last one."""
    begins_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int] = mapped_column(BigInteger)


class Admission(Base):
    """An operator's invitation code, where nobody else becomes a player. Used once; only its SHA-256 is kept."""

    __tablename__ = "admissions"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    made_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int] = mapped_column(BigInteger)
    used_at: Mapped[int | None] = mapped_column(BigInteger)


class Tally(Base):
    """How often something was tried, by a keyed digest of what and who: it names nobody."""

    __tablename__ = "tallies"
    __table_args__ = (Index(None, "ends_at"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[int] = mapped_column(BigInteger)
    """When counting begins anew."""
