"""The text that somebody has written above, below and between the lines of the email to which they reply.

The quoted email shows the writer's own hand, so nothing of it may be said at the table. Mail programs quote in many
ways. Lines that are marked as quoted are left out, wherever they are, together with the line that says who wrote them.
The text ends at the first sign of an unmarked quote, such as the line in the email that says so, or anything that
contains the address from which the email came. A text that still contains a line of the email is refused (answers.py).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import NamedTuple

_WROTE = r"(wrote|writes|schrieb|écrit|escribió|scritto|schreef|escreveu|skrev|napsal|napisał|kirjoitti|写道|寫道)"
_ATTRIBUTION = re.compile(
    rf"(On|Am|Le|El|Il|Op|Em|Den|Dne|W dniu|At|In)\b.{{0,400}}\b{_WROTE}.{{0,40}}:\s*"
    r"|.{0,300}(のメール|さんは書きました|が書いた)\s*[:：]\s*"
)
_BEGINS_ATTRIBUTION = re.compile(
    r"(On|Am|Le|El|Il|Op|Em|Den|Dne|W dniu)\b.{0,200}\d|\d{4}[年/.-].{0,200}\d"
)
_INTRODUCES = re.compile(rf".{{0,400}}(\d|@|\b{_WROTE}).{{0,200}}[:：]\s*")
"""The pattern of the line right above a marked quote that says whose it is."""
_DIVIDER = re.compile(r"\s*([-_=*]{5,}+|[-=_*]{2,}+\s*\w[\w ]{0,60}\s*[-=_*]{2,}+)\s*")
_HEADER = re.compile(
    r"\*?(From|Von|De|Da|Van|Från|Fra|Od|差出人|送信者|送信元|发件人|寄件者)\*?\s?[:：]",
    re.IGNORECASE,
)
_MARKED = (">", "|", "＞")
_SIGNATURE = re.compile(r"--\s*")
_DEVICE = re.compile(
    r"(Sent (from|with|via)|Get Outlook|Von meinem|Gesendet|Envoyé|Enviado|Inviato|Verstuurd|Skickat|Sendt).{0,60}"
    r"|.{0,30}から送信(されました)?。?\s*"
)
_UNPRINTABLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\u200b]")
_NEAR = 3
"""The largest number of lines into which the line that introduces a quote may be broken."""
LONGEST_INTRODUCTION = 400
"""The greatest length of the line that introduces a quote, in characters."""
MOST_COMPOSED = 5_000
"""The greatest length, in characters, of a text whose letters and marks are composed; longer texts cannot be said.

Composing takes a time that grows with the square of the marks on one letter, and cannot be interrupted.
"""
WIDE = 60
"""The length of the shortest quoted line that may have been broken, with its rest on an unmarked line."""


class Written(NamedTuple):
    """The text that somebody has written, and whether a part may have been left out together with a quote."""

    text: str
    cut: bool = False

    @property
    def first(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0]

    @property
    def rest(self) -> str:
        """The text below the first line."""
        return self.text.partition("\n")[2].strip()


def written(text: str, marks: Collection[str]) -> Written:
    """The text without the quoted email and the signature; it may be empty. `marks` occur only in our emails."""
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").split("\n")]
    kept, at, cut = list[str](), 0, False
    while at < len(lines):
        if passed := _marked_from(lines, at):
            cut = cut or _is_broken(lines, at, passed)
            _drop_device(kept)
            kept.append("")
            at += passed + _is_broken(lines, at, passed)
        elif _SIGNATURE.fullmatch(lines[at]):
            break
        elif _begins_quote(lines, at, marks):
            cut = cut or _says_more(lines[at:], marks)
            break
        else:
            kept.append(lines[at])
            at += 1
    _drop_device(kept)
    joined = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    whole = unicodedata.normalize("NFC", joined) if len(joined) <= MOST_COMPOSED else joined
    return Written(_UNPRINTABLE.sub("", whole).strip(), cut)


def written_above(text: str, marks: Collection[str]) -> str:
    """The written text alone, as a string."""
    return written(text, marks).text


def _marked_from(lines: Sequence[str], at: int) -> int:
    """The number of lines from here on that are marked as quoted, or say who wrote a quote; 0 if this line is
    neither.
    """
    end, introduced = at, 0
    if not lines[at].startswith(_MARKED):
        introduced = _introduction(lines, at)
        if not introduced:
            return 0
        end += introduced
    while end < len(lines) and lines[end].startswith(_MARKED):
        end += 1
    return end - at


def _introduction(lines: Sequence[str], at: int) -> int:
    """The number of lines from here on that say who wrote the marked quote right below them."""
    if not lines[at]:
        return 0
    for length in range(1, _NEAR + 1):
        said = lines[at : at + length]
        if not said[-1]:
            return 0
        joined = " ".join(said)
        below = at + length
        while below < len(lines) and not lines[below]:
            below += 1
        is_quote = below < len(lines) and lines[below].startswith(_MARKED)
        if is_quote and len(joined) <= LONGEST_INTRODUCTION and _introduces(joined, length):
            return below - at
    return 0


def _introduces(joined: str, length: int) -> bool:
    is_short = length == 1 and _INTRODUCES.fullmatch(joined)
    return _ATTRIBUTION.fullmatch(joined) is not None or bool(is_short)


def _is_broken(lines: Sequence[str], at: int, passed: int) -> bool:
    """Whether the line after a marked quote may be the rest of its last line."""
    end = at + passed
    return end < len(lines) and bool(lines[end]) and len(lines[end - 1]) >= WIDE


def _begins_quote(lines: Sequence[str], at: int, marks: Collection[str]) -> bool:
    """Whether an unmarked quote begins here."""
    line = lines[at]
    following = lines[at + 1] if at + 1 < len(lines) else ""
    return (
        _is_ours(line, marks)
        or any(pattern.fullmatch(line) for pattern in (_DIVIDER, _ATTRIBUTION))
        or _HEADER.match(line) is not None
        or _ATTRIBUTION.fullmatch(f"{line} {following}"[:1000]) is not None
        or (_BEGINS_ATTRIBUTION.match(line) is not None and _is_ours(following, marks))
    )


def _says_more(quoted: Sequence[str], marks: Collection[str]) -> bool:
    """Whether there is text below our last line in an unmarked quote."""
    ours = [at for at, line in enumerate(quoted) if _is_ours(line, marks)]
    below = quoted[ours[-1] + 1 :] if ours else []
    own = (line for line in below if line and not _SIGNATURE.fullmatch(line))
    return any(not _DEVICE.fullmatch(line) for line in own)


def _drop_device(kept: list[str]) -> None:
    """Remove the text that a mail program adds about itself at the end, and blank lines."""
    while kept and (not kept[-1] or _DEVICE.fullmatch(kept[-1])):
        kept.pop()


def _is_ours(line: str, marks: Collection[str]) -> bool:
    lowered = line.lower()
    return any(mark.lower() in lowered for mark in marks)
