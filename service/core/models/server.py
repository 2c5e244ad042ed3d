"""The tables of what a server keeps for itself: heartbeats, digests of its keys, answers. Times are ms UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id, repaired
from service.core.runtime.units import DAY


class Heartbeat(Base):
    """When a worker was last alive. There is one row for all workers."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class Outage(Base):
    """A time in which no worker was alive, as long as there are games to which it has not been given back."""

    __tablename__ = "outages"

    began_at: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    ended_at: Mapped[int] = mapped_column(BigInteger, info=repaired())


class ProcessBeat(Base):
    """When a worker, or a thinker of one, was last alive. The row goes when the worker ends as it should."""

    __tablename__ = "process_beats"

    worker_id: Mapped[str] = mapped_column(Id, primary_key=True)
    """Drawn by the worker when it starts."""
    number: Mapped[int] = mapped_column(primary_key=True)
    """0: the worker itself; from 1 on: its thinkers."""
    machine: Mapped[str] = mapped_column(String(64))
    """The host name."""
    pid: Mapped[int] = mapped_column(BigInteger)
    """The worker's process id there."""
    at: Mapped[int] = mapped_column(BigInteger, info=repaired())


LATEST = "ON CONFLICT (name) DO UPDATE SET at = excluded.at"
"""For `write_rows` of heartbeats: each replaces the one before."""


class KeyCheck(Base):
    """Which key of this name the database was used with: a digest under the key itself."""

    __tablename__ = "key_checks"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))


class KeptAnswer(Base):
    """The answer to a request with an `Idempotency-Key`, for a day: it may hold a secret."""

    __tablename__ = "kept_answers"
    __table_args__ = (Index(None, "ends_at"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    """A keyed digest of the client's key, the caller and the operation."""
    request: Mapped[bytes] = mapped_column(LargeBinary(32))
    """The SHA-256 of what was sent."""
    answer: Mapped[bytes | None] = mapped_column(LargeBinary)
    """UTF-8; None while the request is being answered, and for good if that has failed."""
    ends_at: Mapped[int] = mapped_column(BigInteger, info=repaired(DAY))
    """When it is forgotten. A claim that has created nothing yet ends within a minute."""
