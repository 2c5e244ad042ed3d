"""The table of answers to requests that may be repeated. Times are ms since 1970 UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.database import Base


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
    ends_at: Mapped[int] = mapped_column(BigInteger)
    """When it is forgotten."""
