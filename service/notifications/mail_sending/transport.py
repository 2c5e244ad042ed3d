"""Transports: where mails go. An SMTP server or, on a machine of one's own without one, a folder.

A mail is accepted, or to be tried again (`TemporaryFailure`), or there is no such mailbox (`PermanentFailure`).
Directly before its text is sent, the transport asks whether it is still wanted: nobody gets a mail about what was
answered before.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Protocol

from service.core.database.failures import KnownCause
from service.notifications.mail_sending.replies import Reply

MOST_KEPT = 200
"""Mails that the folder keeps: the newest."""

StillWanted = Callable[[], bool]


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

    def send(self, message: EmailMessage, still_wanted: StillWanted) -> bool:
        """Send to the address in `To`; False if the mail, at the last moment, is not `still_wanted`.

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

    def send(self, message: EmailMessage, still_wanted: StillWanted) -> bool:
        """Keep the mail, under a name derived from its Message-ID."""
        if not still_wanted():
            return False
        name = hashlib.sha256(str(message["Message-ID"]).encode()).hexdigest()[:32]
        draft = self._folder / f"{name}.{os.getpid()}"
        draft.write_bytes(message.as_bytes())
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
