"""Addresses to which something is not sent. What is kept is a keyed digest: it says nothing about who they are."""

from __future__ import annotations

import hmac

from sqlalchemy import delete, select

from service.database import db, insert_unless_there
from service.models_mail import Suppressed
from service.outside import Outside

REFUSED = "refused"
"""The address's server takes no mail for it (5xx): nothing but a new verification goes there, which lifts this."""
INVITATIONS = "invitations"
"""Whoever reads it wants no invitations: for good."""

_suppressed = Suppressed.metadata.tables["suppressed"]


def digest_of(secret: bytes, address: str) -> bytes:
    """What is kept of an address, however its letters are written; `secret` is the service's key."""
    return hmac.digest(secret, b"address " + address.strip().lower().encode(), "sha256")


def suppress(outside: Outside, digest: bytes, reason: str) -> None:
    """Send this no more, in the caller's transaction."""
    values = {"digest": digest, "reason": reason, "at": outside.now()}
    db.session.execute(insert_unless_there(_suppressed).values(values))


def is_suppressed(digest: bytes, reason: str) -> bool:
    """Whether this is not to be sent there."""
    found = select(_suppressed.c.at).where(_suppressed.c.digest == digest)
    return db.session.scalar(found.where(_suppressed.c.reason == reason)) is not None


def verified(digest: bytes) -> None:
    """Mail has come through, since somebody followed a link in it: send again. In the caller's transaction."""
    at = (_suppressed.c.digest == digest) & (_suppressed.c.reason == REFUSED)
    db.session.execute(delete(_suppressed).where(at))
