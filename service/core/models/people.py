"""The tables of players, credentials, accounts, vacations, admission codes and counted attempts. Times are ms UTC."""

from __future__ import annotations

from typing import Literal, final

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String, false
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, partial_index, repaired
from service.core.runtime.units import DAY

CredentialKind = Literal["cookie", "link", "token", "feed"]
ConfirmReplies = Literal["always", "never"]


class Player(Base):
    """A person; a guest unless there is an account."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    language: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[int] = mapped_column(BigInteger)
    away_from: Mapped[int | None] = mapped_column(BigInteger)
    """When the present or next vacation begins; only `seat_clocks.set_vacation` sets it …"""
    away_until: Mapped[int | None] = mapped_column(BigInteger)
    """… and when it ends."""
    time_zone: Mapped[str | None] = mapped_column(String(40))
    """IANA name of the time zone; None: UTC."""
    reminders: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """Minutes before a deadline at which reminders are due; None: the default leads."""
    quiet: Mapped[str | None] = mapped_column(String(11))
    """Quiet hours in `time_zone`: `22:00-07:00` (service/tables/clocks/quiet_hours.py)."""
    digest: Mapped[str | None] = mapped_column(String(5))
    """When one mail a day stands for those about turns, in `time_zone`: `08:00` (service/outbox/digests.py) …"""
    digested: Mapped[str | None] = mapped_column(String(10))
    """… and the day of the last one: `2026-11-24`."""
    confirm_replies: Mapped[ConfirmReplies | None] = mapped_column(String(7))
    """Whether what they play by answering a mail is to be confirmed; None: if it may be somebody else's."""
    proven: Mapped[str | None] = mapped_column(String(254))
    """The address of a guest that is not used yet (service/people/accounts/proven_addresses.py)."""
    program: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether a program plays for this person, as they say themselves."""
    erased_at: Mapped[int | None] = mapped_column(BigInteger)
    """When the person was erased; the row has been empty since."""


class Credential(Base):
    """Proof of who is calling: a sign-in (cookie), a token (bearer) or a secret link. Only its SHA-256 is stored."""

    __tablename__ = "credentials"
    __table_args__ = (
        Index(None, "player_id", "kind"),
        partial_index("ix_credentials_made_by", "made_by IS NOT NULL", "made_by"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    kind: Mapped[CredentialKind] = mapped_column(String(8))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    label: Mapped[str | None] = mapped_column(String(60))
    """What a token is for, or the browser of a sign-in."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    seen_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """When it was last used, to the minute; None: never."""
    scopes: Mapped[str | None] = mapped_column(String(40))
    """What a token may do, separated by spaces; None: not a token."""
    expires_at: Mapped[int | None] = mapped_column(BigInteger)
    """When a token stops working by itself."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    made_by: Mapped[str | None] = mapped_column(Id)
    """The token by which it was made, and with which it ends; None: it is the owner's own."""


@final
class Account(Base):
    """What a registered player has besides the secret link: a handle, an address, perhaps a password."""

    __tablename__ = "accounts"

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    handle: Mapped[str] = mapped_column(String(24), unique=True)
    """In lower case."""
    password: Mapped[str | None] = mapped_column(String(200))
    """Its argon2id hash."""
    address: Mapped[str | None] = mapped_column(String(254))
    """The verified address, as it was typed: mails go there."""
    folded: Mapped[str | None] = mapped_column(String(254), unique=True)
    """`address` in lower case: it belongs to one account."""
    pending: Mapped[str | None] = mapped_column(String(254))
    """An address that is not verified yet and does not count."""
    nonce: Mapped[str | None] = mapped_column(String(26))
    """Part of the key that verifies `pending`."""
    generation: Mapped[int] = mapped_column(default=0)
    """Part of mailed keys; rises when one of them is used, which invalidates all of them."""
    registered_at: Mapped[int] = mapped_column(BigInteger)
    undelivered: Mapped[str | None] = mapped_column(String(10))
    """Why no mail reaches `address` (service/outbox/addresses/undelivered.py); None: nothing is known against it …"""
    undelivered_at: Mapped[int | None] = mapped_column(BigInteger)
    """… and since when."""


class Vacation(Base):
    """Whole days on which no clock of a player runs; kept afterwards, since a year has a limit of days."""

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
    """A code with which one person becomes a player where registration is by invitation; kept as its SHA-256."""

    __tablename__ = "admissions"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    made_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int] = mapped_column(BigInteger)
    used_at: Mapped[int | None] = mapped_column(BigInteger)


class AttemptCount(Base):
    """How often something was tried. The key is a keyed digest of what and by whom, so that it names nobody."""

    __tablename__ = "tallies"
    __table_args__ = (Index(None, "ends_at"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[int] = mapped_column(BigInteger, info=repaired(DAY))
    """When counting starts again."""
