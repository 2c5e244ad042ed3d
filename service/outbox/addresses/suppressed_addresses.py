"""Addresses to which certain emails are not sent. Only keyed digests are stored, which do not reveal the addresses."""

from __future__ import annotations

import hmac

from sqlalchemy import delete, select

from service.core.database.database import changed_rows, db, insert_unless_there
from service.core.models.mail import Suppressed, SuppressedFor
from service.core.runtime.time_and_random import Runtime
from service.outbox.addresses import addresses

REFUSED: SuppressedFor = "refused"
"""The reason for an address whose mail server says that there is no such mailbox: only requested emails are sent.

This ends when somebody follows a link in such an email, or when the operator ends it (`tegami outbox lift`).
"""
STRANGERS: SuppressedFor = "strangers"
"""The reason for an address whose owner wants no more emails that others cause, such as invitations and verifications.

Only the owner can lift it.
"""

_suppressed = Suppressed.metadata.tables["suppressed"]


def mailbox_digest(secret: bytes, address: str) -> bytes:
    """The digest under which REFUSED is stored, the same for all spellings that certainly lead to one mailbox.

    Otherwise, anybody who made a mail server reject `ann+1@` would stop the emails to `ann@`. `secret` is the key of
    the digest.
    """
    return hmac.digest(secret, b"address " + addresses.mailbox(address).encode(), "sha256")


def owner_digest(secret: bytes, address: str) -> bytes:
    """The digest under which STRANGERS is stored, the same for all addresses that may have one owner."""
    return hmac.digest(secret, b"owner " + addresses.counted(address).encode(), "sha256")


def suppress(runtime: Runtime, digest: bytes, reason: SuppressedFor) -> None:
    """Stop sending emails to the address with this digest, in the caller's transaction."""
    values = {"digest": digest, "reason": reason, "at": runtime.now()}
    insert_unless_there(_suppressed, values)


def is_suppressed(digest: bytes, reason: SuppressedFor) -> bool:
    """Whether mail to this address is stopped for this reason."""
    found = select(_suppressed.c.at).where(_suppressed.c.digest == digest)
    return db.session.scalar(found.where(_suppressed.c.reason == reason)) is not None


def refuses_strangers(secret: bytes, address: str) -> bool:
    """Whether the owner of this address wants no emails caused by others."""
    return is_suppressed(owner_digest(secret, address), STRANGERS)


def lift(digest: bytes, reason: SuppressedFor) -> bool:
    """Send emails to the address with this digest again, in the caller's transaction; return whether they had been
    stopped.
    """
    same = (_suppressed.c.digest == digest) & (_suppressed.c.reason == reason)
    return changed_rows(delete(_suppressed).where(same)) > 0
