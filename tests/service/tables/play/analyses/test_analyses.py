"""Analyses: of one's own decisions in a finished game, for oneself alone, worked out when there is time."""

from __future__ import annotations

import json

import pytest

from service.tables.play.analyses import analyses as limits
from tests.service.tables.play.analyses.conftest import FEW, finished, path
from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.clock import DAY, history
from tests.support.daily import House, drawn, played
from tests.support.dump import dump, execute
from tests.support.rounds import rounds
from tests.support.thinking import in_turn

ASK = {"status": 202}
DEEP = {"depth": "deep"}


def decided(person, game_id):
    """The events in which this person's seat acted."""
    return decided_by_seat(person, game_id, person.game(game_id)["seat"])


def decided_by_seat(person, game_id, seat):
    events = history(person, game_id)
    return [each["number"] for each in events if each["kind"] == "action" and each["seat"] == seat]


@pytest.mark.both_databases
def test_an_analysis_appraises_each_of_my_decisions(cast, over, work):
    asked = cast.alice.put(path(over), None, **ASK)
    assert (asked["state"], asked["done"], asked["decisions"]) == ("waiting", 0, [])
    work()
    found = cast.alice.get(path(over))
    assert (found["state"], found["done"]) == ("done", found["of"])
    numbers = [each["number"] for each in found["decisions"]]
    assert numbers == sorted(numbers) and len(numbers) == found["of"] > 3
    assert {*numbers} <= {*decided(cast.alice, over)}
    events = {each["number"]: each for each in history(cast.alice, over)}
    for each in found["decisions"]:
        (played,) = (choice for choice in each["choices"] if choice["played"])
        assert played["action"] == events[each["number"]]["action"]
        assert played["visits"] >= FEW // 2
        assert each["worth"] == each["choices"][0]["value"]
        assert each["cost"] == pytest.approx(max(0, each["worth"] - played["value"]), abs=1e-4)
        assert (each["error"] == 0) == (played is each["choices"][0])
        assert all(choice["words"] for choice in each["choices"])


def test_what_is_said_of_a_decision_is_what_was_offered_then(cast, work):
    game_id = cast.start()
    shown = cast.alice.game(game_id)
    offered = {json.dumps(each["action"]): each["words"] for each in shown["legal"]}
    cast.play(game_id)
    cast.alice.put(path(game_id), None, **ASK)
    work()
    first = cast.alice.get(path(game_id))["decisions"][0]
    assert first["number"] == shown["number"] + 1
    for each in first["choices"]:
        assert offered[json.dumps(each["action"])] == each["words"]


def test_turning_points_are_the_costliest_decisions_beyond_doubt(app, cast, over, work):
    cast.alice.put(path(over), None, **ASK)
    work()
    numbers = [each["number"] for each in cast.alice.get(path(over))["decisions"]]
    worth = {numbers[0]: 0.5, numbers[1]: 0.3, numbers[2]: 0.35}
    for number, value in worth.items():
        error = 0.3 if number == numbers[0] else 0.02
        other, played = ({"value": each, "error": error, "visits": 9} for each in (0.9, value))
        (found,) = execute(
            app, "SELECT tried FROM appraised_decisions WHERE number = :number", number=number
        )
        tried = found.tried if isinstance(found.tried, list) else json.loads(found.tried)
        actions = [each["action"] for each in tried]
        told = json.dumps([{"action": actions[1], **other}, {"action": actions[0], **played}])
        changed = "UPDATE appraised_decisions SET tried = :tried, played = 1 WHERE number = :number"
        execute(app, changed, tried=told, number=number)
    points = cast.alice.get(path(over))["turning_points"]
    assert [each for each in points if each in worth] == [numbers[1], numbers[2]]


@pytest.mark.both_databases
def test_asking_again_changes_nothing(app, cast, over, work):
    cast.alice.put(path(over), None, **ASK)
    before = dump(app)["analyses"]
    assert cast.alice.put(path(over), None)["state"] == "waiting"
    assert dump(app)["analyses"] == before
    work()
    assert cast.alice.put(path(over), None)["state"] == "done"
    assert len(dump(app)["analyses"]) == 1


