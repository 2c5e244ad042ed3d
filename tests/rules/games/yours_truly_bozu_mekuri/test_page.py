"""Yours truly, Bozu-mekuri: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.common.cards import deck
from rules.games.yours_truly_bozu_mekuri.settlement import Bozu, points, settle, value
from tests.rules.games.yours_truly_bozu_mekuri.positions import (
    GAME,
    at,
    bozu,
    draw,
    play,
    row,
    sets,
)
from tests.rules.page_examples import Example, cards, examples, follow, led, one_deck


def of_card(example: Example) -> None:
    example.says(value(example.card))


def played(example: Example) -> None:
    one_deck((*cards(example.row), *example.given["cards"]), deck())
    hand = " ".join(example.given["cards"])
    state: Any = at(rows=f"Js/{example.row}/Kd", hand=hand, stock=("3c", "4c", "5c"))
    before = len(state.stock)
    for card in example.given["cards"]:
        state = play(state, card, 1)
    lines = [line for line in GAME.lines(state, None) if line["line"] == "played"]
    assert lines[-1]["value"] == example.sum
    if "takes" in example.given:
        assert {*cards(example.takes)} <= {*state.hands[0]}
        assert before - len(state.stock) == example.more
    elif "own" in example.given:
        assert " ".join(state.own[0]) == example.own
        assert set(state.discard) == set(example.discarded)
    else:
        assert state.active == 0, "the turn goes on"


def turn(example: Example) -> None:
    state = led(GAME, example)
    assert state.rows == tuple(map(row, example.rows))
    assert state.hands[0] == cards(example.hand)
    follow(GAME, state, example.steps)


def turned(example: Example) -> None:
    one_deck((*cards(example.row), example.card), deck())
    state: Any = draw(at(rows=f"Js/{example.row}/Qh", stock=(example.card, "4c", "5c")))
    lines = [line for line in GAME.lines(state, None) if line["line"] == "laid"]
    bozu_worth = value(cards(example.row)[0])
    assert (lines[-1]["value"], lines[-1]["value"] - bozu_worth) == (example.sum, example.over)
    assert " ".join(state.own[0]) == example.own
    example.says(example.sum, example.over)


def cost(example: Example) -> None:
    bozu_worth, covered = value(example.bozu), value(example.on)
    lost = -points(Bozu(example.bozu, (example.on,)), "none")
    example.says(f"{bozu_worth} − {covered} = {lost}")


def near(example: Example) -> None:
    state: Any = at(rows=f"Js/{example.row}/Kd", stock=(example.turned, "4c", "5c"))
    after = draw(state)
    assert set(after.hands[0]) == {example.turned, "4c"}
    example.says(value(example.turned), value(example.row))


def settled(example: Example) -> None:
    one_deck(cards(f"{example.hand} {example.own}"), deck())
    option = example.given.get("sets", "all")
    example.says(settle(cards(example.hand), bozu(example.own), option).score)


def of_sum(example: Example) -> None:
    example.says(sum(map(value, cards(example.given["cards"]))))


def of_bozu(example: Example) -> None:
    example.says(points(Bozu(example.bozu, cards(example.on)), example.suit))


def of_set(example: Example) -> None:
    example.says(sets(cards(example.given["cards"])))


KINDS = {
    "value": of_card,
    "played": played,
    "turn": turn,
    "turned": turned,
    "cost": cost,
    "near": near,
    "settled": settled,
    "sum": of_sum,
    "bozu": of_bozu,
    "set": of_set,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
