"""Rejoining lines that a mail program has broken to make them fit (RFC 3676)."""

from __future__ import annotations

_SIGNATURE = "-- "


def unflowed(text: str, delsp: bool = False) -> str:
    """The text in whole lines. With `delsp`, the space at a break is not part of the text, as in Japanese."""
    lines: list[str] = []
    goes_on = False
    for given in text.splitlines():
        is_quote = given.startswith(">")
        line = given[1:] if given.startswith(" ") else given
        if goes_on and not is_quote and line != _SIGNATURE:
            lines[-1] = (lines[-1][:-1] if delsp else lines[-1]) + line
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and line != _SIGNATURE and not is_quote
    return "\n".join(lines)
