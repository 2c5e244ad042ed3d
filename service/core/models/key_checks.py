"""The table of the keys that belong to a database."""

from __future__ import annotations

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.database import Base


class KeyCheck(Base):
    """Which key of this name the database was used with: a digest under the key itself."""

    __tablename__ = "key_checks"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))
