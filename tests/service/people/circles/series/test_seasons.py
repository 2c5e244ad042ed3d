"""A season from its opening to its last round: who may, when rounds begin and end, substitutes, what counts."""

from __future__ import annotations

import pytest

from service.people.circles.series.entries import MOST_AT_ONCE
from service.people.circles.series.series import BETWEEN_SEASONS, KEPT, MOST_SERIES, purge
from service.tables.before_start import series_rounds
from tests.support import operator_command
from tests.support.cast import BOOMERANG, CARAVAN, START
from tests.support.circles import found, member, path
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.dump import dump, execute
from tests.support.proposing import registered
from tests.support.series import TERMS, enter, games, of, opened, ranking, work
from tests.support.watching import watched


@pytest.fixture
def circle_id(cast):
    """A circle of Alice, with Bob and Carol."""
    registered(*cast.everybody)
    return found(cast.alice, cast.bob, cast.carol)


@pytest.fixture
def series_id(cast, circle_id):
    """A series of the circle in which all three are, which begins in two days."""
    made = opened(cast.alice, circle_id)
    for person in cast.seated:
        enter(person, made)
    return made


def begin(app, clock):
    clock.at = START + 2 * DAY
    return work(app)


def player_of(cast, game_id):
    """Somebody who plays in this game."""
    return next(each for each in cast.seated if each.game(game_id)["seat"] is not None)


def resign(cast, game_id):
    """Let somebody resign; returns their name."""
    person = player_of(cast, game_id)
    person.post(f"/api/games/{game_id}/resignation", {}, 200)
    return person.name


@pytest.mark.both_databases
def test_a_season_is_played_from_the_first_round_to_the_last(
    app, cast, clock, circle_id, series_id
):
    shown = cast.bob.get(of(series_id))
    assert (shown["status"], shown["round"], shown["standings"]) == ("open", 0, [])
    assert [each["name"] for each in shown["waiting"]] == ["Alice", "Bob", "Carol"]
    assert shown["ends_at"].startswith("2026-11-23T10:00:00")
    clock.at = START + 2 * DAY - 1
    assert work(app) == 0
    begin(app, clock)
    for number in (1, 2, 3):
        shown = cast.bob.get(of(series_id))
        assert (shown["system"], shown["round"], shown["rounds"]) == ("round-robin", number, 3)
        (game_id,) = games(shown)
        table = next(each for each in shown["tables"] if each["game"] == game_id)
        loser = resign(cast, game_id)
        clock.forward(DAY)
        work(app)
        shown = cast.bob.get(of(series_id))
        decided = next(each for each in shown["tables"] if each["game"] == game_id)
        assert decided["state"] == "played" and sorted(decided["places"]) == [1, 2]
        last = decided["people"][decided["places"].index(2)]
        assert next(each for each in shown["standings"] if each["id"] == last)["name"] == loser
        assert table["people"] == decided["people"]
    assert (shown["status"], shown["ends_at"]) == ("over", None)
    assert sum(points for _, points in ranking(shown)) == 4.5
    assert all(each["games"] == 2 and each["out"] == 1 for each in shown["standings"])
    assert len({frozenset(each["people"]) for each in shown["tables"]}) == 3
    assert work(app) == 0


@pytest.mark.both_databases
def test_a_round_ends_by_time_and_those_for_whom_a_game_waits_are_last(app, cast, clock, series_id):
    begin(app, clock)
    (game_id,) = games(cast.bob.get(of(series_id)))
    players = [each for each in cast.seated if each.game(game_id)["legal"]]
    for person in players[1:]:  # where all have to choose at the same time, one alone does not
        question = person.game(game_id)
        answer = {"asked": question["asked"], "action": question["legal"][0]["action"]}
        person.post(f"/api/games/{game_id}/actions", answer)
    clock.forward(7 * DAY - 1)
    work(app)
    late = [each.name for each in cast.seated if each.game(game_id)["legal"]]
    assert games(cast.bob.get(of(series_id))) == [game_id]
    clock.forward(HOUR)
    work(app)
    shown = cast.bob.get(of(series_id))
    assert shown["round"] == 2 and game_id not in games(shown)
    assert games(shown, "time") == [game_id]
    assert len(late) == 1 and ranking(shown)[-1] == (late[0], 0)
    assert player_of(cast, game_id).game(game_id)["status"] == "running", "it goes on"


