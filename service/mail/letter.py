"""A letter, and how it becomes a message: who sent it, which thread it belongs to, how it is stopped.

The parts are encoded as RFC 2045 wants it, in lines of 76. Headers in ASCII stay in one line each: folded by the
default policy, a long `List-Unsubscribe` becomes an encoded word that no mail program reads (RFC 8058).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr
from types import MappingProxyType
from typing import Any, NamedTuple

from service.config import Config
from service.outside import base62

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Letter(NamedTuple):
    """What is said to one address. No cards in `subject`, nor at the beginning of the text: screens show those."""

    to: str
    """An address without a name, in ASCII."""
    subject: str
    text: str
    html: str
    """A whole document, its styles inlined."""
    thread: str | None = None
    """What the letter is about, a game's id: letters of one thread stand together."""
    headers: Mapping[str, str] = NO_HEADERS
    """Further ones."""


class Lines(EmailPolicy):
    """Headers in ASCII in one line, others folded into encoded words as RFC 2047 has them."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        """The header as it is sent."""
        return (
            _WIDE.fold_binary(name, value)
            if str(value).isascii()
            else _USUAL.fold_binary(name, value)
        )


_USUAL = SMTP.clone(max_line_length=76, cte_type="7bit")
_WIDE = SMTP.clone(max_line_length=998, cte_type="7bit")
_POLICY = Lines(linesep="\r\n", cte_type="7bit")


def compose(config: Config, now: int, key: str, letter: Letter) -> EmailMessage:
    """The message of the outbox row `key`: its Message-ID is the same whenever and by whomever it is made.

    Raises ValueError for a line break in a header.
    """
    message = EmailMessage(policy=_POLICY)
    message["From"] = config.mail_from
    message["To"] = letter.to
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(datetime.fromtimestamp(now / 1000, UTC))
    message["Message-ID"] = message_id(config, f"mail {key}")
    if letter.thread:
        root = message_id(config, f"thread {letter.thread}")
        message["In-Reply-To"], message["References"] = root, root
    message["Auto-Submitted"] = "auto-generated"
    for name, value in letter.headers.items():
        message[name] = value
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    return message


def message_id(config: Config, about: str) -> str:
    """The id of a message or of the root of a thread: tells nothing of what it is about."""
    domain = sender(config).rpartition("@")[2]
    return f"<{base62(hmac.digest(config.secret_key, about.encode(), 'sha256')[:16])}@{domain}>"


def sender(config: Config) -> str:
    """The address from which mail is sent, without the name."""
    return parseaddr(config.mail_from)[1]
