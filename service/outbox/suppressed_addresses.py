"""Addresses to which certain mails are not sent. Only keyed digests are stored, which do not reveal the addresses."""

from __future__ import annotations

import hmac

from sqlalchemy import delete, select

from service.core.database import db, insert_unless_there
from service.core.time_and_random import Runtime
from service.models.mail import Suppressed

REFUSED = "refused"
"""Its mail server rejects mail for it (5xx): only requested mails are sent; following a link in one lifts this."""
INVITATIONS = "invitations"
"""Its owner wants no more invitations. This is permanent."""

_suppressed = Suppressed.metadata.tables["suppressed"]


def digest_of(secret: bytes, address: str) -> bytes:
    """The digest of an address, whatever its case; `secret` is the service's key."""
    return hmac.digest(secret, b"address " + address.strip().lower().encode(), "sha256")


def suppress(runtime: Runtime, digest: bytes, reason: str) -> None:
    """Stop sending, in the caller's transaction."""
    values = {"digest": digest, "reason": reason, "at": runtime.now()}
    db.session.execute(insert_unless_there(_suppressed).values(values))


def is_suppressed(digest: bytes, reason: str) -> bool:
    """Whether mail to this address is stopped for this reason."""
    found = select(_suppressed.c.at).where(_suppressed.c.digest == digest)
    return db.session.scalar(found.where(_suppressed.c.reason == reason)) is not None


def lift_refusal(digest: bytes) -> None:
    """Send again: somebody has followed a link in a mail, so mail arrives. In the caller's transaction."""
    refused = (_suppressed.c.digest == digest) & (_suppressed.c.reason == REFUSED)
    db.session.execute(delete(_suppressed).where(refused))
