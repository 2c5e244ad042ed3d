"""The table as it was: what each seat saw then, and everything once the game is over."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only


def page(person, game_id, query="", **more):
    return person.get(f"/api/games/{game_id}/views{query}", **more)


@pytest.fixture
def game_id(cast):
    game_id = cast.start()
    cast.play(game_id, most=5)
    return game_id


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_views_are_what_everybody_saw_at_the_time(cast, slug):
    game_id = cast.start(slug)
    watching = (*cast.holders(game_id).values(), cast.nobody)
    seen = {person: {} for person in watching}
    for _ in cast.moves(game_id):
        for person in watching:
            game = person.game(game_id)
            seen[person][game["number"]] = game["view"]
    for person in watching:
        views = {each["number"]: each for each in page(person, game_id, "?limit=50")["views"]}
        for number, view in seen[person].items():
            if number in views:
                assert views[number]["view"] == view
                assert views[number]["seat"] == person.game(game_id)["seat"]


@pytest.mark.both_databases
@pytest.mark.parametrize("limit", [1, 3, 50])
def test_pages_add_up(cast, game_id, limit):
    whole = page(cast.bob, game_id)
    assert whole["next"] is None
    assert [each["number"] for each in whole["views"]] == [1, 2, 3, 4, 5, 6, 7]
    found, after = [], 0
    while after is not None:
        part = page(cast.bob, game_id, f"?after={after}&limit={limit}")
        assert len(part["views"]) <= limit
        found += part["views"]
        after = part["next"]
    assert found == whole["views"]


def test_one_view_is_that_of_the_list(cast, game_id):
    for view in page(cast.bob, game_id)["views"]:
        assert cast.bob.get(f"/api/games/{game_id}/views/{view['number']}") == view


@sqlite_only
@pytest.mark.parametrize("number", ["0", "8", "2147483647", "2147483648", "-1", "x", "1.0"])
def test_there_is_no_view_of_what_has_not_happened(cast, game_id, number):
    cast.alice.refused("GET", f"/api/games/{game_id}/views/{number}", "not-found")


@sqlite_only
def test_there_is_none_before_the_start(cast):
    game_id = cast.open()
    assert page(cast.alice, game_id) == {"views": [], "next": None}
    cast.alice.refused("GET", f"/api/games/{game_id}/views/1", "not-found")


@sqlite_only
@pytest.mark.parametrize("path", ["views?show=all", "views/3?show=all"])
def test_all_cards_lie_open_only_once_the_game_is_over(cast, game_id, path):
    for person in (*cast.seated, cast.nobody):
        person.refused("GET", f"/api/games/{game_id}/{path}", "not-over")
    cast.play(game_id)
    (own,) = page(cast.nobody, game_id, "?after=2&limit=1")["views"]
    for person in (*cast.seated, cast.nobody):
        found = person.get(f"/api/games/{game_id}/{path}")
        first = found if "view" in found else found["views"][2]
        assert first["seat"] is None
        hands = [each["cards"] for each in first["view"]["zones"] if each["name"] == "hand"]
        assert len(hands) == 3 and all(hands)
    assert not any("cards" in each for each in own["view"]["zones"] if each["name"] == "hand")


@sqlite_only
def test_who_gave_up_a_seat_sees_later_positions_as_a_spectator(cast, game_id):
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    left = cast.alice.game(game_id)["number"]
    for _ in range(3):
        game = cast.bob.game(game_id)
        if game["legal"]:
            cast.bob.answer(game)
    mine = {each["number"]: each for each in page(cast.alice, game_id)["views"]}
    theirs = {each["number"]: each for each in page(cast.nobody, game_id)["views"]}
    assert mine[left]["seat"] == 0 and mine[left]["view"] != theirs[left]["view"]
    for number in range(left + 1, max(theirs) + 1):
        assert mine[number] == theirs[number]


@sqlite_only
@pytest.mark.parametrize(
    "query", ["?limit=51", "?limit=0", "?after=-1", "?show=theirs", "?show=", "?open=1"]
)
def test_invalid_queries(cast, game_id, query):
    cast.alice.refused("GET", f"/api/games/{game_id}/views{query}", "invalid-query")
