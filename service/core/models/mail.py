"""The tables of mail: what is to be sent, and which mails are not to be sent to whom. Times are ms UTC."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, partial_index, repaired
from service.core.runtime.units import MINUTE

LONGEST_REFUSAL = 40
"""Characters that are kept of why a mail was not sent."""
FAILED_HERE = "failed here: "
"""How that begins if no mail server had a part in it."""

MailOutcome = Literal["sent", "digest", "dropped", "cancelled", "failed", "expired"]
"""`digest`: a digest said it; `dropped`: no longer relevant, or unwanted; `failed`: there is no such mailbox."""
Trouble = Literal["no-mailbox", "complaint", "full", "over-quota", "refused"]
"""Why no mail gets to an address (service/outbox/addresses/undelivered.py)."""
SuppressedFor = Literal["refused", "strangers"]
"""`refused`: its mail server says that there is no such mailbox; `strangers`: its owner wants no mails of strangers."""


class Outbox(Base):
    """A mail that is to be sent, or was. It is written in the commit of its cause.

    There are no foreign keys: when what a mail is about is deleted, the mail no longer matters.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(None, "done_at", "run_at"),
        Index(None, "tenure_id"),
        partial_index("ix_outbox_unsent", "done_at IS NULL", "tenure_id", "done_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120), unique=True)
    """Kind, recipient and subject matter: if the cause is repeated, there is still one row."""
    kind: Mapped[str] = mapped_column(String(20))
    """A key of `service.notifications.mail_texts.kinds.KINDS`, which says how the mail is rendered."""
    player_id: Mapped[str | None] = mapped_column(String(26))
    address: Mapped[str | None] = mapped_column(String(254))
    """For recipients without a verified address; that of a player is looked up when the mail is sent."""
    game_key: Mapped[int | None]
    tenure_id: Mapped[str | None] = mapped_column(String(26))
    number: Mapped[int | None]
    """The question, the event, or the key of the proposal that the mail is about."""
    data: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """What the mail needs and no other table holds."""
    about: Mapped[str | None] = mapped_column(String(80))
    """An unsent mail to the same recipient about the same is replaced; None: never."""
    cause: Mapped[str | None] = mapped_column(String(60))
    """Whose request caused it: the player's id and a keyed digest of the network; None: nobody's. Empty once done."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    run_at: Mapped[int] = mapped_column(BigInteger, info=repaired(by="created_at"))
    """When it is to be sent."""
    lease_until: Mapped[int] = mapped_column(BigInteger, default=0, info=repaired(5 * MINUTE))
    """Until then it is claimed by a sender, or waits for its next attempt or for a budget."""
    attempts: Mapped[int] = mapped_column(default=0)
    """How often it was claimed; distinguishes one claim from the next."""
    done_at: Mapped[int | None] = mapped_column(BigInteger)
    outcome: Mapped[MailOutcome | None] = mapped_column(String(10))
    pushed_at: Mapped[int | None] = mapped_column(BigInteger)
    """When it was handed on to the browsers in which its player is told."""
    refusal: Mapped[str | None] = mapped_column(String(LONGEST_REFUSAL))
    """Why it was not sent the last time: the mail server's answer (`550 5.7.26 at DATA`), or FAILED_HERE and why."""


class OutboxRow(NamedTuple):
    """A row of the outbox as it is claimed and rendered."""

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
        """Its `data`; empty if it has none."""
        return self.data or {}

    @property
    def player(self) -> str:
        """The player it is about. Raises ValueError if there is none."""
        if self.player_id is None:
            raise ValueError(f"a mail of kind {self.kind} without a player")
        return self.player_id


class SentMail(NamedTuple):
    """What is asked of a row about which something has come back."""

    id: int
    kind: str
    player_id: str | None
    address: str | None
    data: Json | None
    done_at: int | None
    refusal: str | None


class Suppressed(Base):
    """An address to which certain mails are not sent. Only a keyed digest of it is stored."""

    __tablename__ = "suppressed"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    reason: Mapped[SuppressedFor] = mapped_column(String(12), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class Bounce(Base):
    """What is known of an address that mails did not get to. Only a keyed digest of it is stored."""

    __tablename__ = "bounces"

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    why: Mapped[Trouble | None] = mapped_column(String(10))
    """None: nothing any more."""
    status: Mapped[str | None] = mapped_column(String(12))
    """The code of the mail server that said it last (RFC 3463), or a word where it gave none."""
    since: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[int] = mapped_column(BigInteger)
    """When it was last said."""
    returned: Mapped[bool]
    """Whether a mail that came back has said it, rather than the mail server to which it was handed."""
    lifted_at: Mapped[int | None] = mapped_column(BigInteger)
    """When mails were last found to get there: what comes back of those before says nothing."""


class Unsubscribed(Base):
    """Mails that a player has unsubscribed from: of one kind or all kinds, about one game or all games."""

    __tablename__ = "unsubscribed"

    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    """Empty: all kinds."""
    game_key: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """0: all games."""
    at: Mapped[int] = mapped_column(BigInteger)
