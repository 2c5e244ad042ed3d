"""The post: where mails go. An SMTP server; or, where none is set and only this machine can look, a folder.

A mail is accepted, or it is to be tried again (`Later`), or it is refused for good (`Refused`). Directly before the
text of a mail is sent, `still` is asked whether it matters yet: nobody hears of what was answered before.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Protocol

MOST_KEPT = 200
"""Mails that the mailbox keeps: the newest."""

Still = Callable[[], bool]


class Later(Exception):
    """The mail was not taken now; `code` is the server's, None if it said nothing."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


class Refused(Exception):
    """The mail will never be taken for this address; `code` is the server's."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Post(Protocol):
    """One way to send mails; one thread uses it."""

    def ready(self) -> None:
        """Be ready to send: connected and signed in. Raises Later."""

    def send(self, message: EmailMessage, still: Still) -> bool:
        """Send to the address in `To`; False if `still` said, at the last moment, that it matters no more.

        Raises Later and Refused.
        """

    def rest(self) -> None:
        """There is nothing to send for a while."""


class Mailbox:
    """A folder instead of a mail server, for trying things out; a repeated mail is one file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ready(self) -> None:
        """Make the folder: nobody else may read it."""
        self._folder.mkdir(mode=0o700, exist_ok=True)

    def send(self, message: EmailMessage, still: Still) -> bool:
        """Keep the mail, under a name that follows from its Message-ID."""
        if not still():
            return False
        name = hashlib.sha256(str(message["Message-ID"]).encode()).hexdigest()[:32]
        draft = self._folder / f"{name}.{os.getpid()}"
        draft.write_bytes(message.as_bytes())
        draft.rename(self._folder / f"{name}.eml")
        for old in self._files()[MOST_KEPT:]:
            old.unlink(missing_ok=True)
        return True

    def rest(self) -> None:
        """There is nothing to end."""

    def mails(self) -> dict[str, EmailMessage]:
        """The mails that are kept, by name: the newest first."""
        found = ((path.stem, self.mail(path.stem)) for path in self._files())
        return {name: mail for name, mail in found if mail is not None}

    def mail(self, name: str) -> EmailMessage | None:
        """One of them, or None."""
        try:
            data = (self._folder / f"{name}.eml").read_bytes()
        except FileNotFoundError:
            return None
        return message_from_bytes(data, EmailMessage, policy=policy.default)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.eml"), key=_written, reverse=True)


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:  # another process has just made room
        return 0
