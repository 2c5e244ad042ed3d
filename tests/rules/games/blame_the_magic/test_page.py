"""Blame the Magic: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.blame_the_magic.phases import Closing, Over
from tests.rules.games.blame_the_magic.positions import GAME, at
from tests.rules.page_examples import Example, cards, examples, follow
from tests.rules.playouts import moved


def turn(example: Example) -> None:
    follow(GAME, GAME.initial(example.players, {}), example.steps)


def limit(example: Example) -> None:
    state: Any = GAME.initial(example.players, {})
    assert {len(each["cards"]) for each in GAME.legal(state, 1)} == {example.players}
    example.says(example.players, state.limit, state.limit + 1)


def mended(example: Example) -> None:
    """Three players; the marker's holder and another one are over the limit at the end of round 2."""
    rows = [" ".join(card[0] for card in cards(each)) for each in (example.other, example.holder)]
    state: Any = at(Closing, ["", "", "2"], [*rows, ""], round=2)
    assert (state.zones[0], state.zones[1]) == (cards(example.other), cards(example.holder))
    example.says(state.influences[1])
    for card in cards(example.holder):
        assert not isinstance(moved(GAME, state, 1, "lose", card=card), Over)
    assert isinstance(moved(GAME, state, 1, "pass"), Over)


def played() -> Any:
    (game,) = (each for each in examples(GAME) if each.kind == "game")
    return follow(GAME, GAME.initial(game.players, {}), game.steps)


def whole_game(example: Example) -> None:
    result = GAME.result(played())
    assert result
    assert (result.winners, result.reason) == (tuple(example.winners), "survivor")


def survivor(example: Example) -> None:
    state = played()
    assert " ".join(state.zones[example.seat]) == example.zone
    influence = state.influences[example.seat]
    example.says(influence - 1, influence, len(state.guilds[example.seat]))


KINDS = {
    "turn": turn,
    "limit": limit,
    "mended": mended,
    "game": whole_game,
    "survivor": survivor,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
