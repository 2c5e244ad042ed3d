"""Answers that are kept for a day, so that a repeated request gets the one from before.

They are named by a keyed digest of the client's own key: whoever has not sent the first request cannot ask for its
answer. An answer may hold a secret that is shown only once; for that day it lies in the database as it was sent.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import delete, select, update

from service.core.database.database import db, insert_unless_there, transaction
from service.core.models.server import KeptAnswer
from service.core.runtime.problems import OtherRequest, Problem, Unfinished
from service.core.runtime.units import DAY
from service.web.http.caller.context import current_services

KEPT = DAY
"""Ms for which an answer is kept."""


class Keeper:
    """Keeps the answer to one request, which `key` and `scope` name: who sends it, and to which operation."""

    def __init__(self, scope: str, key: str) -> None:
        secret = current_services().config.secret_key
        self._digest = hmac.digest(secret, f"repeat {scope} {key}".encode(), "sha256")
        self._mine = KeptAnswer.digest == self._digest

    def once(self, sent: bytes, make: Callable[[], str], *, only_same: bool = True) -> str:
        """What `make` answers to what was `sent`, or what it answered when it was sent first.

        Raises OtherRequest for something else, unless it is to be taken for the same; Unfinished; and what `make`
        raises: only after a Problem is nothing created, and the same key may be used again.
        """
        request = hashlib.sha256(sent).digest()
        if not self.claim(request):
            return self._before(request if only_same else None)
        try:
            answer = make()
        except Problem:
            with transaction():
                db.session.execute(delete(KeptAnswer).where(self._mine))
            raise
        with transaction():
            db.session.execute(update(KeptAnswer).where(self._mine).values(answer=answer.encode()))
        return answer

    def claim(self, request: bytes) -> bool:
        """Whether this is the first request of this name; `request` is a digest of what is sent."""
        now = current_services().now()
        row = {"digest": self._digest, "request": request, "ends_at": now + KEPT}
        with transaction():
            db.session.execute(delete(KeptAnswer).where(self._mine, KeptAnswer.ends_at <= now))
            return insert_unless_there(KeptAnswer.__table__, row)

    def _before(self, request: bytes | None) -> str:
        """The answer to the first request, which is to be this one, if any. Raises OtherRequest, Unfinished.

        Earlier releases encrypted answers. What such a request has made is there, so it is not made again.
        """
        query = select(KeptAnswer.request, KeptAnswer.answer).where(self._mine)
        found = db.session.execute(query).one_or_none()
        if found and request not in {None, bytes(found.request)}:
            raise OtherRequest
        with suppress(UnicodeDecodeError):
            if found and found.answer:
                return bytes(found.answer).decode()
        raise Unfinished({"Retry-After": "1"})
