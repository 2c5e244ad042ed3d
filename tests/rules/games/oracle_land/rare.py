"""Rare states of The Land of Oracles, for each of which a game is stored."""

from __future__ import annotations

from typing import Any

from rules.games.oracle_land.scoring import fulfilled
from tests.rules.rare_states import Rare


def covers_a_four(state: Any) -> bool:
    """Whether a 4 lies on a secret card that is a 4 itself."""
    pairs = zip(state.sealing, state.secrets, strict=True)
    return any(on and under[0].startswith("4") for on, under in pairs)


def would_matter(state: Any) -> bool:
    """Whether the player with the joker would choose another suit if their covered secret card counted."""
    seat = state.leader
    if state.phase != "blessing" or not state.sealing[seat]:
        return False
    bare = state.change(sealing=((),) * state.players)
    made = [
        [len(fulfilled(each.change(blessed=suit), seat)) for suit in "shdc"]
        for each in (state, bare)
    ]
    first = [each.index(max(each)) for each in made]
    return first[0] != first[1]


RARE = {
    "secret-four-covered": Rare(covers_a_four, {"players": 3}),
    "covered-secret-would-matter": Rare(would_matter, {"players": 3, "oborozuki": False}),
}
