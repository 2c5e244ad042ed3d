"""Every kind of email: how it is rendered, whether it still matters, and who can unsubscribe.

A new kind is one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from service.core.models.mail import OutboxRow
from service.notifications.mail_texts import (
    accounts,
    before_start,
    game_news,
    proposals,
    standings_mail,
)
from service.notifications.mail_texts.game_mail import game_mail
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.turns import digest, response_mail, turn_mail
from service.outbox import digests
from service.tables.services import Services


def always(_services: Services, _row: OutboxRow) -> bool:
    """Always true, for kinds of emails that are never outdated."""
    return True


def never(_row: OutboxRow) -> bool:
    """Always false, for kinds of emails for which nobody waits."""
    return False


class MailKind(NamedTuple):
    """A kind of email. `render` and `is_relevant` only read, from a fresh snapshot of the database."""

    render: Callable[[Services, OutboxRow], Mail | None]
    """A function that returns the email to send now; None if there is nothing left to say."""
    is_relevant: Callable[[Services, OutboxRow], bool] = always
    """A function that returns whether the email still matters, before rendering and before the text is sent."""
    group: Literal["turn", "reply", "news", "link", "stranger", "account"] = "news"
    """The budgets that apply (mail_sending/budgets.py); `stranger` is for addresses that a stranger may have typed."""
    unsubscribe: Literal["", "player", "address"] = ""
    """The person who can stop the email: the player (this kind, this game or all), or the owner of an address."""
    beside: Callable[[Services, OutboxRow], None] | None = None
    """A function that writes further rows in the commit that notes that the email was sent; None if there are none."""
    is_awaited: Callable[[OutboxRow], bool] = never
    """A function that returns whether somebody has asked to be told at once.

    Such an email comes in their quiet hours, too, and wakes a device.
    """
    page: Callable[[OutboxRow], str] | None = None
    """A function that returns the path of the page about which a browser is notified; None for that of the table."""
    requested: bool = False
    """Whether somebody has just requested the email.

    It is then sent even to addresses that refused mail, so that they can be verified again.
    """


_TURN = game_mail("turn", turn_mail.turn)
KINDS: dict[str, MailKind] = {
    "turn": MailKind(_TURN, turn_mail.still_asked, "turn", "player"),
    "reminder": MailKind(_TURN, turn_mail.still_to_remind, "turn", "player"),
    "digest": MailKind(
        *(digest.render_digest, digest.is_due, "turn", "player"), beside=digests.note_sent
    ),
    "response": MailKind(game_mail("response", response_mail.response), group="reply"),
    "nudge": MailKind(_TURN, turn_mail.still_asked, unsubscribe="player"),
    "proposal": MailKind(
        *(game_mail("proposal", proposals.proposed), proposals.is_unanswered),
        unsubscribe="player",
    ),
    "over": MailKind(game_mail("over", game_news.over), unsubscribe="player"),
    "told": MailKind(game_mail("news", game_news.news), unsubscribe="player"),
    "taken-over": MailKind(game_mail("news", game_news.taken_over), unsubscribe="player"),
    "before-start": MailKind(
        before_start.render_before_start,
        unsubscribe="player",
        is_awaited=before_start.is_live,
    ),
    "invitation": MailKind(
        *(before_start.render_invitation, before_start.is_open, "stranger", "address"),
        beside=before_start.note_owner,
    ),
    "offer": MailKind(before_start.render_offer, before_start.is_open, unsubscribe="player"),
    "standings": MailKind(
        *(standings_mail.render_standings, standings_mail.is_current),
        unsubscribe="player",
        page=standings_mail.page,
    ),
    "verify": MailKind(
        accounts.render_verification, group="stranger", unsubscribe="address", requested=True
    ),
    "known-address": MailKind(
        accounts.render_known_address, group="stranger", unsubscribe="address"
    ),
    "address-changed": MailKind(accounts.render_warning, group="account"),
    "password-changed": MailKind(accounts.render_warning, group="account"),
    "webhook-off": MailKind(accounts.render_webhook_off, group="account"),
    "sign-in": MailKind(accounts.render_key, accounts.is_recent, "link", requested=True),
    "reset": MailKind(accounts.render_key, accounts.is_recent, "link", requested=True),
}
"""Every kind of email, by its name in `outbox.kind`."""
