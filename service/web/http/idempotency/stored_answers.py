"""Responses that are kept for a day, so that a repeated request gets the first response again.

They are found by a keyed digest of the client's own key: only the sender of the first request can ask for its response.
A response may contain a secret that is shown only once; for that day, the database has the response as it was sent.

A request claims its key for a minute. The commit that creates something also stores the response for the day. So
whatever happens to the process, the connection or the database, a repetition gets that response if something was
created, and nothing is created twice. If nothing was created, the key is released, or the claim expires.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.exc import DBAPIError

from service.core.database.database import (
    changed_rows,
    db,
    insert_unless_there,
    one_commit,
    transaction,
)
from service.core.database.failures import CommitUnknown, SchemaIsNewer
from service.core.models.server import KeptAnswer
from service.core.runtime.problems import OtherRequest, Unfinished
from service.core.runtime.units import DAY, MINUTE, SECOND
from service.web.http.caller.context import current_services

KEPT = DAY
"""How long (ms) a response is kept."""
CLAIMED = MINUTE
"""How long (ms) a key is held for a request that has created nothing yet."""


class Keeper:
    """The keeper of the response to one request, which `key` and `scope` (its sender and its operation) identify."""

    def __init__(self, scope: str, key: str) -> None:
        secret = current_services().config.secret_key
        self._digest = hmac.digest(secret, f"repeat {scope} {key}".encode(), "sha256")
        self._mine = KeptAnswer.digest == self._digest
        self._since = 0

    def once(self, sent: bytes, make: Callable[[], str], *, only_same: bool = True) -> str:
        """The response of `make` to the request `sent`, or its earlier response to the same request.

        Everything that `make` writes is committed together with its response. Raises OtherRequest for another request
        (unless `only_same` is false), Unfinished, and whatever `make` and its commit raise. If it raises anything but
        CommitUnknown, nothing has been created.
        """
        request = hashlib.sha256(sent).digest()
        if not self.claim(request):
            return self._before(request if only_same else None)
        try:
            with one_commit():
                answer = make()
                self._keep(answer)
        except Exception:
            self._give_up()
            raise
        return answer

    def claim(self, request: bytes) -> bool:
        """Claim the key; returns whether this is the first request with it. `request` is a digest of the request."""
        now = self._since = current_services().now()
        row = {"digest": self._digest, "request": request, "ends_at": now + CLAIMED}
        with transaction(counting=True):
            db.session.execute(delete(KeptAnswer).where(self._mine, KeptAnswer.ends_at <= now))
            return insert_unless_there(KeptAnswer.__table__, row)

    def _keep(self, answer: str) -> None:
        """Store the response for the day. Raises Unfinished if another request has taken over the key."""
        kept = {"answer": answer.encode(), "ends_at": self._since + KEPT}
        with transaction():
            if not changed_rows(update(KeptAnswer).where(self._own()).values(kept)):
                raise Unfinished({"Retry-After": "1"})

    def _give_up(self) -> None:
        """Release the key, so that a repetition counts as the first request, unless there is a response, because a
        commit may have succeeded.

        The key stays if its row is locked, because the response is still being made, or if the database is away.
        """
        with suppress(DBAPIError, CommitUnknown, SchemaIsNewer), transaction(counting=True):
            db.session.execute(delete(KeptAnswer).where(self._own()))

    def _own(self) -> ColumnElement[bool]:
        """The condition for the row, as long as it has no response and no other request has taken over our claim."""
        ours = KeptAnswer.ends_at == self._since + CLAIMED
        return self._mine & KeptAnswer.answer.is_(None) & ours

    def _before(self, request: bytes | None) -> str:
        """The response to the first request, which this one repeats. Raises OtherRequest, Unfinished.

        Earlier releases encrypted responses, or lost them. What such a request has created still exists, and is not
        created again.
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
    """The seconds after which to ask again about a key that is held until then.

    A request may still get its response within the time of a claim. After that, the response is lost if an earlier
    release has held the key for the day, because what the request created exists.
    """
    now = current_services().now()
    is_lost = now - (ends_at - KEPT) >= CLAIMED and ends_at > now + CLAIMED
    return math.ceil((ends_at - now) / SECOND) if is_lost else 1
