"""House players: their levels, their names, and their mark as programs."""

from __future__ import annotations

import pytest

from rules.players.house import VERSION
from rules.players.levels import LEVELS
from service.core.runtime.problems import UnusableName
from service.core.words.words import LANGUAGES, phrases
from service.log.verification.verify_record import verify
from service.people import names
from service.tables.play import timeouts
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.clock import DAY
from tests.support.dump import dump, execute
from tests.support.proposing import propose, vote

TEN = "auction-draw"
"""A game for two to ten."""


def programs(game):
    """Level and version by seat or place."""
    shown = [each["program"] for each in game["seats"]]
    return [each and (each["level"], each["version"]) for each in shown]


def seats(game):
    return f"/api/games/{game['id']}/seats"


@pytest.mark.parametrize("level", LEVELS)
def test_a_table_says_how_well_its_house_players_play(cast, level):
    wish = {"ruleset": BOOMERANG, "house": 2, "level": level, "start": "full", "nonce": None}
    game = cast.alice.post("/api/games", wish)
    assert game["level"] == level
    assert sorted(map(str, programs(game))) == sorted(
        map(str, [None, (level, VERSION), (level, VERSION)])
    )
    assert [each["house"] for each in game["seats"]] == [
        each["program"] is not None for each in game["seats"]
    ]


@sqlite_only
def test_house_players_are_normal_unless_somebody_says_otherwise(cast):
    game = cast.alice.game(cast.open(house=1))
    assert game["level"] == "normal"
    game = cast.alice.post(seats(game), {"house": True})
    assert programs(game) == [None, ("normal", VERSION), ("normal", VERSION)]


@sqlite_only
def test_the_host_chooses_a_level_for_each_house_player(cast):
    game = cast.alice.game(cast.open(TEN, players=5, house=1, level="easy"))
    cast.alice.post(seats(game), {"house": True})
    cast.alice.post(seats(game), {"house": True, "level": "strong"})
    game = cast.alice.post(
        f"/api/games/{game['id']}/start", {"house": True, "level": "normal"}, 200
    )
    assert [level for level, _ in filter(None, programs(game))] == [
        "easy",
        "easy",
        "strong",
        "normal",
    ]
    assert game["level"] == "easy"


@sqlite_only
def test_starting_with_house_players_takes_those_of_the_table(cast):
    game_id = cast.open(level="strong")
    game = cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, 200)
    assert programs(game) == [None, ("strong", VERSION), ("strong", VERSION)]


@sqlite_only
@pytest.mark.parametrize("level", ["hard", "Normal", "", None, 1, ["easy"]])
def test_other_levels_are_refused_and_change_nothing(app, cast, level):
    game_id = cast.open()
    before, wish = dump(app), {"house": True, "level": level}
    opened = {"ruleset": BOOMERANG, "level": level}
    for path, body in (
        ("/api/games", opened),
        (f"/api/games/{game_id}/seats", wish),
        (f"/api/games/{game_id}/start", wish),
    ):
        problem = cast.alice.refused("POST", path, "invalid-body", body)
        assert problem["status"] == 400 and "level" in problem["errors"]
    assert dump(app) == before


@sqlite_only
def test_only_the_host_adds_house_players_of_any_level(cast):
    game = cast.alice.game(cast.open())
    cast.bob.refused("POST", seats(game), "not-host", {"house": True, "level": "easy"})


def test_who_stands_in_plays_normal_at_any_table(cast):
    game_id = cast.start(TEN, players=4, house=1, level="strong")
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    cast.bob.post(f"/api/games/{game_id}/resignation", {"for_good": True}, 200)
    shown = [program and program[0] for program in programs(cast.carol.game(game_id))]
    assert sorted(map(str, shown)) == ["None", "normal", "normal", "strong"]


@sqlite_only
def test_who_stands_in_after_timeouts_plays_normal(app, cast, clock):
    game_id = cast.start(pace="quick", takeover=1, level="easy")
    seat = cast.alice.game(game_id)["waiting"][0]["seat"]
    clock.forward(8 * DAY)
    services = app.extensions["tegami"]
    with app.app_context():
        timeouts.time_out_seat(services, game_id, seat)
    assert programs(cast.alice.game(game_id))[seat] == ("normal", VERSION)


@sqlite_only
def test_a_rematch_has_house_players_of_the_same_levels(cast):
    game = cast.alice.game(cast.open(TEN, players=3, house=1, level="easy"))
    cast.alice.post(seats(game), {"house": True, "level": "strong"})
    cast.alice.post(f"/api/games/{game['id']}/start", {}, 200)
    cast.alice.post(f"/api/games/{game['id']}/proposals", {"kind": "close", "outcome": "draw"})
    again = cast.alice.post(f"/api/games/{game['id']}/rematch", {"nonce": None})
    levels = sorted(level for level, _ in filter(None, programs(again)))
    assert levels == ["easy", "strong"] and again["level"] == "easy"


@sqlite_only
def test_no_two_house_players_at_a_table_have_one_name(cast):
    wish = {"ruleset": TEN, "players": 10, "house": 9, "nonce": None}
    for _ in range(3):
        game = cast.alice.post("/api/games", wish)
        called = [each["name"] for each in game["seats"]]
        assert len(set(called)) == 10


