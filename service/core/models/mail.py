"""The tables of mail: emails to be sent, and addresses to which emails are not sent. Times are ms UTC."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, partial_index, repaired
from service.core.runtime.units import MINUTE

LONGEST_REFUSAL = 40
"""The greatest length of the stored reason why an email was not sent, in characters."""
FAILED_HERE = "failed here: "
"""The beginning of that reason if no mail server was involved."""

MailOutcome = Literal["sent", "digest", "dropped", "cancelled", "failed", "expired"]
"""The outcomes of an email.

`digest`: a digest contained its news; `dropped`: no longer relevant, or unwanted; `failed`: no such mailbox.
"""
Trouble = Literal["no-mailbox", "complaint", "full", "over-quota", "refused"]
"""The reasons why no mail reaches an address (service/outbox/addresses/undelivered.py)."""
SuppressedFor = Literal["refused", "strangers"]
"""The reasons why emails to an address are suppressed.

`refused`: its mail server says that there is no such mailbox; `strangers`: its owner wants no mail from strangers.
"""


class Outbox(Base):
    """An email that is to be sent, or was. It is written in the commit of its cause.

    There are no foreign keys: once the subject of an email is deleted, the email no longer matters.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(None, "done_at", "run_at"),
        Index(None, "tenure_id"),
        partial_index("ix_outbox_unsent", "done_at IS NULL", "tenure_id", "done_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120), unique=True)
    """The kind, recipient and subject of the email: if its cause is repeated, there is still one row."""
    kind: Mapped[str] = mapped_column(String(20))
    """A key of `service.notifications.mail_texts.kinds.KINDS`, which says how the email is rendered."""
    player_id: Mapped[str | None] = mapped_column(String(26))
    address: Mapped[str | None] = mapped_column(String(254))
    """The address of a recipient without a verified one; None for a player, whose address is looked up at sending
    time.
    """
    game_key: Mapped[int | None]
    tenure_id: Mapped[str | None] = mapped_column(String(26))
    number: Mapped[int | None]
    """The question, the event or the proposal (by its key) that the email is about; None if it is about none."""
    data: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """The data that the email needs and no other table holds; None if it needs none."""
    about: Mapped[str | None] = mapped_column(String(80))
    """The topic of the email, which replaces unsent emails to the same recipient on the same topic; None if it replaces
    none.
    """
    cause: Mapped[str | None] = mapped_column(String(60))
    """The sender of the request that caused the email: the player's id and a keyed digest of the network; None for
    nobody.

    It is emptied when the email is done.
    """
    created_at: Mapped[int] = mapped_column(BigInteger)
    run_at: Mapped[int] = mapped_column(BigInteger, info=repaired(by="created_at"))
    """The time at which the email is to be sent."""
    lease_until: Mapped[int] = mapped_column(BigInteger, default=0, info=repaired(5 * MINUTE))
    """The time until which a sender has claimed the email, or the email waits for its next attempt or for a budget."""
    attempts: Mapped[int] = mapped_column(default=0)
    """The number of times that the email was claimed; it distinguishes one claim from the next."""
    done_at: Mapped[int | None] = mapped_column(BigInteger)
    outcome: Mapped[MailOutcome | None] = mapped_column(String(10))
    pushed_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the email was handed to the browsers in which the player is notified; None before that."""
    refusal: Mapped[str | None] = mapped_column(String(LONGEST_REFUSAL))
    """The reason why the last attempt failed: the mail server's reply (`550 5.7.26 at DATA`), or FAILED_HERE and a
    reason.

    None if no attempt has failed.
    """


class OutboxRow(NamedTuple):
    """A row of the outbox in the form in which it is claimed and rendered."""

    id: int
    key: str
    kind: str
    player_id: str | None
    address: str | None
    game_key: int | None
    tenure_id: str | None
    number: int | None
    data: Json | None
    cause: str | None
    created_at: int
    run_at: int
    attempts: int
    pushed_at: int | None = None

    @property
    def details(self) -> Json:
        """The row's `data`; empty if it has none."""
        return self.data or {}

    @property
    def player(self) -> str:
        """The player that the email is about. Raises ValueError if there is none."""
        if self.player_id is None:
            raise ValueError(f"a mail of kind {self.kind} without a player")
        return self.player_id


class SentMail(NamedTuple):
    """The columns of a row that are needed when a bounce or complaint about it has come back."""

    id: int
    kind: str
    player_id: str | None
    address: str | None
    data: Json | None
    done_at: int | None
    refusal: str | None


class Suppressed(Base):
    """An address to which certain emails are not sent. Only its keyed digest is stored."""

    __tablename__ = "suppressed"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    reason: Mapped[SuppressedFor] = mapped_column(String(12), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class Bounce(Base):
    """The facts about an address that emails did not reach. Only its keyed digest is stored."""

    __tablename__ = "bounces"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    why: Mapped[Trouble | None] = mapped_column(String(10))
    """The reason why emails did not reach the address; None when nothing is known any more."""
    status: Mapped[str | None] = mapped_column(String(12))
    """The code that the mail server gave last (RFC 3463), or a word if it gave none; None when nothing is known."""
    since: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[int] = mapped_column(BigInteger)
    """The time at which the trouble was last reported."""
    returned: Mapped[bool]
    """Whether a returned email reported the trouble, and not the mail server to which the email was handed."""
    lifted_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which emails were last found to reach the address; None if they never were.

    Emails returned from before that time are ignored.
    """


class Unsubscribed(Base):
    """Emails from which a player has unsubscribed: of one kind or all kinds, about one game or all games."""

    __tablename__ = "unsubscribed"

    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    """The kind of mail; empty for all kinds."""
    game_key: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The key of the game; 0 for all games."""
    at: Mapped[int] = mapped_column(BigInteger)
