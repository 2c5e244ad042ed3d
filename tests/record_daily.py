"""The examples of openapi.yaml about daily deals."""

from __future__ import annotations

import random
from typing import Any

from rules.players.search import Effort
from service.operations.thinking.agents import Agents
from service.operations.worker.house_players import HousePlayers
from tests.support.thinking import Fixed, InTurn

Json = dict[str, Any]


def about_daily_deals(recorder: Any, player: Json, other: Json) -> None:
    """Two people play the deal of the day, one to the end."""
    services = recorder.app.extensions["tegami"]
    house = HousePlayers(services, random.Random(3), InTurn(Agents(Fixed(Effort(1)))))

    def settle() -> None:
        with recorder.app.app_context():
            while house.move_all():
                pass

    recorder.call("getDailyLines", other, day="today")
    game = recorder.call("beginDailyDeal", other, {}, day="today")
    recorder.call("beginDailyDeal", other, {}, day="today")
    game = recorder.call("beginDailyDeal", player, {}, day="today")
    while not game["result"]:
        settle()
        game = recorder.call("getGame", player, variant="daily", game_id=game["id"])
        if game["legal"]:
            answer = {"asked": game["asked"], "action": game["legal"][0]["action"]}
            recorder.call("postAction", player, answer, variant="daily", game_id=game["id"])
    recorder.call("getDailyDeal", player, day="today")
    recorder.call("getDailyLines", player, day="today")
    recorder.call("listDailyDeals", player)
