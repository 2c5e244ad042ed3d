"""The text of a record: canonical JSON with the numbers that docs/record.md allows; and the error of verification."""

from __future__ import annotations

import json
import re

from rules.kernel import Json, text

GREATEST = 2**53 - 1
"""The greatest integer; the least is its negative. Every language reads integers in this range exactly."""
_FRACTION = re.compile(r"-?(0|[1-9][0-9]{0,8})\.[0-9]{0,3}[1-9]")


class VerificationError(ValueError):
    """Raised if the record is not what it claims to be; the text says what is wrong."""


def demand(holds: bool, what: str) -> None:
    """Raise VerificationError, saying that `what` is wrong, unless `holds` is true."""
    if not holds:
        raise VerificationError(f"refused: {what}")


def parsed(data: bytes) -> Json:
    """The object in this text. Raises VerificationError if it is not such a text."""
    try:
        record = json.loads(
            data, parse_int=_integer, parse_float=_fraction, parse_constant=_fraction
        )
        canonical = text(record).encode() == data
    except (ValueError, RecursionError):
        raise VerificationError("this is not JSON, or has numbers that are not allowed") from None
    demand(canonical, "this is not canonical JSON")
    demand(isinstance(record, dict), "this is not a record")
    return record  # type: ignore[no-any-return]


def has_fraction(value: object) -> bool:
    """Whether the value contains a number that is not an integer."""
    if isinstance(value, dict):
        return any(map(has_fraction, value.values()))
    if isinstance(value, list):
        return any(map(has_fraction, value))
    return isinstance(value, float)


def _integer(digits: str) -> int:
    """The integer with these digits. Raises ValueError if it is too large or too small."""
    if abs(int(digits)) > GREATEST:
        raise ValueError(digits)
    return int(digits)


def _fraction(digits: str) -> float:
    """The short decimal with these digits. Raises ValueError for any other number that is not an integer."""
    if not _FRACTION.fullmatch(digits):
        raise ValueError(digits)
    return float(digits)
