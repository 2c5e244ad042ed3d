"""The Trunk and the Peddler: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.trunk_and_peddler import values
from rules.games.trunk_and_peddler.components import SMALL
from rules.games.trunk_and_peddler.phases import Storing
from rules.games.trunk_and_peddler.scoring import SIDE, VALUE, account
from tests.rules.games.trunk_and_peddler.positions import (
    GAME,
    at,
    cards_of,
    facts,
    hands,
    play,
    second,
    storing,
    trick,
    won_by,
    zones,
)
from tests.rules.page_examples import Example, cards, examples, follow, led, one_deck


def turned(example: Example) -> None:
    example.says(values.turned_value(example.card))


def turn(example: Example) -> None:
    state = led(GAME, example)
    assert (state.hands, state.trunk) == (hands(*example.hands), tuple(example.trunks))
    assert state.display[0] == example.valuable
    after = follow(GAME, state, example.steps)
    assert zones(after, None)["down", 1]["count"] == 1
    first = follow(GAME, state, example.steps[:2])
    added = play(first, 0, example.instead["card"])
    assert facts(added, "sum")[0]["value"] == example.instead["sum"]


def may_follow(example: Example) -> None:
    one_deck((*cards(example.hand), example.led), SMALL)
    state = play(at(hands=hands(f"{example.led} 9c", example.hand)), 0, example.led)
    assert cards_of(state, 1) == example.given["cards"]


def of_trick(example: Example) -> None:
    one_deck(cards(f"{example.leader} {example.follower}"), SMALL)
    state = trick(example.leader, example.follower)
    assert won_by(state) == example.winner
    if "discarded" in example.given:
        assert example.discarded in zones(state, None)["discard", None]["cards"]
        assert {action["type"] for action in GAME.legal(state, 1)} == {"store"}


def score(example: Example) -> None:
    load = example.down + example.up + example.junk
    capacity = values.capacity_number(example.trunk)
    found = account(capacity, load, VALUE, example.down, example.up)
    example.says(example.down, load, found.loss, found.value)


def compelled(example: Example) -> None:
    """A game with option D; spades are trumps."""
    state: Any = second(example.leader, example.follower, "D")
    state = play(state, 0, example.leader[3:])
    assert GAME.legal(state, 1) == [{"type": "play", "card": example.adds, "high": False}]
    state = play(state, 1, example.adds)
    assert won_by(state) == 1


def taken(example: Example) -> None:
    """A game with option F."""
    state = trick(example.leader, example.follower, "F")
    assert won_by(state) == 0
    assert facts(state, "load")[1]["junk"] == example.junk


def beside(example: Example) -> None:
    """A game with option H; the joker, which comes with the trick, is already on the load."""
    junk = ("As", "3s", "4s", "5s", "8s", "9s")
    fields: Any = {"number": 6, "in_force": "H", "trunk": ("7h", "4h"), "junk": (junk, ())}
    state = at(Storing, winner=0, hands=hands("2d", "3d"), **fields)
    capacity = values.capacity_number(state.trunk[0])
    assert (capacity, state.load(0)) == (example.capacity, example.load)
    after = storing(state, 0, "side")
    room = capacity + SIDE * len(after.side[0]) - after.load(0)
    assert (after.load(0), room) == (example.load, example.room)
    example.says(after.load(0), after.load(0) + room)
    assert after.load(0) + room == example.then


def left(example: Example) -> None:
    """A game with option G."""
    one_deck(cards(example.hand), SMALL)
    singles, threes = values.stacked(cards(example.hand))
    assert len(singles) + len(threes) == example.junk


KINDS = {
    "turned": turned,
    "turn": turn,
    "follow": may_follow,
    "trick": of_trick,
    "score": score,
    "compelled": compelled,
    "taken": taken,
    "beside": beside,
    "left": left,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
