"""Whether every face-up card on the table is wide enough, its rank and suit can be read, and no mark lies on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CARD, TILE = 34, 20
"""The least width of a face-up card, and the shorter side of a tile: pixels."""
LETTERS = 13
"""The least size of the letters of a rank: pixels."""
CONTRAST, PALE = 4.5, 3
"""Of rank and suit with the paper: of a card that lies there, and of one that will."""

FAULTS = Path(__file__).with_name("unreadable.js").read_text()


def unreadable(page: Any) -> list[str]:
    """What is wrong with face-up cards on the table, one by one."""
    limits = {"card": CARD, "tile": TILE, "letters": LETTERS, "contrast": CONTRAST, "pale": PALE}
    found: list[str] = page.evaluate(FAULTS.rstrip().rstrip(";"), limits)
    return found
