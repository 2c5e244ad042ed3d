"""Impossible games and illegal actions: each gets a problem with its own type, and nothing is changed."""

from __future__ import annotations

import json

import pytest

from service.web.http.bodies.fields import MAX_EVENT_NUMBER
from tests.support.cast import BOOMERANG, CARAVAN, refused, sqlite_only

NUL = "a\x00b"


def nested(depth):
    return json.loads("[" * depth + "]" * depth)


PLAYERS = (
    {"ruleset": CARAVAN, "players": 3},
    {"ruleset": BOOMERANG, "players": 2},
    {"ruleset": BOOMERANG, "players": 100},
    {"ruleset": BOOMERANG, "house": 3},
    {"ruleset": CARAVAN, "players": 2, "house": 2},
)
OPTIONS = (
    {"joker": "two"},
    {"joker": None},
    {"joker": True},
    {"joker": ["none"]},
    {"joker": {"none": 1}},
    {"joker": 1e308},
    {"Joker": "none"},
    {"joker": "none", "more": 1},
    {"": "none"},
    {NUL: NUL},
    {"joker": "x" * 50_000},
    {"joker": 2**64},
    {"joker": nested(500)},
)
ACTIONS = (
    {"type": "fly"},
    {"type": ""},
    {"type": NUL},
    {"type": "open"},
    {"type": "open", "cards": None},
    {"type": "open", "cards": []},
    {"type": "open", "cards": {}},
    {"type": "open", "cards": "As2s3s"},
    {"type": "open", "cards": [[], {}, None]},
    {"type": "open", "cards": nested(500)},
    {"type": "open", "cards": ["As"] * 5000},
    {"type": "open", "cards": [2**63, -(2**63), 1e308]},
    {"type": "open", "cards": ["As", "2s", "3s"], "more": nested(500)},
    {"type": "__init__"},
    {"type": "reveal"},
    {"type": "é" * 1000},
)
NOT_ACTIONS = ({}, {"cards": []}, {"type": None}, {"type": 1}, {"type": ["open"]})
NOT_QUESTIONS = (-1, MAX_EVENT_NUMBER + 1, 2**63, 2**64, 1.5, "3", True, None, 1e19)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
def test_an_unknown_ruleset(cast):
    for slug in ("chess", "caravan2", "kernel", "cards", "rules", "car-avan"):
        problem = cast.alice.refused("POST", "/api/games", "unknown-ruleset", {"ruleset": slug})
        assert {BOOMERANG, CARAVAN} <= set(problem["may"])


@pytest.mark.usefixtures("unchanged")
@sqlite_only
def test_a_wrong_number_of_players(cast):
    for wish in PLAYERS:
        problem = cast.alice.refused("POST", "/api/games", "invalid-players", wish)
        assert problem["may"] == ([2] if wish["ruleset"] == CARAVAN else [3])


@pytest.mark.usefixtures("unchanged")
def test_an_unknown_option(cast):
    for options in OPTIONS:
        wish = json.dumps({"ruleset": CARAVAN, "options": options})
        problem = refused(cast.alice, "POST", "/api/games", "invalid-options", wish)
        assert problem["may"]["properties"].keys() == {"joker"}
        wish = json.dumps({"ruleset": BOOMERANG, "options": options})
        problem = refused(cast.alice, "POST", "/api/games", "invalid-options", wish)
        assert problem["may"]["properties"] == {}


@pytest.mark.usefixtures("unchanged")
def test_an_illegal_action(cast, game_id):
    game, path = cast.alice.game(game_id), f"/api/games/{game_id}/actions"
    for action in ACTIONS:
        data = json.dumps({"asked": game["asked"], "action": action})
        problem = refused(cast.alice, "POST", path, "illegal-action", data)
        assert problem["why"]["wrong"] in {"type", "cards"}
        assert problem["legal"] == game["legal"]


@pytest.mark.usefixtures("unchanged")
@sqlite_only
def test_an_action_has_a_type(cast, game_id):
    asked, path = cast.alice.game(game_id)["asked"], f"/api/games/{game_id}/actions"
    for action in NOT_ACTIONS:
        body = {"asked": asked, "action": action}
        problem = cast.alice.refused("POST", path, "invalid-body", body)
        assert list(problem["errors"]) == ["action"]


@pytest.mark.both_databases
@pytest.mark.usefixtures("unchanged")
def test_a_question_is_a_number(cast, game_id):
    for asked in NOT_QUESTIONS:
        data = json.dumps({"asked": asked, "action": {"type": "open"}})
        path = f"/api/games/{game_id}/actions"
        problem = refused(cast.alice, "POST", path, "invalid-body", data)
        assert list(problem["errors"]) == ["asked"]


@pytest.mark.usefixtures("unchanged")
@sqlite_only
def test_a_player_without_a_seat_learns_nothing(cast, game_id):
    body = {"asked": cast.alice.game(game_id)["asked"], "action": {"type": "open"}}
    problem = cast.carol.refused("POST", f"/api/games/{game_id}/actions", "not-seated", body)
    assert problem.keys() == {"type", "title", "status", "detail", "request_id"}
