"""Pages of players: who sees them, and that nobody learns more from them than they show."""

from __future__ import annotations

import pytest

from service.people.ratings.leaderboards import ENOUGH
from tests.service.people.ratings.played.test_counting import count_all
from tests.service.people.ratings.test_answers import change
from tests.service.people.ratings.test_ratings import rate_all
from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.clock import HOUR
from tests.support.dump import execute
from tests.support.proposing import registered
from tests.support.talking import at

PAGE = "/api/players/alice"


@pytest.fixture
def people(cast):
    """Everybody has an account."""
    registered(*cast.everybody)
    return cast


def play(cast, times=1, **wish):
    """Let alice and bob play some games of Caravan, and count them."""
    games = [cast.start_anew(CARAVAN, **wish) for _ in range(times)]
    for game_id in games:
        cast.play(game_id)
    count_all(cast.app)
    return games


def rulesets(person, path=PAGE):
    return {each["ruleset"]: each for each in person.get(path)["rulesets"]}


def everything(person):
    """All that somebody is shown of alice, with the tags."""
    paths = (PAGE, f"{PAGE}/games", f"{PAGE}/ratings/{CARAVAN}")
    found = [person.send("GET", path) for path in paths]
    return [(each.status_code, each.headers.get("ETag")) for each in found] + [
        {name: each.json[name] for name in ("rulesets", "games") if name in each.json}
        for each in found
    ]


@pytest.mark.both_databases
def test_a_page_shows_what_somebody_has_played_and_how(people, clock):
    for game_id in (people.start_anew(CARAVAN) for _ in range(ENOUGH)):
        for _ in people.moves(game_id):
            clock.forward(HOUR)
    count_all(people.app)
    rate_all(people.app)
    page = people.bob.get(PAGE)
    assert (page["name"], page["handle"], page["you"]) == ("Alice", "alice", False)
    assert page["registered_on"] == "1970-01-01"
    (shown,) = page["rulesets"]
    assert (shown["ruleset"], shown["name"], shown["games"]) == (CARAVAN, "Caravan", 3)
    assert sum(shown["places"]) == 3
    assert shown["answers_within"] == 3600
    assert shown["missed_per_hundred"] == 0
    assert shown["rating"]["deviation"] < 250
    assert shown["score"].keys() == {"own", "table"}
    (mine,) = people.alice.get(PAGE)["rulesets"]
    assert people.alice.get(PAGE)["you"]
    assert mine["close"] is not None
    assert sum(hour["answers"] for hour in mine["hours"]) == mine["decisions"]


def test_by_default_those_see_it_who_have_played_with_its_owner(people):
    play(people)
    assert people.bob.get(PAGE)
    for other in (people.carol, people.mallory, people.nobody):
        for path in (PAGE, f"{PAGE}/games", f"{PAGE}/ratings/{CARAVAN}"):
            other.refused("GET", path, "not-found")


def test_its_owner_decides_who_sees_it(people):
    play(people)
    assert change(people.alice, page_for="everyone")["page_for"] == "everyone"
    for other in (people.bob, people.mallory, people.nobody):
        assert other.get(PAGE)["name"] == "Alice"
    change(people.alice, page_for="nobody")
    for other in (people.bob, people.mallory, people.nobody):
        other.refused("GET", PAGE, "not-found")
    assert people.alice.get(PAGE)["you"]
    assert change(people.alice, page_for="played")["page_for"] == "played"
    assert people.bob.get(PAGE)


def test_who_is_blocked_sees_none_like_who_asks_for_nobodys(people):
    (game_id,) = play(people)
    tenure = people.alice.game(game_id)["seats"][1]["tenure"]
    change(people.alice, page_for="everyone")
    people.alice.post("/api/me/blocks", {"game": game_id, "tenure": tenure})
    hidden = people.bob.refused("GET", PAGE, "not-found")
    unknown = people.bob.refused("GET", "/api/players/nobody-is-called-so", "not-found")
    assert hidden == unknown
    assert people.mallory.get(PAGE)


def test_guests_and_people_who_cannot_sign_in_have_none(cast):
    play(cast)
    cast.alice.refused("GET", PAGE, "not-found")
    registered(cast.alice)
    assert cast.alice.get("/api/players/ALICE")["name"] == "Alice"
    execute(cast.app, "UPDATE accounts SET address = NULL")
    cast.alice.refused("GET", PAGE, "not-found")


def test_a_page_is_found_by_a_seat(people):
    (game_id,) = play(people)
    seats = people.alice.game(game_id)["seats"]
    path = at(game_id, f"seats/{seats[0]['tenure']}/player")
    assert people.bob.get(path) == people.bob.get(PAGE)
    people.mallory.refused("GET", path, "not-found")
    other = people.start_anew(CARAVAN, house=1)
    people.alice.refused("GET", at(other, f"seats/{seats[0]['tenure']}/player"), "not-found")
    house = people.alice.game(other)["seats"][1]["tenure"]
    people.alice.refused("GET", at(other, f"seats/{house}/player"), "not-found")


@pytest.mark.both_databases
def test_nothing_that_others_see_changes_by_a_private_game(people):
    play(people, ENOUGH)
    rate_all(people.app)
    change(people.alice, page_for="everyone", ratings_for="everyone")
    before, own = everything(people.mallory), everything(people.alice)
    assert [each[0] for each in before[:3]] == [200, 200, 200]
    play(people, private=True, rated=True)
    rate_all(people.app)
    assert everything(people.mallory) == before, "not even the tags"
    assert all(one != other for one, other in zip(everything(people.alice), own, strict=True))
    (together,) = people.bob.get(PAGE)["together"]
    assert together["games"] == ENOUGH + 1, "bob was there"


