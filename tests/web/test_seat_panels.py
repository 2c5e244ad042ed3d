"""The panel of each seat hides nothing: at the largest tables on a phone its name and every token are inside it.

So it is upright; on its side a name may be cut, but nobody is called by one letter.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from tests.rules.playouts import IDS, RULESETS, actors, playout
from tests.web.conftest import ON_ITS_SIDE, PHONE
from tests.web.support.in_view import DRAWN
from tests.web.support.walked_table import WalkedTable

pytestmark = pytest.mark.browser

CROWDED = ("oracle-land", "auction-draw", "abbott-auction")
"""Most is told about a seat in the first game, and the others have the most seats."""
FAULTS = """() => {
  const faults = [];
  const box = each => each.getBoundingClientRect();
  const isInside = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1
    && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
  const areApart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
    || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  const TOLD = [".token", ".hand-count", ".words", ".name", ".seat-mark"].map(each => `header ${each}`).join();
  for (const seat of document.querySelectorAll(".strip")) {
    const fault = what => faults.push(`${seat.getAttribute("aria-label")}: ${what}`);
    const told = [...seat.querySelectorAll(TOLD)];
    for (const each of told) {
      if (!box(each).width || !isInside(box(each), box(seat))) fault(`${each.className} is not inside`);
      const range = new Range();
      range.selectNodeContents(each);
      if (!isInside(box(range), box(each))) fault(`${each.textContent} is cut`);
    }
    told.push(...seat.querySelectorAll("header .program, .fold .icon"));
    told.forEach((one, n) => told.slice(n + 1).forEach(other => {
      if (!areApart(box(one), box(other))) fault(`${one.className} lies on ${other.getAttribute("class")}`);
    }));
    if (!box(seat.querySelector(".fold .icon")).width) fault("nothing says that there is more");
    for (const sign of seat.querySelectorAll("header [role=img]")) {
      if (!sign.getAttribute("aria-label")) fault("a picture says nothing");
    }
  }
  return faults;
}"""


LETTERS = 6
"""The fewest letters of a name that are in view."""
SHORT = """most => [...document.querySelectorAll(".seat .name, .whose .zone-name")].flatMap(each => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const text = each.firstChild;
  if (!each.checkVisibility() || text?.nodeType !== Node.TEXT_NODE) return [];
  const isSeen = n => {
    const range = new Range();
    range.setStart(text, n);
    range.setEnd(text, n + 1);
    const letter = range.getBoundingClientRect();
    return letter.right <= right + 1 && letter.left >= left - 1 && letter.top >= top - 4 && letter.bottom <= bottom + 4;
  };
  const seen = [...text.data].filter((_, n) => isSeen(n)).length;
  return seen < Math.min(most, text.data.length) ? [`${text.data}: ${seen}`] : [];
})"""
"""Names of which too little is in view, and how much."""


def faults(visit: Any, ruleset: Any) -> list[str]:
    """The errors in the panels in the middle of a game with the most players."""
    players = max(ruleset.players)
    options = dict(ruleset.looks.lengths(players)[0].options)
    game = list(playout(ruleset, players, options, random.Random(0).randrange))
    asked = [step.after for step in game if list(actors(ruleset, step.after))]
    visitor = visit(PHONE, by="touch")
    visitor.open("/")
    table, found = WalkedTable(visitor, ruleset), list[str]()
    for state in (asked[len(asked) // 2], asked[-1]):
        table.show(state, list(actors(ruleset, state))[-1])
        assert visitor.page.locator(".strip").count() == players - 1
        found += visitor.page.evaluate(FAULTS)
        visitor.page.set_viewport_size(ON_ITS_SIDE)
        visitor.page.evaluate(DRAWN)
        found += [f"on its side {each}" for each in visitor.page.evaluate(SHORT, LETTERS)]
        visitor.page.set_viewport_size(PHONE)
    return found


@pytest.mark.parametrize("slug", CROWDED)
def test_at_the_most_crowded_tables_a_panel_hides_nothing(visit: Any, slug: str) -> None:
    assert faults(visit, rules.load(slug)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_panel_hides_nothing_in_any_game(visit: Any, ruleset: Any) -> None:
    assert faults(visit, ruleset) == []
