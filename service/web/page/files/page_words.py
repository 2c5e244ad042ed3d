"""The page's own messages, in two parts: those that any visit may need, and those of screens that few people open.

The division is read from the modules: a key occurs there as a string, or is composed from one (`mood.${…}`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_SAID_BY_THE_PAGE = ("page.", "person.", "count.")
"""The beginnings of the keys of the page's own messages; all other messages are for emails and API responses."""
_OF_MODULES = "page."
"""The beginning of the keys that modules use; the others occur within messages."""
_LITERAL = re.compile(r"\"([a-z-]+(?:\.[\w-]+)*)\"")
_COMPOSED = re.compile(r"`([a-z$\{][\w.-]*(?:\$\{\}[\w.-]*)*)`")
_VALUE = re.compile(r"\$\{[^{}`]*\}")

Messages = dict[str, str]


def in_parts(messages: Mapping[str, str], modules: Iterable[str]) -> tuple[Messages, Messages]:
    """The page's messages in two parts: those that modules with these texts may need, and the others."""
    said = {key: text for key, text in messages.items() if key.startswith(_SAID_BY_THE_PAGE)}
    mentioned = _mentioned(modules)
    first = {
        key: text
        for key, text in said.items()
        if not key.startswith(_OF_MODULES) or mentioned.fullmatch(key.removeprefix(_OF_MODULES))
    }
    return first, {key: text for key, text in said.items() if key not in first}


def _mentioned(modules: Iterable[str]) -> re.Pattern[str]:
    """A pattern that fits every key that occurs in these texts, or is composed there."""
    patterns = set[str]()
    for text in modules:
        patterns.update(re.escape(key) for key in _LITERAL.findall(text))
        for composed in _COMPOSED.findall(_VALUE.sub("${}", text)):
            if "${}" in composed and "." in composed:
                patterns.add(re.escape(composed).replace(r"\$\{\}", r"[\w.-]+"))
    return re.compile("|".join(sorted(patterns)))
