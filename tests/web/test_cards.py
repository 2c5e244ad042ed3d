"""Every card and tile is drawn, and has a name of its own in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cards import JOKER, deck
from tests.web.conftest import DESK

pytestmark = pytest.mark.browser

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
  const { nameOf, picture } = await import("/cards.js");
  return faces.map(face => [nameOf(face), picture(face).outerHTML]);
}
"""


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_no_two_faces_are_drawn_or_called_alike(visit: Any, locale: str) -> None:
    drawn = visit(DESK, locale=locale).open().evaluate(DRAW, list(FACES))
    for column in zip(*drawn, strict=True):
        assert len(set(column)) == len(FACES)


def test_names_are_those_that_people_say(visit: Any) -> None:
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
        "king of diamonds, turned",
    ]
    assert [name for name, _ in japanese][:4] == [
        "ハートの3",
        "ダイヤの10",
        "スペードのA",
        "ジョーカー",
    ]
