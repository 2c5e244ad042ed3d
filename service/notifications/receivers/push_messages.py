"""What a browser is told: the subject of the mail that says the same, and where a touch of it leads.

So nothing is told that a locked screen should not show: no card, no talk, no move. It is worded when it is sent, in the
language of the player, and not kept.
"""

from __future__ import annotations

from rules.kernel import text
from service.core.models.receivers import DeliveryRow, ReceiverRow
from service.core.runtime.units import DAY
from service.notifications.mail_sending.bundling import deadline_of
from service.notifications.mail_texts.kinds import KINDS
from service.notifications.receivers import web_push
from service.notifications.receivers.guarded_post import Request
from service.notifications.receivers.web_push import PushMessage
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
    row, config, now = queue.find(delivery.change), services.config, services.now()
    if row is None:
        return None
    kind, is_digest = KINDS[row.kind], row.kind == digests.KIND
    # a digest has perhaps been sent, and then no other one is due on this day
    is_relevant = is_digest or kind.is_relevant(services, row)
    mail = kind.render(services, row) if is_relevant else None
    if mail is None:
        return None
    due = None if is_digest else deadline_of(row)
    # until when it is of use: a turn until its time is over
    kept = DIGEST_KEPT if is_digest else KEPT if due is None else min(KEPT, due - now)
    told = {
        "words": mail.subject,
        "url": f"/games/{delivery.game}" if mail.thread else "/",
        "tag": delivery.game or row.kind,
        "language": players.get(browser.player_id).language,
    }
    message = PushMessage(
        text(told).encode(),
        topic=delivery.game or row.kind,
        urgency=URGENCY.get(row.kind, "normal"),
        kept=kept,
    )
    return web_push.request(config, now, browser, message)
