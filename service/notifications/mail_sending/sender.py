"""The sender: takes what is due out of the outbox and hands it to a transport.

Claim the row, check that it still matters, render it now, count it against the budgets, begin the SMTP transaction,
check again, send the text, mark the row. What is mailed to players about games is also handed on to the browsers in
which they want to be told: by the same decision, and once, also while the mail server is out of reach. A sender that
is killed on the way leaves a lease that runs out; whoever repeats the mail sends it with the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import structlog

from service.core.counts import prometheus
from service.core.database.database import release_connection, transaction
from service.core.database.failures import cause_of
from service.core.models.mail import FAILED_HERE, LONGEST_REFUSAL, OutboxRow
from service.core.runtime.backoff import Backoff
from service.core.runtime.log_files import places
from service.core.settings.config import Config
from service.notifications.mail_sending import budgets, retries
from service.notifications.mail_sending.budgets import Counted
from service.notifications.mail_sending.bundling import bundled, may_wait
from service.notifications.mail_sending.replies import Reply
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_sending.transport import (
    MailboxFolder,
    PermanentFailure,
    TemporaryFailure,
    Transport,
)
from service.notifications.mail_texts.kinds import KINDS, Kind
from service.notifications.mail_texts.message import Mail, compose, sender_address
from service.outbox import queue, recipients, unsubscribe_links, unsubscriptions
from service.outbox.addresses import suppressed_addresses, undelivered
from service.tables.clocks.quiet_hours import end_of_quiet
from service.tables.services import Services

NO_MAILBOX = "no such mailbox"
"""What is kept of a mail that is not sent because its mail server has said so before."""

Browsers = Callable[[OutboxRow], bool]
"""Hands a mail on to the browsers of its player, in the caller's transaction; whether there are any."""

_log = structlog.get_logger("tegami.sender")


