"""What the API says about ratings, and to whom."""

from __future__ import annotations

import random

import pytest

from rules.players.house import VERSION
from service.people import players
from service.people.ratings import leaderboards
from service.people.ratings.leaderboards import ENOUGH, MOST_DEVIATION
from tests.service.people.ratings.test_ratings import arrive, insert_games, made_up, rate_all
from tests.support.cast import CARAVAN
from tests.support.dump import execute
from tests.support.proposing import registered
from tests.support.talking import at

BOARD = f"/api/rulesets/{CARAVAN}/leaderboard"


@pytest.fixture
def played(cast):
    """Let Bob resign in three rated games against Alice; returns the id of the last one."""
    registered(*cast.seated)
    return [lose(cast) for _ in range(ENOUGH)][-1]


def lose(cast, **wish):
    """Let Bob resign in a rated game against Alice; returns the id of the game."""
    game_id = cast.start(CARAVAN, **wish)
    cast.bob.post(at(game_id, "resignation"), status=200)
    rate_all(cast.app)
    return game_id


def of_player(game_id, game, seat):
    return f"/api/games/{game_id}/seats/{game['seats'][seat]['tenure']}/ratings"


def change(person, **settings):
    answer = person.send("PATCH", "/api/me/settings", json=settings)
    assert answer.status_code == 200, answer.json
    return answer.json["settings"]


def test_whether_a_table_is_rated_is_decided_by_who_opens_it(cast):
    def rated(**wish):
        return cast.alice.game(cast.open(CARAVAN, **wish))["rated"]

    assert not rated()
    assert not rated(rated=True)  # she is a guest
    registered(cast.alice)
    assert rated()
    assert not rated(rated=False)
    assert not rated(private=True)
    assert rated(private=True, rated=True)
    listed = cast.mallory.get("/api/games?status=open")["games"]
    assert {each["rated"] for each in listed} == {True, False}


def test_a_rematch_of_a_rated_game_is_rated(cast, played):
    again = cast.alice.post(at(played, "rematch"), {"nonce": None})
    assert again["rated"]


def test_my_ratings_and_the_games_they_come_from(cast, played):
    (mine,) = cast.alice.get("/api/me/ratings")["ratings"]
    assert (mine["ruleset"], mine["games"]) == (CARAVAN, ENOUGH)
    assert mine["rating"] > 1500
    point, *_ = cast.bob.get(f"/api/me/ratings/{CARAVAN}")["games"]
    assert (point["game"], point["place"]) == (played, 2)
    assert point["rating"] < 1500
    assert cast.mallory.get("/api/me/ratings") == {"ratings": []}
    cast.nobody.refused("GET", "/api/me/ratings", "not-signed-in")
    cast.alice.refused("GET", "/api/me/ratings/chess", "not-found")


def test_a_leaderboard_names_the_pages_that_the_caller_may_see(cast, played):
    sure = "seen_mean = mean, seen_deviation = 1000, seen_games = 50"
    execute(cast.app, f"UPDATE ratings SET {sure}")
    for person in cast.seated:
        change(person, on_leaderboards=True)

    def handles(person):
        return {each["name"]: each["handle"] for each in person.get(BOARD)["entries"]}

    assert handles(cast.alice) == {"Alice": "alice", "Bob": "bob"}
    assert handles(cast.nobody) == handles(cast.mallory) == {"Alice": None, "Bob": None}
    change(cast.alice, page_for="everyone")
    assert handles(cast.nobody) == {"Alice": "alice", "Bob": None}
    change(cast.alice, page_for="nobody")
    assert handles(cast.bob) == {"Alice": None, "Bob": "bob"}
    change(cast.alice, page_for="played")
    cast.alice.post(
        "/api/me/blocks", {"game": played, "tenure": cast.bob.game(played)["tenure"]}, 201
    )
    assert handles(cast.bob) == {"Alice": None, "Bob": "bob"}


def test_rated_games_are_listed_latest_first_a_page_at_a_time(cast):
    insert_games(cast.app, range(1, 10))
    games = [
        [{**row, "who": cast.alice.id if row["seat"] == 0 else row["who"]} for row in game]
        for game in made_up(random.Random(3), 9)
    ]
    arrive(cast.app, games)
    path, found = f"/api/me/ratings/{CARAVAN}?limit=4", []
    page = cast.alice.get(path)
    while True:
        found += page["games"]
        if page["next"] is None:
            break
        page = cast.alice.get(f"{path}&cursor={page['next']}")
    assert [each["game"] for each in found] == [f"g_{n:022}" for n in range(9, 0, -1)]
    assert {each["rating"] for each in found} == {None}


