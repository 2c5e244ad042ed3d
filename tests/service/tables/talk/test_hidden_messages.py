"""Hiding messages: the host may do it, and an unreadable message cannot be hidden."""

from __future__ import annotations

import pytest

from tests.support.talking import SPECTATORS, at, heard, page, say


@pytest.fixture
def game_id(cast):
    return cast.start()


def place(person, game_id):
    return person.game(game_id)["tenure"]


def test_the_host_hides_a_message_and_a_placeholder_stays(cast, game_id):
    message = say(cast.bob, game_id, "rude words")
    say(cast.carol, game_id, "next")
    path = at(game_id, f"messages/{message['id']}")
    for person in (cast.bob, cast.carol):
        person.refused("DELETE", path, "not-host")
    for _ in range(2):
        cast.alice.delete(path)
    for person in cast.seated:
        mark = page(person, game_id)["messages"][1]
        assert (mark["hidden"], mark["text"], mark["name"]) == (True, None, "Bob")
        assert heard(person, game_id) == [None, "next"]


def test_an_unreadable_message_looks_like_a_missing_one(cast, game_id):
    message = say(cast.bob, game_id, "x")
    aside = say(cast.mallory, game_id, "y", SPECTATORS)
    nothing = "m_" + "0" * 22
    for person, other in ((cast.mallory, message), (cast.alice, aside)):
        for kind, method, tail in (("DELETE", "DELETE", ""), ("report", "POST", "/reports")):
            told = [
                person.send(method, at(game_id, f"messages/{each}{tail}"), json={})
                for each in (other["id"], nothing)
            ]
            assert [each.status_code for each in told] == [404, 404], kind
            assert told[0].data == told[1].data
        for path, body in ((at(game_id, "mutes"), {}), ("/api/me/blocks", {"game": game_id})):
            if person is cast.alice or "blocks" in path:
                person.refused("POST", path, "not-found", {**body, "message": other["id"]})


def test_a_message_is_not_found_at_another_table(cast, game_id):
    message, other = say(cast.bob, game_id, "x"), cast.start()
    cast.alice.refused("DELETE", at(other, f"messages/{message['id']}"), "not-found")
    body = {"tenure": place(cast.bob, game_id)}
    cast.alice.refused("POST", at(other, "mutes"), "not-found", body)
    assert heard(cast.bob, game_id) == ["x"]


def test_after_the_end_the_host_hides_messages_of_spectators(cast, game_id):
    message = say(cast.mallory, game_id, "x", SPECTATORS)
    path = at(game_id, f"messages/{message['id']}")
    cast.alice.refused("DELETE", path, "not-found")
    cast.mallory.refused("DELETE", path, "not-host")
    cast.play(game_id)
    cast.alice.delete(path)
    assert heard(cast.mallory, game_id, SPECTATORS) == [None]