class Sender:
    """Sends by `transport` what is due, and hands it on to `browsers`; `services` is the application's."""

    def __init__(
        self,
        services: Services,
        transport: Transport | None,
        kinds: Mapping[str, Kind] = KINDS,
        lease: int = queue.LEASE,
        browsers: Browsers | None = None,
    ) -> None:
        self._services, self._transport, self._browsers = services, transport, browsers
        self._kinds, self._lease = kinds, lease
        self._connecting = Backoff("mail server", services.runtime.now)

    def send_all(self) -> int:
        """Deal with everything that is due; the number of mails that were dealt with."""
        number = 0
        while self.send_one():
            number += 1
        return number

    def send_one(self) -> bool:
        """Deal with one mail that is due; whether there was one that the transport or browsers could take."""
        waits = self._transport is None or self._connecting.waits()
        rows = [] if waits else queue.due(self._services.runtime.now())
        release_connection()  # no snapshot is held while a slow server answers
        if not rows:
            self.disconnect()
        elif self._connected():
            return any(self._send_if_claimed(row, self._send) for row in rows)
        return self._push_one()

    def _push_one(self) -> bool:
        """Hand on to browsers one mail that cannot be sent just now, or to nobody; whether there was one."""
        if self._browsers is None:
            return False
        rows = queue.due_in_browsers(self._services.runtime.now())
        release_connection()
        return any(self._send_if_claimed(row, self._push) for row in rows)

    def disconnect(self) -> None:
        """End the connection to the mail server."""
        if self._transport is not None:
            self._transport.disconnect()

    def _connected(self) -> bool:
        """Connect before any row is touched, so that no mail counts a server out of reach as an attempt."""

        def connect() -> bool:
            if self._transport is None:
                return False
            self._transport.connect()
            return True

        return self._connecting.attempt(connect, otherwise=False)

    def _send_if_claimed(self, row: OutboxRow, send: Callable[[OutboxRow], None]) -> bool:
        claimed = queue.claim(row, self._services.runtime.now(), self._lease)
        if claimed is None:
            return False
        try:
            send(claimed)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other mails go on
            release_connection()
            cause, kind, at = cause_of(error), type(error).__name__, places(error)
            self._postpone(claimed, f"{FAILED_HERE}{cause}", cause=cause, error=kind, at=at)
        return True

    def _send(self, row: OutboxRow) -> None:
        """Send the mail, unless it no longer matters, or there is no such mailbox."""
        kind = self._kinds[row.kind]
        told, mail = self._decide(kind, row)
        if mail is None:
            return None
        if not mail.to or not self._is_allowed(kind, row, mail.to):
            return self._finish_unmailed(kind, row, told)
        if self._has_no_mailbox(kind, mail.to):
            return self._mark(row, "failed", NO_MAILBOX)
        counted = Counted(kind.group, mail.to, row.game_key, row.cause)
        until = budgets.spend(self._services, counted)
        if until is not None:
            return self._hold(kind, row, until)
        try:
            outcome = self._deliver(kind, row, mail)
        except TemporaryFailure as failure:
            budgets.give_back(self._services, counted)
            return self._refused(row, mail.to, failure.reply)
        if outcome == "dropped":
            budgets.give_back(self._services, counted)
        return None

    def _push(self, row: OutboxRow) -> None:
        """Hand a mail on to browsers alone; the rest of it waits for the mail server."""
        kind = self._kinds[row.kind]
        told, mail = self._decide(kind, row)
        if mail is None:
            return
        if not mail.to or not self._is_allowed(kind, row, mail.to):
            self._finish_unmailed(kind, row, told)
            return
        with transaction():
            queue.note_pushed(row, self._services.runtime.now())
            queue.hold(row, 0)

    def _decide(self, kind: Kind, row: OutboxRow) -> tuple[bool, Mail | None]:
        """Whether browsers were told, now or before, and the mail; None if it waits, or is not sent, which is noted."""
        until = self._quiet_until(kind, row)
        if until is not None:
            self._keep(row, until)
            return False, None
        if may_wait(row) and self._left_to_digest(row):
            return False, None
        mail = self._render(kind, row)
        if mail is None:
            self._mark(row, "dropped")
            return False, None
        return self._tell_browsers(kind, row), mail

    def _tell_browsers(self, kind: Kind, row: OutboxRow) -> bool:
        """Hand a mail on to the browsers of its player, unless that was done before; whether there are any."""
        if row.pushed_at is not None:
            return True
        about = row.player_id, row.kind, row.game_key
        if self._browsers is None or kind.unsubscribe != "player":
            return False
        if not unsubscriptions.is_wanted_in_browsers(*about):
            return False
        with transaction():
            told = self._browsers(row)
            if told:
                queue.note_pushed(row, self._services.runtime.now())
        if told:
            prometheus.mail(row.kind, "pushed")
        return told

    def _finish_unmailed(self, kind: Kind, row: OutboxRow, told: bool) -> None:
        """Close a row of which browsers alone are told, or nobody."""
        if not told:
            self._mark(row, "dropped")
            return
        with transaction():
            queue.finish(row, self._services.runtime.now(), "sent")
            if kind.beside is not None:
                kind.beside(self._services, row)
        _log_outcome(row, "sent", browsers=True)

    def _left_to_digest(self, row: OutboxRow) -> bool:
        """Whether a digest stands for the mail: then it waits, or is dropped if its reader has stopped digests."""
        with transaction():
            waits = bundled(self._services, row)
            if waits is None:
                return False
            if waits.until is None:
                queue.finish(row, self._services.runtime.now(), "dropped")
            else:
                queue.hold(row, waits.until)
        prometheus.mail(row.kind, "bundled")
        _log.info("mail", row=row.id, kind=row.kind, bundled=True)
        return True

    def _deliver(self, kind: Kind, row: OutboxRow, mail: Mail) -> str:
        """Hand the mail to the transport and mark the row; the outcome. Raises TemporaryFailure."""
        message = compose(self._services.config, self._services.runtime.now(), row.key, mail)
        release_connection()  # no snapshot is held while a slow server answers, and the last check sees the present
        assert self._transport is not None, "it is connected"
        try:
            sent = self._transport.send(message, lambda: self._still_wanted(kind, row, mail.to))
        except PermanentFailure as failure:
            return self._no_mailbox(row, mail.to, failure.reply)
        if not sent:
            self._mark(row, "dropped")
            return "dropped"
        self._delivered(kind, row, mail.to)
        return "sent"

    def _render(self, kind: Kind, row: OutboxRow) -> Mail | None:
        """What is to be said now, with the headers for unsubscribing; None if there is nothing to send any more."""
        mail = kind.render(self._services, row) if kind.is_relevant(self._services, row) else None
        if mail is None:
            return None
        return mail._replace(
            headers={**mail.headers, **self._unsubscribe_headers(kind, row, mail.to)}
        )

    def _still_wanted(self, kind: Kind, row: OutboxRow, to: str) -> bool:
        """The last check, by what is committed now: the mail is still ours, not cancelled, of interest and wanted."""
        try:
            ours = queue.find_claimed(row.id, row.attempts) is not None
            return (
                ours
                and kind.is_relevant(self._services, row)
                and self._is_allowed(kind, row, to)
                and not self._has_no_mailbox(kind, to)
            )
        finally:
            release_connection()  # the text is still to be sent

    def _is_allowed(self, kind: Kind, row: OutboxRow, to: str) -> bool:
        """Whether the recipient has not refused such mails."""
        if kind.unsubscribe == "address":
            secret = self._services.config.secret_key
            owner = suppressed_addresses.owner_digest(secret, to)
            return not suppressed_addresses.is_suppressed(owner, suppressed_addresses.STRANGERS)
        return kind.unsubscribe == "" or unsubscriptions.is_wanted(
            row.player_id, row.kind, row.game_key
        )

    def _unsubscribe_headers(self, kind: Kind, row: OutboxRow, to: str) -> dict[str, str]:
        config = self._services.config
        if not kind.unsubscribe:
            return {}
        if kind.unsubscribe == "address":
            return unsubscribe_links.unsubscribe_headers(
                unsubscribe_links.address_unsubscribe_link(config, to)
            )
        return unsubscribe_links.unsubscribe_headers(
            unsubscribe_links.player_unsubscribe_link(config, row)
        )

    def _has_no_mailbox(self, kind: Kind, to: str) -> bool:
        """Whether the recipient's mail server has said that there is no such mailbox, and nobody has just asked."""
        digest = suppressed_addresses.mailbox_digest(self._services.config.secret_key, to)
        return not kind.requested and suppressed_addresses.is_suppressed(
            digest, suppressed_addresses.REFUSED
        )

    def _delivered(self, kind: Kind, row: OutboxRow, to: str) -> None:
        with transaction():
            queue.finish(row, self._services.runtime.now(), "sent")
            undelivered.note_delivery(to)
            if kind.beside is not None:
                kind.beside(self._services, row)
        _log_outcome(row, "sent")

    def _no_mailbox(self, row: OutboxRow, to: str, reply: Reply) -> str:
        """Close a row: its address gets nothing more until it is verified again, or the operator lifts that."""
        runtime, config = self._services.runtime, self._services.config
        with transaction():
            queue.finish(row, runtime.now(), "failed", str(reply))
            undelivered.note_no_mailbox(runtime, config, to)
        _log_outcome(row, "failed", reply=str(reply))
        return "failed"

    def _refused(self, row: OutboxRow, to: str, reply: Reply | None) -> None:
        """Try a mail again later; its recipient is told on the page that our mails are refused."""
        if reply is not None and reply.is_refusal:
            with transaction():
                undelivered.note_refusal(self._services.runtime, to)
        refusal = str(reply) if reply is not None else None
        self._postpone(row, refusal, **({"reply": refusal} if refusal else {}))

    def _mark(self, row: OutboxRow, outcome: str, refusal: str | None = None) -> None:
        """Close a row whose mail was not sent."""
        with transaction():
            queue.finish(row, self._services.runtime.now(), outcome, refusal)
        _log_outcome(row, outcome)

    def _hold(self, kind: Kind, row: OutboxRow, until: int) -> None:
        """Let a mail wait for its budget; what asks for a move waits until it is answered, anything else expires."""
        now = self._services.runtime.now()
        if retries.is_expired(row.run_at, now) and kind.group != "turn":
            return self._mark(row, "expired")
        return self._keep(row, until)

    def _keep(self, row: OutboxRow, until: int) -> None:
        with transaction():
            queue.hold(row, until)
        prometheus.mail(row.kind, "held")
        _log.info("mail", row=row.id, kind=row.kind, held=True)

    def _quiet_until(self, kind: Kind, row: OutboxRow) -> int | None:
        """The end of the recipient's quiet hours (ms UTC), if they have begun; what somebody asked for comes anyway."""
        reader = recipients.find(row.player_id) if kind.unsubscribe == "player" else None
        if reader is None:
            return None
        now = self._services.runtime.now()
        until = end_of_quiet(reader, now)
        return until if until > now else None

    def _postpone(self, row: OutboxRow, refusal: str | None, **why: object) -> None:
        """Try a mail again later, or give it up; `refusal` is what `tegami doctor` says of it meanwhile."""
        now = self._services.runtime.now()
        refusal = refusal and refusal[:LONGEST_REFUSAL]
        is_expired = retries.is_expired(row.run_at, now)
        with transaction():
            if is_expired:
                queue.finish(row, now, "expired", refusal)
            else:
                queue.hold(row, retries.next_try(row.attempts, now), refusal)
        prometheus.mail(row.kind, "expired" if is_expired else "postponed")
        _log.error("mail", row=row.id, kind=row.kind, attempts=row.attempts, **why)


def _log_outcome(row: OutboxRow, outcome: str, **why: object) -> None:
    prometheus.mail(row.kind, outcome)
    _log.info("mail", row=row.id, kind=row.kind, outcome=outcome, **why)


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
