"""Rare states of Joretsu, for each of which a game is stored."""

from __future__ import annotations

from typing import Any

from tests.rules.rare_states import Rare


def is_tied(state: Any) -> bool:
    """Whether two seats have the highest score, so that cards are compared."""
    return state.phase == "over" and state.scores().count(max(state.scores())) > 1


RARE = {"tied": Rare(is_tied, {})}
