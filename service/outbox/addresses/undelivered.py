"""Players whom no mail reaches just now: what is noted of it, so that their page can tell them.

Their address is not known to be wrong unless its mail server said so; then nothing more is sent there until it is
verified again, somebody follows a link in a mail to it, or the operator lifts that (operations/commands/outbox.py).
"""

from __future__ import annotations

from sqlalchemy import update

from service.core.database.database import db
from service.core.models.people import Account
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.outbox.addresses import suppressed_addresses

NO_MAILBOX, REFUSED = "no-mailbox", "refused"
"""The mail server says that there is no such mailbox, or refuses our mails for another reason: they are tried again."""

_account = Account.metadata.tables["accounts"]


def note_no_mailbox(runtime: Runtime, config: Config, address: str) -> None:
    """There is no such mailbox: stop sending there, in the caller's transaction."""
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    suppressed_addresses.suppress(runtime, digest, suppressed_addresses.REFUSED)
    note(runtime, address, NO_MAILBOX)


def note_delivery(address: str) -> None:
    """A mail has been taken for this address; in the caller's transaction."""
    noted = update(_account).where(_account.c.folded == address.lower())
    noted = noted.where(_account.c.undelivered.is_not(None))
    db.session.execute(noted.values(undelivered=None, undelivered_at=None))


def lift(config: Config, address: str) -> bool:
    """Send to this address again, in the caller's transaction; whether nothing was sent there before."""
    note_delivery(address)
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    return suppressed_addresses.lift(digest, suppressed_addresses.REFUSED)


def note(runtime: Runtime, address: str, why: str) -> None:
    """Note in the caller's transaction why no mail arrives there. It stays noted since when; only news is written."""
    of = update(_account).where(_account.c.folded == address.lower())
    new = of.where(_account.c.undelivered.is_distinct_from(why))
    db.session.execute(new.values(undelivered=why, undelivered_at=runtime.now()))
