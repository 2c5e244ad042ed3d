"""The sender: takes due emails from the outbox and hands them to a transport.

A row is claimed, handled as described in service/notifications/mail_sending/claimed_mail.py, and closed or left to
wait. Emails to players about games are also handed to the browsers in which they want to be notified: by the same
decision, and once, even while the mail server is out of reach. If a sender is killed, its lease expires; the next
attempt sends the email with the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from service.core.database.database import release_connection
from service.core.database.failures import cause_of
from service.core.models.mail import FAILED_HERE, OutboxRow
from service.core.runtime.backoff import Backoff
from service.core.runtime.log_files import failure
from service.core.settings.config import Config
from service.notifications.mail_sending.claimed_mail import Browsers, ClaimedMail
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_sending.transport import MailboxFolder, Transport
from service.notifications.mail_texts.kinds import KINDS, MailKind
from service.notifications.mail_texts.message import sender_address
from service.notifications.under_way import UnderWay
from service.outbox import queue
from service.tables.services import Services


class Shared:
    """The parts that a process's senders share; each sender has its own connection.

    At most half of the `connections` send to one domain at a time, so that a domain that accepts emails slowly delays
    no other, and is not hit by all of them.
    """

    def __init__(self, services: Services, connections: int = 1) -> None:
        self.connecting = Backoff("mail server", services.now)
        self.rows, self.domains = UnderWay(1), UnderWay(max(1, connections // 2))


class Sender:
    """A sender of due emails with `transport`, which also hands them to `browsers`; `services` are the
    application's.
    """

    def __init__(
        self,
        services: Services,
        transport: Transport | None,
        kinds: Mapping[str, MailKind] = KINDS,
        lease: int = queue.LEASE,
        browsers: Browsers | None = None,
        shared: Shared | None = None,
    ) -> None:
        self._services, self._transport, self._browsers = services, transport, browsers
        self._kinds, self._lease = kinds, lease
        self._shared = shared or Shared(services)

    def send_one(self) -> bool:
        """Handle one due email; return whether there was one that the transport or browsers could accept.

        It connects before it touches a row, so that no email counts an unreachable server as an attempt. It does so
        only for an email that no other sender of this process is handling.
        """
        if self._transport is not None and self._send_one(self._transport):
            return True
        if self._browsers is None:
            return False
        rows = queue.due_in_browsers(self._services.now())
        release_connection()
        return any(self._deal_with(row, None) for row in rows)

    def _send_one(self, transport: Transport) -> bool:
        shared, now = self._shared, self._services.now()
        rows = [] if shared.connecting.waits() else queue.due(now, shared.domains.full())
        for row in rows:
            with shared.rows.visit() as take, shared.domains.visit() as begin:
                domain = queue.domain_of(row)
                if not take(str(row.id)) or (domain and not begin(domain)):
                    continue
                release_connection()  # no snapshot is held while a slow server answers
                if not shared.connecting.attempt(partial(_connected, transport), False):
                    return False
                if self._deal_with(row, transport):
                    return True
        release_connection()
        transport.disconnect()
        return False

    def disconnect(self) -> None:
        """End the connection to the mail server."""
        if self._transport is not None:
            self._transport.disconnect()

    def _deal_with(self, row: OutboxRow, transport: Transport | None) -> bool:
        """Handle a row, unless a sender of another process was first; return whether this one did."""
        claimed = queue.claim(row, self._services.now(), self._lease)
        if claimed is None:
            return False
        mail = ClaimedMail(self._services, claimed, self._kinds, self._browsers, self._lease)
        try:
            mail.send(transport)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other emails go on
            release_connection()
            cause, about = cause_of(error), failure(error, mail.game_id)
            mail.postpone(f"{FAILED_HERE}{cause}", cause=cause, **about)
        return True


def _connected(transport: Transport) -> bool:
    transport.connect()
    return True


def transport_of(config: Config) -> Transport | None:
    """The transport that the settings name; None if they name none, so that emails wait.

    Raises ValueError if SMTP_URL is malformed.
    """
    if config.smtp_url:
        return SmtpTransport(SmtpServer.parse(config.smtp_url), sender_address(config))
    return MailboxFolder(config.mailbox_dir) if config.mailbox else None


def senders_of(services: Services, browsers: Browsers | None = None) -> list[Sender]:
    """The senders of an application; empty if it has neither a mail server, another transport, nor browsers to
    notify.
    """
    config = services.config
    number = config.smtp_connections if config.smtp_url else 1
    transports, shared = [transport_of(config) for _ in range(number)], Shared(services, number)
    return [
        Sender(services, each, browsers=browsers, shared=shared)
        for each in transports
        if each is not None or browsers is not None
    ]