def test_the_same_game_has_the_same_analysis_again(app, cast, over, work):
    cast.alice.put(path(over), None, **ASK)
    work()
    first = cast.alice.get(path(over))
    execute(app, "DELETE FROM analyses")
    cast.alice.put(path(over), None, **ASK)
    work()
    assert cast.alice.get(path(over))["decisions"] == first["decisions"]


def test_nobody_else_sees_an_analysis(cast, over, work):
    """Others who sat there have their own; whoever did not has none."""
    cast.alice.put(path(over), None, **ASK)
    work()
    assert cast.bob.get(path(over))["state"] == "none"
    for method in "GET", "PUT":
        cast.mallory.refused(method, path(over), "not-seated")
        cast.nobody.refused(method, path(over), "not-signed-in")


def test_a_private_game_is_analysed_for_its_people_alone(cast, work):
    game_id = finished(cast, private=True)
    for method in "GET", "PUT":
        cast.mallory.refused(method, path(game_id), "not-found")
    cast.carol.put(path(game_id), None, **ASK)
    work()
    assert cast.carol.get(path(game_id))["state"] == "done"


@pytest.mark.parametrize("begun", [False, True])
def test_a_game_that_is_not_over_is_analysed_for_nobody(cast, begun):
    game_id = cast.start() if begun else cast.open()
    for person in (cast.alice, cast.bob, cast.mallory):
        for method in "GET", "PUT":
            person.refused(method, path(game_id), "not-over")


def test_there_is_no_analysis_of_a_lesson(cast):
    lesson = cast.alice.post(f"/api/rulesets/{BOOMERANG}/lessons", {})
    for method in "GET", "PUT":
        cast.alice.refused(method, path(lesson["id"]), "not-found")


def test_the_analysis_of_a_daily_deal_waits_until_its_day_is_over(app, cast, clock, work):
    """Until then, others may still play it."""
    game = played(House(app), cast.alice, drawn(5))
    for method in "GET", "PUT":
        cast.alice.refused(method, path(game["id"]), "not-over")
    clock.forward(DAY)
    cast.alice.put(path(game["id"]), None, **ASK)
    work()
    assert cast.alice.get(path(game["id"]))["decisions"]


def test_what_others_chose_for_the_seat_is_not_appraised(app, cast, work):
    """A house player plays on for somebody who has resigned; and nobody sees what they do not see then."""
    game_id = cast.start()
    cast.play(game_id, most=6)
    mine = decided(cast.alice, game_id)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    run = rounds(app, in_turn())
    while run() or len(decided_by_seat(cast.bob, game_id, 0)) == len(mine):
        person, shown = cast.bob, cast.bob.game(game_id)
        if not shown["legal"]:
            person, shown = cast.carol, cast.carol.game(game_id)
        person.answer(shown)
    execute(app, "UPDATE games SET status = 'over', result = '{}' WHERE id = :id", id=game_id)
    cast.alice.put(path(game_id), None, **ASK)
    work()
    found = [each["number"] for each in cast.alice.get(path(game_id))["decisions"]]
    assert found and {*found} <= {*mine}


def test_what_was_taken_back_is_not_appraised(cast, work):
    game_id = cast.start(CARAVAN)
    gone = cast.alice.answer(cast.alice.game(game_id))["number"]
    cast.alice.post(f"/api/games/{game_id}/take-back", {"event": gone})
    stays = cast.alice.answer(cast.alice.game(game_id))["number"]
    cast.bob.answer(cast.bob.game(game_id))
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.put(path(game_id), None, **ASK)
    work()
    found = cast.alice.get(path(game_id))["decisions"]
    assert [each["number"] for each in found] == [stays]


def test_a_game_in_which_i_never_chose_is_done_at_once(cast):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    found = cast.alice.put(path(game_id), None, **ASK)
    assert (found["state"], found["of"], found["decisions"]) == ("done", 0, [])


@pytest.mark.both_databases
def test_three_analyses_of_a_person_wait_at_a_time(cast, work):
    games = [finished(cast) for _ in range(4)]
    ahead = [cast.alice.put(path(each), None, **ASK)["ahead"] for each in games[:3]]
    assert ahead[0] == 0
    problem = cast.alice.refused("PUT", path(games[3]), "not-possible")
    assert problem["why"] == "too-many-analyses"
    cast.bob.put(path(games[3]), None, **ASK)
    work()
    cast.alice.put(path(games[3]), None, **ASK)


