"""A message as the mail server hands it over: what it is, to whom, from whom, and its text.

Anybody can send one, so it is read in a time that grows with its size alone: what a message may be made of is bounded
before it is parsed, and headers are read only as far as they can be of use. What is beyond the bounds is refused for
good: the mail server would only keep it and try it again.

Why one is not used, the mail server learns by an exit code (sysexits.h).
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses
from typing import TypeVar

import structlog

from service.core.runtime.log_files import failure
from service.notifications.incoming_mail.reading import automatic_subjects
from service.notifications.incoming_mail.reading.charsets import Undecodable, decoded
from service.notifications.incoming_mail.reading.flowed_text import unflowed
from service.notifications.incoming_mail.reading.html_text import text_of

_log = structlog.get_logger("tegami.mail")

Found = TypeVar("Found")

LONGEST = 1_000_000
"""Bytes of a message that are read: whoever answers with pictures can say it again without."""
MOST_LINES = 20_000
"""Lines of a text, quotes included."""
MOST_PARTS = 100
"""Parts of a message, one in another or beside it."""
MOST_LINES_IN_PARTS = 2_000_000
"""Lines of a message times its parts: each is looked for the end of each."""
LONGEST_HEADER = 4_000
"""Characters of a header that are read."""
_TO = ("X-Original-To", "Delivered-To", "Envelope-To", "To", "Cc")
_BULK = {"bulk", "junk", "list", "auto_reply"}
_AUTOMATIC = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply", "List-Id", "Feedback-ID")
_CONTENT_TYPE = re.compile(rb"^content-type:(?:.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_BETWEEN = re.compile(r'[\s<>(),;:"]+')
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([\w:.-]{1,40})", re.IGNORECASE)
_NESTED = 20
"""Comments and groups in an address: each is read within the other."""


class Refused(Exception):
    """A message is returned to its sender; `why` is the key of the sentence that says why, `code` the exit code.

    EX_DATAERR: it cannot be used. EX_NOUSER: the address is not, or no longer, one of ours. EX_NOPERM: the sender may
    not say anything there. EX_TEMPFAIL: the mail server tries again later.
    """

    def __init__(self, code: int, why: str, language: str | None = None) -> None:
        super().__init__(why)
        self.code, self.why, self.language = code, why, language


def _for_good(read: Callable[[ReceivedMail], Found]) -> Callable[[ReceivedMail], Found]:
    """Refuse for good what cannot be read for a reason that nobody has thought of: it would fail again."""

    @functools.wraps(read)
    def safely(received: ReceivedMail) -> Found:
        try:
            return read(received)
        except Refused:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the log says what it was
            _log.error("unreadable mail", **failure(error))
            raise Refused(os.EX_DATAERR, "answer.unreadable") from None

    return safely


class ReceivedMail:
    """A message; `sender` and `recipients` are those of the envelope, if the mail server tells them.

    Raises Refused for one that has too much of anything to be read.
    """

    def __init__(
        self, data: bytes, sender: str | None = None, recipients: tuple[str, ...] = ()
    ) -> None:
        _check_bounds(data)
        self._message = BytesParser(Message, policy=compat32).parsebytes(data)
        self._headers = [(name.lower(), str(value)) for name, value in self._message.raw_items()]
        self._sender, self._recipients = sender, recipients

    @property
    @_for_good
    def recipients(self) -> list[str]:
        """All addresses to which it may have been sent, those of the envelope first."""
        headers = " ".join(value for name in _TO for value in self.all(name))
        return [*self._recipients, *(each for each in _BETWEEN.split(headers) if "@" in each)]

    @property
    @_for_good
    def sender(self) -> str:
        """The address in From; empty if there is none, or more than one."""
        headers = self.all("From")
        if len(headers) != 1 or max(map(headers[0].count, "(:")) > _NESTED:
            return ""
        found = getaddresses(headers)
        return found[0][1] if len(found) == 1 else ""

    @property
    def id(self) -> str:
        """Its Message-ID; empty if it has none."""
        return self._first("Message-ID").strip()

    @property
    @_for_good
    def is_automatic(self) -> bool:
        """Whether a program has sent it: an answer to that would be answered again (RFC 3834)."""
        returns_to = self._first("Return-Path") if self._sender is None else f"<{self._sender}>"
        submitted = self._first("Auto-Submitted").partition(";")[0].strip().lower()
        return (
            returns_to.strip() in {"<>", "<MAILER-DAEMON>"}
            or submitted not in {"", "no"}
            or self._first("Precedence").strip().lower() in _BULK
            or any(self.all(name) for name in _AUTOMATIC)
            or self._message.get_content_type() == "multipart/report"
            or automatic_subjects.is_automatic(self.subject)
        )

    @property
    def subject(self) -> str:
        """What it is about, as it is read; empty if that cannot be told."""
        given = self._first("Subject")
        try:
            if not given.isascii():  # it was sent as it is, without a word of its character set
                return decoded(given.encode("utf-8", "surrogateescape"), None)
            parts = decode_header(given)
            return "".join(
                each if isinstance(each, str) else decoded(each, label) for each, label in parts
            )
        except (HeaderParseError, Undecodable, ValueError):
            return ""

    @property
    @_for_good
    def has_more(self) -> bool:
        """Whether it brings something beside its text, such as pictures, which nobody gets."""
        return any(
            part.get_content_maintype() not in {"text", "multipart"} or _is_attached(part)
            for part in _parts(self._message)
        )

    def all(self, name: str) -> list[str]:
        """The values of a header in their order, each as far as it is read."""
        wanted = name.lower()
        return [
            " ".join(value[:LONGEST_HEADER].split())
            for header, value in self._headers
            if header == wanted
        ]

    @_for_good
    def text(self) -> str:
        """What it says, quotes included; HTML is made text. Raises Refused."""
        bodies = {
            part.get_content_type(): part
            for part in reversed(list(_parts(self._message)))
            if part.get_content_type() in {"text/plain", "text/html"} and not _is_attached(part)
        }
        if not bodies:
            raise Refused(os.EX_DATAERR, "answer.no-text")
        plain, html = bodies.get("text/plain"), bodies.get("text/html")
        try:
            text = self._plain(plain) if plain is not None else ""
            return text if text.strip() or html is None else text_of(_content(html))
        except (Undecodable, ValueError):
            raise Refused(os.EX_DATAERR, "answer.charset") from None

    def _plain(self, part: Message) -> str:
        text = _content(part).replace("\r\n", "\n").replace("\r", "\n")
        if text.count("\n") > MOST_LINES:
            raise Refused(os.EX_DATAERR, "answer.too-long")
        if _parameter(part, "format") != "flowed":
            return text
        return unflowed(text, _parameter(part, "delsp") == "yes")

    def _first(self, name: str) -> str:
        return next(iter(self.all(name)), "")


def _check_bounds(data: bytes) -> None:
    """Refuse what would take longer to parse than its size says. Raises Refused."""
    if len(data) > LONGEST:
        raise Refused(os.EX_DATAERR, "answer.too-long")
    lowered = data.lower()
    nested = lowered.count(b"multipart/") + lowered.count(b"message/")
    if (
        max(lowered.count(b"content-type:"), nested) > MOST_PARTS
        or nested * data.count(b"\n") > MOST_LINES_IN_PARTS
        or any(len(each) > LONGEST_HEADER for each in _CONTENT_TYPE.findall(data))
    ):
        raise Refused(os.EX_DATAERR, "answer.unreadable")


def _parts(message: Message) -> Iterator[Message]:
    """The message and its parts, but not those of messages that are attached to it."""
    yield message
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for part in message.get_payload():
            if isinstance(part, Message):
                yield from _parts(part)


def _content(part: Message) -> str:
    """The text of a part. Raises Undecodable."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        raise Refused(os.EX_DATAERR, "answer.no-text")
    label = _parameter(part, "charset")
    if not label and part.get_content_subtype() == "html":
        found = _CHARSET.search(data[:2048])
        label = found[1].decode("ascii", "ignore") if found else ""
    return decoded(data, label or None)


def _parameter(part: Message, name: str) -> str:
    """A parameter of its Content-Type in lower case; empty if there is none."""
    found = str(part.get("Content-Type", ""))
    match = re.search(rf';\s*{name}\*?\s*=\s*"?([^";\s]{{1,60}})', found[:LONGEST_HEADER], re.I)
    return match[1].lower().rpartition("'")[2] if match else ""


def _is_attached(part: Message) -> bool:
    header = str(part.get("Content-Disposition", ""))[:LONGEST_HEADER]
    return header.strip().lower().startswith("attachment") or "filename" in header.lower()
