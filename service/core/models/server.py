"""The tables that a server keeps about itself: heartbeats, digests of its keys, responses, and checks of logs.

Times are ms UTC.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, repaired
from service.core.runtime.units import DAY

LONGEST_WHAT = 200
"""The greatest length of the stored description of damage to a game, in characters."""


class Heartbeat(Base):
    """The time at which any worker was last alive, in a single row for all workers."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class Outage(Base):
    """A period in which no worker was alive; it is kept while there are games that have not been credited with it."""

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
    """The number of the process: 0 for the worker itself, 1 and up for its thinkers."""
    machine: Mapped[str] = mapped_column(String(64))
    """The host name of the machine."""
    pid: Mapped[int] = mapped_column(BigInteger)
    """The id of the process on that machine."""
    at: Mapped[int] = mapped_column(BigInteger, info=repaired())


LATEST = "ON CONFLICT (name) DO UPDATE SET at = excluded.at"
"""A clause for `write_rows` of heartbeats, by which each replaces the previous one."""


class KeyCheck(Base):
    """The digest of the key with which the database has been used, by name. It is made with the key itself."""

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
    """The body of the response in UTF-8; None while the request is being processed, and for good if that fails."""
    ends_at: Mapped[int] = mapped_column(BigInteger, info=repaired(DAY))
    """The time at which the row is deleted. A claim that has created nothing yet ends within a minute."""


class LogCheck(Base):
    """The progress of the check of all games, in a single row."""

    __tablename__ = "log_checks"

    name: Mapped[str] = mapped_column(String(8), primary_key=True)
    began_at: Mapped[int] = mapped_column(BigInteger)
    after: Mapped[int] = mapped_column(BigInteger)
    """The key of the last game that a worker has claimed."""
    games: Mapped[int]
    """The number of games claimed so far."""
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the check ended; None while games are left."""


class DamagedGame(Base):
    """A game in which the last check has found damage."""

    __tablename__ = "damaged_games"

    game_id: Mapped[str] = mapped_column(Id, primary_key=True)
    found_at: Mapped[int] = mapped_column(BigInteger)
    """The time at which the damage was last found."""
    what: Mapped[str] = mapped_column(String(LONGEST_WHAT))
