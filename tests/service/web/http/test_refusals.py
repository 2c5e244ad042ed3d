"""Refusals say what is wrong: with an action, an option, a proposal, and whether an invitation could help."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only

pytestmark = sqlite_only

JAPANESE = {"Accept-Language": "ja"}


def illegal(person, game, action):
    body = {"asked": game["asked"], "action": action}
    return person.refused("POST", f"/api/games/{game['id']}/actions", "illegal-action", body)


def test_an_extra_field_of_an_action_is_named(cast):
    person, game = cast.asked(cast.start(CARAVAN))
    action = {**game["legal"][0]["action"], "colour": "red"}
    problem = illegal(person, game, action)
    assert problem["why"] == {"wrong": "colour", "may": []}
    assert problem["detail"] == "An action of this type has no `colour` now."


def test_a_wrong_value_is_told_with_the_possible_ones(cast):
    person, game = cast.asked(cast.start(CARAVAN))
    action = game["legal"][0]["action"]
    name = next(name for name in action if name != "type")
    for wrong in ({**action, name: "Xx"}, {"type": action["type"]}):
        problem = illegal(person, game, wrong)
        assert problem["why"]["wrong"] == name and action[name] in problem["why"]["may"]
        assert f"`{name}` is missing or cannot have this value" in problem["detail"]


def test_what_is_refused_before_the_end_is_not_said_to_be_about_the_record(cast):
    game = f"/api/games/{cast.start(CARAVAN)}"
    for method, path in (("POST", "rematch"), ("GET", "deals"), ("GET", "views/2?show=all")):
        problem = cast.alice.refused(method, f"{game}/{path}", "not-over")
        assert problem["detail"] == "This can be done only once the game is over."


def test_whose_turn_it_is_is_told(cast):
    game_id = cast.start(CARAVAN)
    asked, game = cast.asked(game_id)
    while len(cast.alice.game(game_id)["waiting"]) > 1:  # both choose at the same time
        asked.answer(game)
        asked, game = cast.asked(game_id)
    other = cast.bob if asked is cast.alice else cast.alice
    shown = other.game(game_id)
    problem = illegal(other, shown, {"type": "pass"})
    assert problem["why"] == {"wrong": "seat", "may": [game["seat"]]}
    assert problem["detail"] == f"It is not your turn. Waiting for: {asked.name}."


@pytest.mark.parametrize(
    ("options", "wrong"),
    [({"joker": "three"}, "joker"), ({"jokers": 1}, "jokers")],
)
def test_the_wrong_option_is_named(cast, options, wrong):
    wish = {"ruleset": CARAVAN, "options": options}
    problem = cast.alice.refused("POST", "/api/games", "invalid-options", wish)
    assert problem["wrong"] == wrong
    assert f"`{wrong}`" in problem["detail"]


def test_why_something_is_not_possible_is_told(cast):
    game_id = cast.start(BOOMERANG)
    path = f"/api/games/{game_id}/proposals"

    def why(person, method, path, body=None):
        problem = person.refused(method, path, "not-possible", body)
        assert problem["detail"] != "Check the current state of the table."
        return problem["why"]

    assert why(cast.alice, "POST", path, {"kind": "resume"}) == "not-paused"
    assert why(cast.alice, "POST", path, {"kind": "extend", "seconds": 60}) == "no-clock"
    made = cast.alice.post(path, {"kind": "pause", "seconds": 60})["proposals"][0]["id"]
    assert why(cast.bob, "DELETE", f"{path}/{made}") == "not-your-proposal"
    vote = f"{path}/{made}/votes"
    assert why(cast.alice, "POST", vote, {"agrees": True}) == "own-proposal"
    for person in (cast.bob, cast.carol):
        person.post(vote, {"agrees": True}, 200)
    assert why(cast.carol, "POST", vote, {"agrees": True}) == "decided"
    assert why(cast.alice, "POST", path, {"kind": "pause", "seconds": 60}) == "paused"
    assert why(cast.alice, "POST", f"/api/games/{game_id}/return") == "no-seat-to-take-back"
    assert why(cast.alice, "POST", f"/api/games/{cast.open()}/invitation-key") == "not-private"
    body = {"kind": "substitute", "seat": 0}
    assert why(cast.mallory, "POST", path, body) == "not-to-be-taken-over"


def test_only_where_an_invitation_could_help_is_it_spoken_of(cast):
    private = cast.open(private=True)
    missing = "g_0123456789abcdefABCDEF"
    told = [
        cast.mallory.refused("GET", f"/api/games/{each}", "not-found")["detail"]
        for each in (private, missing)
    ]
    assert told[0] == told[1]
    assert "invitation" in told[0]
    for method, path in (
        ("GET", "/api/rulesets/whist"),
        ("DELETE", "/api/me/tokens/k_0123456789abcdefABCDEF"),
        ("DELETE", "/api/me/vacations/v_0123456789abcdefABCDEF"),
        ("DELETE", f"/api/games/{cast.open()}/seats/t_0123456789abcdefABCDEF"),
    ):
        assert "invitation" not in cast.alice.refused(method, path, "not-found")["detail"]
    assert "invitation" not in cast.alice.refused("GET", "/api/unknown", "unknown-path")["detail"]
