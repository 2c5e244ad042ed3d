"""An email, and its form as a MIME message: sender, thread, list, and headers for unsubscribing.

Parts are encoded in lines of 76 characters (RFC 2045). The library that encodes them gets none of our headers: it
parses its input, so that a name could become header lines, and it loses spaces between the encoded words that it makes.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from types import MappingProxyType
from typing import NamedTuple

from service.core.runtime.time_and_random import base62
from service.core.settings.config import Config
from service.notifications.mail_texts.headers import mailbox_field, text_field, written

NO_ANSWERS_OF_PROGRAMS = "DR, RN, NRN, OOF, AutoReply"
"""The automatic replies that Exchange suppresses: receipts and absences.

It still reports emails that do not arrive (`NDR`).
"""
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Mail(NamedTuple):
    """A rendered email to one address.

    `subject` and the first lines contain no cards, since lock screens show those.
    """

    to: str
    """The recipient: an ASCII address without a name."""
    subject: str
    text: str
    html: str
    """The HTML: a complete document with inlined styles."""
    thread: str | None = None
    """The id of a game, whose emails are shown as one thread and can be filtered as one list; None if none."""
    headers: Mapping[str, str] = NO_HEADERS
    """Additional headers of our own, in ASCII, as they are sent."""
    answers: Answers | None = None
    """The address for replies; None if it is the sender's."""


class Answers(NamedTuple):
    """The address for replies, and its display name."""

    called: str
    address: str
    are_read: bool = False
    """Whether replies sent there are said at the table."""


class Message(NamedTuple):
    """An email in the form in which it is sent."""

    to: str
    id: str
    """The Message-ID."""
    raw: bytes
    """The complete message, in lines that end with CR LF."""
    returns_to: str | None = None
    """The envelope sender, to which an undeliverable email comes back; None for the usual sender of our emails."""


_BODY = SMTP.clone(cte_type="7bit")


def compose(config: Config, now: int, key: str, mail: Mail) -> Message:
    """The message of the outbox row `key`. Its Message-ID depends only on `key`, so repeated sending repeats it.

    Raises ValueError if the recipient's address is malformed.
    """
    name, sender = parseaddr(config.mail_from)
    own_id = message_id(config, f"mail {key}")
    fields = [
        mailbox_field("From", name, sender),
        mailbox_field("To", "", mail.to),
        text_field("Subject", mail.subject),
        written("Date", format_datetime(datetime.fromtimestamp(now / 1000, UTC))),
        written("Message-ID", own_id),
        written("Auto-Submitted", "auto-generated"),
        written("X-Auto-Response-Suppress", NO_ANSWERS_OF_PROGRAMS),
    ]
    if mail.thread:
        root = message_id(config, f"thread {mail.thread}")
        fields += [written("In-Reply-To", root), written("References", root)]
        fields.append(written("List-Id", list_id(config, mail.thread)))
    if mail.answers:
        fields.append(mailbox_field("Reply-To", mail.answers.called, mail.answers.address))
    fields += [written(*header) for header in mail.headers.items()]
    raw = "".join(f"{field}\r\n" for field in fields).encode("ascii") + _body(mail)
    return Message(mail.to, own_id, raw)


def _body(mail: Mail) -> bytes:
    """The text and the HTML, below the headers that describe their encoding."""
    body = EmailMessage(policy=_BODY)
    body.set_content(mail.text)
    body.add_alternative(mail.html, subtype="html")
    return body.as_bytes()


def message_id(config: Config, about: str) -> str:
    """The id of a message, or of the root of a thread; it does not reveal `about`."""
    return f"<{_keyed(config, about)}@{_domain(config)}>"


def list_id(config: Config, game_id: str) -> str:
    """The id of a table's emails (RFC 2919), by which they can be sorted."""
    return f"<{_keyed(config, f'list {game_id}').lower()}.{_domain(config)}>"


def _keyed(config: Config, about: str) -> str:
    return base62(hmac.digest(config.secret_key, about.encode(), "sha256")[:16])


def _domain(config: Config) -> str:
    return sender_address(config).rpartition("@")[2]


def sender_address(config: Config) -> str:
    """The address from which emails are sent, without the name."""
    return parseaddr(config.mail_from)[1]
