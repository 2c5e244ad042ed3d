"""Caravan: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.common.cards import deck
from rules.games.caravan.components import saleable
from rules.games.caravan.scoring import numbers, points
from rules.kernel import Illegal
from tests.rules.games.caravan.positions import GAME, deal, lane_0, may_play, play, trading
from tests.rules.page_examples import Example, cards, drawn, examples, follow, led, one_deck, rows
from tests.rules.playouts import moved, shuffled

DECK = deck(jokers=1)
ROWS = {20: "Ts Th", 21: "Ts Th Ac", 24: "9s 8h 7d", 26: "Ts 9h 7d", 27: "Ts 9h 8d", 5: "5c"}


def built(row: str) -> tuple[str, str | None]:
    """The row and its direction, after card by card was played; an impossible row is refused."""
    one_deck(cards(row), DECK)
    state = trading()
    for number, card in enumerate(cards(row)):
        at = {"at": number} if card[0] in "JK" else {}
        state = play(trading(*lane_0(state)[:1], direction=lane_0(state)[1], hand=card), card, **at)
    return lane_0(state)


def opening(example: Example) -> None:
    state: Any = GAME.initial(2, {})
    for hand in example.hands:
        state = shuffled(GAME, state, *deal(hand))
    for seat, chosen in enumerate(example.chosen):
        state = moved(GAME, state, seat, "open", cards=chosen)
    assert [[row[0] for row in rows] for rows in state.rows] == example.chosen


def may_follow(example: Example) -> None:
    row, direction = built(example.row)
    assert (direction or "") == example.direction
    for card, then in example.may.items():
        assert lane_0(play(trading(row, direction=direction, hand=card), card))[1] == then
    for card in example.may_not:
        assert not may_play(trading(row, direction=direction, hand=card), card)
    for _, cells in rows(GAME, example.row):
        if len(cells) == 4:  # the row, its direction, what may follow and what may not
            assert (drawn(cells[2]), drawn(cells[3])) == ([*example.may], example.may_not)


def turn(example: Example) -> None:
    state = led(GAME, example)
    assert [set(hand) for hand in state.hands] == [set(cards(hand)) for hand in example.hands]
    assert [rows[0] for rows in state.rows] == [cards(row) for row in example.rows]
    follow(GAME, state, example.steps)


def king(example: Example) -> None:
    row, direction = built(example.row)
    for at, found in enumerate(example.points):
        state = play(trading(row, direction=direction, hand="Kc"), "Kc", at=at)
        assert points(state.rows[0][0]) == found
    example.says(*example.points)


def of_row(example: Example) -> None:
    built(example.row)
    example.says(points(cards(example.row)))


def cut(example: Example) -> None:
    row, direction = built(example.row)
    state = play(trading(row, direction=direction, hand="Jc"), "Jc", at=example.at, as_="J")
    assert lane_0(state) == (example.left, example.direction or None)


def strike(example: Example) -> None:
    row, direction = built(example.row)
    facing, other = built(example.facing)
    fields: Any = {"directions": ((direction, None, None), (other, None, None)), "joker": "one"}
    state = play(trading(row, facing, hand="Jk", **fields), "Jk", at=example.at)
    assert [" ".join(rows[0]) for rows in state.rows] == [example.left, example.facing_left]
    king_counts = points(state.rows[0][0]) - points(numbers(state.rows[0][0]))
    example.says(king_counts)


def sale(example: Example) -> None:
    own, facing = ROWS[example.own], ROWS[example.facing]
    example.says(points(cards(own)), points(cards(facing)))
    assert saleable(trading(own, facing), 0) == [0] * example.can
    answers = {"en": ("no", "yes"), "ja": ("売れません", "売れます")}
    for language, (*sums, answer) in rows(GAME):
        if sums == [str(example.own), str(example.facing)]:
            assert answer.startswith(answers[language][example.can])


KINDS = {
    "opening": opening,
    "follow": may_follow,
    "turn": turn,
    "king": king,
    "points": of_row,
    "cut": cut,
    "strike": strike,
    "sale": sale,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)


def test_a_queen_on_a_single_card_is_found() -> None:
    with pytest.raises(Illegal):
        built("Td Qd 8d 3d")