def test_numbers_of_fewer_than_three_games_are_the_owners_alone(people):
    play(people, ENOUGH - 1)
    rate_all(people.app)
    assert rulesets(people.bob) == {}
    people.bob.refused("GET", f"{PAGE}/ratings/{CARAVAN}", "not-found")
    assert rulesets(people.alice)[CARAVAN]["games"] == ENOUGH - 1
    assert len(people.alice.get(f"{PAGE}/ratings/{CARAVAN}")["games"]) == ENOUGH - 1
    play(people, private=True)
    assert rulesets(people.bob) == {}, "private ones do not count for others"
    play(people)
    assert rulesets(people.bob)[CARAVAN]["games"] == ENOUGH


def test_the_hours_of_the_day_are_shown_to_others_only_by_choice(people, clock):
    play(people, ENOUGH)
    assert rulesets(people.alice)[CARAVAN]["hours"]
    assert rulesets(people.bob)[CARAVAN]["hours"] is None
    assert change(people.alice, show_hours=True)["show_hours"]
    hours = rulesets(people.bob)[CARAVAN]["hours"]
    assert [n for n, each in enumerate(hours) if each["answers_within"]] == [10]
    assert {each["answers"] for each in hours} == {None}
    clock.forward(5 * HOUR)
    play(people, ENOUGH - 1)
    again = rulesets(people.bob)[CARAVAN]["hours"]
    assert again[15]["answers_within"] is None, "too few games had a question then"
    assert rulesets(people.alice)[CARAVAN]["hours"][15]["answers_within"] == 10


def test_hours_are_those_of_the_owners_day(people):
    play(people, ENOUGH)
    change(people.alice, show_hours=True, time_zone="Asia/Tokyo")
    hours = rulesets(people.bob)[CARAVAN]["hours"]
    assert [n for n, each in enumerate(hours) if each["answers_within"]] == [19]


def test_ratings_are_shown_as_their_owner_wishes(people):
    play(people, ENOUGH)
    rate_all(people.app)
    mine = people.alice.get(f"{PAGE}/ratings/{CARAVAN}")
    assert people.bob.get(f"{PAGE}/ratings/{CARAVAN}") == mine
    assert rulesets(people.bob)[CARAVAN]["rating"]
    change(people.alice, ratings_for="nobody")
    assert rulesets(people.bob)[CARAVAN]["rating"] is None
    first = people.bob.send("GET", f"{PAGE}/ratings/{CARAVAN}?limit=1")
    assert first.status_code == 404


def test_rated_games_of_a_player_come_by_page(people):
    play(people, ENOUGH)
    page = people.bob.get(f"{PAGE}/ratings/{CARAVAN}?limit=2")
    rest = people.bob.get(f"{PAGE}/ratings/{CARAVAN}?limit=2&cursor={page['next']}")
    assert (len(page["games"]), len(rest["games"]), rest["next"]) == (2, 1, None)


@pytest.mark.both_databases
def test_finished_games_are_listed_latest_first_a_page_at_a_time(people, clock):
    games = []
    for private in (False, True, False, False):
        games += play(people, private=private)
        clock.forward(HOUR)
    path, found = f"{PAGE}/games?limit=2", []
    page = people.alice.get(path)
    while True:
        found += page["games"]
        if page["next"] is None:
            break
        page = people.alice.get(f"{path}&cursor={page['next']}")
    assert [each["game"]["id"] for each in found] == games[::-1]
    public = [each["game"]["id"] for each in people.bob.get(f"{PAGE}/games")["games"]]
    assert public == [games[3], games[2], games[0]]
    won = found[0]["place"] == 1
    assert (found[0]["game"]["outcome"] == "won") == won


def test_what_two_have_played_is_seen_from_the_side_of_the_caller(people):
    game_id = people.start_anew(CARAVAN)
    people.bob.post(at(game_id, "resignation"), status=200)
    play(people)
    count_all(people.app)
    (seen,) = people.bob.get(PAGE)["together"]
    (turned,) = people.alice.get("/api/players/bob")["together"]
    assert seen["games"] == turned["games"] == 2
    assert (seen["before"], seen["behind"]) == (turned["behind"], turned["before"])
    assert seen["behind"] >= 1
    assert people.alice.get(PAGE)["together"] is None
    change(people.alice, page_for="everyone")
    assert people.nobody.get(PAGE)["together"] is None
    assert people.mallory.get(PAGE)["together"] == []


def test_rulesets_of_most_games_come_first(people):
    people.play(people.start_anew(BOOMERANG))
    play(people, 2)
    assert list(rulesets(people.alice)) == [CARAVAN, BOOMERANG]


def test_pages_are_polled_by_tag(people):
    play(people)
    for path in (PAGE, f"{PAGE}/games", f"{PAGE}/ratings/{CARAVAN}"):
        tag = people.alice.send("GET", path).headers["ETag"]
        again = people.alice.send("GET", path, headers={"If-None-Match": tag})
        assert again.status_code == 304
    tag = people.alice.send("GET", PAGE).headers["ETag"]
    play(people)
    assert people.alice.send("GET", PAGE, headers={"If-None-Match": tag}).status_code == 200


def test_somebody_who_is_erased_has_none(people):
    play(people)
    people.alice.post("/api/me/erasure", {}, 204)
    people.bob.refused("GET", PAGE, "not-found")
    assert people.bob.get("/api/players/bob")["you"]
