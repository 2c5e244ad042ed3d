"""The tables of games, their seats and their logs. Times are ms since 1970 UTC. Events name tenures, never people."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from rules.players import levels
from service.core.database.tables import Base, Id, partial_index, repaired
from service.core.runtime.units import HOUR

GameStatus = Literal["open", "running", "over"]
Seating = Literal["order", "random"]
"""At random, or in the order in which people sat down."""
Start = Literal["host", "full"]
"""Whether the host starts the game, or it starts when the last seat is taken."""


class Game(Base):
    """A table and the game that is played there. `key` never leaves the service, `id` is public."""

    __tablename__ = "games"
    __table_args__ = (
        Index(None, "status", "private", "key"),
        partial_index("ix_games_paused", "paused_until IS NOT NULL", "paused_until"),
        partial_index("ix_games_unattended", "unattended_at IS NOT NULL", "unattended_at"),
        partial_index("ix_games_starts", "starts_at IS NOT NULL", "starts_at"),
        partial_index("ix_games_rematch", "rematch_of IS NOT NULL", "rematch_of"),
        partial_index("ix_games_lesson", "lesson IS NOT NULL", "created_at"),
        partial_index("ix_games_warm", "cold IS NULL AND ended_at IS NOT NULL", "ended_at"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    version: Mapped[int]
    players: Mapped[int]
    options: Mapped[Json] = mapped_column(JSON)
    private: Mapped[bool]
    seating: Mapped[Seating] = mapped_column(String(8))
    start: Mapped[Start] = mapped_column(String(8))
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    status: Mapped[GameStatus] = mapped_column(String(8), default="open")
    number: Mapped[int] = mapped_column(default=0)
    """The number of the last event."""
    head: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    """The digest of the last event."""
    revision: Mapped[int] = mapped_column(default=1)
    """Increases with every commit that changes what anybody is shown."""
    log_format: Mapped[int] = mapped_column(server_default="2")
    """The format of its log (docs/record.md), where 2 stands for 1, too."""
    shuffles: Mapped[int] = mapped_column(default=0, server_default="0")
    """How many shuffles are in the log, that of the seats not counted; not used up to format 2."""
    logged_at: Mapped[int | None] = mapped_column(BigInteger)
    """When the last event was logged, as the log has it: never before the event before it."""
    nonces: Mapped[list[Json] | None] = mapped_column(JSON(none_as_null=True))
    """As the start event has them: `tenure` and `nonce`. In logs of format 2 `nonce` can be null."""
    result: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[int] = mapped_column(BigInteger)
    started_at: Mapped[int | None] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    pace: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """`kind`, `each`, `reserve` and `cap` in ms (service/tables/clocks/arithmetic.py); None: no clock."""
    takeover: Mapped[int] = mapped_column(default=3)
    """After how many time-outs in a row a house player takes the seat; 0: never."""
    level: Mapped[str] = mapped_column(String(8), server_default=levels.USUAL)
    """The level of house players who sit down before the start, unless another one is named."""
    paused_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """Since when the table has been paused."""
    paused_until: Mapped[int | None] = mapped_column(BigInteger)
    """When it resumes automatically."""
    unattended_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """Since when there has been no person at the table; house players stop then."""
    credited_until: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """Up to when outages have been given back to it; None: none has been."""
    asking: Mapped[int] = mapped_column(default=0)
    """How many proposals are open."""
    rematch_of: Mapped[int | None]
    """The key of the game of which this is a rematch."""
    invitation_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """Part of the invitation key; rises when the host changes the key."""
    awaits_nonce: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the table, once it is full and starts by itself, waits for the nonce of whoever opened it."""
    starts_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired(HOUR))
    """When such a table starts without it; None unless it is full and has not started."""
    opener_rank: Mapped[int] = mapped_column(default=0, server_default="0")
    """Which of its opener's open tables it was, from 0: lists show everybody's first before anybody's second."""
    lesson: Mapped[int | None]
    """How many moves of its ruleset's lesson have been played here; None: it is no lesson. Once somebody has moved in
    another way, −1 minus that."""
    cold: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    """The SHA-256 of what cold storage has of its log; None: the events are in the database."""
    erasing: Mapped[bool] = mapped_column(default=False)
    """Whether the game is being erased, or its log moved away: triggers refuse to delete the events of all others."""


