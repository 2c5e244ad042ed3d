"""A mail that a sender has claimed: whether it is still to be sent, what it says, and what becomes of its row.

| outcome   | what it means | the row |
| --------- | --- | --- |
| sent      | the mail server has taken it, or browsers were told and no mail is wanted | is closed |
| dropped   | it no longer matters, or nobody wants it | is closed |
| failed    | there is no such mailbox | is closed |
| expired   | it could not be sent for days, and nobody needs it any more | is closed |
| held      | quiet hours, or a budget that is used up | waits until they end |
| bundled   | a digest stands for it | waits for the digest |
| postponed | the mail server was out of reach, or refused it for now | waits, longer each time |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import structlog

from service.core.counts import prometheus
from service.core.database.database import release_connection, transaction
from service.core.models.mail import LONGEST_REFUSAL, MailOutcome, OutboxRow
from service.notifications import retries
from service.notifications.mail_sending import budgets
from service.notifications.mail_sending.budgets import CountedMail
from service.notifications.mail_sending.bundling import bundled, may_wait
from service.notifications.mail_sending.replies import Reply
from service.notifications.mail_sending.transport import (
    PermanentFailure,
    TemporaryFailure,
    Transport,
)
from service.notifications.mail_texts.kinds import MailKind
from service.notifications.mail_texts.message import Mail, compose
from service.outbox import queue, recipients, unsubscribe_links, unsubscriptions
from service.outbox.addresses import suppressed_addresses, undelivered
from service.tables.clocks.quiet_hours import end_of_quiet
from service.tables.services import Services

NO_MAILBOX = "no such mailbox"
"""What is kept of a mail that is not sent because its mail server has said so before."""

Browsers = Callable[[OutboxRow], bool]
"""Hands a mail on to the browsers of its player, in the caller's transaction; whether there are any."""

_log = structlog.get_logger("tegami.sender")


