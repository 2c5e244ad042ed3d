"""Narrowing a list of actions: what comes out is always a member of the list, and every member can be reached."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.web.conftest import DESK

pytestmark = pytest.mark.browser

WALK = """
async ({legal, types, seed}) => {
  const { NOTHING, cardsOf, read, tap } = await import("/choice.js");
  let state = seed;
  const pick = list => list[(state = (state * 48271) % 2147483647) % list.length];
  const values = legal.flatMap(each => Object.values(each.action).flat());
  const hand = [...new Set(values.filter(each => typeof each === "string"))];
  const ends = [];
  for (let walk = 0; walk < 60; walk++) {
    let draft = NOTHING;
    for (let n = 0; n < 12; n++) {
      const { ready, step } = read(legal, types, draft);
      if (ready) ends.push(JSON.stringify(ready.action));
      const held = cardsOf(types, draft);
      const taps = hand.map(card => tap(legal, types, draft, card, held.includes(card))).filter(Boolean);
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
  const { NOTHING, read } = await import("/choice.js");
  const reached = new Set(), seen = new Set();
  const visit = draft => {
    const key = JSON.stringify(draft, (_, value) => value === undefined ? "without" : value);
    if (seen.has(key)) return;
    seen.add(key);
    const { ready, step } = read(legal, types, draft);
    if (ready) reached.add(JSON.stringify(ready.action));
    for (const way of step?.ways ?? []) visit(way.draft);
  };
  visit(NOTHING);
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
"""Values of parameters of every kind; "lanes" stands for lists that are no cards."""


def some_game(rng: random.Random) -> dict[str, Any]:
    """Types of actions with any parameters, and a list of legal ones; a parameter may be missing in some."""
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


def test_what_is_ready_is_always_a_member_of_the_list(
    visit: Any, games: list[dict[str, Any]]
) -> None:
    page = visit(DESK).open()
    for seed, game in enumerate(games, 1):
        ends = page.evaluate(WALK, {**game, "seed": seed})
        assert ends
        assert set(ends) <= members(game)


def test_every_member_can_be_reached_by_what_is_offered(
    visit: Any, games: list[dict[str, Any]]
) -> None:
    page = visit(DESK).open()
    for game in games:
        assert set(page.evaluate(REACH, game)) == members(game), game
