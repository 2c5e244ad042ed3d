"""The export: everything about a player, and no secret."""

from __future__ import annotations

import json

import pytest

from service.outbox import unsubscriptions
from service.outbox.unsubscriptions import MailToPlayer
from tests.support.accounts import PASSWORD, Bag, register
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import execute

pytestmark = pytest.mark.both_databases


@pytest.fixture
def bag(app):
    return Bag(app)


def export(person):
    answer = person.send("GET", "/api/me/export")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="tegami.json"'
    return answer.json


def test_the_export_holds_everything_and_no_secret(app, cast, bag):
    register(bag, cast.alice, "alice")
    game_id = cast.start()
    cast.alice.post("/api/me/vacations", {"first": "2026-12-01", "last": "2026-12-02"})
    cast.alice.send("PATCH", "/api/me/settings", json={"time_zone": "Asia/Tokyo"})
    token = cast.alice.post("/api/me/tokens", {"label": "robot"})["token"]["secret"]
    told = export(cast.alice)
    assert told["format"] == "tegami-export/1"
    assert (told["player"]["handle"], told["player"]["address"]) == ("alice", "alice@example.org")
    assert told["settings"]["time_zone"] == "Asia/Tokyo"
    (away,) = told["vacations"]
    assert away == {"first": "2026-12-01", "last": "2026-12-02", "answers": "all"}
    assert [each["label"] for each in told["tokens"]] == ["robot"]
    (game,) = told["games"]
    assert (game["id"], game["seat"], game["status"]) == (game_id, 0, "running")
    assert game["tenure"] == cast.alice.game(game_id)["tenure"]
    (kept,) = execute(app, "SELECT password FROM accounts")
    for secret in (token, cast.alice.key, kept.password, PASSWORD):
        assert secret not in json.dumps(told)
    assert cast.carol.id not in json.dumps(told)


@sqlite_only
def test_the_export_holds_invitations_proposals_and_votes(cast, bag):
    register(bag, cast.alice, "alice")
    open_id, game_id = cast.open(CARAVAN), cast.start(pace="daily")
    cast.alice.post(f"/api/games/{open_id}/invitations", {"address": "dora@example.org"})
    cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "pause", "seconds": 60})
    asked = cast.bob.post(f"/api/games/{game_id}/proposals", {"kind": "extend", "seconds": 60})
    (proposal,) = [each for each in asked["proposals"] if each["kind"] == "extend"]
    path = f"/api/games/{game_id}/proposals/{proposal['id']}/votes"
    cast.alice.post(path, {"agrees": False}, 200)
    told = export(cast.alice)
    (invitation,), (proposed,), (vote,) = (
        told[name] for name in ("invitations", "proposals", "votes")
    )
    assert (invitation["game"], invitation["address"]) == (open_id, "dora@example.org")
    assert (proposed["game"], proposed["kind"], proposed["status"]) == (game_id, "pause", "open")
    assert (vote["game"], vote["kind"], vote["agrees"]) == (game_id, "extend", False)
    assert export(cast.bob)["invitations"] == []


@sqlite_only
def test_the_export_holds_mails_turned_off_for_one_game(app, cast, runtime):
    game_id = cast.start()
    with app.app_context():
        mail = MailToPlayer(cast.alice.id, "turn", game_id)
        unsubscriptions.follow_link(runtime, mail, "game", exactly=True)
    (stopped,) = export(cast.alice)["stopped"]
    assert (stopped["game"], stopped["kind"]) == (game_id, "")


@sqlite_only
def test_the_export_holds_every_table_where_the_player_sat(cast):
    kept, left = cast.open(CARAVAN), cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{left}/resignation", status=200)
    told = export(cast.alice)["games"]
    assert {game["id"] for game in told} == {kept, left}
