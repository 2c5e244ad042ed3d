"""Emails about a turn that the service may answer for a person: they wait for that, and then need not be sent.

Only the recipient can see when such an email is sent.
"""

from __future__ import annotations

from sqlalchemy import update

from service.core.database.database import db
from service.core.models.mail import Outbox
from service.core.runtime.units import MINUTE, SECOND

LOOK = 20 * SECOND
"""The time (ms) that an email about a seat that may answer alone waits, so that the worker has looked for an answer."""
LATER = MINUTE
"""The time (ms) after an expected answer at which the email is due if, for any reason, no answer was given."""


def hold_mail(tenure: str, until: int) -> None:
    """Let the unsent email about this turn wait until then (ms UTC). The caller owns lock and commit."""
    at = until + LATER
    unsent = (Outbox.tenure_id == tenure) & (Outbox.kind == "turn") & Outbox.done_at.is_(None)
    later = update(Outbox).where(unsent, Outbox.run_at < at).values(run_at=at)
    db.session.execute(later.execution_options(synchronize_session=False))
