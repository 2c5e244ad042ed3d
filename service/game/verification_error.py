"""The error that the verification of a record raises."""

from __future__ import annotations


class VerificationError(ValueError):
    """The record is not what it claims to be; the text says what is wrong."""


def demand(holds: bool, what: str) -> None:
    """Raises VerificationError, with `what` is wrong, unless it `holds`."""
    if not holds:
        raise VerificationError(f"refused: {what}")