def is_listed() -> ColumnElement[bool]:
    """The condition that lists may have a game: it is no lesson. Whoever shows or counts games of people asks this."""
    return Game.lesson.is_(None)


class Tenure(Base):
    """The time that a person or a house player (`player_id` is None) spends at a table. The log contains its id."""

    __tablename__ = "tenures"
    __table_args__ = (
        partial_index(
            "uq_tenures_present", "ended_at IS NULL", "game_key", "player_id", unique=True
        ),
        Index(None, "player_id", "game_key"),
        Index(None, "game_key", "seat"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"))
    nonce: Mapped[str | None] = mapped_column(String(64))
    place: Mapped[int]
    """Order of sitting down: 1, 2, …; the person with the lowest place at the table is host."""
    seat: Mapped[int | None]
    """None until the start."""
    sat_at: Mapped[int] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    began: Mapped[int | None]
    """The number of the event that began it: the start or a handover."""
    ended: Mapped[int | None]
    """The number of the handover that ended it."""
    why: Mapped[str | None] = mapped_column(String(12))
    """The reason of that handover; `removed` if the host removed this person before the start."""
    result: Mapped[str | None] = mapped_column(String(12))
    """For ratings: `won`, `lost`, `left` (before the end) or `none` (the game has no winner)."""
    erased: Mapped[bool] = mapped_column(default=False)
    """Whether it belonged to a person who has been erased; otherwise no `player_id` means a house player."""
    house_name: Mapped[str | None] = mapped_column(String(16))
    """What a house player is called: a key of the catalogue (`house.name.…`). None for people, like the next two."""
    house_level: Mapped[str | None] = mapped_column(String(8))
    house_version: Mapped[str | None] = mapped_column(String(8))
    """Of house players when this one sat down; `0` for those who sat down before versions were stored."""
    nudged_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """When somebody at the table last nudged this person."""


HOUSE_DUE = "waiting AND house"
"""Seats of house players who are asked. SQLite finds them by index only where a query says so in these words."""


class Seat(Base):
    """A seat of a game that has started: its holder, its question (service/tables/play/moves.py) and its clock."""

    __tablename__ = "seats"
    __table_args__ = (
        partial_index("ix_seats_house_due", HOUSE_DUE, "game_key"),
        partial_index("ix_seats_time", "due IS NOT NULL", "due"),
    )

    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tenure_id: Mapped[str] = mapped_column(ForeignKey("tenures.id"), unique=True)
    house: Mapped[bool]
    asked: Mapped[int]
    """The number of the last event that changed what the seat is asked."""
    waiting: Mapped[bool]
    since: Mapped[int] = mapped_column(BigInteger, info=repaired())
    """Since when it has been asked this."""
    due: Mapped[int | None] = mapped_column(BigInteger)
    """When the fallback is played for it; None while no clock runs. This and the next four:
    service/tables/clocks/arithmetic.py."""
    reserve: Mapped[int] = mapped_column(BigInteger, default=0)
    extra: Mapped[int] = mapped_column(BigInteger, default=0)
    spent: Mapped[int] = mapped_column(BigInteger, default=0)
    moved: Mapped[int] = mapped_column(BigInteger, default=0)
    misses: Mapped[int] = mapped_column(default=0)
    """How many questions in a row have timed out."""


class TimeEntry(Base):
    """Why a seat's time is what it is: an entry for each change."""

    __tablename__ = "time_entries"
    __table_args__ = (
        Index(None, "game_key", "key"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    seat: Mapped[int]
    at: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(String(12))
    """The catalogues word it as `time.<kind>`."""
    ms: Mapped[int] = mapped_column(BigInteger)
    """How much time the entry is about."""
    due: Mapped[int | None] = mapped_column(BigInteger)
    reserve: Mapped[int] = mapped_column(BigInteger)
    extra: Mapped[int] = mapped_column(BigInteger)


class Event(Base):
    """One event of a game's log. Append-only: triggers refuse UPDATE, and DELETE unless the game is being erased."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("game_key", "seat", "asked"),
        {"sqlite_with_rowid": False},
    )

    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)
    """Canonical JSON including the salt: the text that is hashed."""
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))
    seat: Mapped[int | None]
    """The seat that acted …"""
    asked: Mapped[int | None]
    """… and the question it answered. The unique constraint makes sure that no question is answered twice."""
    at: Mapped[int] = mapped_column(BigInteger)
