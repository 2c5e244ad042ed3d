"""The message files: gettext catalogues, in which each message becomes one text under one key.

* A message with the context `seat` is used if the field `seat` is the reader's: "You pass." instead of "Ann passes."
  Its key here is `line.passed@seat`. The context `seat+of` is for a message in which both fields are the reader's.
* A message about a number of things uses gettext's plural forms, in the order of Unicode's plural categories. Their
  keys are `count.card[0]` and so on here, and the number is their field `n`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

from babel import Locale
from babel.messages import Message
from babel.messages.pofile import read_po

SPOKEN_TO = "@"
"""The separator between a key and the field that is the reader's."""
_PLURALS = ("zero", "one", "two", "few", "many", "other")
"""The categories of Unicode's plural rules, in the order of the forms of a message."""


def catalogue(path: Path) -> dict[str, str]:
    """The messages of a file, by key."""
    with path.open("rb") as file:
        return dict(entry for message in read_po(file) if message.id for entry in _entries(message))


def form_key(key: str, form: int) -> str:
    """The key of one plural form of a message."""
    return f"{key}[{form}]"


@functools.lru_cache(maxsize=4096, typed=True)  # 1.0 may be worded differently from 1
def plural_form(language: str, number: float | None) -> int:
    """The index of the form that fits a number; for several numbers (None), the index of the general form."""
    known, category = _plural_rule(language)
    return known.index("other" if number is None else category(number))


@functools.cache  # one for each language
def _plural_rule(language: str) -> tuple[list[str], Callable[[float], str]]:
    """The plural categories of a language, and a function that returns the category of a number."""
    rule = Locale.parse(language).plural_form
    return [each for each in _PLURALS if each in rule.tags or each == "other"], rule


def _entries(message: Message) -> Iterator[tuple[str, str]]:
    if isinstance(message.id, tuple):
        for form, words in enumerate(message.string or ()):
            yield form_key(message.id[0], form), words
    elif message.string:
        key = f"{message.id}{SPOKEN_TO}{message.context}" if message.context else str(message.id)
        yield key, str(message.string)
