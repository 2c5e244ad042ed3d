"""Mutes: the host prevents somebody from writing at the table."""

from __future__ import annotations

import pytest

from tests.support.talking import SEATS, SPECTATORS, at, heard, say, talk


@pytest.fixture
def game_id(cast):
    return cast.start()


def place(person, game_id):
    return person.game(game_id)["tenure"]


def test_a_muted_person_reads_and_plays_but_does_not_write(cast, game_id):
    say(cast.alice, game_id, "x")
    mute = cast.alice.post(at(game_id, "mutes"), {"tenure": place(cast.bob, game_id)})
    assert mute["name"] == "Bob"
    body = {"channel": SEATS, "text": "x"}
    cast.bob.refused("POST", at(game_id, "messages"), "may-not-talk", body)
    assert talk(cast.bob, game_id)[SEATS]["writes"] is False
    assert heard(cast.bob, game_id) == ["x"]
    again = cast.alice.post(at(game_id, "mutes"), {"tenure": place(cast.bob, game_id)}, 200)
    assert again == mute
    assert cast.alice.get(at(game_id, "mutes"))["mutes"] == [mute]
    say(cast.bob, cast.start(), "Elsewhere I may.")
    cast.alice.delete(at(game_id, f"mutes/{mute['id']}"))
    say(cast.bob, game_id, "Thank you.")
    cast.alice.refused("DELETE", at(game_id, f"mutes/{mute['id']}"), "not-found")


@pytest.mark.both_databases
def test_only_the_host_mutes(cast, game_id):
    body = {"tenure": place(cast.alice, game_id)}
    for person in (cast.bob, cast.mallory):
        person.refused("POST", at(game_id, "mutes"), "not-host", body)
        person.refused("GET", at(game_id, "mutes"), "not-host")
        person.refused("DELETE", at(game_id, f"mutes/s_{'0' * 22}"), "not-host")


def test_a_spectator_is_muted_by_a_message(cast, game_id):
    message = say(cast.mallory, game_id, "x", SPECTATORS)
    cast.play(game_id)
    cast.alice.post(at(game_id, "mutes"), {"message": message["id"]})
    body = {"channel": SPECTATORS, "text": "y"}
    cast.mallory.refused("POST", at(game_id, "messages"), "may-not-talk", body)
    assert heard(cast.mallory, game_id, SPECTATORS) == ["x"]


def test_neither_oneself_nor_a_house_player_can_be_muted_or_blocked(cast):
    game_id = cast.open(house=1)
    house = cast.alice.game(game_id)["seats"][1]["tenure"]
    own = say(cast.alice, game_id, "x")["id"]
    for body in ({"tenure": house}, {"tenure": place(cast.alice, game_id)}, {"message": own}):
        cast.alice.refused("POST", at(game_id, "mutes"), "not-found", body)
        cast.alice.refused("POST", "/api/me/blocks", "not-found", {"game": game_id, **body})


def test_a_mute_survives_leaving_the_seat(cast):
    game_id = cast.start()
    cast.alice.post(at(game_id, "mutes"), {"tenure": place(cast.bob, game_id)})
    cast.bob.post(at(game_id, "resignation"), status=200)
    cast.bob.post(at(game_id, "return"), status=200)
    body = {"channel": SEATS, "text": "x"}
    cast.bob.refused("POST", at(game_id, "messages"), "may-not-talk", body)
