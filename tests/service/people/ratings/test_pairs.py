"""Pairs of people who keep meeting in rated games: `tegami people pairs`."""

from __future__ import annotations

import itertools
import random

import pytest

from service.people.ratings import pairs
from service.people.ratings.estimates import NEW
from tests.service.people.ratings.test_ratings import arrive, insert_games, numbers, rate_all
from tests.support.clock import DAY
from tests.support.dump import execute
from tests.support.operator_command import told
from tests.support.proposing import registered

pytestmark = pytest.mark.both_databases


def season(app, games, first=1):
    """Let these games be played and rated, each a list of people in the order of their places, one a second."""
    insert_games(app, range(first, first + len(games)))
    arrive(
        app,
        [
            [
                {"game_key": key, "ruleset": "caravan", "players": len(who), "seat": seat}
                | {"who": name, "ended_at": key * 1000, "place": seat + 1}
                for seat, name in enumerate(who)
            ]
            for key, who in enumerate(games, first)
        ],
    )
    rate_all(app)


def often(app, since=0, least=5, share=0.5):
    with app.app_context():
        return pairs.often(since, least, share)


CROWD = [f"p_{n}" for n in range(6)]


def crowd(rng, games):
    """People who happen to play with each other."""
    return [rng.sample(CROWD, 2) for _ in range(games)]


def test_a_pair_that_always_meets_is_listed_with_who_gains(app):
    rng = random.Random(1)
    games = [*crowd(rng, 40), *[["p_main", "p_second"]] * 8, ["p_main", "p_1"], ["p_2", "p_main"]]
    rng.shuffle(games)
    season(app, games)
    (pair,) = often(app)
    assert pair.people == ("p_main", "p_second")
    assert (pair.together, pair.played, pair.share) == (8, (10, 8), 1.0)
    gain, loss = pair.gains
    assert loss < 0 < gain
    last = {row[0]: row[2] for row in numbers(app)["ratings"]}
    assert loss == last["p_second"] - NEW.mean, "who plays with nobody else gains nowhere else"
    assert often(app, least=9) == []
    assert often(app, share=1.0) == [pair]


def test_points_of_games_before_the_days_that_are_looked_at_do_not_count(app):
    season(app, [["p_a", "p_b"]] * 4 + [["p_b", "p_a"]] * 5)
    (all_of_them,) = often(app)
    (later,) = often(app, since=5000)
    assert (all_of_them.together, later.together) == (9, 5)
    one, other = later.gains
    assert one < 0 < other
    assert one < all_of_them.gains[0], "the four that it won lie before"


def test_house_players_and_who_was_erased_are_in_no_pair(app):
    house = "house:caravan:usual:1"
    season(app, [["p_a", house, "x_erased", house]] * 6)
    assert often(app) == []


def test_tables_of_several_are_pairs_of_each_two(app):
    season(app, [["p_a", "p_b", "p_c"]] * 5)
    found = often(app)
    assert [each.people for each in found] == [*itertools.combinations(["p_a", "p_b", "p_c"], 2)]
    assert [each.share for each in found] == [1.0] * 3


@pytest.mark.own_database
def test_the_operator_lists_them(app, cast, config, clock):
    registered(cast.alice, cast.bob)
    season(app, [[cast.alice.id, cast.bob.id]] * 12 + [[cast.alice.id, "p_c"]] * 3)
    execute(app, "UPDATE rated_results SET ended_at = ended_at + :now", now=clock() - DAY)
    rate_all(app)
    heading, line = told(config, "people", "pairs", "--days", "3650").splitlines()
    assert heading.split() == "together of all games points gained who".split()
    assert line.split()[0] == "12"
    assert {"@alice", "@bob"} <= {*line.replace(",", "").split()}
    assert "12" in line and "15" in line
    assert told(config, "people", "pairs", "--least", "13", "--days", "3650").splitlines() == [
        heading
    ]
