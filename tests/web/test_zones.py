"""Zones: grids whose places can be picked, lines of dominoes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import PHONE

PLACES = 53
GRID = """
async count => {
  const { drawZone } = await import("/cards/zones/zone.js");
  const cards = Array.from({length: count}, (_, n) => n === 7 ? {is: ["vacant"]} : n === 9 ? "Kd" : null);
  const zone = {name: "table", kind: "grid", count, cards, words: "Table"};
  window.pointed = [];
  const spot = key => {
    const n = Number(key.split(" ").at(-1));
    const tap = () => window.pointed.push(n);
    return key.startsWith("place ") && n !== 7 ? {held: false, glows: true, ghost: null, tap} : null;
  };
  document.querySelector("main").append(drawZone(zone, null, { spot, passesOver: () => false }));
}
"""
CROSSWISE = """async cards => {
  const { drawZone } = await import("/cards/zones/zone.js");
  const zone = { name: "line", kind: "line", words: "Line", count: cards.length, cards };
  document.querySelector("main").append(drawZone(zone, null));
  const boxes = [...document.querySelectorAll(".tile")].map(each => each.getBoundingClientRect());
  return boxes.map(({ width, height }) => height > width);
}"""
ENDS = """async codes => (await import("/cards/zones/domino_line.js")).endToEnd(codes)"""


@pytest.mark.browser
def test_a_grid_has_columns_and_its_places_are_clicked(phone: Any) -> None:
    phone.evaluate(GRID, PLACES)
    boxes = [place.bounding_box() for place in phone.locator(".place").all()]
    columns = {round(box["x"]) for box in boxes}
    rows = {round(box["y"]) for box in boxes}
    assert 6 <= len(columns) <= 12
    assert len(rows) == -(-PLACES // len(columns))
    assert all(box["width"] >= 24 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert phone.locator("button.spot").count() == PLACES - 1
    phone.get_by_role("button", name="place 9: king of diamonds").click()
    assert phone.evaluate("window.pointed") == [9]


@pytest.mark.browser
def test_doubles_lie_crosswise(phone: Any) -> None:
    assert phone.evaluate(CROSSWISE, ["6-3", "6-6", "6-1"]) == [False, True, False]


@pytest.mark.browser
def test_touching_ends_of_a_domino_line_match(phone: Any) -> None:
    codes = ["6-3", "3-3", "5-3", "5-0"]
    assert phone.evaluate(ENDS, codes) == [[6, 3], [3, 3], [3, 5], [5, 0]]
    assert phone.evaluate(ENDS, ["12-6", "12-12", "12-0"]) == [[6, 12], [12, 12], [12, 0]]
    assert phone.evaluate(ENDS, ["5-4"]) == [[5, 4]]
