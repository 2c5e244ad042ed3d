"""Positions of any ruleset as the API tells them, without a database: for tests of what is drawn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from rules.kernel import Ruleset, State
from service.answers import GameAnswer, Viewer
from service.table import Table


class Row(SimpleNamespace):
    """A row of which every column that is not given is empty."""

    def __getattr__(self, name: str) -> None:
        return None


NAMES = ["Alice", "Bob", "Carol", "みなも", "Eve", "Frank", "Gen", "Hana", "Ivy", "Jo"]


def answer(
    ruleset: Ruleset, state: State, viewer: int | None, language: str, **more: Any
) -> GameAnswer:
    """The position as a seat or a spectator is told of it; `more` are values of the game's row."""
    row = {
        "id": "g_0000000000000000000000",
        "key": 1,
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "players": state.players,
        "options": {},
        "status": "running",
        "private": False,
        "seating": "order",
        "start": "host",
        "number": 3,
        "revision": 1,
        "head": None,
        "seed": bytes(32),
        "nonces": [],
        "result": None,
        "created_at": 0,
        "started_at": 0,
        "ended_at": None,
    }
    table: Any = Table(Row(**row | more), people(ruleset, state))
    player = None if viewer is None else f"p{viewer}"
    return GameAnswer(table, state, Viewer(player, language, 2))


def people(ruleset: Ruleset, state: State) -> tuple[Any, ...]:
    """The rows of those who sit there."""
    waiting = ruleset.turn(state).waiting
    return tuple(
        Row(
            tenure=f"t{seat}",
            player_id=f"p{seat}",
            place=seat + 1,
            seat=seat,
            nonce=None,
            name=NAMES[seat],
            asked=3,
            waiting=seat in waiting,
            since=0,
        )
        for seat in range(state.players)
    )
