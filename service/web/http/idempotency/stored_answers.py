"""Answers that are kept for a day, so that a repeated request gets the one from before.

They are named by a keyed digest of the client's own key: whoever has not sent the first request cannot ask for its
answer. An answer may hold a secret that is shown only once; for that day it lies in the database as it was sent.
"""

from __future__ import annotations

import hmac

from sqlalchemy import delete, select, update

from service.core.database.database import db, insert_unless_there, transaction
from service.core.models.kept_answers import KeptAnswer
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY

KEPT = DAY
"""Ms for which an answer is kept."""


class Keeper:
    """Keeps the answer to one request, which `key` and `scope` name: who sends it, and to which operation."""

    def __init__(self, runtime: Runtime, secret: bytes, scope: str, key: str) -> None:
        self._runtime = runtime
        self._digest = hmac.digest(secret, f"repeat {scope} {key}".encode(), "sha256")

    def claim(self, request: bytes) -> bool:
        """Whether this is the first request of this name; `request` is a digest of what is sent."""
        now = self._runtime.now()
        row = {"digest": self._digest, "request": request, "ends_at": now + KEPT}
        with transaction():
            ended = KeptAnswer.ends_at <= now
            db.session.execute(delete(KeptAnswer).where(KeptAnswer.digest == self._digest, ended))
            claiming = insert_unless_there(KeptAnswer.__table__).values(row)
            return db.session.scalar(claiming.returning(KeptAnswer.digest)) is not None

    def before(self) -> tuple[bytes, str | None]:
        """The digest of the first request, and the answer to it; None: there is none, or none that can be read.

        Earlier releases encrypted answers. What such a request has made is there, so it is not made again.
        """
        query = select(KeptAnswer.request, KeptAnswer.answer).where(
            KeptAnswer.digest == self._digest
        )
        found = db.session.execute(query).one_or_none()
        if found is None:
            return b"", None
        try:
            return bytes(found.request), bytes(found.answer).decode() if found.answer else None
        except UnicodeDecodeError:
            return bytes(found.request), None

    def keep(self, answer: str) -> None:
        """Keep the answer to the request."""
        with transaction():
            mine = update(KeptAnswer).where(KeptAnswer.digest == self._digest)
            db.session.execute(mine.values(answer=answer.encode()))

    def forget(self) -> None:
        """Nothing was created: the same key may be used again."""
        with transaction():
            db.session.execute(delete(KeptAnswer).where(KeptAnswer.digest == self._digest))
