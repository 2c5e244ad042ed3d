"""The examples of openapi.yaml about follows and circles."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, update

from service.core.database.database import db, transaction
from service.core.models.circles import Series
from service.core.models.people import Account
from service.operations.worker.deadlines import SeriesRounds

Json = dict[str, Any]


def about_follows(recorder: Any, ana: Json, ben: Json) -> None:
    """Two players who have played together follow each other, and one invites the other to a table."""
    with_addresses(recorder, ana, ben)
    game = recorder.call("openGame", ana, {"ruleset": "caravan"}, variant="followed")
    at = {"game_id": game["id"]}
    seats = recorder.call("takeSeat", ben, {}, variant="followed", **at)["seats"]
    recorder.call("startGame", ana, variant="followed", **at)
    whom = {"game": game["id"], "tenure": next(each["tenure"] for each in seats if not each["you"])}
    recorder.call("makeFollow", ben, whom, variant="back")
    whom["tenure"] = next(each["tenure"] for each in seats if each["you"])
    for _ in range(2):
        follow = recorder.call("makeFollow", ana, whom)
    recorder.call("listFollows", ana)
    recorder.call("listFollowers", ana)
    table = recorder.call("openGame", ana, {"ruleset": "caravan"}, variant="invites")
    invited = {"follow": follow["id"]}
    recorder.call("makeInvitation", ana, invited, variant="follow", game_id=table["id"])
    recorder.keep("makeInvitation-follow-request", invited)


def about_circles(recorder: Any, ana: Json, ben: Json) -> None:
    """A circle is founded, joined, played in, changed, handed over and ended."""
    circle = recorder.call(
        "foundCircle", ana, {"name": "Monday club", "about": "Everybody is welcome."}
    )
    at, key = {"circle_id": circle["id"]}, {"Invitation": circle["link"]["key"]}
    recorder.call("getCircleInvitation", ben, headers=key, **at)
    for _ in range(2):
        joined = recorder.call("joinCircle", ben, headers=key, **at)
    recorder.call("listCircles", ben)
    talk_in(recorder, ana, ben, at)
    game = recorder.call("openCircleGame", ana, {"ruleset": "caravan"}, **at)
    recorder.call("takeSeat", ben, {}, variant="circle", game_id=game["id"])
    recorder.call("startGame", ana, variant="circle", game_id=game["id"])
    recorder.call("resign", ben, variant="circle", game_id=game["id"])
    recorder.call("listCircleGames", ben, **at)
    recorder.call("listCircleResults", ben, **at)
    table = {"ruleset": "caravan", "pace": "relaxed"}
    weekly = {"weekday": 1, "time": "20:00", "time_zone": "Europe/Berlin", "table": table}
    recorder.call("addWeeklyTable", ana, weekly, **at)
    recorder.call("getCircle", ben, **at)
    about_series(recorder, ana, ben, at)
    recorder.call("changeCircle", ana, {"about": None}, **at)
    recorder.call("changeCircle", ben, {"name": "Ben's"}, variant="member", **at)
    recorder.call("changeCircleLink", ana, **at)
    recorder.call("handCircleOver", ana, {"member": joined["member"]}, **at)


def about_series(recorder: Any, ana: Json, ben: Json, at: Json) -> None:
    """A series of a circle is opened, joined, and begins; another one is ended."""
    table = {"ruleset": "caravan", "pace": "daily"}
    terms = {"name": "Autumn league", "table": table, "starts_in": 1, "round_days": 7}
    one = {"series_id": recorder.call("openSeries", ana, terms, **at)["id"]}
    for who in (ana, ben, ben):
        recorder.call("joinSeries", who, {"at_once": 2}, **one)
    with recorder.app.app_context():
        with transaction():
            db.session.execute(
                update(Series).values(ends_at=recorder.clock.at, look_at=recorder.clock.at)
            )
        worker = SeriesRounds(recorder.app.extensions["tegami"])
        while worker.step():
            pass
    recorder.call("getSeries", ben, **one)
    recorder.call("listSeries", ben)
    feed = recorder.call("makeFeed", ben, {"label": "series"}, variant="series")["feed"]
    recorder.call("getSeriesFeed", secret=feed["turns"].split("/")[-2], **one)
    recorder.call("leaveSeries", ben, **one)
    recorder.call("endSeries", ana, **one)


def talk_in(recorder: Any, ana: Json, ben: Json, at: Json) -> None:
    """Members of a circle talk."""
    said = {"text": "Who plays tonight?", "once": "00112233445566778899aabbccddeeff"}
    for _ in range(2):
        recorder.call("postCircleMessage", ana, said, **at)
    message = recorder.call("listCircleMessages", ben, **at)["messages"][0]
    recorder.call("putCircleMark", ben, {"number": message["number"]}, **at)
    why = {"why": "This is spam."}
    recorder.call("reportCircleMessage", ben, why, message_id=message["id"], **at)


def with_addresses(recorder: Any, *people: Json) -> None:
    """Let these guests have accounts with verified addresses."""
    with recorder.app.app_context(), transaction():
        for who in people:
            handle = who["player"]["id"][2:20].lower()
            row = {"player_id": who["player"]["id"], "handle": handle, "registered_at": 0}
            row |= {"address": f"{handle}@example.org", "folded": f"{handle}@example.org"}
            db.session.execute(insert(Account).values(row))