@pytest.mark.both_databases
def test_games_of_later_rounds_begin_early_for_people_who_like_to_play_several(
    app, cast, clock, series_id
):
    enter(cast.alice, series_id, 200, at_once=2)
    begin(app, clock)
    assert len(games(cast.alice.get(of(series_id)))) == 1
    for person in cast.seated:
        assert enter(person, series_id, 200, at_once=MOST_AT_ONCE)["entry"]["at_once"] == 5
    clock.forward(HOUR)
    work(app)
    shown = cast.alice.get(of(series_id))
    assert (shown["round"], len(games(shown))) == (1, 3)
    for game_id in games(shown):
        resign(cast, game_id)
    clock.forward(HOUR)
    work(app)
    assert cast.alice.get(of(series_id))["status"] == "over"


@pytest.mark.both_databases
def test_a_substitute_takes_over_the_place_of_whoever_leaves_with_its_points(
    app, cast, clock, circle_id
):
    series_id = opened(cast.alice, circle_id)
    for person in (cast.alice, cast.bob):
        enter(person, series_id)
    execute(app, "UPDATE series SET rounds = 2")
    begin(app, clock)
    assert enter(cast.carol, series_id)["entry"]["plays"] is False
    (game_id,) = games(cast.bob.get(of(series_id)))
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    cast.bob.delete(of(series_id, "entry"))
    shown = cast.carol.get(of(series_id))
    assert (shown["entry"]["plays"], shown["waiting"]) == (True, [])
    clock.forward(HOUR)
    work(app)
    shown = cast.carol.get(of(series_id))
    assert ranking(shown) == [("Carol", 1), ("Alice", 0)]
    assert cast.carol.game(*games(shown))["seat"] is not None
    assert cast.bob.get(of(series_id))["entry"] is None
    cast.bob.refused("DELETE", of(series_id, "entry"), "not-found")


@pytest.mark.both_databases
def test_a_place_that_nobody_has_is_left_out(app, cast, clock, series_id):
    begin(app, clock)
    (game_id,) = games(cast.bob.get(of(series_id)))
    cast.alice.delete(of(series_id, "entry"))
    clock.forward(8 * DAY)
    work(app)
    shown = cast.bob.get(of(series_id))
    assert "Nobody at present" in dict(ranking(shown))
    states = [each["state"] for each in shown["tables"] if each["round"] < shown["round"]]
    assert set(states) <= {"time", "not-played", "played"}
    assert not any(cast.alice.game(each)["seat"] is not None for each in games(shown)) or (
        game_id in games(shown)
    )


@pytest.mark.both_databases
def test_whoever_has_left_the_circle_is_not_seated(app, cast, clock, circle_id, series_id):
    circle = cast.alice.get(path(circle_id))
    cast.alice.delete(path(circle_id, f"members/{member(circle, 'Carol')}"))
    begin(app, clock)
    assert [name for name, _ in ranking(cast.bob.get(of(series_id)))] in (
        ["Alice", "Bob"],
        ["Bob", "Alice"],
    )
    cast.carol.refused("GET", of(series_id), "not-found")
    cast.mallory.refused("GET", of(series_id), "not-found")
    cast.mallory.refused("PUT", of(series_id, "entry"), "not-found", {})
    assert cast.carol.get("/api/series")["series"] == []
    assert len(cast.bob.get("/api/series")["series"]) == 1


def test_whoever_has_blocked_somebody_at_the_table_sits_out(app, cast, clock, circle_id):
    series_id = opened(cast.alice, circle_id)
    for person in (cast.alice, cast.bob):
        enter(person, series_id)
    execute(
        app,
        "INSERT INTO blocks (id, player_id, blocked_id, created_at) VALUES ('b_1', :a, :b, 0)",
        a=cast.alice.id,
        b=cast.bob.id,
    )
    begin(app, clock)
    shown = cast.bob.get(of(series_id))
    assert games(shown) == [] and [points for _, points in ranking(shown)] == [0.5, 0.5]
    assert shown["tables"][0]["state"] == "not-played"
    third = opened(cast.alice, circle_id)
    enter(cast.alice, third)
    cast.bob.refused("PUT", of(third, "entry"), "kept-apart", {})
    enter(cast.bob, third, anyway=True)


def test_more_than_two_meet_where_the_rules_allow(app, cast, clock, circle_id):
    series_id = opened(
        cast.alice, circle_id, table={"ruleset": BOOMERANG, "players": 3, "pace": "daily"}
    )
    for person in cast.seated:
        enter(person, series_id)
    begin(app, clock)
    shown = cast.alice.get(of(series_id))
    (game_id,) = games(shown)
    seats = [next(p for p in cast.seated if p.game(game_id)["seat"] == n).name for n in range(3)]
    ids = {each["id"]: each["name"] for each in shown["standings"]}
    assert [ids[each] for each in shown["tables"][0]["people"]] == seats


