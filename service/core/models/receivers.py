"""The tables of receivers (programs and browsers), deliveries to them, and attempts. Times are ms UTC."""

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
"""The kind of receiver that is a program at a web address."""
PUSH = "push"
"""The kind of receiver that is a browser, reached through its push service."""

DeliveryOutcome = Literal["delivered", "expired", "refused", "dropped"]
"""The outcomes of a delivery. `refused`: the receiver wants nothing more; `dropped`: a browser no longer needs it."""


class Receiver(Base):
    """A place to which the changes of a player are sent."""

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
    """The host and port of `url`, in lower case; None if the row is from a release without this column."""
    label: Mapped[str] = mapped_column(String(60))
    wanted: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    """The kinds of changes to send; None for all."""
    shape: Mapped[str | None] = mapped_column(String(12))
    """The shape of the receiver's messages that the owner has chosen (receivers/shapes.py); None if the address
    decides.
    """
    made_at: Mapped[int] = mapped_column(BigInteger)
    generation: Mapped[int] = mapped_column(default=0)
    """A number from which, among others, the receiver's secret is derived; it rises when the secret is replaced."""
    before: Mapped[int] = mapped_column(default=0)
    """The `generation` of the earlier secret, which also signs for a while after its replacement."""
    rotated_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the earlier secret was replaced; None if none was."""
    seen: Mapped[int]
    """The number of the player's last change that was considered."""
    sequence: Mapped[int] = mapped_column(default=0)
    """The number of the receiver's latest delivery."""
    failing_since: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The time since which no delivery has succeeded; None if the last one did, or there was none."""
    failures: Mapped[int] = mapped_column(default=0)
    """The number of failed attempts in a row."""
    held_until: Mapped[int] = mapped_column(BigInteger, default=0, info=repaired(DAY))
    """The time before which nothing is sent."""
    tried_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The time at which the last attempt began; None before the first. The receiver that has waited longest is next."""
    quick: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the last attempt succeeded quickly. Receivers with quick successes have separate threads."""
    off_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the receiver was switched off; None while it is on."""
    off_why: Mapped[str | None] = mapped_column(String(10))
    """The reason: `owner`, `account` (sign-in details were changed), `token` (it was revoked), `failing` or `gone`;
    None while the receiver is on.
    """
    keys: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    """The keys of a browser: `p256dh` and `auth`, with which only it can read, and `server`, by which it knows us.

    None for a webhook.
    """
    credential_id: Mapped[str | None] = mapped_column(Id)
    """The sign-in together with which notifications in a browser end; None for a webhook."""
    delivered_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which something last arrived, in a browser or at a webhook; None if nothing has."""
    made_by: Mapped[str | None] = mapped_column(Id)
    """The token that registered a webhook, and together with which it ends; None if its owner registered it
    directly.
    """


def has_browser(player_id: ColumnElement[str] | ColumnElement[str | None]) -> ColumnElement[bool]:
    """The condition that this player is notified in a browser.

    It takes one look into the index for each player. With EXISTS, PostgreSQL may read everybody's receivers instead.
    """
    receiver = Receiver.metadata.tables["receivers"]
    mine = (receiver.c.player_id == player_id) & (receiver.c.kind == PUSH)
    return select(receiver.c.id).where(mine).limit(1).scalar_subquery().is_not(None)


def is_told(
    address: ColumnElement[str | None], player_id: ColumnElement[str] | ColumnElement[str | None]
) -> ColumnElement[bool]:
    """The condition that this player is notified at all: by email at a verified address, or in a browser."""
    return address.is_not(None) | has_browser(player_id)


class Delivery(Base):
    """A change that is to be sent to a receiver, or was sent. Its text is made at sending time, and not stored."""

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
    """The number of the delivery for its receiver: 1, 2, …"""
    kind: Mapped[str] = mapped_column(String(12))
    """The kind of the change, or `ping`; for a browser, the kind of the email."""
    change: Mapped[int | None]
    """The number of the change; for a browser, the id of the email in the outbox with the same news; None for a
    ping.
    """
    at: Mapped[int] = mapped_column(BigInteger, info=repaired())
    """The time of the change."""
    game: Mapped[str | None] = mapped_column(Id)
    revision: Mapped[int | None]
    since: Mapped[int] = mapped_column(BigInteger, info=repaired())
    """The time at which the delivery was first to be sent, or was requested again."""
    run_at: Mapped[int] = mapped_column(BigInteger, info=repaired(DAY))
    """The time at which the delivery is to be sent next."""
    lease_until: Mapped[int] = mapped_column(BigInteger, default=0, info=repaired(5 * MINUTE))
    """The time until which a worker has claimed the delivery."""
    claims: Mapped[int] = mapped_column(default=0)
    """The number of times that the delivery was claimed; it distinguishes one claim from the next."""
    tries: Mapped[int] = mapped_column(default=0)
    """The number of failed tries since the time `since`."""
    done_at: Mapped[int | None] = mapped_column(BigInteger)
    outcome: Mapped[DeliveryOutcome | None] = mapped_column(String(10))


class DeliveryAttempt(Base):
    """An attempt to send a delivery."""

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
    """The duration of the attempt, in ms."""
    status: Mapped[int | None]
    """The status of the HTTP response; None if there was none."""
    error: Mapped[str | None] = mapped_column(String(10))
    """The reason why there was no response: a key of `service.notifications.receivers.guarded_post.ERRORS`; otherwise
    None.
    """
