"""Drawings of the page as text: the same on every machine, whatever its fonts."""

from __future__ import annotations

import json
from typing import Any

from rules.common.cards import JOKER
from service.core.settings.config import ROOT

STORED = ROOT / "tests/web/drawings.json"
"""The drawings as somebody last approved them: `python -m tests.record_pictures` records them."""
FACES: tuple[Any, ...] = (
    *(f"{rank}s" for rank in "A23456789TJQK"),
    *(f"{rank}{suit}" for suit in "hdc" for rank in "A2JQK"),
    JOKER,
    *("0-0", "1-0", "3-2", "5-4", "7-6", "9-8", "12-10"),
    None,
    {"is": ["vacant"]},
    {"card": "Kd", "is": ["turned"]},
    {"card": "3c", "is": ["sideways"]},
)
DRAW = """
async faces => {
  const { drawUnlabelledCard } = await import("/cards/card.js");
  return faces.map(face => drawUnlabelledCard(face).outerHTML);
}
"""


def drawings(page: Any) -> dict[str, list[str]]:
    """The drawings by name, an element on each line."""
    cards = zip(map(json.dumps, FACES), page.evaluate(DRAW, list(FACES)), strict=True)
    return {name: markup.replace("><", ">\n<").split("\n") for name, markup in cards}


def stored() -> dict[str, list[str]]:
    """The recorded drawings."""
    found: dict[str, list[str]] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def record(page: Any) -> None:
    """Store the present drawings."""
    told = json.dumps(drawings(page), ensure_ascii=False, indent=1)
    STORED.write_text(told + "\n", encoding="utf-8")