def test_no_more_wait_than_a_server_can_bear(app, cast, over, work):
    cast.bob.put(path(over), None, **ASK)
    columns = "id, game_key, player_id, seat, version, thinker, asked_at, decisions"
    others = (
        f"INSERT INTO analyses ({columns}) SELECT 'a_' || :n, game_key, player_id, seat, -:n,"
        " thinker, asked_at, decisions FROM analyses WHERE version > 0"
    )
    for n in range(1, limits.MOST_WAITING):
        execute(app, others, n=n)
    problem = cast.alice.refused("PUT", path(over), "not-possible")
    assert problem["why"] == "analyses-full"


@pytest.mark.both_databases
def test_a_deep_analysis_takes_the_place_of_the_usual_one_when_it_is_done(cast, over, work, deep):
    cast.alice.put(path(over), None, **ASK)
    work()
    usual = cast.alice.get(path(over))
    assert (usual["depth"], usual["deep"]["state"]) == ("usual", "none")
    asked = cast.alice.put(path(over), DEEP, **ASK)
    assert asked["decisions"] == usual["decisions"]
    assert (asked["state"], asked["depth"]) == ("done", "usual")
    assert (asked["deep"]["state"], asked["deep"]["done"]) == ("waiting", 0)
    deep()
    found = cast.alice.get(path(over))
    assert (found["state"], found["depth"], found["deep"]["state"]) == ("done", "deep", "done")
    assert [each["number"] for each in found["decisions"]] == [
        each["number"] for each in usual["decisions"]
    ]
    assert tries(found) > 5 * tries(usual)


def tries(found):
    """How often the actions of all decisions were tried."""
    return sum(choice["visits"] for each in found["decisions"] for choice in each["choices"])


@pytest.mark.both_databases
def test_asking_again_for_a_deep_analysis_changes_nothing(app, cast, over, work):
    """When it is done, even the usual one is not needed any more."""
    cast.alice.put(path(over), DEEP, **ASK)
    before = dump(app)["analyses"]
    assert cast.alice.put(path(over), DEEP)["state"] == "waiting"
    assert dump(app)["analyses"] == before
    work()
    for body in (None, {}, {"depth": "usual"}, DEEP):
        assert cast.alice.put(path(over), body)["depth"] == "deep"
    assert len(dump(app)["analyses"]) == 1


def test_the_usual_analysis_is_shown_until_the_deep_one_is_done(app, cast, over, work):
    """A deep one that was asked for first is shown as long as there is no usual one."""
    asked = cast.alice.put(path(over), DEEP, **ASK)
    assert (asked["state"], asked["depth"]) == ("waiting", "deep")
    assert cast.alice.put(path(over), None, **ASK)["depth"] == "usual"
    execute(app, "UPDATE analyses SET failed = TRUE, ended_at = 1 WHERE thinker LIKE '%deep'")
    work()
    found = cast.alice.get(path(over))
    assert (found["state"], found["depth"], found["deep"]["state"]) == ("done", "usual", "failed")
    assert cast.alice.put(path(over), DEEP, **ASK)["deep"]["state"] == "waiting"
    work()
    assert cast.alice.get(path(over))["depth"] == "deep"


@pytest.mark.both_databases
def test_one_deep_analysis_of_a_person_waits_at_a_time_and_counts_among_the_three(cast, work):
    games = [finished(cast) for _ in range(4)]
    cast.alice.put(path(games[0]), DEEP, **ASK)
    problem = cast.alice.refused("PUT", path(games[1]), "not-possible", DEEP)
    assert problem["why"] == "deep-analysis-waits"
    cast.alice.put(path(games[0]), None, **ASK)
    cast.alice.put(path(games[1]), None, **ASK)
    problem = cast.alice.refused("PUT", path(games[2]), "not-possible")
    assert problem["why"] == "too-many-analyses"
    cast.bob.put(path(games[1]), DEEP, **ASK)
    work()
    cast.alice.put(path(games[1]), DEEP, **ASK)


