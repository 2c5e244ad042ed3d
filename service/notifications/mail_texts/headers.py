"""Header fields as they are sent. Texts are only written, and never parsed again before they arrive.

A text that is not plain ASCII becomes encoded words (RFC 2047) as a whole, including its spaces, since spaces between
two encoded words are lost. So does a text that merely looks like an encoded word, since a reader would decode it.
ASCII text stays on one line, since not every program joins broken lines correctly.

Any character that would end a line becomes a space.
"""

from __future__ import annotations

import re
from base64 import b64encode

from service.core.runtime.plain_text import one_line

FOLDED_AT, LONGEST_LINE = 76, 998
"""The greatest lengths of a line of encoded words (RFC 2047, 2) and of any line (RFC 5322, 2.1.1), in characters."""
_LONGEST_WORD = 75
_FOLD = "\r\n "
_PLAIN = re.compile(r"(?! )(?!.*(?:  |=\?))[ -~]*(?<! )")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_ADDRESS = re.compile(r"[!#-'*+./-9=?A-Z^-~-]+@[A-Za-z0-9.\[\]:-]+")
"""The pattern of an address without quotes, comments and spaces."""
_AS_THEY_ARE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")
"""The characters that need no code in an encoded word, even in a name (RFC 2047, 5 (3))."""


def text_field(name: str, text: str) -> str:
    """A text field, such as a subject; its text arrives in the form that `one_line` gives it."""
    shown, column = one_line(text), len(name) + 2
    is_plain = _PLAIN.fullmatch(shown) and column + len(shown) <= LONGEST_LINE
    return f"{name}: {shown if is_plain else encoded_words(shown, column)}"


def mailbox_field(name: str, display: str, address: str) -> str:
    """A field of one address, with a display name if given. Raises ValueError if the address is malformed."""
    if not is_address(address):
        raise ValueError("not an address")
    shown = one_line(display)
    if not shown:
        return f"{name}: {address}"
    begun = f"{name}: {_phrase(shown, len(name) + 2)}"
    *_, last = f"{begun} <{address}>".split("\r\n")
    is_folded = "=?" in last and len(last) > FOLDED_AT
    return f"{begun}{_FOLD if is_folded else ' '}<{address}>"


def is_address(text: str) -> bool:
    """Whether this is one plain address in which nothing else can hide."""
    return _ADDRESS.fullmatch(text) is not None and "=?" not in text


def written(name: str, value: str) -> str:
    """A field with a value that we have written in ASCII, on one line. Raises ValueError for any other value."""
    line = f"{name}: {value}"
    if not (line.isascii() and line.isprintable() and len(line) <= LONGEST_LINE):
        raise ValueError(f"{name} is no plain field")
    return line


def encoded_words(text: str, column: int) -> str:
    """The text as folded encoded words, the first of which begins at this column.

    No character is divided between words.
    """
    write = min(_base64, _quoted, key=lambda form: len(form(text.encode())))
    words, data, room = list[str](), b"", FOLDED_AT - column
    for character in text:
        longer = data + character.encode()
        if data and len(write(longer)) > room:
            words.append(write(data))
            longer, room = character.encode(), _LONGEST_WORD
        data = longer
    return _FOLD.join([*words, write(data)])


def _phrase(text: str, column: int) -> str:
    """A display name for an address (RFC 5322, 3.2.5)."""
    if column + len(text) > LONGEST_LINE // 2 or not _PLAIN.fullmatch(text):
        return encoded_words(text, column)
    if _ATOMS.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _quoted(data: bytes) -> str:
    codes = (chr(b) if b in _AS_THEY_ARE else "_" if b == ord(" ") else f"={b:02X}" for b in data)
    return f"=?utf-8?q?{''.join(codes)}?="


def _base64(data: bytes) -> str:
    return f"=?utf-8?b?{b64encode(data).decode()}?="
