"""A change of nothing: a body without members changes nothing, whatever it is sent to, or is refused."""

from __future__ import annotations

from tests.support.cast import sqlite_only
from tests.support.circles import found
from tests.support.dump import dump
from tests.support.every_operation import API
from tests.support.proposing import registered
from tests.support.receiving import made

pytestmark = sqlite_only


def test_no_change_of_nothing_changes_anything(app, cast, game_id):
    registered(cast.alice)
    ids = {"circle_id": found(cast.alice), "game_id": game_id}
    ids["webhook_id"] = made(cast.alice)["id"]
    changed, before = [each for each in API if each.method.upper() == "PATCH"], dump(app)
    assert len(changed) >= 5
    for operation in changed:
        for more in ({"json": {}}, {}):
            answer = cast.alice.send("PATCH", operation.path.format(**ids), **more)
            assert answer.status_code in (200, 400), (operation.name, answer.json)
            assert dump(app) == before, operation.name


def test_a_circle_that_is_changed_to_what_it_is_stays_as_it_is(cast):
    registered(cast.alice)
    path = f"/api/circles/{found(cast.alice)}"
    before = cast.alice.get(path)
    for same in ({}, {"name": before["name"]}, {"about": None}):
        assert cast.alice.send("PATCH", path, json=same).json == before
