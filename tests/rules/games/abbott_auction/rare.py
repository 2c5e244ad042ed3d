"""Rare states of Auction (Abbott), for each of which a game is stored."""

from __future__ import annotations

from rules.common.cards import JOKER
from tests.rules.playouts import Habits
from tests.rules.rare_states import Rare

RARE = {
    "stock-of-jokers": Rare(
        lambda state: state.phase == "bidding" and set(state.stock) == {JOKER},
        {"players": 3, "max_deals": 4},
        Habits(avoided={"declare"}, last={JOKER}, patient=True),
    ),
}
