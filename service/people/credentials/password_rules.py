"""Which passwords nobody may choose: those guessed first, and those made of what everybody knows about the person.

Length is all that is asked for otherwise; neither digits nor capitals are demanded (NIST SP 800-63B, 3.1.1.2). A
password that was chosen before these rules still signs in.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from service.core.runtime.problems import CommonPassword, PersonalPassword
from service.people.credentials.passwords import normalize

SHORTEST = 8
LONGEST = 200
_EARLY = 1_000_000
"""Guesses that everybody makes who guesses at leisure."""
_TRIED = 72
"""Characters that are looked at: it takes longer than linear time."""
_TELLING = 3
"""Letters from which on a name or handle is looked for: shorter ones are part of everything."""


def check(password: str, known: Iterable[str | None]) -> None:
    """Refuse a password that is easily guessed; `known` are name, handle and addresses of the person.

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
    """Whether nothing but digits is left of a password when the words that are known are struck out."""
    rest = core
    for word in sorted({each for text in known for each in _words(text or "")}, key=len)[::-1]:
        rest = rest.replace(word, "")
    return rest != core and (not rest or rest.isdecimal())


def _words(text: str) -> Iterable[str]:
    """A name or a handle; an address, and both of its parts."""
    parts = {text, *text.split("@")}
    return (core for core in map(_core, parts) if len(core) >= _TELLING)


def _core(text: str) -> str:
    """Only the letters and digits, whatever their case or width."""
    return "".join(filter(str.isalnum, normalize(text).casefold()))


def _is_guessed_early(typed: str) -> bool:
    """Whether whoever tries common words, repetitions, sequences and dates first would soon come to it."""
    # Takes a tenth of a second and several megabytes: only processes in which somebody chooses a password pay for it.
    from zxcvbn import zxcvbn

    return bool(zxcvbn(typed[:_TRIED])["guesses"] < _EARLY)
