"""2459n!: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.common.cards import deck
from rules.games.n2459.components import SLOT
from rules.games.n2459.scoring import run
from tests.rules.games.n2459.positions import AT, GAME, cards, choose, collecting, result_of, seen
from tests.rules.page_examples import (
    LANGUAGES,
    Example,
    examples,
    follow,
    one_deck,
    page,
    rows,
)


def blank(example: Example) -> None:
    assert not SLOT.keys() & {*example.cards}


def turn(example: Example) -> None:
    state: Any = follow(GAME, GAME.initial(example.players, {}), example.steps)
    for place, card in example.seen.items():
        assert seen(state, None, int(place)) == card
    for place, card in example.seen_by_third.items():
        assert [seen(state, viewer, int(place)) for viewer in (2, 0)] == [card, None]


def length(example: Example) -> None:
    example.says(run(cards(example.run)))


def meeting(example: Example) -> None:
    one_deck(" ".join(example.held).split(), deck())
    result = result_of(*example.held)
    assert result.winners == tuple(example.winners)
    assert (result.reason == "mascot") == (not example.winners)
    for _, cells in rows(GAME, *filter(None, example.held)):
        assert ("mascot" in cells[1] or "ゆるキャラ" in cells[1]) == (not example.winners)


def completed(example: Example) -> None:
    state = choose(collecting(example.held, "", ""), example.drawn, ".", ".")
    result = GAME.result(state)
    assert result
    assert (result.winners, result.reason) == ((0,), "complete")
    assert state.positions[AT[example.drawn]] == example.back


def rounds(example: Example) -> None:
    usual = GAME.settle(example.players, {})["rounds"]
    assert all(str(usual) in page(GAME, language) for language in LANGUAGES)


KINDS = {
    "blank": blank,
    "turn": turn,
    "length": length,
    "meeting": meeting,
    "completed": completed,
    "rounds": rounds,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
