"""The sender: takes what is due out of the outbox and hands it to a transport.

A row is claimed, dealt with as service/notifications/mail_sending/claimed_mail.py tells, and closed or left to wait.
What is mailed to players about games is also handed on to the browsers in which they want to be told: by the same
decision, and once, also while the mail server is out of reach. A sender that is killed on the way leaves a lease that
runs out; whoever repeats the mail sends it with the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from service.core.database.database import release_connection
from service.core.database.failures import cause_of
from service.core.models.mail import FAILED_HERE, OutboxRow
from service.core.runtime.backoff import Backoff
from service.core.runtime.log_files import places
from service.core.settings.config import Config
from service.notifications.mail_sending.claimed_mail import Browsers, ClaimedMail
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_sending.transport import MailboxFolder, Transport
from service.notifications.mail_texts.kinds import KINDS, MailKind
from service.notifications.mail_texts.message import sender_address
from service.outbox import queue
from service.tables.services import Services


class Sender:
    """Sends by `transport` what is due, and hands it on to `browsers`; `services` is the application's."""

    def __init__(
        self,
        services: Services,
        transport: Transport | None,
        kinds: Mapping[str, MailKind] = KINDS,
        lease: int = queue.LEASE,
        browsers: Browsers | None = None,
    ) -> None:
        self._services, self._transport, self._browsers = services, transport, browsers
        self._kinds, self._lease = kinds, lease
        self._connecting = Backoff("mail server", services.now)

    def send_one(self) -> bool:
        """Deal with one mail that is due; whether there was one that the transport or browsers could take.

        It connects before any row is touched, so that no mail counts a server out of reach as an attempt.
        """
        transport = self._transport
        if transport is not None:
            rows = [] if self._connecting.waits() else queue.due(self._services.now())
            release_connection()  # no snapshot is held while a slow server answers
            if not rows:
                transport.disconnect()
            elif self._connecting.attempt(partial(_connected, transport), False):
                return self._deal_with_one(rows, transport)
        if self._browsers is None:
            return False
        rows = queue.due_in_browsers(self._services.now())
        release_connection()
        return self._deal_with_one(rows, None)

    def disconnect(self) -> None:
        """End the connection to the mail server."""
        if self._transport is not None:
            self._transport.disconnect()

    def _deal_with_one(self, rows: list[OutboxRow], transport: Transport | None) -> bool:
        """Deal with the first of these rows that no other sender has claimed; whether there was one."""
        for row in rows:
            claimed = queue.claim(row, self._services.now(), self._lease)
            if claimed is None:
                continue
            mail = ClaimedMail(self._services, claimed, self._kinds, self._browsers)
            try:
                mail.send(transport)
            except Exception as error:  # noqa: BLE001 - whatever it is, the other mails go on
                release_connection()
                cause, kind, at = cause_of(error), type(error).__name__, places(error)
                mail.postpone(f"{FAILED_HERE}{cause}", cause=cause, error=kind, at=at)
            return True
        return False


def _connected(transport: Transport) -> bool:
    transport.connect()
    return True


def transport_of(config: Config) -> Transport | None:
    """The transport that the settings name; None: mails wait. Raises ValueError for a malformed SMTP_URL."""
    if config.smtp_url:
        return SmtpTransport(SmtpServer.parse(config.smtp_url), sender_address(config))
    return MailboxFolder(config.mailbox_dir) if config.mailbox else None


def sender_of(services: Services, browsers: Browsers | None = None) -> Sender | None:
    """The sender of an application, if it has a transport, or browsers to hand mails on to."""
    transport = transport_of(services.config)
    if transport is None and browsers is None:
        return None
    return Sender(services, transport, browsers=browsers)
