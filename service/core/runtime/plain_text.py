"""Text of people where a program reads more than letters out of it: lines that end, and commands to terminals.

Nobody gets a name with such characters today; older rows and other programs' databases may have some.
"""

from __future__ import annotations

import re
import unicodedata

_CONTROLS = {"Cc", "Cs", "Zl", "Zp"}
"""General categories: control characters, halves of characters, separators of lines and paragraphs."""
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What changes the direction of the text around it."""


def one_line(text: str) -> str:
    """The text in one line, where a header, a title or a calendar has no room for more: a blank for each control."""
    return "".join(" " if _is_control(each) else each for each in text)


def for_terminal(text: str) -> str:
    """One line as a terminal shows it and does nothing else: `\\x1b` is told, not obeyed."""
    return "".join(
        ascii(each)[1:-1] if _is_control(each) or _TURNING.match(each) else each for each in text
    )


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in _CONTROLS
