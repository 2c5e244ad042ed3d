"""The tables that a server keeps for itself: heartbeats, digests of its keys, responses, and checks of logs.

Times are ms UTC.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, repaired
from service.core.runtime.units import DAY

LONGEST_WHAT = 200
"""The most characters stored of what is wrong with a game."""


class Heartbeat(Base):
    """The time at which a worker was last alive. There is one row for all workers."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class Outage(Base):
    """A period in which no worker was alive; kept while there are games that have not been credited with it."""

    __tablename__ = "outages"

    began_at: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    ended_at: Mapped[int] = mapped_column(BigInteger, info=repaired())


class ProcessBeat(Base):
    """The time at which a worker, or one of its thinkers, was last alive.

    A worker that ends properly deletes its rows.
    """

    __tablename__ = "process_beats"

    worker_id: Mapped[str] = mapped_column(Id, primary_key=True)
    """A random id that the worker draws when it starts."""
    number: Mapped[int] = mapped_column(primary_key=True)
    """0 for the worker itself, 1 and up for its thinkers."""
    machine: Mapped[str] = mapped_column(String(64))
    """The host name."""
    pid: Mapped[int] = mapped_column(BigInteger)
    """The worker's process id on that machine."""
    at: Mapped[int] = mapped_column(BigInteger, info=repaired())


LATEST = "ON CONFLICT (name) DO UPDATE SET at = excluded.at"
"""A clause for `write_rows` of heartbeats: each replaces the one before."""


class KeyCheck(Base):
    """The digest of the key that the database has been used with, by name. It is made with the key itself."""

    __tablename__ = "key_checks"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))


class KeptAnswer(Base):
    """The response to a request with an `Idempotency-Key`, kept for a day. It may hold a secret."""

    __tablename__ = "kept_answers"
    __table_args__ = (Index(None, "ends_at"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    """A keyed digest of the client's key, the caller and the operation."""
    request: Mapped[bytes] = mapped_column(LargeBinary(32))
    """The SHA-256 of the request body."""
    answer: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The body in UTF-8; None while the request is being processed, and for good if that fails."""
    ends_at: Mapped[int] = mapped_column(BigInteger, info=repaired(DAY))
    """When the row is deleted. A claim that has created nothing yet ends within a minute."""


class LogCheck(Base):
    """The progress of the check of all games. There is one row."""

    __tablename__ = "log_checks"

    name: Mapped[str] = mapped_column(String(8), primary_key=True)
    began_at: Mapped[int] = mapped_column(BigInteger)
    after: Mapped[int] = mapped_column(BigInteger)
    """The key of the last game that a worker has claimed."""
    games: Mapped[int]
    """The number of games claimed so far."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    """When the check ended; None while games are left."""


class DamagedGame(Base):
    """A game in which its last check has found something wrong."""

    __tablename__ = "damaged_games"

    game_id: Mapped[str] = mapped_column(Id, primary_key=True)
    found_at: Mapped[int] = mapped_column(BigInteger)
    """When the damage was last found."""
    what: Mapped[str] = mapped_column(String(LONGEST_WHAT))
