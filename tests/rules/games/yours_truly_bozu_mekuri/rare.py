"""Rare states of Yours truly, Bozu-mekuri, for each of which a game is stored."""

from __future__ import annotations

from typing import Any

from rules.games.yours_truly_bozu_mekuri.components import head, rows_for, total
from rules.games.yours_truly_bozu_mekuri.settlement import value
from tests.rules.playouts import Habits
from tests.rules.rare_states import Rare


def can_only_burst(state: Any) -> bool:
    """In the last round, every card of the acting seat is too high for the rows; most cards of the others are not."""
    came = state.phase == "acting" and any(line["line"] == "turn" for line in state.told)
    if not came or state.last is None or not state.hands[state.active]:
        return False
    others = [card for n, hand in enumerate(state.hands) if n != state.active for card in hand]
    own = state.hands[state.active]
    return all(bursts(state, card) for card in own) and not all(bursts(state, c) for c in others)


def bursts(state: Any, card: str) -> bool:
    """Whether a card makes every row too high in which it can be laid."""
    rows = rows_for(state, card)
    return all(total(state, row) + value(card) > head(state, row) + 1 for row in rows)


RARE = {"last-round-can-only-burst": Rare(can_only_burst, {}, Habits(avoided={"play"}))}
