"""Suggestions for an unknown word: the known words that are most similar to it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 80
"""The greatest length of a word that is compared, in characters, so that the time does not grow with the input."""
MOST = 3
_ALIKE = 0.7


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known words, the most similar first; empty if all are quite different."""
    if len(word) > LONGEST:
        return []
    written = {each.lower(): each for each in known}
    return [
        written[each] for each in difflib.get_close_matches(word.lower(), written, MOST, _ALIKE)
    ]
