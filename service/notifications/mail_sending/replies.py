"""What a mail server answers, and whether that says that a mailbox does not exist.

Most refusals are about the sender: a missing SPF record, a reputation, too many mails. They pass when the operator or
the other server mends something, so they must not silence anybody.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_STATUS = re.compile(rb"\s*(5\.\d{1,3}\.\d{1,3})(?!\S)")
"""The enhanced status code (RFC 3463) at the beginning of an answer."""
_OF_THE_SENDER = {"5.1.7", "5.1.8", "5.1.9"}
"""Of 5.1.x, what is about the sender's address, or about a server on the way."""
_DISABLED = "5.2.1"
"""The mailbox is there, but accepts no mail any more."""


class Reply(NamedTuple):
    """An answer of 4xx or 5xx to one command: codes alone, since its text may hold an address."""

    code: int
    status: str
    """The enhanced status code of a 5xx; empty if there is none."""
    command: str
    """`RCPT`, `DATA` and so on."""

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.code), self.status, "at", self.command)))

    @property
    def is_refusal(self) -> bool:
        """Whether the server refuses this mail, rather than being busy."""
        return self.code >= 500

    @property
    def says_no_mailbox(self) -> bool:
        """Whether it says that there is no such mailbox, so that no mail will ever get there."""
        about_address = self.status.startswith("5.1.") and self.status not in _OF_THE_SENDER
        return (
            self.is_refusal
            and self.command == "RCPT"
            and (about_address or self.status == _DISABLED)
        )


def parse_reply(code: int, text: bytes | str, command: str) -> Reply:
    """The answer `code` with this text to a command."""
    raw = text if isinstance(text, bytes) else text.encode("ascii", "replace")
    found = _STATUS.match(raw) if code >= 500 else None
    return Reply(code, found[1].decode() if found else "", command)
