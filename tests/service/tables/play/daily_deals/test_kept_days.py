"""Days that are kept: how long their games are, and what happens to those of a newer release."""

from __future__ import annotations

import pytest

from service.core.runtime import days
from service.core.runtime.units import DAY
from service.tables.play.daily_deals import tries
from tests.support.daily import PATH, TODAY, House, begun
from tests.support.dump import execute

TOMORROW = days.after(TODAY, 1)


@pytest.fixture
def house(app):
    """The house players of the application."""
    return House(app)


def of_newer(app, day):
    execute(app, "UPDATE daily_deals SET version = 99 WHERE day = :day", day=day)


def test_a_deal_of_a_newer_release_is_not_found(app, cast, house):
    """The server has gone back to a release that does not know its rules."""
    house.prepare()
    before = cast.alice.get(PATH)
    of_newer(app, TOMORROW)
    shown = cast.alice.get("/api/daily-deals/today")
    assert shown["next"] is None
    assert {**shown, "next": before["next"]} == before
    of_newer(app, TODAY)
    for path in (PATH, "/api/daily-deals/today"):
        for person in (cast.alice, cast.nobody):
            person.refused("GET", path, "not-found")
            person.refused("GET", f"{path}/lines", "not-found")
        cast.alice.refused("POST", f"{path}/tries", "not-found", {})
    assert cast.alice.get("/api/daily-deals") == {"days": [], "next": None}
    for path in ("/plain/daily", f"/plain/daily/{TODAY}"):
        assert cast.nobody.send("GET", path).status_code == 404
    house.prepare()


def test_a_try_that_began_late_is_deleted_with_the_others_of_its_day(app, cast, clock, house):
    house.prepare()
    clock.forward(29 * DAY)
    game_id = begun(cast.alice)["id"]
    with app.app_context():
        clock.forward(DAY)
        assert tries.purge(clock(), 100) == 0
        clock.forward(DAY)
        assert tries.purge(clock(), 100) == 3  # with the lines
    cast.alice.refused("GET", f"/api/games/{game_id}", "not-found")