def test_no_more_deep_ones_wait_than_leave_room_for_the_usual_ones(app, cast, over):
    cast.bob.put(path(over), DEEP, **ASK)
    columns = "id, game_key, player_id, seat, version, thinker, asked_at, decisions"
    others = (
        f"INSERT INTO analyses ({columns}) SELECT 'a_' || :n, game_key, player_id, seat, -:n,"
        " thinker, asked_at, decisions FROM analyses WHERE version > 0"
    )
    for n in range(1, limits.MOST_DEEP_WAITING):
        execute(app, others, n=n)
    problem = cast.alice.refused("PUT", path(over), "not-possible", DEEP)
    assert problem["why"] == "analyses-full"
    assert cast.alice.put(path(over), None, **ASK)["ahead"] == 0


def test_a_deep_analysis_waits_behind_all_usual_ones(cast, clock, over):
    cast.alice.put(path(over), DEEP, **ASK)
    clock.forward(DAY)
    cast.bob.put(path(over), DEEP, **ASK)
    assert cast.carol.put(path(over), None, **ASK)["ahead"] == 0
    assert cast.alice.get(path(over))["ahead"] == 1
    assert cast.bob.get(path(over))["ahead"] == 2


def test_another_depth_is_refused(cast, over):
    for wrong in ("deeper", "", None, 3):
        cast.alice.refused("PUT", path(over), "invalid-body", {"depth": wrong})


def test_the_same_game_has_the_same_deep_analysis_again(app, cast, over, work):
    found = []
    for _ in range(2):
        cast.alice.put(path(over), DEEP, **ASK)
        work()
        found.append(cast.alice.get(path(over))["decisions"])
        execute(app, "DELETE FROM analyses")
    assert found[0] == found[1]


def test_what_waits_for_a_thinker_of_another_release_is_left_alone(app, cast, over, work):
    """As one of this release would be, by workers of the one before."""
    cast.alice.put(path(over), DEEP, **ASK)
    execute(app, "UPDATE analyses SET thinker = 'another deep'")
    assert cast.alice.get(path(over))["deep"]["state"] == "none"
    work()
    [(done, ended)] = execute(app, "SELECT done, ended_at FROM analyses")
    assert (done, ended) == (0, None)


def test_a_failed_analysis_can_be_asked_for_again(app, cast, over, work):
    cast.alice.put(path(over), None, **ASK)
    execute(app, "UPDATE analyses SET failed = TRUE, ended_at = 1")
    assert cast.alice.get(path(over))["state"] == "failed"
    assert cast.alice.put(path(over), None, **ASK)["state"] == "waiting"
    work()
    assert cast.alice.get(path(over))["state"] == "done"


@pytest.mark.both_databases
def test_analyses_are_deleted_after_180_days(app, cast, clock, over, work):
    cast.alice.put(path(over), None, **ASK)
    work()
    with app.app_context():
        clock.forward(180 * DAY - 1)
        assert limits.purge(clock(), 9) == 0
        clock.forward(1)
        assert limits.purge(clock(), 9) == 1
    assert dump(app)["appraised_decisions"] == []


@pytest.mark.both_databases
def test_analyses_are_exported_and_erased(app, cast, clock, over, work):
    for person in (cast.alice, cast.bob):
        person.put(path(over), None, **ASK)
    work()
    clock.forward(DAY)
    cast.bob.put(path(over), DEEP, **ASK)
    exported, deep = cast.bob.get("/api/me/export")["analyses"]
    assert exported["game"] == deep["game"] == over
    assert (exported["depth"], deep["depth"]) == ("usual", "deep")
    assert exported["thinker"] == deep["thinker"]
    assert [each["number"] for each in exported["decisions"]] == [
        each["number"] for each in cast.bob.get(path(over))["decisions"]
    ]
    assert cast.carol.get("/api/me/export")["analyses"] == []
    assert cast.alice.send("POST", "/api/me/erasure", json={}).status_code < 300
    left = execute(app, "SELECT player_id FROM analyses")
    assert [each.player_id for each in left] == [cast.bob.id] * 2
