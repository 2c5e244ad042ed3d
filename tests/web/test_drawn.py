"""How zones, marks and long lists of numbers are drawn, whatever the game."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules.kernel import Json
from service.config import ROOT
from service.words import LANGUAGES, phrases
from tests.rules.playouts import RULESETS, playout
from tests.rules.tours import tables
from tests.web.conftest import DESK, PHONE

PLACES = 53
BIDS = tuple(range(12, 75)) + (80,)
CHIPS = {"name": "chips", "kind": "number", "words": "Chips", "values": {}}
SET_UP = """
() => {
  document.querySelector("main").className = "table";
  document.querySelector("main").replaceChildren();
}
"""
GRID = """
async count => {
  const { drawZone } = await import("/zones.js");
  const cards = Array.from({length: count}, (_, n) => n === 7 ? {is: ["vacant"]} : n === 9 ? "Kd" : null);
  const zone = {name: "table", kind: "grid", count, cards, words: "Table"};
  window.pointed = [];
  const spots = {possible: n => n !== 7, held: n => window.pointed.includes(n), tap: n => window.pointed.push(n)};
  document.querySelector("main").append(drawZone(zone, null, spots));
}
"""
NUMBER = """
async ({bids, types}) => {
  const { h, update } = await import("/dom.js");
  const { drawOptions } = await import("/bar.js");
  const { NOTHING, read } = await import("/choice.js");
  const bid = chips => ({action: {type: "bid", chips}, words: `Bid ${chips}`});
  const legal = [...bids.map(bid), {action: {type: "pass"}, words: "Pass"}];
  const show = draft => {
    const reading = read(legal, types, draft);
    window.ready = reading.ready?.action ?? null;
    update(document.querySelector("main"), drawOptions({
      reading, types, draft, touched: true, chosen: draft.chosen !== null, pieces: "cards",
      tappable: null, picked: [], seatName: String, shown: () => false, putBack() {}, undo() {},
      choose: show, confirm: () => { window.confirmed = window.ready; },
    }));
  };
  show({...NOTHING, type: "bid"});
}
"""
ENDS = """async codes => (await import("/line.js")).endToEnd(codes)"""


@pytest.fixture
def phone(visit: Any) -> Any:
    page = visit(PHONE).open("/#/me")  # a screen that nothing changes by itself
    page.evaluate(SET_UP)
    return page


def seen(ruleset: rules.Ruleset) -> list[Json]:
    """All zones that seat 0 was shown in some games."""
    games = (
        playout(ruleset, players, options, random.Random(seed).randrange)
        for seed, (players, options) in enumerate(tables(ruleset)[:6])
    )
    return [
        zone for game in games for step in game for zone in ruleset.view(step.after, 0)["zones"]
    ]


@pytest.mark.parametrize("ruleset", RULESETS, ids=rules.slugs())
def test_every_mark_has_a_name_and_a_look(ruleset: rules.Ruleset) -> None:
    css = (ROOT / "web/cards.css").read_text(encoding="utf-8")
    cards = [card for zone in seen(ruleset) for card in zone.get("cards", [])]
    marks = {mark for card in cards if isinstance(card, dict) for mark in card["is"]}
    for mark in marks:
        assert all(phrases(language).get(f"page.mark.{mark}") for language in LANGUAGES), mark
        assert mark == "vacant" or f".is-{mark}" in css, mark


@pytest.mark.browser
def test_marks_are_told_apart_by_shape(visit: Any) -> None:
    page = visit(DESK).open()
    looks = page.evaluate("""
      async marks => {
        const { picture } = await import("/cards.js");
        return marks.map(mark => {
          const card = picture({card: "Kd", is: mark ? [mark] : []});
          document.body.append(card);
          const after = getComputedStyle(card, "::after");
          const drawn = getComputedStyle(card.querySelector("svg"));
          return [after.content, after.width, after.clipPath, after.borderRadius, drawn.transform].join(" ");
        });
      }
    """, ["", "turned", "sideways", "marked", "covered", "plus", "minus"])  # fmt: skip
    assert len(set(looks)) == len(looks)


@pytest.mark.browser
def test_a_grid_has_columns_and_its_places_are_chosen_by_pointing(phone: Any) -> None:
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
def test_a_number_among_many_is_typed_stepped_or_slid(phone: Any) -> None:
    types = {
        "bid": {"words": "Bid", "parameters": [CHIPS]},
        "pass": {"words": "Pass", "parameters": []},
    }
    phone.evaluate(NUMBER, {"bids": BIDS, "types": types})
    ready = lambda: phone.evaluate("window.ready?.chips")  # noqa: E731
    assert phone.locator("main button").count() == 2
    assert ready() is None
    phone.get_by_label("One step more").click()
    assert ready() == BIDS[0]
    phone.get_by_label("One step more").click()
    assert ready() == BIDS[1]
    field = phone.get_by_role("spinbutton", name="Chips")
    field.fill("79")
    assert ready() is None
    field.fill("80")
    assert ready() == 80
    field.press("Enter")
    assert phone.evaluate("window.confirmed.chips") == 80
    slider = phone.get_by_role("slider")
    assert slider.input_value() == str(len(BIDS) - 1)
    slider.press("ArrowLeft")
    assert ready() == BIDS[-2]
    assert field.input_value() == str(BIDS[-2])


@pytest.mark.browser
def test_tiles_of_a_line_touch_with_like_ends(phone: Any) -> None:
    codes = ["6-3", "3-3", "5-3", "5-0"]
    assert phone.evaluate(ENDS, codes) == [[6, 3], [3, 3], [3, 5], [5, 0]]
    assert phone.evaluate(ENDS, ["12-6", "12-12", "12-0"]) == [[6, 12], [12, 12], [12, 0]]
    assert phone.evaluate(ENDS, ["5-4"]) == [[5, 4]]
