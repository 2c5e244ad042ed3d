"""Previews: what a move will change, before it is played, for those who may know it and at no cost to others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.web.app import create_app
from service.web.http.limits.rate_limits import LIMITS
from tests.contract import CheckedClient
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.dump import dump
from tests.support.servers.databases import disconnect


def preview(person, game, action=None, status=200):
    body = {"asked": game["asked"], "action": action or game["legal"][0]["action"]}
    return person.post(f"/api/games/{game['id']}/preview", body, status)


def legal(game, kind):
    return next(each["action"] for each in game["legal"] if each["action"]["type"] == kind)


def shown(game, name, **about):
    return [
        each
        for each in (*game["view"]["facts"], *game["view"]["zones"])
        if each["name"] == name and about.items() <= each.items()
    ]


def test_it_says_what_will_change_and_that_comes_true(cast):
    game = cast.alice.game(cast.start())
    bid = legal(game, "bid")
    said = preview(cast.alice, game, bid)
    assert said["zones"]
    after = cast.alice.answer(game, bid)["game"]
    for each in (*said["zones"], *said["facts"]):
        name = (each["after"] or each["before"])["name"]
        assert each["before"] is None or each["before"] in shown(game, name)
        assert each["after"] is None or each["after"] in shown(after, name)
        assert each["before"] != each["after"]


@pytest.mark.both_databases
def test_nothing_is_played_kept_or_mailed(app, cast):
    game = cast.alice.game(cast.start())
    stored = dump(app)
    for each in game["legal"]:
        preview(cast.alice, game, each["action"])
    assert dump(app) == stored


def test_it_speaks_the_language_of_the_caller(cast):
    game = cast.alice.game(cast.start())
    body = {"asked": game["asked"], "action": legal(game, "bid")}
    path, headers = f"/api/games/{game['id']}/preview", {"Accept-Language": "ja"}
    said = cast.alice.post(path, body, 200, headers=headers)
    english = cast.alice.post(path, body, 200)
    assert [each["after"] and each["after"]["words"] for each in said["zones"]] != [
        each["after"] and each["after"]["words"] for each in english["zones"]
    ]


def test_it_is_refused_like_the_action(app, cast):
    """Each request is also wrong in everything that is checked after the reason for which it is refused."""
    wrong = {"asked": 999, "action": {"type": "fly"}}
    path = f"/api/games/{cast.open(BOOMERANG)}/preview"
    cast.nobody.refused("POST", path, "not-signed-in", wrong)
    cast.mallory.refused("POST", path, "not-seated", wrong)
    cast.alice.refused("POST", path, "not-running", wrong)
    game_id = cast.start(BOOMERANG)
    path = f"/api/games/{game_id}/preview"
    game = cast.alice.game(game_id)
    first = game["legal"][0]["action"]
    cast.alice.answer(game, first)
    stored = dump(app)
    cast.alice.refused("POST", path, "stale", wrong)
    cast.alice.refused("POST", path, "other-answer", {**wrong, "asked": game["asked"]})
    refused = cast.bob.refused(
        "POST", path, "illegal-action", {**wrong, "asked": cast.bob.game(game_id)["asked"]}
    )
    assert refused["legal"] == cast.bob.game(game_id)["legal"]
    assert preview(cast.alice, game, first) == {"zones": [], "facts": []}, "it was played already"
    assert dump(app) == stored


def test_a_finished_game_has_no_previews(cast):
    game_id = cast.start()
    cast.play(game_id)
    game = cast.alice.game(game_id)
    body = {"asked": game["asked"] + 1, "action": {"type": "pass"}}
    cast.alice.refused("POST", f"/api/games/{game_id}/preview", "stale", body)


@pytest.mark.parametrize("choice", [0, -1])
def test_choices_of_others_stay_sealed(cast, choice):
    """Bob's is the last choice, but only playing it opens Alice's."""
    game_id = cast.start(CARAVAN)
    bob = cast.bob.game(game_id)
    before = preview(cast.bob, bob)
    assert all(
        (each["after"] or {}).get("of", 1) == 1 for each in (*before["zones"], *before["facts"])
    )
    alice = cast.alice.game(game_id)
    cast.alice.answer(alice, alice["legal"][choice]["action"])
    assert preview(cast.bob, bob) == {"zones": [], "facts": []}


def test_of_the_last_choice_nothing_is_foreseen(cast):
    """The seat's choice would be there only until all choices are opened, which is at once."""
    game_id = cast.start(CARAVAN)
    bob = cast.bob.game(game_id)
    assert preview(cast.bob, bob)["facts"], "while Alice has not chosen"
    alice = cast.alice.game(game_id)
    cast.alice.answer(alice)
    assert preview(cast.bob, bob) == {"zones": [], "facts": []}
    said = preview(cast.bob, bob)
    after = cast.bob.answer(bob)["game"]["view"]["facts"]
    assert all(each["after"] in after for each in said["facts"])


@sqlite_only
def test_previews_have_a_budget_of_their_own(config, runtime):
    app = create_app(replace(config, rate_limits=True, attempt_limits=True), runtime)
    app.test_client_class = CheckedClient
    alice = Person(app, "Alice")
    most = int(LIMITS["previews"].split()[0])
    path = "/api/games/g_1111111111111111111111/preview"
    for _ in range(most):
        alice.refused("POST", path, "not-found", {"asked": 1, "action": {"type": "pass"}})
    alice.refused("POST", path, "too-many-requests", {"asked": 1, "action": {"type": "pass"}})
    disconnect(app)
