"""Games that a player plays to the end whatever happens to the server, and checks that their logs are correct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.kernel import text
from service.log.verification.verify_record import verify
from tests.support.servers.remote import Remote

Json = dict[str, Any]
Acknowledged = dict[int, Json]
"""The actions acknowledged to the player, by event number."""


def played(
    player: Remote, game_id: str, noted: Callable[[], object] = lambda: None
) -> Acknowledged:
    """Play to the end, repeating requests without a response; returns every acknowledged action by its number.

    `noted` is called for each.
    """
    acknowledged: Acknowledged = {}
    while (game := player.asked(game_id))["status"] != "over":
        choice = len(game["legal"]) // 2
        status, told = player.answer(game, choice)
        assert status in {200, 201}, told
        assert told["number"] not in acknowledged
        acknowledged[told["number"]] = game["legal"][choice]["action"]
        noted()
    return acknowledged


def proven(player: Remote, game_id: str, acknowledged: Acknowledged) -> None:
    """Check that the record is valid and has each acknowledged action once, at its number, and no other of
    this seat.
    """
    record = player.insist("GET", f"/api/games/{game_id}/record")[1]
    verify(text(record).encode())
    seat = player.game(game_id)["seat"]
    own = {e["number"]: e["action"] for e in record["events"] if e.get("seat") == seat}
    assert own == acknowledged
