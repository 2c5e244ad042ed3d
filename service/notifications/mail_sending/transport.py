"""Transports, which carry emails: an SMTP server or, on one's own machine, a folder instead.

An email is accepted, has to be tried again (`TemporaryFailure`), or has no mailbox to go to (`PermanentFailure`).
Directly before it sends the text, the transport asks whether the email is still wanted, so that nobody gets an email
about a question that was already answered.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple, Protocol

from service.core.database.failures import KnownCause
from service.notifications.mail_texts.message import Message

MOST_KEPT = 200
"""The number of emails that the folder keeps, the newest ones."""

_STATUS = re.compile(rb"\s*([45]\.\d{1,3}\.\d{1,3})(?!\S)")
"""The pattern of the enhanced status code (RFC 3463) at the beginning of a reply."""
_OF_THE_SENDER = {"5.1.7", "5.1.8", "5.1.9"}
"""The statuses 5.1.x about the sender's address, or about a server on the way."""
_DISABLED = "5.2.1"
"""The status of a mailbox that exists, but no longer accepts mail."""
FULL = "4.2.2"
"""The status of a full mailbox; it is 5.2.2 if the server does not wait."""

StillWanted = Callable[[], bool]


class Reply(NamedTuple):
    """A reply of 4xx or 5xx to one command: only its codes, since its text may contain an address.

    Most refusals are about the sender: a missing SPF record, a reputation, too many emails. They end when the operator
    or the other server fixes something, so they must not silence anybody.
    """

    code: int
    status: str
    """The enhanced status code; empty if there is none, or if it is of another class."""
    command: str
    """The command: `RCPT`, `DATA` and so on."""

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.code), self.status, "at", self.command)))

    @property
    def is_refusal(self) -> bool:
        """Whether the server refuses this email, and is not merely busy."""
        return self.code >= 500

    @property
    def says_no_mailbox(self) -> bool:
        """Whether the server says that there is no such mailbox, so that no mail will ever arrive there."""
        return self.is_refusal and self.command == "RCPT" and says_no_mailbox(self.status)

    @property
    def says_full(self) -> bool:
        """Whether the mailbox is full, for now or, according to the server, permanently."""
        return self.status[1:] == FULL[1:]


def says_no_mailbox(status: str) -> bool:
    """Whether the enhanced status code (RFC 3463) of a failed email means that there is no such mailbox."""
    return (status.startswith("5.1.") and status not in _OF_THE_SENDER) or status == _DISABLED


def parse_reply(code: int, text: bytes | str, command: str) -> Reply:
    """The reply to a command, from its `code` and text."""
    raw = text if isinstance(text, bytes) else text.encode("ascii", "replace")
    found = _STATUS.match(raw)
    status = found[1].decode() if found else ""
    return Reply(code, status if status[:1] == str(code)[:1] else "", command)


class TemporaryFailure(KnownCause):
    """Raised if the email was not accepted now; `reply` is the server's, None if it gave none."""

    def __init__(self, reply: Reply | None = None) -> None:
        super().__init__(reply)
        self.reply = reply
        self.cause = f"mail server answers {reply}" if reply else "mail server out of reach"


class PermanentFailure(Exception):
    """Raised if the email will never be accepted for this address: the `reply` says that there is no such mailbox."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply)
        self.reply = reply


class Transport(Protocol):
    """A way to send emails, used by one thread."""

    def connect(self) -> None:
        """Connect and sign in, to be ready to send. Raises TemporaryFailure if that fails."""

    def send(self, message: Message, still_wanted: StillWanted) -> bool:
        """Send the email; return False if, at the last moment, it is not `still_wanted`.

        Raises TemporaryFailure if it was not accepted now, and PermanentFailure if there is no such mailbox.
        """

    def disconnect(self) -> None:
        """Disconnect, because there is nothing to send for a while."""


class MailboxFolder:
    """A folder in place of a mail server, for trying the service out; an email that is sent again replaces its file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def connect(self) -> None:
        """Make the folder, which nobody else can read."""
        self._folder.mkdir(mode=0o700, exist_ok=True)

    def send(self, message: Message, still_wanted: StillWanted) -> bool:
        """Store the email under a name derived from its Message-ID; return False if it is not `still_wanted`."""
        if not still_wanted():
            return False
        name = hashlib.sha256(message.id.encode()).hexdigest()[:32]
        draft = self._folder / f"{name}.{os.getpid()}"
        draft.write_bytes(message.raw)
        draft.rename(self._folder / f"{name}.eml")
        for old in self._files()[MOST_KEPT:]:
            old.unlink(missing_ok=True)
        return True

    def disconnect(self) -> None:
        """Do nothing, since there is no connection."""

    def mails(self) -> dict[str, EmailMessage]:
        """The stored emails, by name, newest first."""
        found = ((path.stem, self.mail(path.stem)) for path in self._files())
        return {name: mail for name, mail in found if mail is not None}

    def mail(self, name: str) -> EmailMessage | None:
        """The email with this name; None if there is none."""
        try:
            data = (self._folder / f"{name}.eml").read_bytes()
        except FileNotFoundError:
            return None
        return message_from_bytes(data, EmailMessage, policy=policy.default)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.eml"), key=_written_at, reverse=True)


def _written_at(path: Path) -> float:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:  # another process has just deleted it
        return 0
