"""A message as the mail server hands it over: what it is, to whom, from whom, and its text.

Why one is not said at the table, the mail server learns by an exit code (sysexits.h).
"""

from __future__ import annotations

import os
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses

from service.notifications.incoming_mail.html_text import text_of

LONGEST = 1_000_000
"""Bytes of a message that are read: whoever answers with pictures can say it again without."""
_TO = ("X-Original-To", "Delivered-To", "Envelope-To", "To", "Cc")
_BULK = {"bulk", "junk", "list", "auto_reply"}
_AUTOMATIC = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply", "List-Id", "Feedback-ID")


class Refused(Exception):
    """A message is returned to its sender; `why` is the key of the sentence that says why, `code` the exit code.

    EX_DATAERR: it cannot be used. EX_NOUSER: the address is not, or no longer, one of ours. EX_NOPERM: the sender may
    not say anything there. EX_TEMPFAIL: the mail server tries again later.
    """

    def __init__(self, code: int, why: str, language: str | None = None) -> None:
        super().__init__(why)
        self.code, self.why, self.language = code, why, language


class ReceivedMail:
    """A message; `sender` and `recipients` are those of the envelope, if the mail server tells them."""

    def __init__(
        self, data: bytes, sender: str | None = None, recipients: tuple[str, ...] = ()
    ) -> None:
        self._message = message_from_bytes(data, EmailMessage, policy=policy.default)
        self._sender, self._recipients = sender, recipients

    @property
    def recipients(self) -> list[str]:
        """All addresses to which it may have been sent, those of the envelope first."""
        headers = [value for name in _TO for value in self._all(name)]
        return [*self._recipients, *(address for _, address in getaddresses(headers) if address)]

    @property
    def sender(self) -> str:
        """The address in From; empty if there is none, or more than one."""
        found = getaddresses(self._all("From"))
        return found[0][1] if len(found) == 1 else ""

    @property
    def id(self) -> str:
        """Its Message-ID; empty if it has none."""
        return self._first("Message-ID").strip()

    @property
    def is_automatic(self) -> bool:
        """Whether a program has sent it: an answer to that would be answered again (RFC 3834)."""
        returns_to = self._first("Return-Path") if self._sender is None else f"<{self._sender}>"
        submitted = self._first("Auto-Submitted").partition(";")[0].strip().lower()
        return (
            returns_to.strip() in {"<>", "<MAILER-DAEMON>"}
            or submitted not in {"", "no"}
            or self._first("Precedence").strip().lower() in _BULK
            or any(self._all(name) for name in _AUTOMATIC)
            or self._message.get_content_type() == "multipart/report"
        )

    def text(self) -> str:
        """What it says, quotes included; HTML is made text. Raises Refused."""
        body = self._message.get_body(("plain", "html"))
        if body is None:
            raise Refused(os.EX_DATAERR, "answer.no-text")
        try:
            content = str(body.get_content())
        except (LookupError, ValueError):  # of a character set that there is not
            raise Refused(os.EX_DATAERR, "answer.no-text") from None
        if body.get_content_subtype() == "html":
            return text_of(content)
        flowed = str(body["Content-Type"].params.get("format", "")).lower() == "flowed"
        return _unflowed(content) if flowed else content

    def _first(self, name: str) -> str:
        return next(iter(self._all(name)), "")

    def _all(self, name: str) -> list[str]:
        """The values of a header; one that cannot be read counts as not there."""
        return [
            " ".join(str(value).split())
            for header, value in self._message.raw_items()
            if header.lower() == name.lower()
        ]


def _unflowed(text: str) -> str:
    """Lines that were broken to fit, put together again (RFC 3676)."""
    lines: list[str] = []
    goes_on = False
    for line in text.splitlines():
        is_quote = line.startswith(">")
        if goes_on and not is_quote and line != "-- ":
            lines[-1] += line
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and line != "-- " and not is_quote
    return "\n".join(lines)
