"""Transports: where mails go. An SMTP server or, on a machine of one's own without one, a folder.

A mail is accepted, or to be tried again (`TemporaryFailure`), or there is no such mailbox (`PermanentFailure`).
Directly before its text is sent, the transport asks whether it is still wanted: nobody gets a mail about what was
answered before.
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
"""Mails that the folder keeps: the newest."""

_STATUS = re.compile(rb"\s*([45]\.\d{1,3}\.\d{1,3})(?!\S)")
"""The enhanced status code (RFC 3463) at the beginning of an answer."""
_OF_THE_SENDER = {"5.1.7", "5.1.8", "5.1.9"}
"""Of 5.1.x, what is about the sender's address, or about a server on the way."""
_DISABLED = "5.2.1"
"""The mailbox is there, but accepts no mail any more."""
FULL = "4.2.2"
"""It is full; 5.2.2, where the server waits for nothing."""

StillWanted = Callable[[], bool]


class Reply(NamedTuple):
    """An answer of 4xx or 5xx to one command: codes alone, since its text may hold an address.

    Most refusals are about the sender: a missing SPF record, a reputation, too many mails. They pass when the operator
    or the other server mends something, so they must not silence anybody.
    """

    code: int
    status: str
    """The enhanced status code; empty if there is none, or one of another class."""
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
        return self.is_refusal and self.command == "RCPT" and says_no_mailbox(self.status)

    @property
    def says_full(self) -> bool:
        """Whether the mailbox is full, for now or for good as the server sees it."""
        return self.status[1:] == FULL[1:]


def says_no_mailbox(status: str) -> bool:
    """Whether an enhanced status code (RFC 3463) of a mail that failed means that there is no such mailbox."""
    return (status.startswith("5.1.") and status not in _OF_THE_SENDER) or status == _DISABLED


def parse_reply(code: int, text: bytes | str, command: str) -> Reply:
    """The answer `code` with this text to a command."""
    raw = text if isinstance(text, bytes) else text.encode("ascii", "replace")
    found = _STATUS.match(raw)
    status = found[1].decode() if found else ""
    return Reply(code, status if status[:1] == str(code)[:1] else "", command)


class TemporaryFailure(KnownCause):
    """The mail was not taken now; `reply` is the server's, None if it gave none."""

    def __init__(self, reply: Reply | None = None) -> None:
        super().__init__(reply)
        self.reply = reply
        self.cause = f"mail server answers {reply}" if reply else "mail server out of reach"


class PermanentFailure(Exception):
    """The mail will never be taken for this address: the server's `reply` says that there is no such mailbox."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply)
        self.reply = reply


class Transport(Protocol):
    """One way to send mails; one thread uses it."""

    def connect(self) -> None:
        """Be ready to send: connected and signed in. Raises TemporaryFailure."""

    def send(self, message: Message, still_wanted: StillWanted) -> bool:
        """Send it; False if the mail, at the last moment, is not `still_wanted`.

        Raises TemporaryFailure and PermanentFailure.
        """

    def disconnect(self) -> None:
        """There is nothing to send for a while."""


class MailboxFolder:
    """A folder instead of a mail server, for trying things out; a repeated mail is one file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def connect(self) -> None:
        """Make the folder: nobody else may read it."""
        self._folder.mkdir(mode=0o700, exist_ok=True)

    def send(self, message: Message, still_wanted: StillWanted) -> bool:
        """Keep the mail, under a name derived from its Message-ID."""
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
        """There is no connection."""

    def mails(self) -> dict[str, EmailMessage]:
        """The mails that are kept, by name, newest first."""
        found = ((path.stem, self.mail(path.stem)) for path in self._files())
        return {name: mail for name, mail in found if mail is not None}

    def mail(self, name: str) -> EmailMessage | None:
        """The mail of this name, or None."""
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
