"""Emails about accounts: verification, sign-in links, password resets, and warnings, also about webhooks that are off.

Whether such an email may be sent is decided here, at sending time, so that requesting one reveals nothing about
accounts.
"""

from __future__ import annotations

from service.core.models.mail import OutboxRow
from service.core.models.people import Account
from service.core.runtime.units import HOUR, SECOND
from service.core.words.words import phrases
from service.notifications.mail_texts.mail_links import webhook_link
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_mail
from service.notifications.mail_texts.times import local_time
from service.outbox import recipients
from service.outbox.unsubscriptions import address_unsubscribe_link
from service.people import players
from service.people.accounts import accounts
from service.people.accounts.preferences import time_zone
from service.people.credentials import mailed_keys
from service.people.names import harmless
from service.tables.services import Services


def render_verification(services: Services, row: OutboxRow) -> Mail | None:
    """The email to a new address, with the key that verifies it; None if it is not to be sent."""
    account = accounts.find(row.player)
    if account is None or account.pending is None or account.nonce != row.details["nonce"]:
        return None
    claim = accounts.pending_claim(account)
    key = mailed_keys.create(services.config, services, mailed_keys.VERIFY, claim)
    page, to = services.config.public_url, account.pending
    url, deny = (mailed_keys.address(page, purpose, key) for purpose in ("verify", "not-me"))
    stop = address_unsubscribe_link(services.config, to)
    until = services.now() + mailed_keys.VERIFY.max_age * SECOND
    return _account_mail("verify", account, to, url, deny=deny, stop=stop, until=until)


def render_known_address(services: Services, row: OutboxRow) -> Mail | None:
    """The email to the owner of an address that somebody else has entered, who is told nothing; None if it is not to be
    sent.
    """
    account = accounts.find(row.player)
    if account is None or not account.address or account.folded != (row.address or "").lower():
        return None
    url, to = f"{services.config.public_url}/enter", account.address
    stop = address_unsubscribe_link(services.config, to)
    return _account_mail("known-address", account, to, url, stop=stop)


def render_warning(_services: Services, row: OutboxRow) -> Mail | None:
    """The warning to the account's former address that the address or the password was changed; None without an
    address.
    """
    account = accounts.find(row.player)
    if account is None or row.address is None:
        return None
    return _account_mail(row.kind, account, row.address)


def render_key(services: Services, row: OutboxRow) -> Mail | None:
    """The email with the key for signing in, or for choosing a new password; None if it is not to be sent."""
    account = accounts.find_by_login(row.details["who"])
    if account is None or account.address is None:
        return None
    purpose = {"sign-in": mailed_keys.SIGN_IN, "reset": mailed_keys.RESET}[row.kind]
    claim = accounts.address_claim(account)
    url = mailed_keys.url(services.config, services, purpose, claim)
    until = services.now() + purpose.max_age * SECOND
    return _account_mail(row.kind, account, account.address, url, until=until)


def render_webhook_off(services: Services, row: OutboxRow) -> Mail | None:
    """The email about a webhook that was switched off since nothing arrives there, or it wants no more; None if not
    needed.
    """
    recipient = recipients.find(row.player_id)
    if recipient is None:
        return None
    words, told = phrases(recipient.language), row.details
    names = {"name": recipient.name, "label": told["label"], "host": told["host"]}
    fields = {field: harmless(name) for field, name in names.items()}
    config, url = services.config, f"{services.config.public_url}/me"
    if "webhook" in told:  # an earlier release has queued emails without it
        url = webhook_link(config, told["webhook"], told["off_at"])
    return render_mail(
        *("short", words, recipient.address, words.say("mail.webhook-off.subject", fields)),
        paragraphs=[words.say(f"mail.webhook-off.{told['why']}", fields)],
        button=(words.say("mail.webhook-off.button"), url),
        after=[words.say("mail.webhook-off.after")],
    )


def is_recent(services: Services, row: OutboxRow) -> bool:
    """Whether somebody may still be waiting for the email, since it was requested recently."""
    return services.now() - row.created_at < HOUR


def _account_mail(
    kind: str,
    account: Account,
    to: str,
    url: str | None = None,
    *,
    deny: str | None = None,
    stop: str | None = None,
    until: int | None = None,
) -> Mail:
    """An email with a link `url` that works `until` then (ms UTC).

    Recipients can `deny` having requested it, and `stop` such emails, by the links with these addresses.
    """
    player = players.get(account.player_id)
    words = phrases(player.language)
    fields = {"handle": account.handle}
    if until is not None:
        fields["time"] = local_time(until, time_zone(player), words)
    return render_mail(
        *("short", words, to, words.say(f"mail.{kind}.subject", fields)),
        paragraphs=[words.say(f"mail.{kind}.text", fields)],
        button=(words.say(f"mail.{kind}.button"), url) if url else None,
        after=[words.say(f"mail.{kind}.after", fields)],
        another=(words.say(f"mail.{kind}.deny"), deny) if deny else None,
        unsubscribe_url=stop,
    )
