"""A mail, and how it becomes a MIME message: its sender, its thread, its headers to unsubscribe.

Parts are encoded in lines of 76 characters (RFC 2045). An ASCII header stays on one line: the default policy would fold
a long `List-Unsubscribe` into an encoded word, which no mail program understands there (RFC 8058).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr
from types import MappingProxyType
from typing import NamedTuple

from service.core.runtime.time_and_random import base62
from service.core.settings.config import Config

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Mail(NamedTuple):
    """A rendered mail to one address. No cards in `subject` or at the beginning: lock screens show those."""

    to: str
    """An ASCII address without a name."""
    subject: str
    text: str
    html: str
    """A complete document with inlined styles."""
    thread: str | None = None
    """A game's id: mails about one game are shown as one thread."""
    headers: Mapping[str, str] = NO_HEADERS
    """Additional headers."""


class HeaderPolicy(EmailPolicy):
    """Keeps an ASCII header on one line; folds others into encoded words (RFC 2047)."""

    def fold_binary(self, name: str, value: str) -> bytes:
        """The header as it is sent."""
        policy = _ONE_LINE if value.isascii() else _FOLDED
        return policy.fold_binary(name, value)


_FOLDED = SMTP.clone(max_line_length=76, cte_type="7bit")
_ONE_LINE = SMTP.clone(max_line_length=998, cte_type="7bit")
_POLICY = HeaderPolicy(linesep="\r\n", cte_type="7bit")


def compose(config: Config, now: int, key: str, mail: Mail) -> EmailMessage:
    """The message of the outbox row `key`. Its Message-ID depends on `key` alone, so repeated sending repeats it.

    Raises ValueError for a line break in a header.
    """
    message = EmailMessage(policy=_POLICY)
    message["From"] = config.mail_from
    message["To"] = mail.to
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(datetime.fromtimestamp(now / 1000, UTC))
    message["Message-ID"] = message_id(config, f"mail {key}")
    if mail.thread:
        root = message_id(config, f"thread {mail.thread}")
        message["In-Reply-To"], message["References"] = root, root
    message["Auto-Submitted"] = "auto-generated"
    for name, value in mail.headers.items():
        message[name] = value
    message.set_content(mail.text)
    message.add_alternative(mail.html, subtype="html")
    return message


def message_id(config: Config, about: str) -> str:
    """The id of a message, or of the root of a thread; it does not reveal `about`."""
    domain = sender_address(config).rpartition("@")[2]
    return f"<{base62(hmac.digest(config.secret_key, about.encode(), 'sha256')[:16])}@{domain}>"


def sender_address(config: Config) -> str:
    """The address that mails are sent from, without the name."""
    return parseaddr(config.mail_from)[1]
