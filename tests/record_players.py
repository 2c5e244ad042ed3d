"""The examples of openapi.yaml about pages of players."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update

from service.core.database.database import db, transaction
from service.core.models.people import Account
from service.operations.worker.ratings import PlayedGames
from service.people.ratings import ratings
from tests.record_ratings import about_ratings

Json = dict[str, Any]
GAMES = 3
START = 1_795_255_200_000


def about_players(recorder: Any, winner: Json, loser: Json) -> None:
    """Two players with accounts play a rated game, and then some more."""
    about_ratings(recorder, winner, loser)
    for _ in range(GAMES - 1):
        game = recorder.call("openGame", winner, {"ruleset": "caravan"}, variant="more")
        seats = recorder.call("takeSeat", loser, {}, variant="more", game_id=game["id"])["seats"]
        recorder.call("startGame", winner, variant="more", game_id=game["id"])
        recorder.call("resign", loser, variant="more", game_id=game["id"])
    with recorder.app.app_context():
        ratings.rate_some("caravan")
        while PlayedGames(recorder.app.extensions["tegami"]).count_some():
            pass
    with recorder.app.app_context(), transaction():
        for who, name in ((winner, "mika"), (loser, "sora")):
            account = update(Account).where(Account.player_id == who["player"]["id"])
            address = f"{name}@example.org"
            db.session.execute(account.values(address=address, registered_at=START))
    handle = {"handle": winner["player"]["id"][2:20].lower()}
    recorder.call("getPlayer", loser, **handle)
    recorder.call("makeFollow", loser, handle, variant="page")
    recorder.keep("makeFollow-page-request", handle)
    recorder.call("listGamesOfPlayer", loser, **handle)
    recorder.call("listRatedGamesOfPlayer", loser, **handle, slug="caravan")
    tenure = next(each["tenure"] for each in seats if not each["you"])
    recorder.call("getPlayerOfSeat", loser, game_id=game["id"], tenure_id=tenure)
    recorder.call("listRatingsOfPlayer", loser, game_id=game["id"], tenure_id=tenure)
