"""Cards and tiles: each has its own drawing and name; each mark has a look."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules.common.cards import JOKER, deck
from rules.kernel import Json
from service.core.settings.config import ROOT
from service.core.words.words import LANGUAGES, phrases
from tests.rules.playouts import IDS, RULESETS, playout
from tests.rules.sample_games import tables
from tests.web.conftest import DESK
from tests.web.support import drawings

TILES = tuple(f"{high}-{low}" for high in range(13) for low in range(high + 1))
FACES: tuple[Any, ...] = (
    *deck(),
    JOKER,
    *TILES,
    None,
    {"is": ["vacant"]},
    {"card": "Kd", "is": ["turned"]},
)
DRAW = """
async faces => {
  const { loadLanguage } = await import("/base/words.js");
  const { cardName, drawCard } = await import("/cards/card.js");
  await loadLanguage(document.documentElement.lang);
  return faces.map(face => [cardName(face), drawCard(face).outerHTML]);
}
"""


@pytest.mark.browser
def test_cards_tiles_and_miniatures_are_drawn_as_somebody_has_seen_them(visit: Any) -> None:
    """Look at an intended change, and record it: `python -m tests.record_pictures drawings`."""
    assert drawings.drawings(visit().open()) == drawings.stored()


@pytest.mark.browser
@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_all_cards_look_different_and_have_different_names(visit: Any, locale: str) -> None:
    drawn = visit(DESK, locale=locale).open().evaluate(DRAW, list(FACES))
    for column in zip(*drawn, strict=True):
        assert len(set(column)) == len(FACES)


@pytest.mark.browser
def test_cards_have_their_everyday_names(visit: Any) -> None:
    faces = ["3h", "Td", "As", "Jk", "12-0", None, {"card": "Kd", "is": ["turned"]}]
    english = visit(DESK).open().evaluate(DRAW, faces)
    japanese = visit(DESK, locale="ja-JP").open().evaluate(DRAW, faces)
    assert [name for name, _ in english] == [
        "3 of hearts",
        "10 of diamonds",
        "ace of spades",
        "joker",
        "domino 12 and 0",
        "face-down card",
        "king of diamonds, turned over",
    ]
    assert [name for name, _ in japanese][:4] == [
        "ハートの3",
        "ダイヤの10",
        "スペードのA",
        "ジョーカー",
    ]


def seen(ruleset: rules.Ruleset) -> list[Json]:
    """All zones that seat 0 sees in some games."""
    games = (
        playout(ruleset, players, options, random.Random(seed).randrange)
        for seed, (players, options) in enumerate(tables(ruleset)[:6])
    )
    return [
        zone for game in games for step in game for zone in ruleset.view(step.after, 0)["zones"]
    ]


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_every_mark_has_a_name_and_a_look(ruleset: rules.Ruleset) -> None:
    css = (ROOT / "web/cards/cards.css").read_text(encoding="utf-8")
    cards = [card for zone in seen(ruleset) for card in zone.get("cards", [])]
    marks = {mark for card in cards if isinstance(card, dict) for mark in card["is"]}
    for mark in marks:
        assert all(phrases(language).get(f"page.mark.{mark}") for language in LANGUAGES), mark
        assert mark == "vacant" or f".is-{mark}" in css, mark


@pytest.mark.browser
def test_marks_differ_by_shape(visit: Any) -> None:
    page = visit(DESK).open()
    looks = page.evaluate("""
      async marks => {
        const { drawCard } = await import("/cards/card.js");
        return marks.map(mark => {
          const card = drawCard({card: "Kd", is: mark ? [mark] : []});
          document.body.append(card);
          const after = getComputedStyle(card, "::after");
          const drawn = getComputedStyle(card.querySelector("svg"));
          return [after.content, after.width, after.clipPath, after.borderRadius, drawn.transform].join(" ");
        });
      }
    """, ["", "turned", "sideways", "marked", "covered", "plus", "minus"])  # fmt: skip
    assert len(set(looks)) == len(looks)
