"""Did you mean …? Of known words, those that are most like one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 80
"""Characters of a word that is compared at all: what takes time must not grow with what is sent."""
MOST = 3
_ALIKE = 0.7


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known words, the most similar first; none if all are quite different."""
    if len(word) > LONGEST:
        return []
    written = {each.lower(): each for each in known}
    return [
        written[each] for each in difflib.get_close_matches(word.lower(), written, MOST, _ALIKE)
    ]
