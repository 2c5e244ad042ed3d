"""Drawings of the page as text: the same on every machine, whatever its fonts."""

from __future__ import annotations

import json
from typing import Any

from rules.common.cards import JOKER
from service.core.settings.config import ROOT

STORED = ROOT / "tests/web/drawings.json"
"""What was drawn when somebody looked at it last: `python -m tests.record_pictures` records it."""
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
MINIATURES = """
() => [...document.querySelectorAll(".game")].map(game => {
  const fan = game.querySelector(".miniature").cloneNode(true);
  for (const drawing of fan.querySelectorAll("svg")) drawing.remove();
  return [game.querySelector("[data-play]").dataset.play, fan.outerHTML];
})
"""
"""What stands for each game in the lobby; how its cards are drawn is compared by itself."""


def drawings(page: Any) -> dict[str, list[str]]:
    """By name, an element a line. The page shows the lobby to somebody new."""
    page.locator(".game").first.wait_for()
    cards = zip(map(json.dumps, FACES), page.evaluate(DRAW, list(FACES)), strict=True)
    games = ((f"game {slug}", fan) for slug, fan in sorted(page.evaluate(MINIATURES)))
    return {name: markup.replace("><", ">\n<").split("\n") for name, markup in (*cards, *games)}


def stored() -> dict[str, list[str]]:
    """What was recorded."""
    found: dict[str, list[str]] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def record(page: Any) -> None:
    """Keep what is drawn now."""
    told = json.dumps(drawings(page), ensure_ascii=False, indent=1)
    STORED.write_text(told + "\n", encoding="utf-8")
