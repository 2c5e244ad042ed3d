"""Nobody reads what they may not, nor learns of it by counting: whatever is said, their answers stay the same."""

from __future__ import annotations

import json

import pytest

from tests.service.cast import Person
from tests.service.talking import SEATS, SPECTATORS, at, resigned, say

SECRET = "the-secret-plan"
EVERYWHERE = (
    "/api/games/{}",
    "/api/games/{}/events",
    "/api/games/{}/talk",
    "/api/games/{}/messages?channel=seats",
    "/api/games/{}/messages?channel=seats&limit=1",
    "/api/games/{}/messages?channel=spectators",
    "/api/games/{}/notes",
    "/api/games/{}/mutes",
    "/api/games/{}/clock",
    "/api/games/{}/proposals",
    "/api/games",
    "/api/games?mine=true",
    "/api/me/unread",
    "/api/me/turns",
    "/api/me/blocks",
)


def all_told(person: Person, game_id: str) -> list[tuple[int, dict[str, str], str]]:
    """Every answer that this person can get, with its headers but the time of day."""
    answers = [person.send("GET", path.format(game_id)) for path in EVERYWHERE]
    for answer in answers:
        answer.headers.remove("Date")
    return [(each.status_code, dict(each.headers), each.text) for each in answers]


def chatter(cast, person, game_id, channel):
    """Something is said, heard, noted, reported and hidden, a lot of it."""
    path = at(game_id, "messages")
    for n in range(3):
        said = say(person, game_id, f"{SECRET} {n}", channel)
        person.post(f"{path}/{said['id']}/reports", {"why": SECRET}, 204)
    person.send("PUT", at(game_id, "marks"), json={"channel": channel, "number": 2})
    person.send("PUT", at(game_id, "notes"), json={"text": SECRET})
    if person is cast.alice:
        person.delete(f"{path}/{said['id']}")


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_who_looks_on_learns_nothing_of_the_talk_at_the_table(cast, over):
    game_id = cast.start()
    if over:
        cast.play(game_id)
    say(cast.mallory, game_id, "own words", SPECTATORS)
    onlookers = (cast.mallory, Person(cast.app, "Dora"), cast.nobody)
    before = [all_told(person, game_id) for person in onlookers]
    chatter(cast, cast.alice, game_id, SEATS)
    assert [all_told(person, game_id) for person in onlookers] == before
    aside = say(cast.mallory, game_id, "the next", SPECTATORS)
    assert aside["number"] == 2


def test_players_learn_nothing_of_what_spectators_say(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "own words")
    before = [all_told(person, game_id) for person in cast.seated]
    chatter(cast, cast.mallory, game_id, SPECTATORS)
    assert [all_told(person, game_id) for person in cast.seated] == before
    assert say(cast.bob, game_id, "the next")["number"] == 2


def test_who_has_gone_learns_nothing_of_what_is_said_then(cast):
    game_id = resigned(cast)
    before = all_told(cast.bob, game_id)
    chatter(cast, cast.alice, game_id, SEATS)
    chatter(cast, cast.mallory, game_id, SPECTATORS)
    assert all_told(cast.bob, game_id) == before
    assert "before" in before[3][2]


def test_others_do_not_learn_how_far_one_has_read(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    before = all_told(cast.alice, game_id)
    cast.bob.send("PUT", at(game_id, "marks"), json={"channel": SEATS, "number": 1})
    cast.bob.send("PUT", at(game_id, "notes"), json={"text": SECRET})
    assert all_told(cast.alice, game_id) == before


def test_nobody_at_the_table_learns_of_a_report(cast):
    game_id = cast.start()
    said = say(cast.bob, game_id, "x")
    before = [all_told(person, game_id) for person in cast.seated]
    cast.carol.post(at(game_id, f"messages/{said['id']}/reports"), {"why": SECRET}, 204)
    assert [all_told(person, game_id) for person in cast.seated] == before


def test_the_text_of_a_hidden_message_is_nowhere(cast):
    game_id = cast.start()
    said = say(cast.bob, game_id, SECRET)
    cast.alice.delete(at(game_id, f"messages/{said['id']}"))
    again = {"channel": SEATS, "text": "y", "once": "ab" * 8}
    cast.bob.post(at(game_id, "messages"), again)
    for person in (*cast.seated, cast.mallory, cast.nobody):
        assert SECRET not in json.dumps(all_told(person, game_id))


def test_a_repeat_shows_no_hidden_text(cast):
    game_id = cast.start()
    body = {"channel": SEATS, "text": SECRET, "once": "ab" * 8}
    said = cast.bob.post(at(game_id, "messages"), body)
    cast.alice.delete(at(game_id, f"messages/{said['id']}"))
    assert cast.bob.post(at(game_id, "messages"), body, 200)["text"] is None


def test_the_record_of_a_game_holds_no_talk(cast):
    game_id = cast.start()
    say(cast.alice, game_id, SECRET)
    cast.play(game_id)
    assert SECRET not in json.dumps(cast.alice.get(at(game_id, "record")))