def test_others_see_ratings_as_their_owner_wishes(cast, played):
    path = of_player(played, cast.alice.game(played), 0)
    assert cast.alice.get(path) == cast.bob.get(path) == cast.alice.get("/api/me/ratings")
    for stranger in (cast.mallory, cast.nobody):
        stranger.refused("GET", path, "not-found")
    assert change(cast.alice, ratings_for="everyone")["ratings_for"] == "everyone"
    assert cast.mallory.get(path) == cast.nobody.get(path) == cast.alice.get(path)
    change(cast.alice, ratings_for="nobody")
    for other in (cast.bob, cast.mallory, cast.nobody):
        other.refused("GET", path, "not-found")
    assert change(cast.alice, ratings_for="played")["ratings_for"] == "played"
    assert cast.bob.get(path)["ratings"]


@pytest.mark.both_databases
def test_others_see_no_rating_of_few_games_and_nothing_of_private_ones(cast):
    registered(*cast.seated)
    for _ in range(ENOUGH - 1):
        game_id = lose(cast)
    path = of_player(game_id, cast.alice.game(game_id), 0)
    assert cast.bob.get(path) == {"ratings": []}
    lose(cast)
    seen = cast.bob.get(path)
    assert seen == cast.alice.get(path) != {"ratings": []}
    lose(cast, private=True, rated=True)
    assert cast.bob.get(path) == seen != cast.alice.get(path)


def test_who_is_blocked_sees_no_ratings_and_no_reason(cast, played):
    game = cast.alice.game(played)
    path = of_player(played, game, 0)
    cast.alice.post("/api/me/blocks", {"game": played, "tenure": game["seats"][1]["tenure"]})
    cast.bob.refused("GET", path, "not-found")


def test_a_seat_of_another_game_and_of_a_house_player_has_none(cast, played):
    other = cast.start(CARAVAN, house=1)
    game = cast.alice.game(other)
    cast.alice.refused("GET", of_player(played, game, 0), "not-found")
    house = next(n for n, seat in enumerate(game["seats"]) if seat["house"])
    cast.alice.refused("GET", of_player(other, game, house), "not-found")


def test_a_private_table_is_not_told_by_ratings(cast):
    registered(*cast.seated)
    game_id = cast.start(CARAVAN, private=True)
    change(cast.alice, ratings_for="everyone")
    path = of_player(game_id, cast.alice.game(game_id), 0)
    cast.mallory.refused("GET", path, "not-found")


def sure(app, **means):
    """Give people these certain ratings."""
    for who, mean in means.items():
        execute(
            app,
            "INSERT INTO ratings (who, ruleset, mean, deviation, games, ended_at, seen_mean,"
            " seen_deviation, seen_games) VALUES (:who, 'caravan', :mean, 60000, 50, 0, :mean, 60000, 50)",
            who=who,
            mean=mean,
        )


@pytest.mark.both_databases
def test_on_a_leaderboard_are_those_who_want_to_be_and_are_sure(cast):
    registered(*cast.seated)
    sure(cast.app, **{cast.alice.id: 1_700_000, cast.bob.id: 1_800_000, cast.carol.id: 1_650_000})
    assert cast.nobody.get(BOARD) == {
        "entries": [],
        "own": None,
        "most_deviation": MOST_DEVIATION,
        "next": None,
    }
    for person in (cast.alice, cast.bob, cast.carol):
        assert change(person, on_leaderboards=True)["on_leaderboards"]
    change(cast.carol, on_leaderboards=False)
    execute(
        cast.app, "UPDATE ratings SET seen_deviation = 101000 WHERE who = :who", who=cast.bob.id
    )
    (entry,) = cast.alice.get(BOARD)["entries"]
    assert (entry["name"], entry["rank"], entry["rating"], entry["you"]) == ("Alice", 1, 1700, True)
    execute(
        cast.app, "UPDATE ratings SET seen_deviation = 100000 WHERE who = :who", who=cast.bob.id
    )
    assert names(cast.bob) == ["Bob", "Alice"]
    assert [each["you"] for each in cast.nobody.get(BOARD)["entries"]] == [False, False]


def names(person):
    return [each["name"] for each in person.get(BOARD)["entries"]]


HOUSE = f"house:{CARAVAN}:usual:{VERSION}"


def beat(cast, numbers, private=()):
    """Let Alice, Bob and a house player take turns at winning games with these numbers."""
    insert_games(cast.app, numbers, private)
    who = [cast.alice.id, cast.bob.id, HOUSE]
    shared = {"ruleset": CARAVAN, "players": 3}
    arrive(
        cast.app,
        [
            [
                {
                    **shared,
                    "game_key": key,
                    "ended_at": key,
                    "seat": n,
                    "who": each,
                    "place": 1 + (n + key) % 3,
                }
                for n, each in enumerate(who)
            ]
            for key in numbers
        ],
    )
    rate_all(cast.app)


