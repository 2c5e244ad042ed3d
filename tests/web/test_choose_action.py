"""Choosing an action: the result is always a member of the list, and every member can be reached."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.web.conftest import DESK

pytestmark = pytest.mark.browser

WALK = """
async ({legal, types, seed}) => {
  const { EMPTY_DRAFT, cardsInDraft, readDraft, tapCard } = await import("/table/choosing/narrowing.js");
  let state = seed;
  const pick = list => list[(state = (state * 48271) % 2147483647) % list.length];
  const values = legal.flatMap(each => Object.values(each.action).flat());
  const hand = [...new Set(values.filter(each => typeof each === "string"))];
  const ends = [];
  for (let walk = 0; walk < 60; walk++) {
    let draft = EMPTY_DRAFT;
    for (let n = 0; n < 12; n++) {
      const { ready, step } = readDraft(legal, types, draft);
      if (ready) ends.push(JSON.stringify(ready.action));
      const held = cardsInDraft(types, draft);
      const taps = hand.map(card => tapCard(legal, types, draft, card, held.includes(card))).filter(Boolean);
      const next = [...(step?.ways ?? []).map(way => way.draft), ...taps];
      if (!next.length) break;
      draft = pick(next);
    }
  }
  return ends;
}
"""
REACH = """
async ({legal, types}) => {
  const { EMPTY_DRAFT, readDraft } = await import("/table/choosing/narrowing.js");
  const reached = new Set(), seen = new Set();
  const visit = draft => {
    const key = JSON.stringify(draft, (_, value) => value === undefined ? "without" : value);
    if (seen.has(key)) return;
    seen.add(key);
    const { ready, step } = readDraft(legal, types, draft);
    if (ready) reached.add(JSON.stringify(ready.action));
    for (const way of step?.ways ?? []) visit(way.draft);
  };
  visit(EMPTY_DRAFT);
  return [...reached];
}
"""

KINDS: dict[str, Any] = {
    "card": ["As", "2s", "3h", "Jk"],
    "cards": [["As"], ["As", "2s"], ["As", "2s", "3h"], ["2s", "3h"], ["Kd", "Kd"], []],
    "sequence": [["3h", "As"], ["As", "3h"], ["As"]],
    "seat": [0, 1, 2],
    "number": [0, 1, 12, 30],
    "choice": ["plus", None, "minus"],
    "flag": [True, False],
    "lanes": [[0], [0, 2], [1, 2]],
}
"""Values for parameters of every kind; "lanes" are lists that are not cards."""


def some_game(rng: random.Random) -> dict[str, Any]:
    """Random types of actions, and legal actions of them; some lack a parameter."""
    types: dict[str, Any] = {}
    legal: dict[str, Any] = {}
    for type_ in rng.sample(["bid", "pass", "play", "lay"], k=rng.randint(1, 4)):
        kinds = rng.sample(sorted(KINDS), k=rng.randint(0, 3))
        types[type_] = {
            "words": type_,
            "parameters": [{"name": kind, "kind": kind, "words": kind} for kind in kinds],
        }
        for _ in range(rng.randint(1, 25)):
            values = {kind: rng.choice(KINDS[kind]) for kind in kinds if rng.random() < 0.9}
            action = {"type": type_, **values}
            legal[json.dumps(action)] = {"action": action, "words": json.dumps(action)}
    return {"types": types, "legal": list(legal.values())}


@pytest.fixture(scope="module")
def games() -> list[dict[str, Any]]:
    rng = random.Random(2459)
    return [some_game(rng) for _ in range(40)]


def members(game: dict[str, Any]) -> set[str]:
    return {json.dumps(each["action"], separators=(",", ":")) for each in game["legal"]}


def test_the_action_that_is_ready_is_always_a_member_of_the_list(
    visit: Any, games: list[dict[str, Any]]
) -> None:
    page = visit(DESK).open()
    for seed, game in enumerate(games, 1):
        ends = page.evaluate(WALK, {**game, "seed": seed})
        assert ends
        assert set(ends) <= members(game)


def test_every_member_can_be_reached(visit: Any, games: list[dict[str, Any]]) -> None:
    page = visit(DESK).open()
    for game in games:
        assert set(page.evaluate(REACH, game)) == members(game), game


BIDS = tuple(range(12, 75)) + (80,)


CHIPS = {"name": "chips", "kind": "number", "words": "Chips", "values": {}}


NUMBER = """
async ({bids, types}) => {
  const { h, update } = await import("/base/dom.js");
  const { drawOptions } = await import("/table/choosing/options.js");
  const { EMPTY_DRAFT, readDraft } = await import("/table/choosing/narrowing.js");
  const bid = chips => ({action: {type: "bid", chips}, words: `Bid ${chips}`});
  const legal = [...bids.map(bid), {action: {type: "pass"}, words: "Pass"}];
  const show = draft => {
    const reading = readDraft(legal, types, draft);
    window.ready = reading.ready?.action ?? null;
    update(document.querySelector("main"), drawOptions({
      reading, types, draft, touched: true, chosen: draft.chosen !== null, pieces: "cards",
      tappable: null, picked: [], seatName: String, shown: () => false, putBack() {}, undo() {},
      choose: show, confirm: () => { window.confirmed = window.ready; },
    }));
  };
  show({...EMPTY_DRAFT, type: "bid"});
}
"""


def test_one_of_many_numbers_is_typed_stepped_or_slid(phone: Any) -> None:
    types = {
        "bid": {"words": "Bid", "parameters": [CHIPS]},
        "pass": {"words": "Pass", "parameters": []},
    }
    phone.evaluate(NUMBER, {"bids": BIDS, "types": types})
    ready = lambda: phone.evaluate("window.ready?.chips")  # noqa: E731
    assert phone.locator("main button").count() == 2
    assert ready() is None
    phone.get_by_label("Increase").click()
    assert ready() == BIDS[0]
    phone.get_by_label("Increase").click()
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
