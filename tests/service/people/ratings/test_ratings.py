"""Results of rated games and the ratings that follow: the same for any order and size of steps."""

from __future__ import annotations

import random
from collections import Counter
from itertools import groupby

import pytest

from service import personal_data
from service.core.database.database import db, transaction
from service.core.models.games import Game
from service.core.models.ratings import RatedResult
from service.log.table_rows.table import find
from service.operations.worker.ratings import Ratings
from service.people.ratings import ratings
from service.tables.play import leaving, moves
from tests.support.cast import CARAVAN
from tests.support.clock import HOUR
from tests.support.closing import close_by_operator
from tests.support.dump import execute
from tests.support.proposing import DRAW, propose, registered, vote
from tests.support.talking import at

pytestmark = pytest.mark.both_databases


@pytest.fixture
def people(cast):
    """The three who sit down all have accounts."""
    registered(*cast.seated)
    return cast


def results(app):
    query = "SELECT who, place FROM rated_results ORDER BY game_key, seat"
    return [tuple(row) for row in execute(app, query)]


def numbers(app):
    return {
        table: sorted(map(tuple, execute(app, f"SELECT * FROM {table}")))
        for table in ("rated_results", "ratings")
    }


def rate_all(app):
    with app.app_context():
        worker = Ratings(app.extensions["tegami"])
        while worker.rate_some():
            pass


def recomputed(app):
    with app.app_context():
        return sum(each.changed for each in ratings.recompute())


def test_a_public_table_of_registered_people_is_rated_by_itself(people):
    game_id = people.start(CARAVAN)
    people.play(game_id)
    winners = people.alice.game(game_id)["result"]["winners"]
    expected = {
        person.id: 1 if not winners or seat in winners else 2
        for seat, person in people.holders(game_id).items()
    }
    assert dict(results(people.app)) == expected
    rate_all(people.app)
    assert recomputed(people.app) == 0


def test_guests_lessons_and_private_tables_are_not_rated(cast):
    cast.play(cast.start(CARAVAN))
    registered(*cast.seated)
    cast.play(cast.start(CARAVAN, private=True))
    assert results(cast.app) == []


def test_somebody_who_registers_during_the_game_is_not_counted(cast, clock):
    registered(cast.alice)
    game_id = cast.start(CARAVAN)
    clock.forward(HOUR)
    with cast.app.app_context():
        registered(cast.bob)
    execute(cast.app, "UPDATE accounts SET registered_at = :at WHERE handle = 'bob'", at=clock())
    cast.play(game_id)
    assert results(cast.app) == []


def test_who_resigns_in_a_game_of_two_is_last(people):
    game_id = people.start(CARAVAN)
    people.bob.post(at(game_id, "resignation"), status=200)
    assert dict(results(people.app)) == {people.alice.id: 1, people.bob.id: 2}


def test_agreed_draws_and_closed_games_do_not_count(people):
    game_id = people.start(CARAVAN)
    propose(people.alice, game_id, DRAW)
    vote(people.bob, game_id)
    assert people.alice.game(game_id)["status"] == "over"
    other = people.start(CARAVAN)
    with people.app.app_context():
        close_by_operator(people.app.extensions["tegami"], other)
    assert results(people.app) == []


def test_who_has_left_is_last_and_who_took_over_is_not_counted(people):
    game_id = people.start()
    services = people.app.extensions["tegami"]
    with people.app.app_context():
        leaving.resign(services, game_id, people.bob.id)
    finish(people, game_id)
    places = dict(results(people.app))
    assert set(places) == {people.alice.id, people.bob.id, people.carol.id}
    assert places[people.bob.id] == 3


def test_who_has_come_back_counts_like_everybody(people):
    game_id = people.start()
    services = people.app.extensions["tegami"]
    with people.app.app_context():
        leaving.resign(services, game_id, people.bob.id)
        leaving.return_to_seat(services, game_id, people.bob.id)
    people.play(game_id)
    result = people.alice.game(game_id)["result"]
    scores = {person.id: result["scores"][seat] for seat, person in people.holders(game_id).items()}
    places = dict(results(people.app))
    assert (places[people.bob.id] == 1) == (scores[people.bob.id] == max(scores.values()))


def test_house_players_are_rated_by_level_and_version(people):
    game_id = people.start(players=3, house=2, level="easy")
    finish(people, game_id)
    names = {who for who, _ in results(people.app)}
    assert len(names) == 2
    (house,) = names - {people.alice.id}
    assert house.startswith("house:boomerang-auction:easy:")


