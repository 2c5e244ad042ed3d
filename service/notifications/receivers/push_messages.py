"""What a browser is told: the subject of the mail that says the same, and where a touch of it leads.

So nothing is told that a locked screen should not show: no card, no talk, no move. It is worded when it is sent, in the
language of the player, and not kept.
"""

from __future__ import annotations

from rules.kernel import text
from service.core.models.mail import OutboxRow
from service.core.models.receivers import DeliveryRow, ReceiverRow
from service.core.runtime.units import DAY
from service.notifications.mail_sending.bundling import deadline_of
from service.notifications.mail_texts.kinds import KINDS
from service.notifications.mail_texts.message import Mail
from service.notifications.receivers import web_push
from service.notifications.receivers.guarded_post import Request
from service.notifications.receivers.web_push import Message
from service.outbox import digests, queue
from service.people import players
from service.tables.services import Services

KEPT = 3 * DAY
"""Ms for which a push service keeps a message at most."""
DIGEST_KEPT = DAY
"""The same of a digest, after which there is another one."""
URGENCY = {"reminder": "high", "told": "low", "over": "low", "before-start": "low"}
"""By the kind of mail; any other is `normal`."""


def request(services: Services, browser: ReceiverRow, delivery: DeliveryRow) -> Request | None:
    """What is sent about a delivery; None if there is nothing to be told any more: the turn was taken meanwhile."""
    row, config, now = queue.find(delivery.change), services.config, services.runtime.now()
    mail = _mail(services, row) if row else None
    if row is None or mail is None:
        return None
    told = {
        "words": mail.subject,
        "url": f"/games/{delivery.game}" if mail.thread else "/",
        "tag": delivery.game or row.kind,
        "language": players.get(browser.player_id).language,
    }
    message = Message(
        text(told).encode(),
        topic=delivery.game or row.kind,
        urgency=URGENCY.get(row.kind, "normal"),
        kept=_kept(row, now),
    )
    return web_push.request(config, now, browser, message)


def _mail(services: Services, row: OutboxRow) -> Mail | None:
    """The mail as it would be now. A digest has perhaps been sent, and then no other one is due on this day."""
    kind = KINDS[row.kind]
    is_relevant = row.kind == digests.KIND or kind.is_relevant(services, row)
    return kind.render(services, row) if is_relevant else None


def _kept(row: OutboxRow, now: int) -> int:
    """Until when it is of use: a turn until its time is over."""
    if row.kind == digests.KIND:
        return DIGEST_KEPT
    due = deadline_of(row)
    return KEPT if due is None else min(KEPT, due - now)