@sqlite_only
def test_whoever_stands_in_has_another_name_than_those_before(cast):
    game_id, called = cast.start(), set()
    for _ in range(3):
        for person in cast.seated[:2]:
            game = person.post(f"/api/games/{game_id}/resignation", status=200)
            called |= {each["name"] for each in game["seats"] if each["house"]}
            person.post(f"/api/games/{game_id}/return", status=200)
    assert len(called) == 6


@sqlite_only
def test_names_are_used_again_when_all_have_been(app, cast):
    game_id = cast.open()
    for _ in names.house_names():
        game = cast.alice.post(f"/api/games/{game_id}/seats", {"house": True})
        cast.alice.delete(f"/api/games/{game_id}/seats/{game['seats'][1]['tenure']}")
    used = {row.house_name for row in execute(app, "SELECT house_name FROM tenures")} - {None}
    assert used == set(names.house_names())
    cast.alice.post(f"/api/games/{game_id}/seats", {"house": True})
    game = cast.alice.post(f"/api/games/{game_id}/seats", {"house": True})
    assert len({each["name"] for each in game["seats"]}) == 3


@sqlite_only
def test_names_follow_from_the_public_id_and_stay(app, cast):
    """They are the same for everybody, before and after the seats are drawn."""
    game = cast.alice.game(cast.open(house=2, seating="random"))
    before = {each["tenure"]: each["name"] for each in game["seats"]}
    cast.alice.post(f"/api/games/{game['id']}/start", {}, 200)
    for person in (cast.alice, cast.nobody):
        shown = person.game(game["id"])["seats"]
        assert {each["tenure"]: each["name"] for each in shown} == before


@sqlite_only
def test_house_players_have_names_in_every_language(cast):
    game_id = cast.open(house=2)
    shown = [
        cast.alice.game(game_id, headers={"Accept-Language": language}) for language in LANGUAGES
    ]
    for english, japanese in zip(*(game["seats"][1:] for game in shown), strict=True):
        assert english["name"].isascii() and not japanese["name"].isascii()
        assert english["program"]["words"] == "house player, normal"
        assert japanese["program"]["words"] == "ハウス・ふつう"


@pytest.mark.parametrize("form", ["{}", " {} 2", "{} (house player)", "({})", "Program {}"])
def test_nobody_can_have_the_name_of_a_house_player(form):
    """This holds for any language, in capitals and small letters."""
    called = [
        phrases(language).say(f"house.name.{key}")
        for language in LANGUAGES
        for key in names.house_names()
    ]
    for name in called:
        for each in {name, name.upper(), name.lower()}:
            with pytest.raises(UnusableName):
                names.usable(form.format(each))
    names.usable("Fuderman"), names.usable("アンドンヤ")


@sqlite_only
def test_somebody_with_an_older_name_of_that_kind_meets_no_namesake(app, cast):
    execute(app, "UPDATE players SET name = 'Suzuri' WHERE id = :id", id=cast.bob.id)
    game = cast.alice.game(cast.open(TEN, players=10, house=8))
    cast.alice.delete(f"{seats(game)}/{game['seats'][1]['tenure']}")
    called = {each["name"] for each in cast.alice.game(game["id"])["seats"]}
    if "Suzuri" in called:
        cast.bob.refused("POST", seats(game), "name-taken", {})
    else:
        game = cast.bob.post(seats(game), {})
        game = cast.alice.post(seats(game), {"house": True})
        assert sum(each["name"] == "Suzuri" for each in game["seats"]) == 1


@sqlite_only
def test_lists_say_who_is_a_program_and_how_well_it_plays(cast):
    game = cast.alice.game(cast.open(house=1, level="strong"))
    listed = cast.nobody.get("/api/games")["games"][0]["names"]
    assert listed == ["Alice", f"{game['seats'][1]['name']} (house player, strong)"]


@sqlite_only
def test_sentences_say_who_is_a_program(cast):
    game = cast.alice.game(cast.start(TEN, players=3, house=1))
    (house,) = (each for each in game["seats"] if each["house"])
    said = [each["words"] for each in game["view"]["facts"] if each.get("of") == house["seat"]]
    assert said and all(words.startswith(f"{house['name']} (house player) ") for words in said)


@sqlite_only
def test_the_record_says_what_the_house_players_were(cast):
    """Those of the start come first, then those who stood in; people are not described."""
    game_id = cast.start(TEN, players=4, house=1, level="strong")
    seated = cast.alice.game(game_id)["seats"]
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    stood_in = cast.bob.game(game_id)["seats"][0]
    propose(cast.bob, game_id, {"kind": "close", "outcome": "draw"})
    vote(cast.carol, game_id)
    record = cast.bob.send("GET", f"/api/games/{game_id}/record").get_data()
    (house,) = (each for each in seated if each["house"])
    assert verify(record)["programs"] == [
        {
            "tenure": each["tenure"],
            "name": each["name"].lower(),
            "level": level,
            "version": VERSION,
        }
        for each, level in ((house, "strong"), (stood_in, "normal"))
    ]


@sqlite_only
def test_the_record_of_a_game_between_people_speaks_of_no_programs(cast):
    game_id = cast.start()
    cast.play(game_id)
    record = cast.bob.send("GET", f"/api/games/{game_id}/record").get_data()
    assert "programs" not in verify(record)