class ClaimedMail:
    """One row of the outbox, until it is closed or waits."""

    def __init__(
        self,
        services: Services,
        row: OutboxRow,
        kinds: Mapping[str, MailKind],
        browsers: Browsers | None,
    ) -> None:
        self._services, self._row, self._kinds, self._browsers = services, row, kinds, browsers

    @property
    def _kind(self) -> MailKind:
        """Its kind. Raises KeyError for one that another release has written."""
        return self._kinds[self._row.kind]

    def send(self, transport: Transport) -> None:
        """Send the mail, unless something stands against it.

        1. Quiet hours or a digest let it wait; what no longer matters is dropped.
        2. Browsers are told, once; who wants no such mail, or has no address, is told by them alone.
        3. An address without a mailbox gets nothing, and a budget that is used up lets the mail wait.
        4. The transport sends it, and asks once more, right before the text, whether it is still wanted.

        Whatever is raised on the way leaves the row to `postpone`.
        """
        mail = self._prepared()
        if mail is None:
            return
        told = self._tell_browsers()
        if not self._goes_to(mail.to):
            self._close_unmailed(told)
        elif self._has_no_mailbox(mail.to):
            self._close("failed", NO_MAILBOX)
        else:
            counted = CountedMail(self._kind.group, mail.to, self._row.game_key, self._row.cause)
            until = budgets.spend(self._services, counted)
            if until is None:
                self._deliver(transport, mail, counted)
            else:
                self._hold_for_budget(until)

    def push(self) -> None:
        """Hand the mail on to browsers alone; the rest of it waits for the mail server."""
        mail = self._prepared()
        if mail is None:
            return
        told = self._tell_browsers()
        if not self._goes_to(mail.to):
            self._close_unmailed(told)
            return
        with transaction():
            queue.note_pushed(self._row, self._services.now())
            queue.hold(self._row, 0)

    def postpone(self, refusal: str | None, **why: object) -> None:
        """Try the mail again later, or give it up; `refusal` is what `tegami doctor` says of it meanwhile."""
        row, now = self._row, self._services.now()
        refusal = refusal and refusal[:LONGEST_REFUSAL]
        is_expired = retries.is_expired(row.run_at, now)
        with transaction():
            if is_expired:
                queue.finish(row, now, "expired", refusal)
            else:
                queue.hold(row, retries.next_try(row.attempts, now), refusal)
        prometheus.mail(row.kind, "expired" if is_expired else "postponed")
        _log.error("mail", row=row.id, kind=row.kind, attempts=row.attempts, **why)

    def _prepared(self) -> Mail | None:
        """What the mail says now; None if it waits or is dropped, and its row says so."""
        until = self._end_of_quiet()
        if until is not None:
            self._hold(until)
            return None
        if may_wait(self._row) and self._is_left_to_digest():
            return None
        mail = self._rendered()
        if mail is None:
            self._close("dropped")
        return mail

    def _end_of_quiet(self) -> int | None:
        """The end of the recipient's quiet hours (ms UTC), if they have begun; what somebody asked for comes anyway."""
        reader = recipients.find(self._row.player_id)
        if reader is None or self._kind.unsubscribe != "player":
            return None
        now = self._services.now()
        until = end_of_quiet(reader, now)
        return until if until > now else None

    def _is_left_to_digest(self) -> bool:
        """Whether a digest stands for the mail: then it waits, or is dropped if its reader has stopped digests."""
        with transaction():
            waits = bundled(self._services, self._row)
            if waits is None:
                return False
            if waits.until is None:
                queue.finish(self._row, self._services.now(), "dropped")
            else:
                queue.hold(self._row, waits.until)
        prometheus.mail(self._row.kind, "bundled")
        _log.info("mail", row=self._row.id, kind=self._row.kind, bundled=True)
        return True

    def _rendered(self) -> Mail | None:
        """What is to be said now, with the headers for unsubscribing; None if there is nothing to send any more."""
        services, row, kind = self._services, self._row, self._kind
        mail = kind.render(services, row) if kind.is_relevant(services, row) else None
        if mail is None or not kind.unsubscribe:
            return mail
        if kind.unsubscribe == "address":
            url = unsubscribe_links.address_unsubscribe_link(services.config, mail.to)
        else:
            url = unsubscribe_links.player_unsubscribe_link(services.config, row)
        return mail._replace(headers={**mail.headers, **unsubscribe_links.unsubscribe_headers(url)})

    def _tell_browsers(self) -> bool:
        """Hand the mail on to the browsers of its player, unless that was done before; whether there are any."""
        row = self._row
        if row.pushed_at is not None:
            return True
        if self._browsers is None or self._kind.unsubscribe != "player":
            return False
        if not unsubscriptions.is_wanted_in_browsers(row.player_id, row.kind, row.game_key):
            return False
        with transaction():
            told = self._browsers(row)
            if told:
                queue.note_pushed(row, self._services.now())
        if told:
            prometheus.mail(row.kind, "pushed")
        return told

    def _goes_to(self, address: str) -> bool:
        """Whether there is an address, and its owner has not refused such mails."""
        row, kind = self._row, self._kind
        if not address or not kind.unsubscribe:
            return bool(address)
        if kind.unsubscribe == "player":
            return unsubscriptions.is_wanted(row.player_id, row.kind, row.game_key)
        owner = suppressed_addresses.owner_digest(self._services.config.secret_key, address)
        return not suppressed_addresses.is_suppressed(owner, suppressed_addresses.STRANGERS)

    def _has_no_mailbox(self, address: str) -> bool:
        """Whether the recipient's mail server has said that there is no such mailbox, and nobody has just asked."""
        digest = suppressed_addresses.mailbox_digest(self._services.config.secret_key, address)
        return not self._kind.requested and suppressed_addresses.is_suppressed(
            digest, suppressed_addresses.REFUSED
        )

    def _deliver(self, transport: Transport, mail: Mail, counted: CountedMail) -> None:
        """Hand the mail to the transport; what was not sent uses up no budget."""
        services, to = self._services, mail.to
        message = compose(services.config, services.now(), self._row.key, mail)
        release_connection()  # no snapshot is held while a slow server answers, and the last check sees the present
        try:
            sent = transport.send(message, lambda: self._is_still_wanted(to))
        except PermanentFailure as failure:
            no_mailbox = partial(undelivered.note_no_mailbox, services, services.config, to)
            reply = str(failure.reply)
            self._close("failed", reply, beside=no_mailbox, reply=reply)
        except TemporaryFailure as failure:
            budgets.give_back(services, counted)
            self._refused_for_now(to, failure.reply)
        else:
            if sent:
                self._close("sent", beside=lambda: self._note_delivery(to))
            else:
                self._close("dropped")
                budgets.give_back(services, counted)

    def _is_still_wanted(self, to: str) -> bool:
        """The last check, by what is committed now: the mail is still ours, not cancelled, of interest and wanted."""
        try:
            return (
                queue.find_claimed(self._row.id, self._row.attempts) is not None
                and self._kind.is_relevant(self._services, self._row)
                and self._goes_to(to)
                and not self._has_no_mailbox(to)
            )
        finally:
            release_connection()  # the text is still to be sent

    def _refused_for_now(self, to: str, reply: Reply | None) -> None:
        """Try the mail again later; its recipient is told on the page that our mails are refused."""
        if reply is not None and reply.is_refusal:
            with transaction():
                undelivered.note_refusal(self._services, to)
        refusal = None if reply is None else str(reply)
        self.postpone(refusal, **({"reply": refusal} if refusal else {}))

    def _note_delivery(self, to: str) -> None:
        undelivered.note_delivery(to)
        self._do_beside()

    def _do_beside(self) -> None:
        """What the kind of mail wants done in the commit that says it was sent."""
        if self._kind.beside is not None:
            self._kind.beside(self._services, self._row)

    def _close_unmailed(self, told: bool) -> None:
        """Close a row of which browsers alone are told, or nobody."""
        if told:
            self._close("sent", beside=self._do_beside, browsers=True)
        else:
            self._close("dropped")

    def _hold_for_budget(self, until: int) -> None:
        """Wait for a budget; what asks for a move waits until it is answered, anything else expires."""
        is_expired = retries.is_expired(self._row.run_at, self._services.now())
        if is_expired and self._kind.group != "turn":
            self._close("expired")
        else:
            self._hold(until)

    def _hold(self, until: int) -> None:
        with transaction():
            queue.hold(self._row, until)
        prometheus.mail(self._row.kind, "held")
        _log.info("mail", row=self._row.id, kind=self._row.kind, held=True)

    def _close(
        self,
        outcome: MailOutcome,
        refusal: str | None = None,
        *,
        beside: Callable[[], None] | None = None,
        **why: object,
    ) -> None:
        """Close the row, with what is noted `beside` it in the same commit; `why` is logged."""
        with transaction():
            queue.finish(self._row, self._services.now(), outcome, refusal)
            if beside is not None:
                beside()
        prometheus.mail(self._row.kind, outcome)
        _log.info("mail", row=self._row.id, kind=self._row.kind, outcome=outcome, **why)
