"""The tables. Times are ms since 1970 UTC. People hang on tenures, never on events."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from service.database import Base

Id = String(26)


def partial_index(name: str, column: str, where: str) -> Index:
    """An index of few rows: those that are looked for again and again."""
    return Index(name, column, sqlite_where=text(where), postgresql_where=text(where))


class Player(Base):
    """A person; a guest as yet."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    language: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[int] = mapped_column(BigInteger)
    away_from: Mapped[int | None] = mapped_column(BigInteger)
    """The present or next vacation, set by `waits.go_away` alone: no clock of this player runs from then …"""
    away_until: Mapped[int | None] = mapped_column(BigInteger)
    """… until then."""
    time_zone: Mapped[str | None] = mapped_column(String(40))
    """Its IANA name; None: UTC."""
    reminders: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """How many minutes before a time is over a reminder is due; None: as `service.settings` has it."""
    erased_at: Mapped[int | None] = mapped_column(BigInteger)
    """Since when the row is empty and stands for nobody."""


class Credential(Base):
    """A way to prove who one is: a sign-in (cookie), a token (bearer) or the secret link. Only its SHA-256 is kept."""

    __tablename__ = "credentials"
    __table_args__ = (Index(None, "player_id", "kind"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    kind: Mapped[str] = mapped_column(String(8))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    label: Mapped[str | None] = mapped_column(String(60))
    """What a token is for; of a sign-in the kind of browser."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    seen_at: Mapped[int | None] = mapped_column(BigInteger)
    """When it was used last, to the minute."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)


class Game(Base):
    """A table that was opened, and the game that is played there. `key` never leaves the service, `id` is its name."""

    __tablename__ = "games"
    __table_args__ = (
        Index(None, "status", "private", "key"),
        partial_index("ix_games_paused", "paused_until", "paused_until IS NOT NULL"),
        partial_index("ix_games_unattended", "unattended_at", "unattended_at IS NOT NULL"),
        partial_index("ix_games_rematch", "rematch_of", "rematch_of IS NOT NULL"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    version: Mapped[int]
    players: Mapped[int]
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    private: Mapped[bool]
    seating: Mapped[str] = mapped_column(String(8))
    """`random`, or `order`: as they sat down."""
    start: Mapped[str] = mapped_column(String(8))
    """`host`: when the host says so; `full`: when the last seat is taken."""
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    status: Mapped[str] = mapped_column(String(8), default="open")
    """`open`, `running` or `over`."""
    number: Mapped[int] = mapped_column(default=0)
    """The number of the last event."""
    head: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    """The digest of the last event."""
    revision: Mapped[int] = mapped_column(default=1)
    """Rises with every commit that changes what anybody is shown."""
    nonces: Mapped[list[str | None] | None] = mapped_column(JSON)
    """As the start event has them."""
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[int] = mapped_column(BigInteger)
    started_at: Mapped[int | None] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    pace: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """`kind`, `each`, `reserve` and `cap` in ms (service/clock.py); None: no clock."""
    takeover: Mapped[int] = mapped_column(default=3)
    """After how many time-outs in a row a house player takes the seat; 0: never."""
    paused_at: Mapped[int | None] = mapped_column(BigInteger)
    """Since when the table has been paused."""
    paused_until: Mapped[int | None] = mapped_column(BigInteger)
    """When it goes on by itself."""
    unattended_at: Mapped[int | None] = mapped_column(BigInteger)
    """Since when no person has been at the table; house players rest then."""
    asking: Mapped[int] = mapped_column(default=0)
    """How many proposals are open."""
    rematch_of: Mapped[int | None]
    """The key of the game that is played once more here."""
    erasing: Mapped[bool] = mapped_column(default=False)
    """The database lets nobody delete events but of a game that is marked so."""


class Tenure(Base):
    """The time of a person, or of a house player (`player_id` is None), at a table; its id stands in the log."""

    __tablename__ = "tenures"
    __table_args__ = (
        Index(
            "uq_tenures_present",
            "game_key",
            "player_id",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index(None, "player_id", "game_key"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"))
    nonce: Mapped[str | None] = mapped_column(String(64))
    place: Mapped[int]
    """Order of sitting down: 1, 2, …; the host is the one at the table with the lowest."""
    seat: Mapped[int | None]
    """None until the start."""
    sat_at: Mapped[int] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    began: Mapped[int | None]
    """The number of the event with which the seat was taken: the start or a handover."""
    ended: Mapped[int | None]
    """The number of the handover with which it was given up."""
    why: Mapped[str | None] = mapped_column(String(12))
    """Why it was given up, as the handover says."""
    result: Mapped[str | None] = mapped_column(String(12))
    """For ratings: `won`, `lost`, `left` (before the end) or `none` (the game has no winner)."""
    erased: Mapped[bool] = mapped_column(default=False)
    """Whether a person held it who has been erased since; else nobody but a house player has no person."""
    nudged_at: Mapped[int | None] = mapped_column(BigInteger)
    """When somebody at the table last asked this person to play."""


class Seat(Base):
    """A seat of a game that has started: who holds it, and the question that it is asked (docs/record.md)."""

    __tablename__ = "seats"
    __table_args__ = (
        Index(
            "ix_seats_house_due",
            "game_key",
            sqlite_where=text("waiting AND house"),
            postgresql_where=text("waiting AND house"),
        ),
        partial_index("ix_seats_time", "due", "due IS NOT NULL"),
    )

    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tenure_id: Mapped[str] = mapped_column(ForeignKey("tenures.id"), unique=True)
    house: Mapped[bool]
    asked: Mapped[int]
    """The number of the last event that changed what the seat is asked."""
    waiting: Mapped[bool]
    since: Mapped[int] = mapped_column(BigInteger)
    """Since when it has been asked this."""
    due: Mapped[int | None] = mapped_column(BigInteger)
    """When the fallback is played for it; None while no clock runs. This and the next three: service/clock.py."""
    reserve: Mapped[int] = mapped_column(BigInteger, default=0)
    extra: Mapped[int] = mapped_column(BigInteger, default=0)
    spent: Mapped[int] = mapped_column(BigInteger, default=0)
    misses: Mapped[int] = mapped_column(default=0)
    """How many questions in a row its person left to the clock."""


class Event(Base):
    """One entry of a game's log. Append-only: triggers refuse every UPDATE, and DELETE but of a game that is erased."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("game_key", "seat", "asked"),
        {"sqlite_with_rowid": False},
    )

    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)
    """Canonical JSON, salt included: what is hashed."""
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))
    seat: Mapped[int | None]
    """Of an action: who answered …"""
    asked: Mapped[int | None]
    """… which question. Unique: the proof that no question is answered twice."""
    at: Mapped[int] = mapped_column(BigInteger)