def test_a_series_with_too_few_people_is_over(app, cast, clock, circle_id):
    series_id = opened(cast.alice, circle_id, repeats=True)
    enter(cast.alice, series_id)
    begin(app, clock)
    assert cast.alice.get(of(series_id))["status"] == "over"
    assert len(cast.alice.get("/api/series")["series"]) == 1, "no further season"


@pytest.mark.both_databases
def test_a_list_of_many_series_takes_no_more_statements_than_one_of_one(app, cast, circle_id):
    """The page of a circle asks for it again and again."""

    def statements():
        with watched(app) as seen:
            cast.bob.get("/api/series")
        return len([each for each in seen.statements if each != ";"])

    opened(cast.alice, circle_id)
    of_one = statements()
    enter(cast.alice, opened(cast.alice, circle_id, name="Winter league"))
    assert [each["people"] for each in cast.bob.get("/api/series")["series"]] == [1, 0]
    assert statements() == of_one


@pytest.mark.both_databases
def test_another_season_opens_if_it_repeats(app, cast, clock, circle_id):
    series_id = opened(cast.alice, circle_id, repeats=True, rounds=1)
    for person in (cast.alice, cast.bob):
        enter(person, series_id)
    begin(app, clock)
    resign(cast, *games(cast.alice.get(of(series_id))))
    clock.forward(HOUR)
    work(app)
    latest, before = cast.bob.get("/api/series")["series"]
    assert (before["id"], before["status"], latest["season"]) == (series_id, "over", 2)
    assert latest["status"] == "open" and latest["people"] == 0
    clock.forward(BETWEEN_SEASONS)
    work(app)
    assert cast.bob.get(of(latest["id"]))["status"] == "over"


def test_the_lead_ends_a_series(app, cast, clock, circle_id, series_id):
    cast.bob.refused("DELETE", of(series_id), "not-host")
    begin(app, clock)
    (game_id,) = games(cast.alice.get(of(series_id)))
    cast.alice.delete(of(series_id))
    shown = cast.bob.get(of(series_id))
    assert shown["status"] == "over" and player_of(cast, game_id).game(game_id)["result"] is None
    clock.forward(8 * DAY)
    assert work(app) == 0
    cast.bob.refused("PUT", of(series_id, "entry"), "not-possible", {})
    second = opened(cast.bob, circle_id)
    cast.alice.delete(of(second))
    cast.alice.refused("GET", of(second), "not-found")


def test_a_circle_has_three_series_that_are_not_over(cast, circle_id):
    for _ in range(MOST_SERIES):
        opened(cast.bob, circle_id)
    told = cast.alice.refused("POST", path(circle_id, "series"), "not-possible", TERMS)
    assert told["why"] == "series"
    cast.mallory.refused("POST", path(circle_id, "series"), "not-found", TERMS)


def test_five_series_a_day_are_opened_by_a_person(cast, circle_id):
    for _ in range(5):
        cast.bob.delete(of(opened(cast.bob, circle_id)))
    cast.bob.refused("POST", path(circle_id, "series"), "too-many-requests", TERMS)


@pytest.mark.both_databases
def test_a_game_counts_within_a_minute(app, cast, clock, series_id):
    begin(app, clock)
    loser = resign(cast, *games(cast.bob.get(of(series_id))))
    clock.forward(MINUTE)
    work(app)
    shown = cast.bob.get(of(series_id))
    assert (ranking(shown)[0][1], dict(ranking(shown))[loser]) == (1, 0)


def test_a_game_of_whoever_has_left_counts_for_the_place(app, cast, clock, series_id):
    begin(app, clock)
    (game_id,) = games(cast.bob.get(of(series_id)))
    leaver, *_ = players = [each for each in cast.seated if each.game(game_id)["seat"] is not None]
    leaver.delete(of(series_id, "entry"))
    assert leaver.game(game_id)["status"] == "running"
    players[1].post(f"/api/games/{game_id}/resignation", {}, 200)
    clock.forward(MINUTE)
    work(app)
    assert ranking(cast.alice.get(of(series_id)))[0] == ("Nobody at present", 1)


def test_somebody_is_in_ten_series(app, cast, circle_id):
    made = []
    for _ in range(11):
        series_id = opened(cast.alice if len(made) % 2 else cast.bob, circle_id)
        execute(app, "UPDATE series SET circle_key = NULL")
        execute(app, "DELETE FROM tallies")
        made.append(series_id)
    for series_id in made[:10]:
        enter(cast.carol, series_id)
    told = cast.carol.refused("PUT", of(made[10], "entry"), "not-possible", {})
    assert told["why"] == "series-joined"


