"""No mark lies on the index of a card or its neighbour: new, chosen, put in order, and marks of a game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.support.legible import unreadable

pytestmark = pytest.mark.browser

MARKS = (
    ["turned"],
    ["marked"],
    ["covered"],
    ["plus"],
    ["minus"],
    ["sideways"],
    ["sideways", "minus"],
)
TALL = 1200
"""Nothing scrolls."""
DRAWN = """async marks => {
  const files = ["cards/zones/zone", "table/choosing/hand", "base/dom"];
  const [{ drawZone }, { drawHands }, { h }] = await Promise.all(files.map(each => import(`/${each}.js`)));
  const codes = ["Ts", "Qh", "8d", "Kc", "9s", "Jk", "2h", "Ad", "5c"];
  const marked = marks.map((is, n) => ({ card: codes[n], is }));
  const zone = (kind, cards, name = kind) => ({ name, kind, cards, count: cards.length, words: name });
  const held = { held: true, glows: false, ghost: null, tap() {} };
  const spots = { spot: key => key.startsWith("card") ? held : null, passesOver: () => false };
  const picking = {
    held: () => true, order: code => codes.indexOf(code) + 1, tap() {}, tried() {},
    placed: () => false, possible: () => true, active: true,
  };
  const draw = (name, width, ...content) => {
    const drawn = h("div", { className: name }, content);
    drawn.style.inlineSize = `${width}px`;
    drawn.style.setProperty("--card", `${innerWidth > 400 ? 52 : 34}px`);
    return drawn;
  };
  document.querySelector("main").replaceChildren(draw("play", 340,
    draw("middle", 330, drawZone(zone("trick", marked), null), drawZone(zone("row", codes), null, spots),
      draw("others", 150, drawZone(zone("row", codes, "side by side"), null, spots)),
      draw("lane taken", 100, drawZone(zone("row", codes, "lane"), null, spots)),
      drawZone(zone("pile", ["Ts"]), null, spots), h("hr")),
    draw("bottom-panel", 340, drawHands([zone("hand", codes)], picking, () => {}))));
}"""


@pytest.mark.parametrize("width", [360, 740])
def test_no_mark_lies_on_an_index(phone: Any, width: int) -> None:
    phone.set_viewport_size({"width": width, "height": TALL})
    phone.evaluate(DRAWN, MARKS)
    assert [each for each in unreadable(phone) if "under the mark" in each] == []
    phone.set_viewport_size({"width": 360, "height": 740})
