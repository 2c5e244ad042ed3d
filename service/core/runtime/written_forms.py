"""The texts that a name turns into where a program decodes it: in a header, an address, HTML or a domain.

Our code never decodes names. But they reach programs that may decode them, and people read what those programs show. So
names are judged in each of these forms, and older names are broken up where a program would decode them.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_ENCODED_WORD = re.compile(r"=\?")
"""The pattern of the beginning of a word encoded as in headers (RFC 2047). No name needs it."""
_BEGINS = re.compile(r"=(?=\?)|%(?=[0-9a-f]{2})|&(?=#|[a-z][a-z0-9]*;)|xn-(?=-)", re.IGNORECASE)
"""The beginnings of every form that programs decode."""
_PUNYCODE = re.compile(r"xn--([a-z0-9-]+)", re.IGNORECASE)
_MOST_ROUNDS = 4
"""The largest number of times that a decoded text is decoded again."""


def has_encoded_word(name: str) -> bool:
    """Whether a program that reads headers would decode part of the name."""
    return _ENCODED_WORD.search(unicodedata.normalize("NFKC", name)) is not None


def decoded(name: str) -> Iterator[str]:
    """The texts that the name turns into when each form is decoded, again and again; without the name itself."""
    for form in _FORMS * _MOST_ROUNDS:
        before, name = name, form(name)
        if name != before:
            yield name


def broken_up(name: str) -> str:
    """The name with a space wherever a program would begin to decode it."""
    return _BEGINS.sub(lambda begun: f"{begun[0]} ", name)


def _percent(text: str) -> str:
    """The text of a percent-encoded address (RFC 3986, 2.1); anything that is not UTF-8 stays as it is."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _punycode(text: str) -> str:
    """The text of a domain written in Punycode (RFC 3492)."""
    return _PUNYCODE.sub(_label, text)


def _label(found: re.Match[str]) -> str:
    try:
        return found[1].encode().decode("punycode")
    except UnicodeError:
        return found[0]


def _compatible(text: str) -> str:
    """The text with full-width and other variants of plain characters replaced by these (NFKC)."""
    return unicodedata.normalize("NFKC", text)


_FORMS: tuple[Callable[[str], str], ...] = (_percent, html.unescape, _punycode, _compatible)
