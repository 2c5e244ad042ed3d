"""The tables of what is sent to programs and browsers: receivers, deliveries, attempts. Times are ms UTC."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    String,
    false,
    select,
)
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, partial_index, repaired
from service.core.runtime.units import DAY, MINUTE

WEBHOOK = "webhook"
"""The kind of a receiver that is a program at an address of the web."""
PUSH = "push"
"""The kind of one that is a browser, which is reached through its push service."""

DeliveryOutcome = Literal["delivered", "expired", "refused", "dropped"]
"""`refused`: the receiver wants nothing more; `dropped`: a browser need not be told any more."""


class Receiver(Base):
    """Where the changes of a player are sent."""

    __tablename__ = "receivers"
    __table_args__ = (
        Index(None, "player_id"),
        partial_index("ix_receivers_made_by", "made_by IS NOT NULL", "made_by"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    kind: Mapped[str] = mapped_column(String(8))
    url: Mapped[str] = mapped_column(String(500))
    host: Mapped[str | None] = mapped_column(String(500))
    """Host and port of `url`, in lower case; None: written by a release that did not know of it."""
    label: Mapped[str] = mapped_column(String(60))
    wanted: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    """Kinds of changes; None: all."""
    made_at: Mapped[int] = mapped_column(BigInteger)
    generation: Mapped[int] = mapped_column(default=0)
    """Part of what its secret is made of; rises when that is replaced. Also that …"""
    before: Mapped[int] = mapped_column(default=0)
    """… of the secret that signs too for a while …"""
    rotated_at: Mapped[int | None] = mapped_column(BigInteger)
    """… after it was replaced, at this time."""
    seen: Mapped[int]
    """The number of the player's last change that was looked at."""
    sequence: Mapped[int] = mapped_column(default=0)
    """The number of its last delivery."""
    failing_since: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """Since when nothing has arrived; None: the last attempt succeeded, or there was none."""
    failures: Mapped[int] = mapped_column(default=0)
    """Attempts in a row that have failed."""
    held_until: Mapped[int] = mapped_column(BigInteger, default=0, info=repaired(DAY))
    """Nothing is sent before."""
    tried_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """When something was last begun to be sent: whoever has waited longest is next."""
    quick: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the last attempt succeeded, and soon: those that do have threads of their own."""
    off_at: Mapped[int | None] = mapped_column(BigInteger)
    """When it was switched off; None: it is on."""
    off_why: Mapped[str | None] = mapped_column(String(10))
    """`owner`, `account` (who has changed how to sign in), `token` (which was revoked), `failing`, `gone`."""
    keys: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    """Of a browser: `p256dh` and `auth`, by which only it can read, and `server`, the key that it knows us by …"""
    credential_id: Mapped[str | None] = mapped_column(Id)
    """… the sign-in with which it ends …"""
    delivered_at: Mapped[int | None] = mapped_column(BigInteger)
    """… and when something last arrived; that of a webhook too."""
    made_by: Mapped[str | None] = mapped_column(Id)
    """The token by which a webhook got its address, and with which it ends; None: it is the owner's own."""


def has_browser(player_id: ColumnElement[str] | ColumnElement[str | None]) -> ColumnElement[bool]:
    """Whether this player is told in a browser.

    By one look in the index for each player: for EXISTS, PostgreSQL may read the receivers of everybody instead.
    """
    receiver = Receiver.metadata.tables["receivers"]
    mine = (receiver.c.player_id == player_id) & (receiver.c.kind == PUSH)
    return select(receiver.c.id).where(mine).limit(1).scalar_subquery().is_not(None)


def is_told(
    address: ColumnElement[str | None], player_id: ColumnElement[str] | ColumnElement[str | None]
) -> ColumnElement[bool]:
    """Whether this player is told anything: by mail at a verified address, or in a browser."""
    return address.is_not(None) | has_browser(player_id)


class Delivery(Base):
    """A change that is to be sent to a receiver, or was. What it says is worded when it is sent, and not kept."""

    __tablename__ = "deliveries"
    __table_args__ = (
        partial_index("ix_deliveries_pending", "done_at IS NULL", "receiver_id", "sequence"),
        partial_index("ix_deliveries_due", "done_at IS NULL", "run_at"),
        Index(None, "at"),
    )

    receiver_id: Mapped[str] = mapped_column(
        ForeignKey("receivers.id", ondelete="CASCADE"), primary_key=True
    )
    sequence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """1, 2, … for each receiver."""
    kind: Mapped[str] = mapped_column(String(12))
    """That of the change, or `ping`; for a browser that of the mail."""
    change: Mapped[int | None]
    """The number of the change; for a browser the id of the mail in the outbox that says the same."""
    at: Mapped[int] = mapped_column(BigInteger, info=repaired())
    """When the change was made."""
    game: Mapped[str | None] = mapped_column(Id)
    revision: Mapped[int | None]
    since: Mapped[int] = mapped_column(BigInteger, info=repaired())
    """When it was to be sent first, or again on demand."""
    run_at: Mapped[int] = mapped_column(BigInteger, info=repaired(DAY))
    """When it is to be sent next."""
    lease_until: Mapped[int] = mapped_column(BigInteger, default=0, info=repaired(5 * MINUTE))
    """Until then it is claimed by a worker."""
    claims: Mapped[int] = mapped_column(default=0)
    """How often it was claimed; distinguishes one claim from the next."""
    tries: Mapped[int] = mapped_column(default=0)
    """How often it has failed since then."""
    done_at: Mapped[int | None] = mapped_column(BigInteger)
    outcome: Mapped[DeliveryOutcome | None] = mapped_column(String(10))


class DeliveryAttempt(Base):
    """An attempt to deliver something."""

    __tablename__ = "delivery_attempts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["receiver_id", "sequence"],
            ["deliveries.receiver_id", "deliveries.sequence"],
            ondelete="CASCADE",
        ),
    )

    receiver_id: Mapped[str] = mapped_column(Id, primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    claim: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[int] = mapped_column(BigInteger)
    took: Mapped[int]
    """Ms."""
    status: Mapped[int | None]
    """Of the answer."""
    error: Mapped[str | None] = mapped_column(String(10))
    """Why there was none: a key of `service.notifications.receivers.guarded_post.ERRORS`."""
