"""Read marks: what is new to whom, at one table and at all tables."""

from __future__ import annotations

import pytest

from service.tables.talk.read_marks import MOST_COUNTED
from tests.support.cast import sqlite_only
from tests.support.talking import SEATS, SPECTATORS, at, resigned, say, talk


def mark(person, game_id, number, channel=SEATS):
    body = {"channel": channel, "number": number}
    answer = person.send("PUT", at(game_id, "marks"), json=body)
    assert answer.status_code == 200, answer.json
    return answer.json[channel]


def unread(person, game_id, channel=SEATS):
    return talk(person, game_id)[channel]["unread"]


def everywhere(person):
    return person.get("/api/me/unread")["games"]


def test_messages_of_others_are_new_until_they_are_read(cast):
    game_id = cast.start()
    for n in range(3):
        say(cast.alice, game_id, f"{n}")
    say(cast.bob, game_id, "x")
    assert [unread(person, game_id) for person in cast.seated] == [1, 3, 4]
    assert talk(cast.carol, game_id)[SEATS] == {
        "reads": True,
        "writes": True,
        "last": 4,
        "read": 0,
        "unread": 4,
    }
    assert mark(cast.carol, game_id, 2)["unread"] == 2
    assert mark(cast.carol, game_id, 4) == talk(cast.carol, game_id)[SEATS]
    assert unread(cast.carol, game_id) == 0
    say(cast.alice, game_id, "more")
    assert unread(cast.carol, game_id) == 1


@pytest.mark.both_databases
def test_a_mark_moves_neither_back_nor_beyond_the_last_message(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    assert mark(cast.bob, game_id, 1)["read"] == 1
    assert mark(cast.bob, game_id, 0)["read"] == 1
    assert mark(cast.bob, game_id, 2**31 - 1)["read"] == 1
    say(cast.alice, game_id, "y")
    assert unread(cast.bob, game_id) == 1
    assert mark(cast.carol, game_id, 0)["unread"] == 2


def test_each_channel_has_its_own_mark(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    say(cast.mallory, game_id, "y", SPECTATORS)
    cast.play(game_id)
    mark(cast.bob, game_id, 1, SPECTATORS)
    told = talk(cast.bob, game_id)
    assert (told[SEATS]["unread"], told[SPECTATORS]["unread"]) == (1, 0)


def test_a_hidden_message_is_not_new(cast):
    game_id = cast.start()
    said = say(cast.bob, game_id, "x")
    cast.alice.delete(at(game_id, f"messages/{said['id']}"))
    assert unread(cast.carol, game_id) == 0
    assert everywhere(cast.carol) == []


def test_after_leaving_only_older_messages_count(cast):
    game_id = resigned(cast)
    assert talk(cast.bob, game_id)[SEATS]["last"] == 1
    assert mark(cast.bob, game_id, 9)["read"] == 1
    cast.bob.post(at(game_id, "return"), status=200)
    assert unread(cast.bob, game_id) == 1


@sqlite_only
def test_new_messages_are_counted_up_to_a_hundred(cast):
    game_id = cast.start()
    for n in range(MOST_COUNTED + 3):
        say(cast.alice, game_id, f"{n}")
    assert unread(cast.bob, game_id) == MOST_COUNTED
    assert everywhere(cast.bob)[0]["seats"] == MOST_COUNTED
    assert mark(cast.bob, game_id, 4)["unread"] == MOST_COUNTED - 1


@pytest.mark.both_databases
def test_one_poll_covers_all_tables(cast, clock):
    first, second, third = cast.start(), cast.start(), cast.start()
    for game_id in (first, second):
        clock.forward(1000)
        say(cast.alice, game_id, "x")
    say(cast.bob, second, "y")
    say(cast.mallory, third, "z", SPECTATORS)
    assert everywhere(cast.bob) == [
        {"id": second, "seats": 1, "spectators": 0},
        {"id": first, "seats": 1, "spectators": 0},
    ]
    assert [each["seats"] for each in everywhere(cast.carol)] == [2, 1]
    assert everywhere(cast.mallory) == []
    mark(cast.bob, first, 1)
    mark(cast.bob, second, 2)
    assert everywhere(cast.bob) == []
    cast.play(third)
    assert everywhere(cast.bob) == [{"id": third, "seats": 0, "spectators": 1}]
    cast.nobody.refused("GET", "/api/me/unread", "not-signed-in")


def test_nothing_new_anywhere_is_304(cast):
    game_id = cast.start()
    tag = cast.bob.send("GET", "/api/me/unread").headers["ETag"]
    headers = {"If-None-Match": tag}
    assert cast.bob.send("GET", "/api/me/unread", headers=headers).status_code == 304
    say(cast.alice, game_id, "x")
    assert cast.bob.send("GET", "/api/me/unread", headers=headers).status_code == 200
