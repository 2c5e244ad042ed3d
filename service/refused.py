"""How the check of a record says no."""

from __future__ import annotations


class Refused(ValueError):
    """The record is not what it says it is."""


def demand(holds: bool, what: str) -> None:
    """Raises Refused unless it `holds`."""
    if not holds:
        raise Refused(f"refused: {what}")
