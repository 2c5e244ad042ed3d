"""Faces: cards as they lie on the table, with or without marks (turned, sideways, covered), and rows of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from rules.common.cards import Card, Cards
from rules.kernel import Marked

Face = Card | Marked


def printed(face: Face) -> Card:
    """The card without its marks."""
    return face if isinstance(face, str) else face.card or ""


def unmarked(row: Iterable[Face]) -> Cards:
    """The cards of a row, with their marks removed."""
    return tuple([face if isinstance(face, str) else printed(face) for face in row])


def marks(face: Face) -> tuple[str, ...]:
    """The marks of a card; empty if it has none."""
    return () if isinstance(face, str) else face.marks


@functools.lru_cache(maxsize=1024)
def marked(card: Card, *marks: str) -> Face:
    """The card with these marks; the plain card if none are given."""
    return Marked(card, marks) if marks else card


def bare(row: Iterable[Face]) -> Cards:
    """Those cards of a row that have no marks."""
    return tuple([face for face in row if isinstance(face, str)])
