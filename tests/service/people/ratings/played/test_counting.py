"""Counting finished games: the same rows and sums follow from results and logs, whenever and however often."""

from __future__ import annotations

import json
from functools import partial

import pytest

from service import personal_data
from service.operations.worker.ratings import PlayedGames
from service.people.ratings.played import counting
from service.people.ratings.played.numbers import Numbers, limit_of
from service.tables.play import leaving
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, hours
from tests.support.closing import close_by_operator
from tests.support.damaging import set_body
from tests.support.dump import execute
from tests.support.operator_command import told
from tests.support.proposing import DRAW, propose, registered, vote
from tests.support.talking import at

__all__ = ["hours"]

pytestmark = pytest.mark.both_databases


def count_all(app):
    """Count all games that wait; returns how many."""
    with app.app_context():
        worker = PlayedGames(app.extensions["tegami"])
        return sum(iter(worker.count_some, 0))


def played(app):
    """The rows by player and game."""
    found = execute(app, "SELECT * FROM played_games ORDER BY game_key, player_id")
    return [dict(row._mapping) for row in found]


def sums(app):
    found = execute(app, "SELECT player_id, ruleset, private, numbers FROM player_numbers")
    return {
        (row.player_id, row.ruleset, bool(row.private)): Numbers.of(
            json.loads(row.numbers) if isinstance(row.numbers, str) else row.numbers
        )
        for row in found
    }


def of(person, app):
    (row,) = [each for each in played(app) if each["player_id"] == person.id]
    return row


def loaded(value):
    return json.loads(value) if isinstance(value, str) else value


def test_a_finished_game_is_counted_for_each_of_its_people(app, cast):
    game_id = cast.start(BOOMERANG)
    cast.play(game_id)
    result = cast.alice.game(game_id)["result"]
    assert count_all(app) == 1
    assert count_all(app) == 0
    for seat, person in cast.holders(game_id).items():
        row = of(person, app)
        assert (row["place"] == 1) == (seat in result["winners"])
        assert row["missed"] == 0
        assert row["answered"] > 0
        assert row["score"] == result["scores"][seat]
        assert row["table_score"] == round(1000 * sum(result["scores"]) / 3)
    assert {key[0] for key in sums(app)} == {each.id for each in cast.seated}


def test_answers_are_counted_by_hour_and_by_how_long_they_took(app, cast, clock):
    game_id = cast.start(CARAVAN)
    for _ in cast.moves(game_id):
        clock.forward(3 * MINUTE)
    count_all(app)
    for row in played(app):
        times = loaded(row["times"])
        answers = sum(count for _, count in times["played_at"])
        assert answers == row["answered"] == sum(count for *_, count in times["waits"])
        slow = sum(count for _, limit, count in times["waits"] if limit == limit_of(3 * MINUTE))
        assert slow >= answers - 1, "but for the first question, which was answered at once"
        assert times["played_at"][0][0] == 10, "the tests begin at ten"


def test_decisions_whose_time_ran_out_are_missed_and_those_of_house_players_are_nobodys(
    app, cast, hours
):
    game_id = cast.start(CARAVAN, pace={"kind": "decision", "seconds": 3600})
    cast.alice.answer(cast.alice.game(game_id))
    for _ in range(8):  # until house players have taken over
        hours.later(HOUR)
    while cast.alice.game(game_id)["status"] == "running":
        hours.later(DAY)
    mine, theirs = of(cast.alice, app), of(cast.bob, app)
    assert (mine["answered"], theirs["answered"]) == (1, 0)
    assert mine["missed"] == theirs["missed"] == 3, "then house players take over"


def test_moves_that_the_service_plays_for_somebody_are_counted_like_their_own(app, cast):
    """Others see the sums: they could else tell how many answers in a history were given by orders."""
    game_id = cast.start(CARAVAN)
    cast.play(game_id)
    (given,) = execute(
        app,
        "SELECT t.id, e.number, e.game_key FROM events e JOIN tenures t ON t.game_key = e.game_key "
        "AND t.seat = e.seat WHERE e.asked IS NOT NULL AND t.player_id = :who "
        "ORDER BY e.number LIMIT 1",
        who=cast.alice.id,
    )
    execute(
        app,
        "INSERT INTO own_answers (game_key, number, tenure_id, player_id) "
        "VALUES (:game, :number, :tenure, :who)",
        game=given.game_key,
        number=given.number,
        tenure=given.id,
        who=cast.alice.id,
    )
    count_all(app)
    moves = cast.alice.get(at(game_id, "events?limit=200"))["events"]
    mine = [each for each in moves if each["kind"] == "action" and each["seat"] == 0]
    assert of(cast.alice, app)["answered"] == len(mine)


def test_who_left_is_last_and_who_came_later_has_no_place(app, cast):
    game_id = cast.start(BOOMERANG)
    services = app.extensions["tegami"]
    with app.app_context():
        leaving.resign(services, game_id, cast.bob.id)
    registered(cast.mallory)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 1})
    for person in (cast.alice, cast.carol):
        vote(person, game_id)
    people = {"Alice": cast.alice, "Mallory": cast.mallory, "Carol": cast.carol}
    while (game := cast.alice.game(game_id))["waiting"]:
        seat = game["waiting"][0]["seat"]
        person = people[game["seats"][seat]["name"]]
        person.answer(person.game(game_id))
    count_all(app)
    assert of(cast.bob, app)["place"] == 3
    late = of(cast.mallory, app)
    assert (late["place"], late["score"], late["beaten"]) == (None, None, None)
    assert late["answered"] > 0


