"""Market Price: the examples on the pages of rules."""

from __future__ import annotations

import pytest

from rules.common.cards import deck
from rules.games.market_price.components import price
from rules.games.market_price.scoring import king, queen, total
from tests.rules.games.market_price.test_rules import GAME, JACKS, over, playing, stacks
from tests.rules.page_examples import Example, cards, examples, follow, led, one_deck


def of_price(example: Example) -> None:
    suit = example.lower[1]
    lower = {each[1]: "A" + each[1] for each in deck("A")} | {suit: example.lower}
    state = playing(upper=stacks(**{suit: example.upper}), lower=stacks(**lower))
    example.says(price(state, suit))


def turn(example: Example) -> None:
    begun = playing(
        *example.hands,
        shares=tuple(map(cards, example.shares)),
        upper=stacks(**example.upper),
        lower=stacks(**example.lower),
        watched=cards(example.watched),
        watch=tuple(jack for jack in JACKS if jack not in cards(example.watched)),
        round=example.round,
    )
    one_deck(sum(begun.hands + begun.shares + begun.upper + begun.lower, begun.watched), deck())
    state = led(GAME, example) if "lead" in example.given else begun
    for name in ("shares", "upper", "lower", "watched", "round"):
        assert getattr(state, name) == getattr(begun, name), name
    assert [set(hand) for hand in state.hands] == [set(hand) for hand in begun.hands]
    follow(GAME, state, example.steps)


def totals(example: Example) -> None:
    one_deck(cards(" ".join(example.shares)), deck())
    state = over(example.prices, *example.shares)
    example.says(*(of(state, example.seat) for of in (queen, king, total)))
    result = GAME.result(state)
    assert result
    assert result.winners == (0,)


KINDS = {"price": of_price, "turn": turn, "totals": totals}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
