"""The touches for an action: frequent actions take at most two and Confirm, destructive ones have to be named.

The games are played as house players take for sensible. The page's own modules say what a touch leads to.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from rules.kernel import Json, Ruleset, State
from service.tables.views.rulesets import ruleset_view
from tests.rules.playouts import IDS, RULESETS, actors, next_event
from tests.support.positions import answer
from tests.web.support.node import Node

TOUCHES = """
async ({questions, types}) => {
  const { EMPTY_DRAFT, readDraft, tapCard } = await import("/table/choosing/narrowing.js");
  const { TableSpots } = await import("/table/choosing/table_spots.js");
  const { fits } = await import("/table/choosing/action_parameters.js");
  const { cardCode } = await import("/cards/card.js");
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  const after = ({view, legal, me, hand}, draft) => {
    const found = [];
    const reading = readDraft(legal, types, draft);
    const tap = (code, held) => tapCard(legal, types, draft, code, held);
    const choose = next => found.push(next);
    const spots = new TableSpots({view, me, legal, types, draft, reading, hand, wanted: null,
      tapCard: tap, choose});
    for (const key of spots.choices.keys()) if (spots.spot(key)?.glows) spots.spot(key).tap();
    for (const code of new Set([...hand, ...spots.cards])) found.push(tap(code, false));
    for (const way of [...(reading.step?.ways ?? []), ...spots.others]) found.push(way.draft);
    return found.filter(Boolean);
  };
  const count = question => {
    const ready = draft => same(readDraft(question.legal, types, draft).ready?.action, question.action);
    let level = [EMPTY_DRAFT];
    const seen = new Set();
    for (let touches = 0; touches <= 6; touches++) {
      if (level.some(ready)) return touches;
      level = level.flatMap(draft => after(question, draft)).filter(draft => {
        const key = JSON.stringify([draft.type, draft.values, draft.picked, draft.chosen?.action]);
        const leads = draft.chosen ? same(draft.chosen.action, question.action) : fits(question.action, types, draft);
        return leads && !seen.has(key) && seen.add(key);
      });
    }
    return null;
  };
  return questions.map(count);
}
"""
"""The fewest touches that lead to each action from nothing chosen; null: none do."""

UNNAMED = """
async ({questions, types}) => {
  const { EMPTY_DRAFT, readDraft, tapCard } = await import("/table/choosing/narrowing.js");
  const { TableSpots } = await import("/table/choosing/table_spots.js");
  const found = [];
  for (const {view, legal, me, hand} of questions) {
    const look = (draft, touches) => {
      const reading = readDraft(legal, types, draft);
      if (reading.ready && types[reading.ready.action.type].destroys) found.push(reading.ready.action);
      if (!touches) return;
      const tap = (code, held) => tapCard(legal, types, draft, code, held);
      const choose = next => look(next, touches - 1);
      const spots = new TableSpots({view, me, legal, types, draft, reading, hand, wanted: null,
      tapCard: tap, choose});
      for (const key of spots.choices.keys()) if (spots.spot(key)?.glows) spots.spot(key).tap();
      for (const code of new Set([...hand, ...spots.cards])) if (tap(code, false)) choose(tap(code, false));
    };
    look(EMPTY_DRAFT, 2);
  }
  return found;
}
"""
"""Destructive actions to which two touches of cards and places lead."""

GAMES = 2
DECISIONS = 60
"""The number of games that are played, and of decisions in each that are examined."""


def sensible(ruleset: Ruleset, players: int, seed: int) -> Iterator[tuple[State, int, Json]]:
    """Positions of a game, and the actions of its seats."""
    rng = random.Random(seed)
    state = ruleset.initial(players, {})
    while not ruleset.turn(state).over:
        event = next_event(ruleset, state, rng.randrange)
        if event["kind"] == "action":
            seat = rng.choice(ruleset.turn(state).waiting or actors(ruleset, state))
            legal = ruleset.legal(state, seat)
            policy = ruleset.mind.policy
            weights = policy(state, seat, legal) if policy else [1.0] * len(legal)
            event = {"kind": "action", "seat": seat, "action": rng.choices(legal, weights)[0]}
            yield state, seat, event["action"]
        state = ruleset.act(state, event)


def question(ruleset: Ruleset, state: State, seat: int, action: Json) -> Json:
    """The page's knowledge of the question."""
    told = answer(ruleset, state, seat, "en")
    view = told.view()
    assert view
    hands = [each for each in view["zones"] if each["kind"] == "hand" and each.get("seat") == seat]
    hand = [code for each in hands for code in each.get("cards", ())]
    return {"view": view, "legal": told.legal(), "me": seat, "hand": hand, "action": action}


def counted(node: Node, ruleset: Ruleset) -> list[tuple[Json, int | None]]:
    """Actions of played games, with the touches that each takes."""
    asked = []
    for seed in range(GAMES):
        players = ruleset.players[seed % len(ruleset.players)]
        asked += list(itertools.islice(sensible(ruleset, players, seed), DECISIONS))
    types = ruleset_view.whole(ruleset.slug, "en", ruleset.version)["actions"]
    told = [question(ruleset, *each) for each in asked]
    touches = node.evaluate(TOUCHES, {"questions": told, "types": types})
    return [(each["action"], count) for each, count in zip(told, touches, strict=True)]


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node() as node:
        yield node


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_what_is_done_most_takes_two_touches(node: Node, ruleset: Ruleset) -> None:
    """An unusual value takes one touch more."""
    found = counted(node, ruleset)
    most = Counter(action["type"] for action, _ in found).most_common(1)[0][0]
    assert all(count is not None for _, count in found), "there is a way to every action"
    for action, count in found:
        if action["type"] == most:
            assert count is not None
            assert count <= 2 + unusual(ruleset, action), action


def unusual(ruleset: Ruleset, action: Json) -> int:
    """The number of its values that are not the default."""
    usually = {name.partition(".")[2]: value for name, value in ruleset.looks.usually.items()}
    return sum(name in action and action[name] != value for name, value in usually.items())


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_what_destroys_is_never_meant_unless_it_is_named(node: Node, ruleset: Ruleset) -> None:
    looks = ruleset.looks
    assert {*looks.aside, *looks.destroys} <= ruleset.actions.keys()
    assert not {*looks.aside} & {*looks.destroys}
    if not looks.destroys:
        return
    told = [
        question(ruleset, *each)
        for each in itertools.islice(sensible(ruleset, ruleset.players[0], 1), 40)
    ]
    types = ruleset_view.whole(ruleset.slug, "en", ruleset.version)["actions"]
    assert node.evaluate(UNNAMED, {"questions": told, "types": types}) == []
