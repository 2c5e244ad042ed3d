"""What somebody has written above the mail that they answer.

The quoted mail shows the writer's own hand, so nothing of it may be said at the table. Mail programs quote in many
ways: the text ends at the first sign of any of them, among these the line in the mail that says so, and whatever names
the address that the mail came from. What still has a line of the mail in it is refused (service/notifications/incoming_mail/answers.py).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_ATTRIBUTION = re.compile(
    r"(On|Am|Le|El|Il|Op|Em|Den|Dne|W dniu)\b.*\b"
    r"(wrote|schrieb|écrit|escribió|scritto|schreef|escreveu|skrev|napsal|napisał).{0,40}:\s*"
)
_BEGINS_ATTRIBUTION = re.compile(r"(On|Am|Le|El|Il|Op|Em|Den|Dne|W dniu)\b.*\d|\d{4}[年/.-].*\d")
_DIVIDER = re.compile(r"\s*([-_=*]{5,}|-{2,}\s*\w[\w ]*\s*-{2,})\s*")
_HEADER = re.compile(r"\*?(From|Von|De|Da|Van|Från|Fra|Od|差出人|送信者)\*?\s?[:：]", re.IGNORECASE)
_SIGNATURE = re.compile(r"--\s*")
_DEVICE = re.compile(
    r"(Sent from|Get Outlook|Von meinem|Gesendet|Envoyé|Enviado|Inviato|Verstuurd).{0,60}|.{0,30}から送信\s*"
)
_UNPRINTABLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def written_above(text: str, marks: Collection[str]) -> str:
    """The text above the quoted mail and the signature; empty if there is none. `marks` stand only in our mails."""
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").split("\n")]
    end = next((at for at in range(len(lines)) if _begins_quote(lines, at, marks)), len(lines))
    above = lines[:end]
    signed = next((at for at, line in enumerate(above) if _SIGNATURE.fullmatch(line)), len(above))
    kept = above[:signed]
    while kept and (not kept[-1] or _DEVICE.fullmatch(kept[-1])):
        kept.pop()
    joined = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return _UNPRINTABLE.sub("", unicodedata.normalize("NFC", joined)).strip()


def _begins_quote(lines: list[str], at: int, marks: Collection[str]) -> bool:
    line = lines[at]
    following = lines[at + 1] if at + 1 < len(lines) else ""
    return (
        line.startswith((">", "|", "＞"))
        or _is_ours(line, marks)
        or any(pattern.fullmatch(line) for pattern in (_DIVIDER, _ATTRIBUTION))
        or _HEADER.match(line) is not None
        or _ATTRIBUTION.fullmatch(f"{line} {following}") is not None
        or (_BEGINS_ATTRIBUTION.match(line) is not None and _is_ours(following, marks))
    )


def _is_ours(line: str, marks: Collection[str]) -> bool:
    lowered = line.lower()
    return any(mark.lower() in lowered for mark in marks)
