"""The lines of the strongest house player on a day: the same from every worker, and shown beside one's own try."""

from __future__ import annotations

import pytest

from rules.kernel import same
from service.core.runtime.units import DAY
from service.log.event_log import read
from service.log.events import for_rules
from service.tables.play.daily_deals import deals, tries
from tests.support.daily import PATH, TODAY, House, begun, played
from tests.support.damaging import damage
from tests.support.dump import execute

LINES = """
SELECT games.key, games.number FROM daily_tries JOIN games ON games.key = daily_tries.game_key
WHERE who LIKE 'house:%' ORDER BY who
"""


def lines(app):
    """The logs of the lines, as the rules see them."""
    with app.app_context():
        return [
            [seen for each in read(key, 0, number) if (seen := for_rules(each)) is not None]
            for key, number in execute(app, LINES)
        ]


@pytest.mark.of_service
@pytest.mark.both_databases
def test_lines_are_the_same_whoever_thinks_and_whenever(app, cast, clock):
    """They cost a bounded amount: their iterations are fixed too."""
    begun(cast.alice)
    house = House(app, 1)
    house.settle()
    found = lines(app)
    assert len(found) == 2
    with app.app_context():
        deal = deals.find(TODAY)
        while tries.purge(clock() + 40 * DAY, 100):
            pass
    asked = {each.iterations for each in house.thoughts.questions if each.seat == 0}
    assert asked == {20 * deal.iterations}
    for table in ("daily_tries", "daily_thoughts"):
        execute(app, f"DELETE FROM {table}")
    clock.forward(2 * DAY)
    begun(cast.bob)
    House(app, 2).settle()
    assert lines(app) == found


def test_whoever_chooses_like_the_best_line_has_the_same_game(app, cast):
    begun(cast.bob)
    house = House(app)
    house.settle()
    with app.app_context():
        best = tries.best_line(TODAY)
        [(number,)] = execute(app, "SELECT number FROM games WHERE key = :key", key=best.game_key)
        events = read(best.game_key, 0, number)
    chosen = iter([each["action"] for each in events if each.get("seat") == 0])

    def as_it_did(legal):
        wanted = next(chosen)
        return next(each for each in legal if same(each["action"], wanted))

    played(house, cast.alice, as_it_did)
    shown = cast.alice.get(f"{PATH}/lines")
    assert shown["own"] == shown["best"] == {"score": best.score, "won": best.won}
    assert shown["steps"]
    assert all(each["same"] and each["own"] == each["best"] for each in shown["steps"])


@pytest.fixture
def own(app, cast):
    """Alice's try, which is over, as are the lines."""
    return played(House(app), cast.alice)


def test_more_points_are_better_and_then_a_victory(app, cast, own):
    """In the distribution and for lines alike."""
    reached = "UPDATE daily_tries SET score = :score, won = :won WHERE who = :who"
    execute(app, reached, score=10, won=True, who="house:1")
    execute(app, reached, score=12, won=False, who="house:2")
    assert cast.alice.get(PATH)["results"]["best"] == {"score": 12, "won": False}
    execute(app, reached, score=12, won=True, who="house:1")
    assert cast.alice.get(PATH)["results"]["best"] == {"score": 12, "won": True}
    assert cast.alice.get(f"{PATH}/lines")["best"] == {"score": 12, "won": True}


def test_nobody_sees_the_game_of_a_line(app, cast, clock, own):
    """Neither on its day nor afterwards, whoever knows its id."""
    ids = [each.id for each in execute(app, LINES.replace("games.key, games.number", "games.id"))]
    assert len(ids) == 2
    for _ in range(2):
        for person in (cast.alice, cast.nobody):
            for each in ids:
                for part in ("", "/events", "/views/3", "/deals", "/record", "/analysis"):
                    path = f"/api/games/{each}{part}"
                    assert person.send("GET", path).status_code in {401, 404}, path
        clock.forward(DAY)


OF_A_LINE = "(SELECT game_key FROM daily_tries WHERE who LIKE 'house:%')"
UNREADABLE = {
    "a damaged log": f"UPDATE events SET body = '{{}}' WHERE number = 3 AND game_key IN {OF_A_LINE}",
    "a newer release": f"UPDATE games SET version = 99 WHERE key IN {OF_A_LINE}",
}


@pytest.mark.parametrize("why", UNREADABLE)
def test_a_line_that_cannot_be_read_is_left_out_and_the_day_is_shown(app, cast, own, why):
    before = cast.alice.get(f"{PATH}/lines")
    damage(app, UNREADABLE[why])
    shown = cast.alice.get(f"{PATH}/lines")
    assert [each["best"] for each in shown["steps"]] == [None] * len(shown["steps"])
    mine = [each["own"] for each in before["steps"] if each["own"]]
    assert [each["own"] for each in shown["steps"]] == mine
    assert cast.alice.get(PATH)["results"]["best"] == shown["best"]
