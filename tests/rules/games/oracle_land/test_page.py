"""The Land of Oracles: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.oracle_land import tricks
from rules.games.oracle_land.components import PACK, STOCK, counted
from rules.games.oracle_land.phases import Blessing, Playing
from rules.games.oracle_land.scoring import fulfilled
from tests.rules.games.oracle_land.positions import GAME, at, face, hands, play
from tests.rules.page_examples import (
    LANGUAGES,
    Example,
    cards,
    drawn,
    examples,
    follow,
    led,
    one_deck,
    rows,
)
from tests.rules.playouts import moved


def bids(example: Example) -> None:
    assert cards(example.cards) in GAME.initial(example.players, {}).unscored  # type: ignore[attr-defined]


def number(example: Example) -> None:
    for text, value in example.faces.items():
        assert tricks.number(face(text)) == value
        assert (tricks.suit_of(face(text)) is None) == example.suitless
        legal = GAME.legal(at(Playing, hands=hands(example.card, "2d", "2c")), 0)
        joker = {"+": "plus", "-": "minus"}.get(text[2:3])
        way = {"card": text[:2], "joker": joker, "sideways": text.endswith("s")}
        assert {"type": "play", **way} in legal


def turn(example: Example) -> None:
    state = led(GAME, example)
    assert state.hands == hands(*example.hands)
    assert state.secrets == tuple((card,) for card in example.secrets)
    follow(GAME, state, example.steps)


def may(example: Example) -> None:
    one_deck((*cards(example.hand), example.led), PACK)
    state = play(at(Playing, hands=hands(f"{example.led} 3d", example.hand, "3c")), example.led)
    assert {action["card"] for action in GAME.legal(state, 1)} == set(example.given["cards"])


def trick(example: Example) -> None:
    faces = [face(text) for text in example.faces]
    one_deck([text[:2] for text in example.faces], PACK)
    won, lost = tricks.outcome(faces)
    assert (example.faces[won][:2], example.faces[lost][:2]) == (example.winner, example.loser)
    found = rows(GAME, *example.get("drawn", [" ".join(example.faces)]))
    assert len(found) == (len(LANGUAGES) if "line" in example.given else 0)
    for _, (_, says) in found:
        said = drawn(says)
        assert not said or (said[0], said[-1]) == (example.winner, example.loser)


def won(example: Example) -> None:
    """Seat 0 leads and wins; does its printed number cover a card, and does it count for its suit?"""
    state: Any = at(Playing, hands=hands(*(text[:2] + " 8d" for text in example.faces)))
    state = play(state, *example.faces)
    state = moved(GAME, state, state.loser, "bonus", card="9h")
    waits_to_erase = GAME.turn(state).waiting == (0,) and GAME.legal(state, 0)[0]["type"] == "erase"
    assert waits_to_erase == example.erases
    assert (example.card in state.rows[0]) == (not example.erases)


def counts(example: Example) -> None:
    one_deck((*cards(example.row), example.secret), (*PACK, *STOCK))
    state = at(
        Blessing,
        rows=(cards(example.row), (), ()),
        secrets=((example.secret,), ("3d",), ("5d",)),
        most=((example.most,), None, None),
        least=((example.least,), None, None),
        opened=True,
        blessed=example.suit,
    )
    assert list(counted(state, 0)) == example.counts
    assert list(fulfilled(state, 0)) == example.scored
    example.says(*set(example.counts))


KINDS = {
    "bids": bids,
    "number": number,
    "turn": turn,
    "may": may,
    "trick": trick,
    "won": won,
    "counts": counts,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