@pytest.mark.both_databases
def test_the_operator_sets_up_a_series_for_everybody(app, config, cast, clock, circle_id):
    asked = ("series", "open", "Autumn league", CARAVAN, "--starts-in", "1", "--round-days", "7")
    series_id = operator_command.told(config, *asked).split()[0]
    execute(app, "UPDATE series SET ends_at = :at, look_at = :at", at=clock.at + DAY)
    assert cast.mallory.get(of(series_id))["circle"] is None
    for person in cast.everybody:
        enter(person, series_id)
    clock.forward(DAY)
    work(app)
    shown = cast.mallory.get(of(series_id))
    assert len(games(shown)) == 2
    assert not cast.mallory.get(f"/api/games/{games(shown)[0]}")["private"]
    assert series_id in {each["id"] for each in cast.carol.get("/api/series")["series"]}
    assert "Autumn league" in operator_command.told(config, "series", "list")
    assert series_id in operator_command.told(config, "series", "end", series_id)
    assert cast.mallory.get(of(series_id))["status"] == "over"


def test_bad_terms_change_nothing(app, cast, circle_id):
    before = dump(app)
    for slug, wrong in (
        ("not-possible", {"table": {"ruleset": TERMS["table"]["ruleset"]}}),
        ("unknown-ruleset", {"table": {"ruleset": "chess", "pace": "daily"}}),
        ("invalid-body", {"rounds": 0}),
        ("invalid-body", {"starts_in": 91}),
        ("invalid-body", {"starts_in": 0}),  # nobody could join
        ("unusable-name", {"name": "www.example.org"}),
    ):
        cast.alice.refused("POST", path(circle_id, "series"), slug, TERMS | wrong)
    assert dump(app)["series"] == before["series"]


def test_people_with_an_address_alone_join(app, cast, series_id, circle_id):
    execute(app, "UPDATE series SET circle_key = NULL")
    assert cast.mallory.get(of(series_id))["lead"] is False
    execute(app, "DELETE FROM accounts WHERE player_id = :id", id=cast.mallory.id)
    cast.mallory.refused("PUT", of(series_id, "entry"), "not-for-guests", {})


@pytest.mark.both_databases
def test_export_and_erasure_know_series(app, cast, clock, series_id):
    told = cast.alice.get("/api/me/export")
    assert told["series"][0]["name"] == "Autumn league"
    assert told["series_entries"][0]["at_once"] == 1
    begin(app, clock)
    cast.carol.post("/api/me/erasure", {}, 204)
    shown = cast.bob.get(of(series_id))
    assert "Carol" not in dict(ranking(shown)) and len(shown["standings"]) == 3
    assert (
        execute(app, "SELECT * FROM series_entries WHERE player_id = :id", id=cast.carol.id) == []
    )


def test_a_series_is_deleted_two_years_after_its_end_and_with_its_circle(
    app, cast, clock, circle_id, series_id
):
    begin(app, clock)
    cast.alice.delete(of(series_id))
    with app.app_context():
        assert purge(clock.at + KEPT - 1, 10) == 0
        assert purge(clock.at + KEPT, 10) == 1
    assert execute(app, "SELECT * FROM series_tables") == []
    opened(cast.alice, circle_id)
    cast.alice.delete(path(circle_id))
    assert execute(app, "SELECT * FROM series") == []


@pytest.mark.both_databases
def test_one_that_fails_keeps_no_other_waiting(app, cast, clock, circle_id, series_id):
    execute(app, "UPDATE series SET wish = '{}'")
    other = opened(cast.bob, circle_id, starts_in=3)
    for person in cast.seated:
        enter(person, other)
    clock.at = START + 3 * DAY
    work(app)
    assert len(games(cast.bob.get(of(other)))) == 1


def test_a_swiss_round_is_paired_while_nobody_waits_and_again_if_somebody_leaves(
    app, cast, clock, series_id
):
    begin(app, clock)
    execute(app, "UPDATE series SET system = 'swiss', rounds = 5")
    execute(app, "DELETE FROM series_tables WHERE round > 1")
    resign(cast, games(cast.bob.get(of(series_id)))[0])
    clock.forward(DAY)
    place, people = cast.carol.get(of(series_id))["entry"]["id"], []

    def pair(row, places, found):
        if not people:  # whoever needed the series would wait for ever if it were locked now
            cast.carol.delete(of(series_id, "entry"))
        people.append([each.player_id for each in places])
        return series_rounds.paired(row, places, found)

    with app.app_context():
        assert series_rounds.look(app.extensions["tegami"], series_id, pair)
    assert [each.count(cast.carol.id) for each in people] == [1, 0]
    shown = cast.alice.get(of(series_id))
    (table,) = (each for each in shown["tables"] if each["round"] == 2)
    assert shown["round"] == 2 and place not in table["people"]
