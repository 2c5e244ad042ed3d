"""Answers that are kept for a day, so that a repeated request gets the one from before.

They are named by a keyed digest of the client's own key: whoever has not sent the first request cannot ask for its
answer. An answer may hold a secret that is shown only once; for that day it lies in the database as it was sent.

A request claims its key for a minute, and holds it for the day from the very commit on that creates something. So if
its process dies, the claim ends by itself where nothing was created, and nothing is created twice where something was.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Callable
from contextlib import suppress

import structlog
from sqlalchemy import ColumnElement, delete, select, update

from service.core.database.database import (
    changed_rows,
    db,
    insert_unless_there,
    transaction,
    written_beside,
)
from service.core.database.failures import DATABASE_FAILURES, cause_of
from service.core.models.server import KeptAnswer
from service.core.runtime.problems import OtherRequest, Problem, Unfinished
from service.core.runtime.units import DAY, MINUTE, SECOND
from service.web.http.caller.context import current_services

KEPT = DAY
"""Ms for which an answer is kept."""
CLAIMED = MINUTE
"""Ms for which a key is held for a request that has created nothing yet."""
_log = structlog.get_logger("tegami.web")


class Keeper:
    """Keeps the answer to one request, which `key` and `scope` name: who sends it, and to which operation."""

    def __init__(self, scope: str, key: str) -> None:
        secret = current_services().config.secret_key
        self._digest = hmac.digest(secret, f"repeat {scope} {key}".encode(), "sha256")
        self._mine = KeptAnswer.digest == self._digest
        self._since = 0

    def once(self, sent: bytes, make: Callable[[], str], *, only_same: bool = True) -> str:
        """What `make` answers to what was `sent`, or what it answered when it was sent first.

        Raises OtherRequest for something else, unless it is to be taken for the same; Unfinished; and what `make`
        raises: only after a Problem is nothing created, and the same key may be used again.
        """
        request = hashlib.sha256(sent).digest()
        if not self.claim(request):
            return self._before(request if only_same else None)
        try:
            with written_beside(self._hold):
                answer = make()
        except Problem:
            with transaction():
                db.session.execute(delete(KeptAnswer).where(self._own()))
            raise
        try:
            with transaction():
                self._update(answer=answer.encode())
        except DATABASE_FAILURES as error:  # what was asked for is there, and who asked is told
            _log.warning("answer not kept", cause=cause_of(error))
        return answer

    def claim(self, request: bytes) -> bool:
        """Whether this is the first request of this name; `request` is a digest of what is sent."""
        now = self._since = current_services().now()
        row = {"digest": self._digest, "request": request, "ends_at": now + CLAIMED}
        with transaction(counting=True):
            db.session.execute(delete(KeptAnswer).where(self._mine, KeptAnswer.ends_at <= now))
            return insert_unless_there(KeptAnswer.__table__, row)

    def _hold(self) -> None:
        """Hold the key in the commit that creates something. Raises Unfinished if another request has taken it over."""
        if not self._update():
            raise Unfinished({"Retry-After": "1"})

    def _update(self, **values: bytes) -> int:
        """Keep the key for the day, in the caller's transaction; 0 if it is no longer ours."""
        kept = {**values, "ends_at": self._since + KEPT}
        return changed_rows(update(KeptAnswer).where(self._own()).values(kept))

    def _own(self) -> ColumnElement[bool]:
        """The row, as long as no other request has taken over our claim."""
        ends = KeptAnswer.ends_at.in_([self._since + CLAIMED, self._since + KEPT])
        return self._mine & KeptAnswer.answer.is_(None) & ends

    def _before(self, request: bytes | None) -> str:
        """The answer to the first request, which is to be this one, if any. Raises OtherRequest, Unfinished.

        Earlier releases encrypted answers. What such a request has made is there, so it is not made again.
        """
        columns = (KeptAnswer.request, KeptAnswer.answer, KeptAnswer.ends_at)
        found = db.session.execute(select(*columns).where(self._mine)).one_or_none()
        if found and request not in {None, bytes(found.request)}:
            raise OtherRequest
        with suppress(UnicodeDecodeError):
            if found and found.answer:
                return bytes(found.answer).decode()
        raise Unfinished({"Retry-After": str(_seconds(found.ends_at) if found else 1)})


def _seconds(ends_at: int) -> int:
    """After how many seconds to ask again about a key that is held until then.

    A request may still be answered within the time of a claim. After that its answer is lost, and the key is held for
    the day, because what it has created is there.
    """
    now = current_services().now()
    is_lost = now - (ends_at - KEPT) >= CLAIMED and ends_at > now + CLAIMED
    return math.ceil((ends_at - now) / SECOND) if is_lost else 1
