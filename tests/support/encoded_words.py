"""A reader of headers of its own, written from RFC 5322 and RFC 2047, which shares nothing with Python's."""

from __future__ import annotations

import base64
import re

ENCODED = re.compile(r"=\?(?P<charset>[!->@-~]+)\?(?P<form>[BbQq])\?(?P<text>[!->@-~]*)\?=")
"""2: an encoded word has no blanks."""
LONGEST_WORD, LONGEST_LINE = 75, 76
"""2: characters of an encoded word, and of a line that has one."""
_NAMED = re.compile(
    r'(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<phrase>[^"<]*?))\s*<(?P<address>[^<>\s]+)>'
)


def fields_of(raw: bytes) -> list[tuple[str, str]]:
    """The header of a message, unfolded (RFC 5322, 2.2.3): a line end before a blank goes, the blank stays."""
    header = raw.partition(b"\r\n\r\n")[0].decode("ascii")
    for line in header.split("\r\n"):
        assert not re.search("[^ -~\t]", line), "nothing but printable ASCII"
        assert len(line) <= (LONGEST_LINE if ENCODED.search(line) else 998), line
    unfolded = re.sub(r"\r\n(?=[ \t])", "", header)
    named = (line.partition(": ") for line in unfolded.split("\r\n"))
    return [(name, value) for name, _, value in named]


def field(raw: bytes, name: str) -> str:
    """The one field of this name."""
    (value,) = [value for each, value in fields_of(raw) if each == name]
    return value


def text(value: str) -> str:
    """The decoded text of an unstructured field or a phrase (RFC 2047, 6.2)."""
    told, was_encoded = [], False
    for blank, word in re.findall(r"(\s*)(\S+|$)", value):
        decoded = _decoded(word)
        # a blank between two encoded words is not part of the text
        if not (was_encoded and decoded is not None):
            told.append(blank)
        told.append(word if decoded is None else decoded)
        was_encoded = decoded is not None
    return "".join(told)


def mailbox(value: str) -> tuple[str, str]:
    """The name beside an address, and the address (RFC 5322, 3.4; in quotes nothing is encoded: RFC 2047, 5 (3))."""
    named = _NAMED.fullmatch(value)
    if named is None:
        return "", value
    if named["quoted"] is not None:
        return re.sub(r"\\(.)", r"\1", named["quoted"]), named["address"]
    return text(named["phrase"]), named["address"]


def _decoded(word: str) -> str | None:
    found = ENCODED.fullmatch(word)
    if found is None:
        return None
    assert len(word) <= LONGEST_WORD
    if found["form"] in "Bb":
        data = base64.b64decode(found["text"], validate=True)
    else:
        assert not re.search("=(?![0-9A-F]{2})", found["text"])
        plain = found["text"].replace("_", " ").encode("ascii")
        data = re.sub(rb"=([0-9A-F]{2})", lambda code: bytes.fromhex(code[1].decode()), plain)
    return data.decode(found["charset"])  # whole characters in each word: 5 (end)
