"""The tables of players, credentials, accounts, vacations, admission codes and counted attempts. Times are ms UTC."""

from __future__ import annotations

from typing import Literal, final

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String, false
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, partial_index, repaired
from service.core.runtime.units import DAY

CredentialKind = Literal["cookie", "link", "token", "feed"]
ConfirmReplies = Literal["always", "never"]
VacationAnswers = Literal["orders", "nothing"]
SeenBy = Literal["everyone", "nobody"]
"""The values that say who else may see something of a person; None means people who have played with the person."""


class Player(Base):
    """A person; a guest unless there is an account."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    language: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[int] = mapped_column(BigInteger)
    away_from: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the present or next vacation begins; None without one.

    Only `seat_clocks.set_vacation` sets this and the end.
    """
    away_until: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which that vacation ends; None without one."""
    time_zone: Mapped[str | None] = mapped_column(String(40))
    """The IANA name of the time zone; None for UTC."""
    reminders: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """The minutes before a deadline at which reminders are due; None for the default leads."""
    quiet: Mapped[str | None] = mapped_column(String(11))
    """The quiet hours in `time_zone`: `22:00-07:00` (service/tables/clocks/quiet_hours.py); None if there are none."""
    digest: Mapped[str | None] = mapped_column(String(5))
    """The time, in `time_zone`, of the daily email that replaces emails about turns: `08:00` (outbox/digests.py); None
    for none.
    """
    digested: Mapped[str | None] = mapped_column(String(10))
    """The day of the last daily email: `2026-11-24`; None before the first one."""
    confirm_replies: Mapped[ConfirmReplies | None] = mapped_column(String(7))
    """Whether moves that are sent by email have to be confirmed: `always` or `never`.

    None for the default (service/people/accounts/preferences.py).
    """
    no_take_backs: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether this person never wants to be asked about taking moves back."""
    proven: Mapped[str | None] = mapped_column(String(254))
    """The proven, not yet used address of a guest (people/accounts/proven_addresses.py); None if there is none."""
    program: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether a program plays for this person, as they say."""
    only_move: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether an only move is played for this person where everybody sees that it is the only one
    (tables/play/orders/).
    """
    listed: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether this person wants to be on leaderboards."""
    ratings_for: Mapped[SeenBy | None] = mapped_column(String(8))
    """The value that says who else may see this person's ratings; None for people who have played with them."""
    page_for: Mapped[SeenBy | None] = mapped_column(String(8))
    """The value that says who else may see this person's page; None for people who have played with them."""
    shows_hours: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether this person's page shows others how fast they answer, by hour of the day."""
    erased_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the person was erased, since which the row has been empty; None before that."""


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
    """The purpose of a token, or the browser of a sign-in; None for other credentials, or if it is not known."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    seen_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The minute in which the credential was last used; None if it never was."""
    scopes: Mapped[str | None] = mapped_column(String(40))
    """The scopes of a token, separated by spaces; None if the credential is not a token."""
    expires_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which a token expires; None if it does not."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    made_by: Mapped[str | None] = mapped_column(Id)
    """The token by which the credential was made, and together with which it ends; None if its owner made it
    directly.
    """
    client: Mapped[str | None] = mapped_column(String(300))
    """The site or app to which a token was given when its player signed in there; None if its owner made it
    otherwise.
    """
    client_id: Mapped[str | None] = mapped_column(String(200))
    """The name that this site or app gives itself; None if `client` is None."""


@final
class AuthorizationCode(Base):
    """A code with which a site or app gets its token, once, after the player has agreed (OAuth).

    Only its SHA-256 is stored.
    """

    __tablename__ = "authorization_codes"
    __table_args__ = (Index(None, "player_id"), Index(None, "ends_at"))

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    sign_in: Mapped[str] = mapped_column(Id)
    """The sign-in with which the player has agreed, and together with which the code ends."""
    client: Mapped[str] = mapped_column(String(300))
    """The site or app, as the player was shown it."""
    client_id: Mapped[str] = mapped_column(String(200))
    redirect_uri: Mapped[str] = mapped_column(String(500))
    scopes: Mapped[str] = mapped_column(String(40))
    challenge: Mapped[str] = mapped_column(String(43))
    """The SHA-256 of the verifier that the client sends together with the code (RFC 7636)."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int] = mapped_column(BigInteger)
    used_at: Mapped[int | None] = mapped_column(BigInteger)
    token: Mapped[str | None] = mapped_column(Id)
    """The id of the token for which the code was exchanged; None if it was not exchanged."""


@final
class Account(Base):
    """The account of a registered player: a handle, an address, and perhaps a password."""

    __tablename__ = "accounts"

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    handle: Mapped[str] = mapped_column(String(24), unique=True)
    """The handle, in lower case."""
    password: Mapped[str | None] = mapped_column(String(200))
    """The argon2id hash of the password; None without a password."""
    address: Mapped[str | None] = mapped_column(String(254))
    """The verified address as typed by the player, to which emails are sent; None before one is verified."""
    folded: Mapped[str | None] = mapped_column(String(254), unique=True)
    """`address` in lower case, which can belong to only one account; None without an address."""
    pending: Mapped[str | None] = mapped_column(String(254))
    """An address that is not verified yet and does not count; None if there is none."""
    nonce: Mapped[str | None] = mapped_column(String(26))
    """Part of the key that verifies `pending`; None if there is nothing to verify."""
    generation: Mapped[int] = mapped_column(default=0)
    """Part of mailed keys; it rises when one of them is used, which invalidates all of them."""
    registered_at: Mapped[int] = mapped_column(BigInteger)
    undelivered: Mapped[str | None] = mapped_column(String(10))
    """The reason why no mail reaches `address` (service/outbox/addresses/undelivered.py); None if none is known."""
    undelivered_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time since which no mail has reached `address`; None if mail reaches it."""


class Vacation(Base):
    """Whole days on which no clock of a player runs.

    Rows are kept afterwards, since there is a yearly limit of days.
    """

    __tablename__ = "vacations"
    __table_args__ = (Index(None, "player_id", "ends_at"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    first: Mapped[str] = mapped_column(String(10))
    """The first day, such as `2026-12-24`, in the time zone that the player had then."""
    last: Mapped[str] = mapped_column(String(10))
    """The last day, in the same form."""
    begins_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int] = mapped_column(BigInteger)
    answers: Mapped[VacationAnswers | None] = mapped_column(String(8))
    """The answers for the player during the vacation (tables/play/orders/); None if they are as on other days."""


class Admission(Base):
    """A code with which one person can become a player where registration is by invitation.

    Only the code's SHA-256 is stored.
    """

    __tablename__ = "admissions"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    made_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int] = mapped_column(BigInteger)
    used_at: Mapped[int | None] = mapped_column(BigInteger)


class AttemptCount(Base):
    """A count of attempts. Its key is a keyed digest of the kind and the person, so that it names nobody."""

    __tablename__ = "tallies"
    __table_args__ = (Index(None, "ends_at"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[int] = mapped_column(BigInteger, info=repaired(DAY))
    """The time at which counting starts again from zero."""
