"""Lists with games or players that cannot be shown here return the rest: unknown rules, house players, damaged logs.

A newer release next to this one writes such rows, and so may a person at the database.
"""

from __future__ import annotations

import json
import random
from urllib.parse import urlsplit

import pytest

from service.operations.stored_data import upgrade_games
from service.operations.worker.house_players import HousePlayers
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.damaging import body_of, set_body
from tests.support.dump import execute
from tests.support.newer_games import offered
from tests.support.operator_command import told
from tests.support.post_office import Office, part
from tests.support.rounds import alone, logged
from tests.support.thinking import in_turn

pytestmark = [sqlite_only, pytest.mark.own_database]

LISTS = (
    *("/api/games", "/api/games?mine=true", "/api/games?status=over&mine=true", "/api/me/turns"),
    *("/api/me/invitations", "/api/me/unread", "/api/me/changes", "/api/me/export"),
    *("/plain", "/plain/finished", "/", "/finished", "/plain/ratings"),
)
HIDDEN = {
    "a ruleset that nobody knows": "ruleset = 'no-such-game'",
    "a version that nobody knows": "version = 99",
}


@pytest.fixture
def office(app, cast):
    """alice and mallory have verified addresses."""
    office = Office(app)
    office.address(cast.alice, cast.mallory)
    return office


def over(cast):
    """A game that is over."""
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    return game_id


def with_invitation(cast):
    """A table of mallory's to which alice is invited."""
    game_id = cast.mallory.post("/api/games", {"ruleset": CARAVAN})["id"]
    cast.mallory.post(f"/api/games/{game_id}/invitations", {"address": "alice@example.org"})
    return game_id


@pytest.mark.parametrize("strange", HIDDEN)
def test_every_list_goes_on_without_a_game_that_has_no_rules_here(app, cast, office, strange):
    makers = (
        lambda: alone(cast)["id"],
        cast.open,
        lambda: over(cast),
        lambda: with_invitation(cast),
    )
    hidden, sound = ([make() for make in makers] for _ in range(2))
    for game_id in hidden:
        execute(app, f"UPDATE games SET {HIDDEN[strange]} WHERE id = :game", game=game_id)
    feed = cast.alice.post("/api/me/feeds", {"label": "reader"})["feed"]
    feeds = [urlsplit(feed[each]).path for each in ("turns", "deadlines")]
    shown = set()
    for language in ("en", "ja"):
        for path in (*LISTS, *feeds):
            answer = cast.alice.send("GET", path, headers={"Accept-Language": language})
            assert answer.status_code == 200, path
            text = answer.get_data(as_text=True)
            assert path == "/api/me/export" or not any(each in text for each in hidden), path
            shown |= {(path, each) for each in sound if each in text}
    running, opened, ended, invited = sound
    assert {
        *(("/plain", each) for each in (running, opened, invited)),
        *(("/plain/finished", ended), (feeds[0], running), ("/api/me/invitations", invited)),
        *(("/api/games?mine=true", each) for each in (running, opened, ended)),
    } <= shown


def test_a_house_player_of_a_newer_release_is_shown_and_plays_as_usual(app, cast):
    games = [alone(cast)["id"], cast.open(house=1)]
    execute(app, "UPDATE tenures SET house_level = 'expert' WHERE house_level IS NOT NULL")
    execute(app, "UPDATE tenures SET house_name = 'inkan' WHERE house_name IS NOT NULL")
    execute(app, "UPDATE games SET level = 'expert'")
    for language in ("en", "ja"):
        paths = [
            f"{place}/games/{game_id}" for place in ("", "/plain", "/api") for game_id in games
        ]
        for path in (*LISTS, *paths, f"/api/games/{games[0]}/events"):
            answer = cast.alice.send("GET", path, headers={"Accept-Language": language})
            assert answer.status_code == 200, path
            if path in {"/api/games", "/plain"}:
                assert "Inkan" in answer.get_data(as_text=True)
    seats = cast.alice.game(games[0])["seats"]
    assert [each["program"]["level"] for each in seats if each["house"]] == ["normal"]
    shown = cast.alice.game(games[0])
    if shown["legal"]:
        cast.alice.answer(shown)
    house = HousePlayers(app.extensions["tegami"], random.Random(5), in_turn())
    with app.app_context():
        assert house.move_all() > 0
        assert not house._thought_about


def test_records_in_bulk_and_digests_go_on_without_a_damaged_game(app, cast, office, clock, capsys):
    records = [over(cast), over(cast)]
    waiting = [alone(cast)["id"], alone(cast)["id"]]
    for game_id in (records[0], waiting[0]):
        set_body(app, game_id, 1, body_of(app, game_id, 1)[:-20])
    app.extensions["tegami"].states.__init__()
    capsys.readouterr()
    lines = cast.alice.send("GET", "/api/records?mine=true").get_data(as_text=True).splitlines()
    assert [json.loads(each)["game"] for each in lines] == [records[1]]
    (line,) = logged(capsys)
    assert (line["game"], line["cause"]) == (records[0], "damaged game")
    execute(app, "UPDATE credentials SET seen_at = NULL")
    assert cast.alice.send("PATCH", "/api/me/settings", json={"digest": "08:00"}).status_code == 200
    mails = []
    for _ in range(48):
        clock.forward(3_600_000)
        mails += [each for each in office.deliver(now=False) if "Waiting" in each["Subject"]]
    tenure = cast.alice.game(waiting[1])["tenure"]
    assert tenure in part(mails[0])


def test_a_damaged_game_keeps_no_other_from_a_newer_version(app, cast, config, second_editions):
    with offered(*second_editions.values()):
        damaged, sound = (cast.start(BOOMERANG, version=1) for _ in range(2))
        cast.alice.answer(cast.alice.game(sound))
        set_body(app, damaged, 1, body_of(app, damaged, 1)[:-20])
        said = told(config, "upgrade-games", BOOMERANG, status=upgrade_games.SOME_STAY)
    assert f"{damaged}  stays at version 1: damaged game" in said
    assert f"{sound}  version 1 -> 2" in said
