"""People's text for programs that may interpret characters in it, as line ends or as commands to a terminal.

Nobody can choose a name with such characters today, but older rows and other programs' databases may contain some.
"""

from __future__ import annotations

import re
import unicodedata

_CONTROLS = {"Cc", "Cs", "Zl", "Zp"}
"""The general categories of control characters, halves of characters, and separators of lines and paragraphs."""
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The characters that change the direction of the text around them."""


def one_line(text: str) -> str:
    """The text on one line, for headers, titles and calendars: each control character becomes a space."""
    return "".join(" " if _is_control(each) else each for each in text)


def for_terminal(text: str) -> str:
    """One line that a terminal shows without obeying anything in it: `\x1b` is written out."""
    return "".join(
        ascii(each)[1:-1] if _is_control(each) or _TURNING.match(each) else each for each in text
    )


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in _CONTROLS
