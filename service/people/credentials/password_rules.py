"""Passwords that nobody may choose: those guessed first, and those made of what everybody knows about the person.

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
"""The number of guesses that everybody who guesses at leisure makes."""
_TRIED = 72
"""The most characters that are examined, since the time grows faster than the length."""
_TELLING = 3
"""The shortest name or handle that is searched for, since shorter ones are part of everything."""


def check(password: str, known: Iterable[str | None]) -> None:
    """Raise an error if a password is easily guessed; `known` are the person's name, handle and addresses.

    Raises CommonPassword, PersonalPassword.
    """
    typed = normalize(password).casefold()
    core = _core(typed)
    if _is_made_of(core, known):
        raise PersonalPassword
    is_blank = all(each.isspace() or unicodedata.category(each) == "Cf" for each in typed)
    if is_blank or any(map(_is_guessed_early, filter(None, (typed, core)))):
        raise CommonPassword


def _is_made_of(core: str, known: Iterable[str | None]) -> bool:
    """Whether only digits are left of a password when the known words are struck out."""
    rest = core
    for word in sorted({each for text in known for each in _words(text or "")}, key=len)[::-1]:
        rest = rest.replace(word, "")
    return rest != core and (not rest or rest.isdecimal())


def _words(text: str) -> Iterable[str]:
    """The parts of a name or handle; an address, and both of its parts."""
    parts = {text, *text.split("@")}
    return (core for core in map(_core, parts) if len(core) >= _TELLING)


def _core(text: str) -> str:
    """The letters and digits of the text, regardless of case and width."""
    return "".join(filter(str.isalnum, normalize(text).casefold()))


def _is_guessed_early(typed: str) -> bool:
    """Whether trying common words, repetitions, sequences and dates first would soon find the password."""
    # Takes a tenth of a second and several megabytes: only processes in which somebody chooses a password pay for it.
    from zxcvbn import zxcvbn

    return bool(zxcvbn(typed[:_TRIED])["guesses"] < _EARLY)
