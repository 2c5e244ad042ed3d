"""An email that a sender has claimed: whether it is still to be sent, its contents, and the outcome for its row.

| outcome   | what it means | the row |
| --------- | --- | --- |
| sent      | the mail server has taken it, or browsers were told and no mail is wanted | is closed |
| dropped   | it no longer matters, or nobody wants it | is closed |
| failed    | there is no such mailbox, the address pauses, or it is no address | is closed |
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
from service.core.models.mail import LONGEST_REFUSAL, MailOutcome, OutboxRow, Trouble
from service.log.table_rows.table import id_of
from service.notifications import retries
from service.notifications.mail_sending import budgets
from service.notifications.mail_sending.budgets import CountedMail
from service.notifications.mail_sending.bundling import leave_to_digest
from service.notifications.mail_sending.transport import (
    PermanentFailure,
    Reply,
    TemporaryFailure,
    Transport,
)
from service.notifications.mail_texts.headers import is_address
from service.notifications.mail_texts.kinds import MailKind
from service.notifications.mail_texts.message import Mail, compose
from service.outbox import digests, queue, recipients, unsubscriptions
from service.outbox.addresses import suppressed_addresses, undelivered
from service.outbox.addresses.return_addresses import return_address
from service.outbox.addresses.undelivered import Found, Known
from service.tables.clocks.quiet_hours import end_of_quiet
from service.tables.services import Services

PAUSES: Mapping[Trouble | None, str] = {
    undelivered.NO_MAILBOX: "no such mailbox",
    undelivered.FULL: "mailbox full",
    undelivered.COMPLAINT: "reported as unwanted",
}
"""The stored reason for an email that is not sent because its address pauses, by the trouble."""
NO_ADDRESS = "no address"
"""The stored reason for an email to an address that cannot be written into a header; it predates the rules for
addresses.
"""

Browsers = Callable[[OutboxRow], bool]
"""A function that hands an email to its player's browsers, in the caller's transaction; it returns whether there are
any.
"""

_log = structlog.get_logger("tegami.sender")


class ClaimedMail:
    """A claimed row of the outbox, until it is closed or waits."""

    def __init__(
        self,
        services: Services,
        row: OutboxRow,
        kinds: Mapping[str, MailKind],
        browsers: Browsers | None,
        lease: int = queue.LEASE,
    ) -> None:
        self._services, self._row, self._kinds, self._browsers = services, row, kinds, browsers
        self._lease = lease

    @property
    def _kind(self) -> MailKind:
        """The kind of the email. Raises KeyError for a kind written by another release."""
        return self._kinds[self._row.kind]

    @property
    def game_id(self) -> str | None:
        """The id of the game that the email is about; None if it is about none."""
        return id_of(self._row.game_key)

    def send(self, transport: Transport | None) -> None:
        """Send the email, unless something prevents that; without a transport, only hand it to browsers.

        1. Quiet hours or a digest let it wait; what no longer matters is dropped.
        2. Browsers are told, once. A player who wants no such mail, or has no address, is told only there.
        3. An address that pauses gets nothing, and the email waits while a budget is used up.
        4. The transport sends it, and asks once more, right before the text, whether it is still wanted.

        If anything is raised, the caller has to `postpone` the row.
        """
        mail = self._prepared()
        if mail is None:
            return
        told, is_mailed = self._tell_browsers(), self._goes_to(mail.to)
        if not is_mailed and told:
            self._close("sent", browsers=True)
        elif not is_mailed:
            self._close("dropped")
        elif transport is None:
            with transaction():
                queue.note_pushed(self._row, self._services.now())
                queue.hold(self._row, 0)
        elif not is_address(mail.to):
            self._close("failed", NO_ADDRESS)
        elif pause := self._pause_of(mail.to):
            self._close("failed", PAUSES[pause.why])
        else:
            self._spend_and_deliver(transport, mail)

    def postpone(self, refusal: str | None, **why: object) -> None:
        """Try the email again later, or give it up; `refusal` is the reason that `tegami doctor` shows meanwhile."""
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
        """The email with its present contents; None if it waits or is dropped, which is then stored in its row."""
        row, reader, now = self._row, recipients.find(self._row.player_id), self._services.now()
        # An email that somebody asked for comes in quiet hours, too.
        is_held = self._kind.unsubscribe == "player" and not self._kind.is_awaited(row)
        if reader is not None and is_held:
            until = end_of_quiet(reader, now)
            if until > now:
                self._hold(until)
                return None
        if row.kind in digests.BUNDLED and reader is not None and reader.digest is not None:
            with transaction():
                is_left = leave_to_digest(self._services, row)
            if is_left:
                prometheus.mail(row.kind, "bundled")
                _log.info("mail", row=row.id, kind=row.kind, bundled=True)
                return None
        is_relevant = self._kind.is_relevant(self._services, row)
        mail = self._kind.render(self._services, row) if is_relevant else None
        if mail is None:
            self._close("dropped")
        return mail

    def _tell_browsers(self) -> bool:
        """Hand the email to its player's browsers, unless that was done before; return whether there are any."""
        row = self._row
        if row.pushed_at is not None:
            return True
        if self._browsers is None or self._kind.unsubscribe != "player":
            return False
        about = (row.player_id, row.kind, row.game_key)
        if not unsubscriptions.is_wanted(*about, in_browsers=True):
            return False
        with transaction():
            told = self._browsers(row)
            if told:
                queue.note_pushed(row, self._services.now())
        if told:
            prometheus.mail(row.kind, "pushed")
        return told

    def _goes_to(self, address: str) -> bool:
        """Whether there is an address whose owner has not refused such emails."""
        row, kind = self._row, self._kind
        if not address or not kind.unsubscribe:
            return bool(address)
        if kind.unsubscribe == "player":
            return unsubscriptions.is_wanted(row.player_id, row.kind, row.game_key)
        secret = self._services.config.secret_key
        return not suppressed_addresses.refuses_strangers(secret, address)

    def _pause_of(self, address: str) -> Known | None:
        """The facts about the recipient's address if it pauses; None if it does not, or somebody has just requested
        this email.

        News of an account is sent in any case, unless our mail server itself says that there is no mailbox: so nobody
        can suppress it with a forged returned email.
        """
        services, kind = self._services, self._kind
        found = undelivered.pause(services.config, address, services.now())
        is_told = kind.requested or (found and found.returned and kind.group == "account")
        return None if is_told else found

    def _spend_and_deliver(self, transport: Transport, mail: Mail) -> None:
        """Hand the email to the transport if its budgets allow it. An email that is not sent uses up no budget.

        An email that asks for a move waits for a budget until the move is made; any other expires.
        """
        services, row, to = self._services, self._row, mail.to
        counted = CountedMail(self._kind.group, to, row.game_key, row.cause)
        until = budgets.spend(services, counted)
        if until is None:
            self._deliver(transport, mail, counted)
        elif self._kind.group != "turn" and retries.is_expired(row.run_at, services.now()):
            self._close("expired")
        else:
            self._hold(until)

    def _deliver(self, transport: Transport, mail: Mail, counted: CountedMail) -> None:
        services, row, to = self._services, self._row, mail.to
        config, now = services.config, services.now()
        message = compose(config, now, row.key, mail)
        message = message._replace(returns_to=return_address(config, now, row.id, to))
        release_connection()  # no snapshot is held while a slow server answers, and the last check sees the present
        try:
            sent = transport.send(message, lambda: self._is_still_wanted(to))
        except PermanentFailure as failure:
            self._note(to, failure.reply)
            reply = str(failure.reply)
            self._close("failed", reply, reply=reply)
        except TemporaryFailure as failure:
            budgets.give_back(services, counted)
            refusal = str(failure.reply) if failure.reply else None
            if failure.reply:
                self._note(to, failure.reply)
            self.postpone(refusal, **({"reply": refusal} if refusal else {}))
        else:
            if sent:
                note_delivery = partial(undelivered.note_delivery, services, config, to)
                self._close("sent", beside=note_delivery)
            else:
                self._close("dropped")
                budgets.give_back(services, counted)

    def _note(self, to: str, reply: Reply) -> None:
        """Note a reply of the mail server that says something about this address, so that the recipient is told on the
        page.
        """
        found = found_in(reply)
        if found is not None:
            with transaction():
                undelivered.note(self._services, self._services.config, to, found)

    def _is_still_wanted(self, to: str) -> bool:
        """Whether, as of the latest commit, the email is still ours, not cancelled, relevant and wanted: the last
        check.

        It stays ours while its text is sent, so nobody else sends it.
        """
        try:
            return (
                queue.renew(self._row, self._services.now(), self._lease)
                and self._kind.is_relevant(self._services, self._row)
                and self._goes_to(to)
                and not self._pause_of(to)
            )
        finally:
            release_connection()  # the text is still to be sent

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
        """Close the row, together with what its kind and `beside` note in the same commit; `why` is logged."""
        with transaction():
            queue.finish(self._row, self._services.now(), outcome, refusal)
            if beside is not None:
                beside()
            if outcome == "sent" and self._kind.beside is not None:
                self._kind.beside(self._services, self._row)
        prometheus.mail(self._row.kind, outcome)
        _log.info("mail", row=self._row.id, kind=self._row.kind, outcome=outcome, **why)


def found_in(reply: Reply) -> Found | None:
    """The meaning of a mail server's reply for the address; None if it has none, or the server is busy."""
    if reply.says_no_mailbox:
        return Found(undelivered.NO_MAILBOX, reply.status)
    if reply.says_full:
        return Found(undelivered.OVER_QUOTA, reply.status)
    return Found(undelivered.REFUSED, reply.status or str(reply.code)) if reply.is_refusal else None
