"""The descriptions of operations, as far as no test of their rooms holds them."""

from __future__ import annotations

from tests.service.tables.clocks.test_vacations import plan
from tests.support.accounts import Bag, register
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.clock import HOUR

DAY = 24 * HOUR

pytestmark = sqlite_only


def test_whoever_is_signed_in_makes_another_player_and_stays(cast):
    before = cast.alice.get("/api/me")
    made = cast.alice.post("/api/players", {"name": "Aki", "token": "bot"})
    assert made["player"]["id"] != cast.alice.id
    assert cast.alice.get("/api/me") == before


def test_checks_are_made_in_the_order_that_the_document_says(cast):
    """Each request is also wrong in everything that is checked after the reason for which it is refused."""
    wrong = {"asked": 999, "action": {"type": "fly"}}
    game_id = cast.open(BOOMERANG)
    path = f"/api/games/{game_id}/actions"
    cast.mallory.refused("POST", path, "not-seated", wrong)
    cast.alice.refused("POST", path, "not-running", wrong)
    game_id = cast.start(BOOMERANG)
    path = f"/api/games/{game_id}/actions"
    cast.mallory.refused("POST", path, "not-seated", wrong)
    asked = cast.alice.game(game_id)["asked"]
    cast.alice.refused("POST", path, "stale", wrong)
    cast.alice.refused("POST", path, "illegal-action", {**wrong, "asked": asked})
    first = cast.alice.game(game_id)["legal"][0]["action"]
    cast.alice.post(path, {"asked": asked, "action": first})
    cast.alice.refused("POST", path, "other-answer", {**wrong, "asked": asked})
    cast.alice.post(path, {"asked": asked, "action": first}, 200)


def test_people_on_vacation_are_not_nudged(cast, clock):
    vacation = plan(cast.alice, "2026-11-23", "2026-11-24")
    clock.forward(DAY + 5 * HOUR)
    game_id = cast.start(BOOMERANG)
    clock.forward(DAY + HOUR)
    path = f"/api/games/{game_id}/nudge"
    refused = cast.bob.refused("POST", path, "too-early")
    assert refused["nudge_from"] == vacation["ends_at"]
    clock.forward(DAY + 9 * HOUR)
    cast.bob.post(path, status=202)


def test_a_nudge_is_answered_alike_whoever_gets_mails(app, cast, clock):
    register(Bag(app), cast.alice, "alice")
    answers = []
    for _ in range(2):
        game_id = cast.start(BOOMERANG)
        clock.forward(DAY)
        answers.append(cast.bob.post(f"/api/games/{game_id}/nudge", status=202))
        cast.alice.send("PATCH", "/api/me/settings", json={"unwanted": ["nudge"]})
    assert answers[0] == answers[1]


def test_the_list_of_rulesets_leaves_out_what_each_has_by_itself(cast):
    for listed in cast.nobody.get("/api/rulesets")["rulesets"]:
        assert listed.keys().isdisjoint({"options", "actions", "vocabulary"})
        alone = cast.nobody.get(f"/api/rulesets/{listed['slug']}")
        assert {"options", "actions", "vocabulary"} <= alone.keys()
        assert {name: alone[name] for name in listed} == listed
