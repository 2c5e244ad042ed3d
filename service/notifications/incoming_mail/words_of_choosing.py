"""The words with which people choose, confirm and decline by email, in every language, and words of mere courtesy."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from service.core.words.words import LANGUAGES, phrases
from service.tables.drawing.named_actions import LONGEST_ASIDE, LONGEST_WITHOUT_BLANKS

_WORD = re.compile(r"[0-9]+|[^\W\d_]+(?:'[^\W\d_]+)?")
LONGEST_LINE = 120
"""The greatest length of a line (in characters) that is searched for numbers among words; longer lines say more."""


@cache
def words(key: str) -> frozenset[str]:
    """The words listed in a message, in every language."""
    listed = (phrases(language).say(key) for language in LANGUAGES)
    return frozenset(folded(word) for each in listed for word in re.split("[,、]", each))


def folded(word: str) -> str:
    """The words of a text, without case and separators."""
    plain = unicodedata.normalize("NFKC", word).casefold().replace("’", "'")
    return " ".join(_WORD.findall(plain))


def begins_like_an_answer(text: str) -> bool:
    """Whether a short text begins with yes or no, but says more."""
    said, answers = folded(text), words("answer.yes") | words("answer.no")
    if said.isascii():
        is_short = len(said.split()) <= LONGEST_ASIDE
        return is_short and bool({said.split(" ")[0]} & answers)
    begun = any(said.startswith(each) for each in answers if not each.isascii())
    return begun and len(said) <= LONGEST_WITHOUT_BLANKS


def takes_back(line: str) -> bool:
    """Whether a line, such as `no, wait`, only says no to the text above it."""
    said = folded(line).split()
    no = {word for each in words("answer.no") for word in each.split()}
    return not no.isdisjoint(said) and all(map(_is_of_choosing, said))


def spoken_numbers(line: str) -> tuple[int, ...]:
    """The numbers in a line that otherwise has only words of choosing, as in `I take 3, or rather 4`; empty for other
    lines.
    """
    if len(line) > LONGEST_LINE:
        return ()
    said = folded(line).split()
    numbers = tuple(int(each) for each in said if each.isdigit())
    others = (each for each in said if not each.isdigit())
    return numbers if len(numbers) <= LONGEST_ASIDE and all(map(_is_of_choosing, others)) else ()


def _is_of_choosing(word: str) -> bool:
    """Whether a word is one with which people choose, or is composed of such words, as in scripts without spaces."""
    known = _words_of_choosing()
    while not word.isascii():
        begun = next((each for each in known if word.startswith(each)), "")
        if not begun:
            return False
        word = word.removeprefix(begun)
    return not word or word in known


@cache
def _words_of_choosing() -> tuple[str, ...]:
    """The words with which people choose, the longest first."""
    keys = ("spoken", "polite", "yes", "no")
    found = {word for key in keys for each in words(f"answer.{key}") for word in each.split()}
    return tuple(sorted(found, key=len, reverse=True))


def without_courtesy(line: str) -> str:
    """A line without courtesies at its beginning and end; the whole line if nothing else would remain."""
    left = line
    while (shorter := _courtesy().sub("", left).strip()) != left:
        left = shorter
    return left or line


@cache
def _courtesy() -> re.Pattern[str]:
    polite = sorted(words("answer.polite"), key=len, reverse=True)
    ascii_words = "|".join(re.escape(each) for each in polite if each.isascii())
    others = "|".join(re.escape(each) for each in polite if not each.isascii())
    return re.compile(
        rf"^(?:{ascii_words})\b[\s,]*|[\s,、]*(?:\b(?:{ascii_words})|{others})[\s.,!、。]*$",
        re.IGNORECASE,
    )