def test_the_strongest_house_player_behind_somebody_is_beaten(app, cast):
    game_id = cast.start(CARAVAN, house=1, level="strong")
    row = execute(app, "SELECT key FROM games WHERE id = :id", id=game_id)[0]
    result = {"winners": [0], "scores": [90, 70], "reason": "done"}
    end(app, row.key, result)
    count_all(app)
    mine = of(cast.alice, app)
    assert (mine["place"], mine["beaten"], mine["score"], mine["table_score"]) == (
        *(1, "strong", 90),
        80_000,
    )


def end(app, key, result):
    """Let a game be over with this result."""
    execute(
        app,
        "UPDATE games SET status = 'over', ended_at = 7, result = :result WHERE key = :key",
        result=json.dumps(result),
        key=key,
    )


def test_draws_and_closed_games_have_no_places_and_lessons_no_rows(app, cast):
    drawn = cast.start(CARAVAN)
    propose(cast.alice, drawn, DRAW)
    vote(cast.bob, drawn)
    closed = cast.start(CARAVAN)
    with app.app_context():
        close_by_operator(app.extensions["tegami"], closed)
    cast.alice.post(f"/api/rulesets/{CARAVAN}/lessons", {})
    execute(app, "UPDATE games SET status = 'over', ended_at = 9 WHERE lesson IS NOT NULL")
    assert count_all(app) == 3
    rows = played(app)
    assert len(rows) == 4
    assert {row["place"] for row in rows} == {None}


def test_private_games_are_summed_by_themselves(app, cast):
    cast.play(cast.start(CARAVAN))
    cast.play(cast.start(CARAVAN, private=True))
    count_all(app)
    found = {key[1:]: each.games for key, each in sums(app).items() if key[0] == cast.alice.id}
    assert found == {(CARAVAN, False): 1, (CARAVAN, True): 1}


def test_the_worker_counts_each_game_soon_after_its_end(app, cast, hours):
    cast.play(cast.start(CARAVAN))
    assert played(app) == []
    hours.look()
    assert len(played(app)) == 2


def test_the_same_follows_again_from_rows_and_from_logs(app, cast, clock):
    for private in (False, True, False):
        for _ in cast.moves(cast.start(CARAVAN, private=private)):
            clock.forward(HOUR)
    count_all(app)
    rows, before = played(app), sums(app)
    with app.app_context():
        assert counting.recount() == (4, 0)
    execute(app, "UPDATE player_numbers SET numbers = :none", none=json.dumps(Numbers().stored))
    with app.app_context():
        assert counting.recount() == (4, 4)
    assert sums(app) == before
    with app.app_context():
        counting.forget()
    assert played(app) == []
    assert count_all(app) == 3
    assert (played(app), sums(app)) == (rows, before)


@pytest.mark.own_database
def test_a_game_that_cannot_be_read_keeps_no_other_waiting(app, cast):
    bad, good = cast.start(CARAVAN), cast.start(CARAVAN)
    cast.play(bad)
    cast.play(good)
    answered = "SELECT MIN(number) AS first FROM events WHERE asked IS NOT NULL"
    set_body(app, bad, execute(app, answered)[0].first, "{")
    assert count_all(app) == 2
    assert len(played(app)) == 2
    counted = execute(app, "SELECT id, counted FROM games")
    assert {row.id: bool(row.counted) for row in counted} == {bad: False, good: True}


def test_who_is_erased_leaves_nothing_and_others_keep_theirs(app, cast):
    cast.play(cast.start(CARAVAN))
    count_all(app)
    cast.alice.post("/api/me/erasure", {}, 204)
    assert {row["player_id"] for row in played(app)} == {cast.bob.id}
    assert {key[0] for key in sums(app)} == {cast.bob.id}
    with app.app_context():
        counting.forget()
    count_all(app)
    assert {row["player_id"] for row in played(app)} == {cast.bob.id}


def test_an_export_has_ones_own_rows_alone(app, cast):
    game_id = cast.start(CARAVAN, private=True)
    cast.play(game_id)
    count_all(app)
    with app.app_context():
        (row,) = personal_data.export(app.extensions["tegami"], cast.alice.id)["played"]
        assert personal_data.export(app.extensions["tegami"], cast.mallory.id)["played"] == []
    assert (row["game"], row["private"]) == (game_id, True)
    assert row["answered"] > 0


@sqlite_only
def test_the_command_says_what_is_counted_and_counts_again(config, app, cast, clock):
    tegami = partial(told, config, "played")
    cast.play(cast.start(CARAVAN))
    assert tegami() == "0 games counted\n1 games wait to be counted\n"
    count_all(app)
    assert tegami() == "1 games counted\n0 games wait to be counted\n"
    assert tegami("--recount") == "2 sums, 0 changed\n"
    execute(app, "DELETE FROM player_numbers WHERE player_id = :who", who=cast.alice.id)
    assert tegami("--recount") == "2 sums, 1 changed\n"
    assert tegami("--from-logs") == "0 games counted\n1 games wait to be counted\n"
    clock.forward(DAY)
    assert count_all(app) == 1
