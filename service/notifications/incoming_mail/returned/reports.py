"""The contents of a returned email, or of a complaint.

Most are machine-readable reports (RFC 3464, RFC 5965): they are MIME, and their fields say what happened. All others
are left to flufl.bounce, which GNU Mailman uses. Some of its patterns take a time that grows with the square of a
line's length, so it gets only the beginning of a message, in short lines. Nothing here trusts its input.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator
from email import message_from_bytes, message_from_string
from email.message import Message
from email.utils import parseaddr
from typing import Literal, NamedTuple

import structlog

MOST_READ = 128_000
"""The largest number of bytes of a message that are read; a report is at its beginning."""
MOST_PARTS = 16
"""The largest number of parts of a message that are read."""
MOST_FOR_DIALECTS, LONGEST_LINE = 24_000, 200
"""The largest number of bytes that are searched for unstandardized reports, and the largest from each line."""
MOST_TEXT = 4_000
"""The largest number of characters of a text that are searched for a code."""
SOMEBODY = "MAILER-DAEMON@localhost"
"""The sender of a message that names none, since the detectors expect one."""
COMPLAINTS = {"abuse", "fraud", "opt-out", "opt-out-list"}
"""The types of feedback which mean that somebody does not want such mail."""

_NESTING = re.compile(rb"boundary|message/", re.IGNORECASE)
"""The pattern of texts that occur once for each part of a message that contains others."""
_CODE = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)")
"""The pattern of an enhanced status code (RFC 3463)."""
_VAGUE = re.compile(r"[45]\.(0\.0|\d{1,3}\.0)")
"""The pattern of status codes that say little."""
_IS_FULL = (
    r"(mail ?box|mail ?folder|inbox|quota)[^\n]{0,30}(full|exceeded|violation)"
    r"|(over|exceeded|exceeding|out of)[^\n]{0,16}(quota|storage)|(full mailbox|mail quota|quota violation)"
)
_NOBODY = (
    r"(no such|unknown|invalid|non-?existent) (user|mailbox|recipient|address|account)"
    r"|(user|mailbox|recipient|address|account)( name)? (is )?(unknown|invalid|unavailable|wrong)"
    r"|(user|mailbox|recipient|address|account)( name)? (is |was )?not (known|found|recognized|listed)"
    r"|(user|mailbox|recipient|address|account) does(n't| not) (exist|have an? \S+ account)"
    r"|account has been (disabled|discontinued)|invalid final delivery userid"
    r"|unrout(e)?able address|no mailbox here|domain (name )?(does not exist|not found)"
)
_WORDS = (("5.2.2", _IS_FULL), ("5.1.1", _NOBODY))
"""The patterns of texts that reports use without a code, or with a vague one, each with the code that it means."""


_log = structlog.get_logger("tegami.returned")


What = Literal["failed", "delayed", "complaint"]
_ACTIONS: dict[str, What] = {"failed": "failed", "error": "failed", "delayed": "delayed"}
"""The effects of reported actions, the gravest first; OpenSMTPD has its own word."""


class Report(NamedTuple):
    """A report: the email `failed` for good, is `delayed` (its server keeps trying), or led to a `complaint`."""

    what: What
    status: str
    """The status code (RFC 3463); for a complaint, its type."""
    senders: tuple[str, ...] = ()
    """The addresses from which the email seems to have come, by the envelope sender in a complaint."""


def read(data: bytes, most: int = MOST_READ) -> Report | None:
    """The report at the beginning of a message; None if there is none, or it needs no action."""
    beginning = data[:most]
    if len(_NESTING.findall(beginning)) > 2 * MOST_PARTS:
        return None
    parts = list(_parts(message_from_bytes(beginning)))
    found = [part for part in parts if part.get_content_type() == "message/feedback-report"]
    if found:
        return _complaint(found[0], parts)
    blocks = [block for part in parts for block in _status_blocks(part)]
    return _reported(blocks, parts) if blocks else _in_a_dialect(beginning, parts)


def _parts(message: Message) -> Iterator[Message]:
    """The first parts of a message, including itself, but nothing inside the returned email."""
    left = [message]
    for _ in range(MOST_PARTS):
        if not left:
            return
        part = left.pop(0)
        yield part
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            left += _inside(part)


def _status_blocks(part: Message) -> list[Message]:
    """The fields for each recipient in a delivery report (RFC 3464, RFC 6533)."""
    if part.get_content_type() not in {"message/delivery-status", "message/global-delivery-status"}:
        return []
    blocks = _inside(part)
    found = [block for block in blocks if "Action" in block]
    return found or [inner for block in blocks for inner in _inside(block) if "Action" in inner]


def _inside(block: Message) -> list[Message]:
    """The messages inside another one; if it contains none, its text counts as one."""
    payload = block.get_payload()
    if isinstance(payload, list):
        return [each for each in payload if isinstance(each, Message)]
    return [message_from_string(str(payload))]


def _reported(blocks: list[Message], parts: list[Message]) -> Report | None:
    """The gravest statement of a report; None if it makes none."""
    actions = {_field(block, "Action").lower().partition(" ")[0]: block for block in blocks}
    block = next((actions[name] for name in _ACTIONS if name in actions), None)
    if block is None:
        return None
    told = f"{_field(block, 'Diagnostic-Code')}\n{_text(parts)}"
    what = _ACTIONS[_field(block, "Action").lower().partition(" ")[0]]
    return Report(what, _status(_field(block, "Status"), told))


def _in_a_dialect(data: bytes, parts: list[Message]) -> Report | None:
    """The report of a message in a form that is no standard; None if it is in no known form."""
    lines = (line[:LONGEST_LINE] for line in data[:MOST_FOR_DIALECTS].split(b"\n"))
    message = message_from_bytes(b"\n".join(lines))
    if not parseaddr(str(message["From"]))[1]:
        del message["From"]
        message["From"] = SOMEBODY
    delayed, failed = _detected(message)
    if not delayed and not failed:
        return None
    return Report("failed" if failed else "delayed", _status("", _text(parts)))


def _detected(message: Message) -> tuple[Collection[bytes], Collection[bytes]]:
    """The recipients whose email is delayed, and the recipients whose email has failed.

    A message on which the detectors fail is in no form that they know.
    """
    from flufl.bounce import all_failures  # loaded for the few messages that need it

    logging.getLogger("flufl.bounce").disabled = True  # it would write about its input on stderr
    try:
        return all_failures(message)
    except Exception as error:  # noqa: BLE001 - they are heuristics, and the message may be made to mislead them
        _log.info("dialect", cause=type(error).__name__)
        return (), ()


def _status(given: str, told: str) -> str:
    """The status code of a report; if it is missing or vague, a code from the text."""
    code = _CODE.search(given[:MOST_TEXT])
    if code and not _VAGUE.fullmatch(code[1]):
        return code[1]
    for each in _CODE.finditer(told[: 2 * MOST_TEXT]):
        if not _VAGUE.fullmatch(each[1]):
            return each[1]
    for status, words in _WORDS:
        if re.search(words, told[: 2 * MOST_TEXT], re.IGNORECASE):
            return status
    return code[1] if code else ""


def _text(parts: list[Message]) -> str:
    """The beginning of the first text that is meant for people."""
    for part in parts:
        if part.get_content_type() == "text/plain" and not part.is_multipart():
            content = part.get_payload(decode=True)
            return (
                content[:MOST_TEXT].decode("ascii", "replace") if isinstance(content, bytes) else ""
            )
    return ""


def _complaint(part: Message, parts: list[Message]) -> Report | None:
    """The contents of a feedback report (RFC 5965), with the envelope sender of the email in question; None if there
    are none.
    """
    fields = _inside(part)[0]
    kind = _field(fields, "Feedback-Type").lower()
    if kind not in COMPLAINTS:
        return None
    heads = [
        each for one in parts if one.get_content_type() in _OF_MAIL for each in _inside(one)[:1]
    ]
    found = [_field(fields, "Original-Mail-From"), *(_field(head, "Return-Path") for head in heads)]
    return Report("complaint", kind, tuple(each.strip("<> ") for each in found if each))


_OF_MAIL = {"message/rfc822", "text/rfc822-headers", "message/global"}


def _field(block: Message, name: str) -> str:
    return " ".join(str(block.get(name, ""))[:MOST_TEXT].split())
