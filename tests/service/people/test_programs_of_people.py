"""People declare that a program plays for them, and everybody sees it."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, CARAVAN, Person
from tests.support.post_office import Office, part


@pytest.fixture
def robby(app):
    """A program that declares itself."""
    made = Person(app)
    body = {"name": "Robby", "token": "robot", "program": True, "scopes": ["account", "talk"]}
    answer = made.post("/api/players", body)
    assert answer["player"]["program"] is True
    made.headers["Authorization"] = f"Bearer {answer['token']['secret']}"
    made.name, made.id = "Robby", answer["player"]["id"]
    return made


def table(cast, robby):
    """A game of Alice, Robby and Carol, in this order."""
    game_id = cast.open(BOOMERANG)
    for person in (robby, cast.carol):
        person.post(f"/api/games/{game_id}/seats", {})
    cast.alice.post(f"/api/games/{game_id}/start", {}, 200)
    return game_id


def test_a_program_is_marked_wherever_its_name_stands(cast, robby):
    game_id = table(cast, robby)
    listed = cast.carol.get("/api/games?mine=true")["games"]
    assert listed[0]["names"] == ["Alice", "Robby (program)", "Carol"]
    game = cast.carol.game(game_id)
    shown = [each["program"] for each in game["seats"]]
    assert shown == [None, {"level": None, "version": None, "words": "program"}, None]
    assert game["seats"][1]["name"] == "Robby" and not game["seats"][1]["house"]
    for person in (cast.alice, robby):
        person.answer(person.game(game_id), {"type": "pass"})
    events = cast.carol.get(f"/api/games/{game_id}/events")["events"]
    lines = [line["words"] for event in events for line in event["lines"]]
    assert "Robby passes." in lines and "Alice passes." in lines
    history = cast.carol.send("GET", f"/plain/games/{game_id}/history").get_data(as_text=True)
    assert history.count("Robby (program)") == 1, "a history says it once, not with every name"
    japanese = cast.carol.game(game_id, headers={"Accept-Language": "ja"})
    assert japanese["seats"][1]["program"]["words"] == "プログラム"


@pytest.mark.both_databases
def test_it_can_be_said_and_taken_back_at_any_time(cast, robby):
    game_id = table(cast, robby)
    before = cast.carol.game(game_id)["revision"]
    answer = robby.send("PATCH", "/api/me", json={"program": False})
    assert answer.json["player"]["program"] is False
    now = cast.carol.game(game_id)
    assert now["revision"] > before and now["seats"][1]["program"] is None
    assert cast.alice.get("/api/me")["player"]["program"] is False
    cast.alice.send("PATCH", "/api/me", json={"program": True})
    assert cast.carol.game(game_id)["seats"][0]["program"]["words"] == "program"
    for wrong in ("yes", 1, None):
        robby.refused("PATCH", "/api/me", "invalid-body", {"program": wrong})


def test_a_program_of_a_person_is_no_house_player(cast, robby):
    """It brings a nonce, is waited for, and gives up its seat as a person does."""
    game_id = table(cast, robby)
    seat = cast.carol.game(game_id)["seats"][1]
    assert seat["nonce_missing"] and not seat["house"]
    robby.post(f"/api/games/{game_id}/resignation", {}, 200)
    after = cast.carol.game(game_id)["seats"][1]
    assert after["house"] and after["program"]["level"] == "normal"


def test_what_a_program_says_is_marked(cast, robby):
    game_id = cast.start(BOOMERANG)
    body = {"channel": "spectators", "text": "I watch"}
    said = robby.post(f"/api/games/{game_id}/messages", body)
    assert (said["name"], said["program"]) == ("Robby", True)
    talk = f"/api/games/{game_id}/messages?channel=spectators"
    assert [each["program"] for each in cast.mallory.get(talk)["messages"]] == [True]
    page = cast.mallory.send("GET", f"/plain/games/{game_id}/talk").get_data(as_text=True)
    assert "Robby (program)" in page
    robby.send("PATCH", "/api/me", json={"program": False})
    assert [each["program"] for each in cast.mallory.get(talk)["messages"]] == [False]


def test_invitations_of_and_to_a_program_are_marked(app, cast, robby):
    office = Office(app)
    office.address(robby, cast.carol, cast.alice)
    game_id = robby.post("/api/games", {"ruleset": CARAVAN})["id"]
    body = {"address": "carol@example.org", "language": "en"}
    robby.post(f"/api/games/{game_id}/invitations", body)
    (mail,) = office.deliver()
    assert "Robby (program)" in mail["Subject"]
    assert [each["by"] for each in cast.carol.get("/api/me/invitations")["invitations"]] == [
        "Robby (program)"
    ]
    assert "Robby (program)" in cast.carol.send("GET", "/plain").get_data(as_text=True)
    second = cast.alice.post("/api/games", {"ruleset": CARAVAN, "start": "full", "nonce": None})
    robby.post(f"/api/games/{second['id']}/seats", {})
    cast.alice.post(f"/api/games/{second['id']}/resignation", {}, 200)
    again = cast.alice.post(f"/api/games/{second['id']}/rematch", {"nonce": None})
    (invited,) = cast.alice.get(f"/api/games/{again['id']}/invitations")["invitations"]
    assert invited["name"] == "Robby (program)"
    (mine,) = robby.get("/api/me/invitations")["invitations"]
    robby.delete(f"/api/me/invitations/{mine['id']}")
    assert any("Robby (program)" in part(each) for each in office.deliver())
