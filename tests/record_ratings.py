"""The examples of openapi.yaml about ratings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, update

from service.core.database.database import db, transaction
from service.core.models.people import Account
from service.core.models.ratings import Rating
from service.people.ratings import ratings

Json = dict[str, Any]


def about_ratings(recorder: Any, winner: Json, loser: Json) -> None:
    """Two players with accounts play a rated game; the winner wants to be on the leaderboard."""
    app = recorder.app
    with app.app_context(), transaction():
        for who in (winner, loser):
            row = {
                "player_id": who["player"]["id"],
                "handle": who["player"]["id"][2:20].lower(),
                "registered_at": 0,
            }
            db.session.execute(insert(Account).values(row))
    game = recorder.call("openGame", winner, {"ruleset": "caravan"}, variant="rated")
    recorder.call("takeSeat", loser, {}, variant="rated", game_id=game["id"])
    recorder.call("startGame", winner, variant="rated", game_id=game["id"])
    recorder.call("resign", loser, variant="rated", game_id=game["id"])
    with app.app_context():
        ratings.rate_some("caravan")
    recorder.call("changeSettings", winner, {"on_leaderboards": True}, variant="rated")
    with app.app_context(), transaction():
        sure = {"mean": 1_684_000, "deviation": 81_000, "games": 43}
        sure |= {f"seen_{name}": value for name, value in sure.items()}
        mine = update(Rating).where(Rating.who == winner["player"]["id"])
        db.session.execute(mine.values(sure))
    recorder.call("listRatings", winner)
    recorder.call("listRatedGames", winner, slug="caravan")
    recorder.call("getLeaderboard", winner, slug="caravan")