@pytest.mark.both_databases
def test_a_leaderboard_tells_nothing_of_private_games(cast):
    """Neither by the rating nor by the number of games, of people and of house players; owners see their own."""
    registered(*cast.seated)
    for person in (cast.alice, cast.bob):
        change(person, on_leaderboards=True)
    beat(cast, range(1, 31))
    before, mine = cast.nobody.send("GET", BOARD), cast.alice.get("/api/me/ratings")
    assert {each["games"] for each in before.json["entries"]} == {30}
    beat(cast, [31], private=[31])
    after = cast.nobody.send("GET", BOARD)
    assert (after.json, after.headers["ETag"]) == (before.json, before.headers["ETag"])
    assert own(cast.alice)["games"] == 30
    assert cast.alice.get("/api/me/ratings") != mine
    beat(cast, [32])
    assert {each["games"] for each in cast.nobody.get(BOARD)["entries"]} == {31}


@pytest.mark.both_databases
def test_leaderboards_come_by_page_with_ranks_that_go_on(cast):
    registered(*cast.seated)
    ids = [cast.alice.id, cast.bob.id, cast.carol.id]
    sure(cast.app, **dict.fromkeys(ids, 1_600_000))
    for person in cast.seated:
        change(person, on_leaderboards=True)
    page = cast.nobody.get(f"{BOARD}?limit=2")
    rest = cast.nobody.get(f"{BOARD}?limit=2&cursor={page['next']}")
    assert [each["rank"] for each in page["entries"] + rest["entries"]] == [1, 2, 3]
    assert {each["name"] for each in page["entries"] + rest["entries"]} == {"Alice", "Bob", "Carol"}
    assert rest["next"] is None


def test_house_players_of_the_present_version_are_on_it_by_their_level(cast):
    sure(cast.app, **{f"house:caravan:strong:{VERSION}": 1_720_000, "house:caravan:easy:0": 1})
    (entry,) = cast.nobody.get(BOARD)["entries"]
    assert (entry["house"], entry["program"], entry["name"]) == (
        True,
        False,
        "House players, strong",
    )


def own(person):
    return person.get(f"{BOARD}?limit=1")["own"]


@pytest.mark.both_databases
def test_my_own_place_is_told_wherever_it_is_and_why_i_have_none(cast):
    registered(*cast.seated)
    equal = [cast.alice.id, cast.bob.id]
    sure(cast.app, **dict.fromkeys(equal, 1_600_000), **{cast.carol.id: 1_700_000})
    mine = {"rank": None, "listed": False, "sure": True, "rating": 1600, "deviation": 60}
    assert own(cast.alice) == {**mine, "games": 50}
    for person in cast.seated:
        change(person, on_leaderboards=True)
    assert {own(cast.alice)["rank"], own(cast.bob)["rank"]} == {2, 3}
    ranks = {each["rank"]: each["name"] for each in cast.nobody.get(BOARD)["entries"]}
    assert ranks[own(cast.alice)["rank"]] == "Alice"
    change(cast.carol, on_leaderboards=False)
    assert {own(cast.alice)["rank"], own(cast.bob)["rank"]} == {1, 2}
    execute(
        cast.app, "UPDATE ratings SET seen_deviation = 100400 WHERE who = :who", who=cast.bob.id
    )
    assert own(cast.alice)["rank"] == 1
    unsure = own(cast.bob)
    assert (unsure["rank"], unsure["listed"], unsure["sure"]) == (None, True, False)
    assert (own(cast.mallory), own(cast.nobody)) == (None, None)


def test_a_place_far_down_is_not_counted(cast):
    registered(*cast.seated)
    ids = [cast.alice.id, cast.bob.id, cast.carol.id]
    sure(cast.app, **{who: 1_600_000 - n for n, who in enumerate(ids)})
    for person in cast.seated:
        change(person, on_leaderboards=True)
    with cast.app.app_context():
        found = [leaderboards.own(CARAVAN, players.get(each.id), most=2) for each in cast.seated]
    assert [each and each.rank for each in found] == [1, 2, None]


def test_answers_are_polled_by_tag(cast, played):
    for path in ("/api/me/ratings", BOARD, f"/api/me/ratings/{CARAVAN}"):
        tag = cast.alice.send("GET", path).headers["ETag"]
        again = cast.alice.send("GET", path, headers={"If-None-Match": tag})
        assert again.status_code == 304


def test_somebody_who_is_erased_is_on_no_leaderboard(cast):
    registered(*cast.seated)
    sure(cast.app, **{cast.alice.id: 1_700_000})
    change(cast.alice, on_leaderboards=True)
    assert names(cast.nobody) == ["Alice"]
    cast.alice.post("/api/me/erasure", {}, 204)
    assert names(cast.nobody) == []
