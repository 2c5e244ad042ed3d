"""Passwords that nobody may choose: those that are guessed first, and those made of well-known facts about the person.

Otherwise only a length is required, neither digits nor capitals (NIST SP 800-63B, 3.1.1.2). A password chosen before
these rules still works.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from service.core.runtime.problems import CommonPassword, PersonalPassword
from service.people.credentials.passwords import normalize

SHORTEST = 8
LONGEST = 200
_EARLY = 1_000_000
"""The number of guesses within which a password counts as easily guessed."""
_TRIED = 72
"""The largest number of characters that are examined, since the time grows faster than the length."""
_TELLING = 3
"""The length of the shortest name or handle that is searched for, since shorter ones are part of everything."""


def check(password: str, known: Iterable[str | None]) -> None:
    """Refuse a password that is easily guessed; `known` are the person's name, handle and addresses.

    Raises PersonalPassword if it is made of these, and CommonPassword if it is easily guessed for another reason.
    """
    typed = normalize(password).casefold()
    core = _core(typed)
    if _is_made_of(core, known):
        raise PersonalPassword
    is_blank = all(each.isspace() or unicodedata.category(each) == "Cf" for each in typed)
    if is_blank or any(map(_is_guessed_early, filter(None, (typed, core)))):
        raise CommonPassword


def _is_made_of(core: str, known: Iterable[str | None]) -> bool:
    """Whether nothing but digits is left of a password when the known words are removed."""
    rest = core
    for word in sorted({each for text in known for each in _words(text or "")}, key=len)[::-1]:
        rest = rest.replace(word, "")
    return rest != core and (not rest or rest.isdecimal())


def _words(text: str) -> Iterable[str]:
    """The parts of a name or handle; for an address, the whole of it and both of its parts."""
    parts = {text, *text.split("@")}
    return (core for core in map(_core, parts) if len(core) >= _TELLING)


def _core(text: str) -> str:
    """The letters and digits of the text, regardless of case and width."""
    return "".join(filter(str.isalnum, normalize(text).casefold()))


def _is_guessed_early(typed: str) -> bool:
    """Whether trying common words, repetitions, sequences and dates first would soon find the password."""
    # This takes a tenth of a second and several megabytes, so only processes that check new passwords pay for it.
    from zxcvbn import zxcvbn

    return bool(zxcvbn(typed[:_TRIED])["guesses"] < _EARLY)
