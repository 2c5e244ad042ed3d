"""A time zone that this machine does not know (its tzdata is older, or the zone was renamed) prevents nothing."""

from __future__ import annotations

import json

import pytest

from tests.support.cast import sqlite_only
from tests.support.dump import execute

pytestmark = sqlite_only


@pytest.fixture
def lost(app, cast):
    """alice lives in a zone that the machine no longer knows, with quiet hours and a digest."""
    wish = {"time_zone": "Europe/Kyiv", "quiet": "22:00-07:00", "digest": "08:00"}
    assert cast.alice.send("PATCH", "/api/me/settings", json=wish).status_code == 200
    execute(app, "UPDATE players SET time_zone = 'Europe/Nowhere'")


def test_moves_are_played_and_vacations_planned(cast, lost):
    game_id = cast.start()
    cast.play(game_id)
    assert cast.bob.get(f"/api/games/{game_id}")["status"] == "over"
    cast.alice.post("/api/me/vacations", {"first": "2027-02-01", "last": "2027-02-02"})
    assert "Europe/Nowhere" in json.dumps(cast.alice.get("/api/me/settings"))


def test_pages_show_times_of_utc(cast, lost):
    game_id = cast.start()
    for path in (f"/plain/games/{game_id}", "/plain/me", f"/games/{game_id}"):
        assert cast.alice.http.get(path).status_code == 200
