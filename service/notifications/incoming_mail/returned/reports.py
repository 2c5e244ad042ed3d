"""What a mail that came back says, and a complaint about one.

Most are reports that programs can read (RFC 3464, RFC 5965): they are MIME, and their fields say what happened. The
dialects of all others are flufl.bounce's to know, which GNU Mailman uses; some of its patterns take a time that grows
with the square of a line, so it gets the beginning of a message in short lines. Nothing here trusts what it reads.
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
"""Bytes of a message that are read: a report stands at its beginning."""
MOST_PARTS = 16
"""Parts of one that is read."""
MOST_FOR_DIALECTS, LONGEST_LINE = 24_000, 200
"""Bytes that are searched for a dialect, and of each line."""
MOST_TEXT = 4_000
"""Characters of a text that are searched for a code."""
SOMEBODY = "MAILER-DAEMON@localhost"
"""Who has sent a message that does not say: the detectors take for granted that there is somebody."""
COMPLAINTS = {"abuse", "fraud", "opt-out", "opt-out-list"}
"""Types of feedback by which somebody wants no such mail."""

_NESTING = re.compile(rb"boundary|message/", re.IGNORECASE)
"""What stands in a message for each part inside which there are others."""
_CODE = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)")
"""An enhanced status code (RFC 3463)."""
_VAGUE = re.compile(r"[45]\.(0\.0|\d{1,3}\.0)")
"""One that says little."""
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
"""What is said where there is no code, or a vague one."""


_log = structlog.get_logger("tegami.returned")


What = Literal["failed", "delayed", "complaint"]
_ACTIONS: dict[str, What] = {"failed": "failed", "error": "failed", "delayed": "delayed"}
"""What is asked of us by what was done, the gravest first; OpenSMTPD has a word of its own."""


class Report(NamedTuple):
    """What came back: `failed` for good, `delayed` (it is tried on), or a `complaint`."""

    what: What
    status: str
    """The code (RFC 3463); of a complaint its type."""
    senders: tuple[str, ...] = ()
    """Of a complaint: from which addresses the mail seems to have come, by its envelope."""


def read(data: bytes, most: int = MOST_READ) -> Report | None:
    """What a message reports at its beginning; None if it is no report, or one that asks for nothing."""
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
    """The first parts of a message, itself included, but nothing inside the mail that came back."""
    left = [message]
    for _ in range(MOST_PARTS):
        if not left:
            return
        part = left.pop(0)
        yield part
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            left += _inside(part)


def _status_blocks(part: Message) -> list[Message]:
    """The fields of each recipient in a report of a delivery (RFC 3464, RFC 6533)."""
    if part.get_content_type() not in {"message/delivery-status", "message/global-delivery-status"}:
        return []
    blocks = _inside(part)
    found = [block for block in blocks if "Action" in block]
    return found or [inner for block in blocks for inner in _inside(block) if "Action" in inner]


def _inside(block: Message) -> list[Message]:
    """The messages in another one; its text is one too, if it has none."""
    payload = block.get_payload()
    if isinstance(payload, list):
        return [each for each in payload if isinstance(each, Message)]
    return [message_from_string(str(payload))]


def _reported(blocks: list[Message], parts: list[Message]) -> Report | None:
    """The gravest of what a report says."""
    actions = {_field(block, "Action").lower().partition(" ")[0]: block for block in blocks}
    block = next((actions[name] for name in _ACTIONS if name in actions), None)
    if block is None:
        return None
    told = f"{_field(block, 'Diagnostic-Code')}\n{_text(parts)}"
    what = _ACTIONS[_field(block, "Action").lower().partition(" ")[0]]
    return Report(what, _status(_field(block, "Status"), told))


def _in_a_dialect(data: bytes, parts: list[Message]) -> Report | None:
    """The same of a message that says it in its own way."""
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
    """Recipients that it is delayed to, and recipients that it does not get to.

    What the detectors trip over is in no dialect that they know.
    """
    from flufl.bounce import all_failures  # loaded for the few messages that need it

    logging.getLogger("flufl.bounce").disabled = True  # it would write of what it reads on stderr
    try:
        return all_failures(message)
    except Exception as error:  # noqa: BLE001 - they are heuristics, and the message may be made to mislead them
        _log.info("dialect", cause=type(error).__name__)
        return (), ()


def _status(given: str, told: str) -> str:
    """The code of a report; one that is missing or vague gives way to what is told beside it."""
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
    """The beginning of the first text that people are to read."""
    for part in parts:
        if part.get_content_type() == "text/plain" and not part.is_multipart():
            content = part.get_payload(decode=True)
            return (
                content[:MOST_TEXT].decode("ascii", "replace") if isinstance(content, bytes) else ""
            )
    return ""


def _complaint(part: Message, parts: list[Message]) -> Report | None:
    """What a report of feedback says (RFC 5965), with the envelope sender of the mail that it is about."""
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