def finish(cast, game_id):
    """Let everybody, house players included, play at random until the end."""
    services, rng = cast.app.extensions["tegami"], random.Random(5)
    with cast.app.app_context():
        while True:
            with transaction():
                table = find(game_id, lock=True)
                if table.game.is_over:
                    return
                state = services.states.load(table.game)
                holder = next(each for each in table.holders if each.waiting)
                action = rng.choice(table.ruleset.legal(state, holder.seat))
                by = "house" if holder.is_house else "seat"
                moves.answer(services, table, state, holder, action, by=by)


def insert_games(app, keys, private=()):
    """Insert rows of games to which results belong, some of them at `private` tables."""
    with app.app_context(), transaction():
        for key in keys:
            db.session.add(
                Game(
                    key=key,
                    id=f"g_{key:022}",
                    ruleset="caravan",
                    version=1,
                    players=2,
                    options={},
                    private=key in private,
                    seating="order",
                    start="host",
                    seed=b"0" * 32,
                    created_at=0,
                )
            )


def made_up(rng, games):
    """Results of a made-up season by game, in the order in which they ended; two end at the same moment."""
    names = [f"p_{n}" for n in range(6)] + ["house:caravan:usual:1"] * 2
    found = []
    for number in range(games):
        who = rng.sample(names, rng.randint(2, 7))
        shared = {"game_key": number + 1, "ruleset": "caravan", "players": len(who)}
        shared["ended_at"] = 1_000 + number // 2 * 100
        found.append(
            [
                {**shared, "seat": seat, "who": name, "place": rng.randint(1, len(who))}
                for seat, name in enumerate(who)
            ]
        )
    return found


def arrive(app, games):
    with app.app_context(), transaction():
        for game in games:
            db.session.add_all([RatedResult(**row) for row in game])


@pytest.mark.parametrize("seed", range(4))
def test_ratings_do_not_depend_on_when_games_arrive_and_workers_run(app, seed):
    rng = random.Random(seed)
    season = made_up(rng, 24)
    insert_games(app, range(1, 25), private=range(3, 25, 3))
    late = rng.sample(season, len(season)) if seed else season
    while late:
        some = rng.randint(1, 7)
        arrive(app, late[:some])
        late = late[some:]
        if rng.random() < 0.7:
            rate_all(app)
    rate_all(app)
    before = numbers(app)
    assert all(None not in row for row in before["rated_results"])
    assert recomputed(app) == 0
    assert numbers(app) == before
    execute(app, "UPDATE rated_results SET mean = 7 WHERE game_key = 3")
    execute(app, "DELETE FROM ratings")
    assert recomputed(app) > 0
    assert numbers(app) == before


def test_present_ratings_are_those_after_the_last_game(app):
    """And what others see is as it was after the last public one, with the number of these."""
    private = {*range(2, 13, 2), *range(9, 13)}
    insert_games(app, range(1, 13), private)
    arrive(app, made_up(random.Random(9), 12))
    rate_all(app)
    last, seen, games = {}, {}, Counter()
    query = "SELECT game_key, who, mean, deviation, games FROM rated_results ORDER BY ended_at, game_key"
    for key, players in groupby(execute(app, query), key=lambda row: row.game_key):
        for who, known in {row.who: [*row[2:]] for row in players}.items():
            last[who] = known
            if key not in private:
                games[who] += 1
                seen[who] = [*known[:2], games[who]]
    present = execute(
        app,
        "SELECT who, mean, deviation, games, seen_mean, seen_deviation, seen_games FROM ratings",
    )
    assert {row[0]: [*row[1:4]] for row in present} == last
    assert {row[0]: [*row[4:]] for row in present} == {
        who: seen.get(who, [None] * 3) for who in last
    }


def test_of_somebody_erased_the_results_stay_and_others_keep_their_numbers(people):
    people.play(people.start(CARAVAN))
    people.play(people.start(CARAVAN))
    rate_all(people.app)
    services, alice, bob = people.app.extensions["tegami"], people.alice.id, people.bob.id
    query = "SELECT mean, deviation FROM ratings WHERE who = :who"
    before = execute(people.app, query, who=alice)
    with people.app.app_context():
        exported = personal_data.export(services, bob)["ratings"]
        assert [each["ruleset"] for each in exported] == [CARAVAN] * 2
        personal_data.erase(services, bob)
    names = {who for who, _ in results(people.app)}
    assert len(names) == 2
    assert bob not in names
    assert execute(people.app, "SELECT * FROM ratings WHERE who = :who", who=bob) == []
    assert recomputed(people.app) == 0
    assert execute(people.app, query, who=alice) == before
