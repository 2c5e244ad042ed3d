"""Faces: cards that lie as they are or with marks (turned, sideways, covered); small functions on rows of them."""

from __future__ import annotations

from collections.abc import Iterable

from rules.cards import Card, Cards
from rules.kernel import Marked

Face = Card | Marked


def printed(face: Face) -> Card:
    """The card, however it lies."""
    return face if isinstance(face, str) else face.card or ""


def marks(face: Face) -> tuple[str, ...]:
    """How it lies; nothing for a card that lies as it is."""
    return () if isinstance(face, str) else face.marks


def marked(card: Card, *marks: str) -> Face:
    """The card with these marks; without any, the card."""
    return Marked(card, marks) if marks else card


def bare(row: Iterable[Face]) -> Cards:
    """The cards of a row that have no mark."""
    return tuple(face for face in row if isinstance(face, str))
