"""Unread marks: what is new to whom, at a table and over all of them."""

from __future__ import annotations

from service.unread import MOST
from tests.service.cast import sqlite_only
from tests.service.talking import SEATS, SPECTATORS, at, resigned, say, talk


def mark(person, game_id, number, channel=SEATS):
    body = {"channel": channel, "number": number}
    answer = person.send("PUT", at(game_id, "marks"), json=body)
    assert answer.status_code == 200, answer.json
    return answer.json[channel]


def unread(person, game_id, channel=SEATS):
    return talk(person, game_id)[channel]["unread"]


def everywhere(person):
    return person.get("/api/me/unread")["games"]


def test_what_others_said_is_new_until_it_is_read(cast):
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


def test_a_mark_neither_goes_back_nor_ahead(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    assert mark(cast.bob, game_id, 1)["read"] == 1
    assert mark(cast.bob, game_id, 0)["read"] == 1
    assert mark(cast.bob, game_id, 2**31 - 1)["read"] == 1
    say(cast.alice, game_id, "y")
    assert unread(cast.bob, game_id) == 1
    assert mark(cast.carol, game_id, 0)["unread"] == 2


def test_channels_are_marked_apart(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    say(cast.mallory, game_id, "y", SPECTATORS)
    cast.play(game_id)
    mark(cast.bob, game_id, 1, SPECTATORS)
    told = talk(cast.bob, game_id)
    assert (told[SEATS]["unread"], told[SPECTATORS]["unread"]) == (1, 0)


def test_what_is_hidden_is_not_new(cast):
    game_id = cast.start()
    said = say(cast.bob, game_id, "x")
    cast.alice.delete(at(game_id, f"messages/{said['id']}"))
    assert unread(cast.carol, game_id) == 0
    assert everywhere(cast.carol) == []


def test_who_has_got_up_counts_to_the_handover(cast):
    game_id = resigned(cast)
    assert talk(cast.bob, game_id)[SEATS]["last"] == 1
    assert mark(cast.bob, game_id, 9)["read"] == 1
    cast.bob.post(at(game_id, "return"), status=200)
    assert unread(cast.bob, game_id) == 1


@sqlite_only
def test_nobody_counts_further_than_a_hundred(cast):
    game_id = cast.start()
    for n in range(MOST + 3):
        say(cast.alice, game_id, f"{n}")
    assert unread(cast.bob, game_id) == MOST
    assert everywhere(cast.bob)[0]["seats"] == MOST
    assert mark(cast.bob, game_id, 4)["unread"] == MOST - 1


def test_one_poll_tells_of_all_tables(cast, clock):
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
